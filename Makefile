# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors

.DEFAULT_GOAL := help
.PHONY: help setup build demo test test-vm corpus check fmt bench soak test-asan test-tsan clean

help: ## Say what the targets do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

setup: ## Install the Debian packages that are missing (as root or with sudo)
	@scripts/setup

build: setup ## Build datascand and datascan for release, into .build/release
	@scripts/build

demo: ## Scan the sample clip, or SOURCE=PATH, and show what is found
	@scripts/demo

test: ## Build and run all tests, and read a sample of the barcode collections
	@scripts/test

test-vm: build ## Run the release build in a guest machine with scripted cameras, or SCENARIO=NAME alone
	@Tests/VM/test-vm $(SCENARIO)

corpus: build ## Read all collections of barcode pictures, or LEVEL=fast alone, and compare with the floors
	@scripts/corpus $(LEVEL)

check: ## Check format, licences, layers, imports, escape hatches and file lengths
	@scripts/check --self-test
	@scripts/check

fmt: ## Format all Swift files in place
	@scripts/check --format

bench: ## Run the benchmarks: steps of a frame, and pictures beside ZBar
	@scripts/bench

soak: build ## Scan 200,000 QR codes (or SCANS=N) and watch the memory of the workers
	@scripts/soak

test-asan: ## Run all tests under AddressSanitizer
	@scripts/test-sanitized address

test-tsan: ## Run all tests under ThreadSanitizer
	@scripts/test-sanitized thread

clean: ## Remove everything that was built
	@rm -rf .build
