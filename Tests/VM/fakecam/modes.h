// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

// What the camera offers: MJPEG and a raw format in two sizes, each at several rates.
#ifndef MODES_H
#define MODES_H

#include <stddef.h>
#include <stdint.h>

enum format { MJPG, RAW, FORMATS };
enum { SIZES = 2, MOST_RATES = 4, UNITS_PER_SECOND = 10000000 };

struct size {
    unsigned width, height;
};

static const struct size sizes[SIZES] = {{640, 480}, {1280, 720}};

// Frame intervals in 100 ns, 0 at the end. Like real cameras on USB 2 it has no fast raw mode at the large size.
static const uint32_t intervals[FORMATS][SIZES][MOST_RATES] = {
    [MJPG] = {{333333, 666666, 1000000, 2000000}, {333333, 666666, 1000000, 2000000}},
    [RAW] = {{333333, 666666, 1000000, 2000000}, {1000000, 2000000}},
};

static inline unsigned interval_count(enum format format, unsigned size) {
    unsigned count = 0;
    while (count < MOST_RATES && intervals[format][size][count] != 0)
        count++;
    return count;
}

// A raw format, by the GUID that a camera names it by.
struct raw_format {
    const char *name; // as V4L2 spells it
    uint8_t guid[16];
    uint8_t bits; // of a pixel
};

#define MEDIA_TYPE(a, b, c, d) {a, b, c, d, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xaa, 0x00, 0x38, 0x9b, 0x71}

// The first is what most webcams have; a camera has one of them.
static const struct raw_format raw_formats[] = {
    {"YUYV", MEDIA_TYPE('Y', 'U', 'Y', '2'), 16},
    {"UYVY", MEDIA_TYPE('U', 'Y', 'V', 'Y'), 16},
    {"NV12", MEDIA_TYPE('N', 'V', '1', '2'), 12},
    {"GREY", MEDIA_TYPE('Y', '8', '0', '0'), 8},
    {"BA81", MEDIA_TYPE('B', 'A', '8', '1'), 8},
    {"BGR3", {0x7d, 0xeb, 0x36, 0xe4, 0x4f, 0x52, 0xce, 0x11, 0x9f, 0x53, 0x00, 0x20, 0xaf, 0x0b, 0xa7, 0x70}, 24},
};
enum { RAW_FORMATS = sizeof raw_formats / sizeof *raw_formats };

static inline size_t raw_bytes(const struct raw_format *raw, unsigned size) {
    return (size_t)sizes[size].width * sizes[size].height * raw->bits / 8;
}

#endif
