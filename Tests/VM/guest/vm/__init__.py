# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""What scenarios are written with: cameras, the daemon, a subscriber, and checks with their times."""
