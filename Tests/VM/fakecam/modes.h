// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

// What the camera offers: two formats in two sizes, each at several rates.
#ifndef MODES_H
#define MODES_H

#include <stddef.h>
#include <stdint.h>

enum format { MJPG, YUYV, FORMATS };
enum { SIZES = 2, MOST_RATES = 4, UNITS_PER_SECOND = 10000000 };

struct size {
    unsigned width, height;
};

static const struct size sizes[SIZES] = {{640, 480}, {1280, 720}};

// Frame intervals in 100 ns, 0 at the end. Like real cameras on USB 2 it has no fast raw mode at the large size.
static const uint32_t intervals[FORMATS][SIZES][MOST_RATES] = {
    [MJPG] = {{333333, 666666, 1000000, 2000000}, {333333, 666666, 1000000, 2000000}},
    [YUYV] = {{333333, 666666, 1000000, 2000000}, {1000000, 2000000}},
};

static inline unsigned interval_count(enum format format, unsigned size) {
    unsigned count = 0;
    while (count < MOST_RATES && intervals[format][size][count] != 0)
        count++;
    return count;
}

static inline size_t raw_bytes(unsigned size) { return (size_t)sizes[size].width * sizes[size].height * 2; }

#endif
