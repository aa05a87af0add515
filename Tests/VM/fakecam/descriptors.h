// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

// The descriptors by which the camera says what it is (USB 2.0 chapter 9, UVC 1.0).
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "modes.h"

enum { CONTROL_INTERFACE = 0, STREAMING_INTERFACE = 1 };
enum { TERMINAL = 1, PROCESSING = 2, OUTPUT = 3 };
enum { STREAM_ENDPOINT = 0x81, BULK_PAYLOAD = 16384, WIDEST_PACKET = 3072 };

struct identity {
    uint16_t vendor, product;
    const char *name, *serial;
    bool isochronous;
    const struct raw_format *raw;
    bool raw_only; // no MJPEG
};

// Each writes a descriptor and gives its length, 0 where there is none.
size_t device_descriptor(const struct identity *identity, uint8_t *into);
size_t configuration_descriptor(const struct identity *identity, uint8_t *into);
size_t string_descriptor(const struct identity *identity, unsigned index, uint8_t *into);

#endif
