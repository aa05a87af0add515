// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

// zxing-cpp 1.4 behind plain C: it has no C interface of its own, and an exception that reaches Swift ends the process.

#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The formats of zxing-cpp 1.4, as bits.
enum {
    CZXING_AZTEC = 1 << 0,
    CZXING_CODABAR = 1 << 1,
    CZXING_CODE39 = 1 << 2,
    CZXING_CODE93 = 1 << 3,
    CZXING_CODE128 = 1 << 4,
    CZXING_DATABAR = 1 << 5,
    CZXING_DATABAR_EXPANDED = 1 << 6,
    CZXING_DATA_MATRIX = 1 << 7,
    CZXING_EAN8 = 1 << 8,
    CZXING_EAN13 = 1 << 9,
    CZXING_ITF = 1 << 10,
    CZXING_MAXICODE = 1 << 11,
    CZXING_PDF417 = 1 << 12,
    CZXING_QR = 1 << 13,
    CZXING_UPCA = 1 << 14,
    CZXING_UPCE = 1 << 15,
    CZXING_MICRO_QR = 1 << 16,
};

/// How a picture becomes black and white.
enum {
    /// Each pixel against its neighbourhood for matrix codes, the line's histogram for linear ones.
    CZXING_LOCAL_AVERAGE = 0,
    /// One threshold from the histogram of the picture (of the line, for linear codes).
    CZXING_GLOBAL_HISTOGRAM = 1,
    /// 127 for the whole picture.
    CZXING_FIXED_THRESHOLD = 2,
};

/// What to look for, and how.
typedef struct {
    /// Bits of `CZXING_AZTEC` and so on; none of them reads nothing.
    uint32_t formats;
    /// One of `CZXING_LOCAL_AVERAGE` and so on.
    uint8_t binarizer;
    /// More lines and more ways; `false` is three to ten times as fast.
    uint8_t try_harder;
    /// The picture turned by 90, 180 and 270 degrees as well.
    uint8_t try_rotate;
    /// The picture holds one symbol that stands upright and nothing else.
    uint8_t is_pure;
    /// Scan lines of a linear symbol that must say the same; at least 1.
    uint8_t minimum_lines;
} czxing_options;

/// What one symbol says beside its payload.
typedef struct {
    /// One of the format bits.
    uint32_t format;
    /// x and y of the corners in pixels: top-left, top-right, bottom-right, bottom-left of the symbol itself. A linear
    /// symbol has the ends of one line, twice. All are 0 for MaxiCode.
    int32_t corners[8];
    /// Bytes written to the payload's buffer: what the symbol encodes, in no character set's conversion.
    size_t payload_length;
    /// Bytes written to the text's buffer: the payload in UTF-8, by its ECI or by a guess.
    size_t text_length;
    /// The ECI of the first character set that the symbol names; -1 where it names none.
    int32_t eci;
    /// Place in a structured append, from 0; -1 where it is none.
    int32_t sequence_index;
    /// Symbols of the structured append; 0 where that is not told, -1 where it is none.
    int32_t sequence_size;
    /// Scan lines of a linear symbol that said the same.
    int32_t line_count;
    uint8_t is_mirrored;
    /// Whether the data are GS1 element strings (FNC1 in first place, or DataBar).
    uint8_t is_gs1;
    uint8_t is_reader_programming;
    /// The AIM identifier, such as "]Q1"; empty where there is none.
    char identifier[8];
    /// What the parts of one structured append share; cut to fit, empty where there is none.
    char sequence_id[64];
} czxing_symbol;

/// What became of a call.
enum {
    CZXING_FOUND = 1,
    CZXING_NOTHING = 0,
    /// The library threw, or the payload does not fit.
    CZXING_FAILED = -1,
};

/// Reads at most one symbol in a crop of luma.
///
/// `pixels` holds `height` rows, `stride` bytes apart. Payload and text go to the two buffers; a text that does not fit
/// is left out. It may abort the process on hostile pictures (zxing-cpp#740, #516, Debian keeps the assertions): call it
/// in a worker. Thread-safe.
int czxing_read(
    const uint8_t *_Nonnull pixels, int width, int height, int stride, const czxing_options *_Nonnull options,
    uint8_t *_Nonnull payload, size_t payload_capacity, char *_Nonnull text, size_t text_capacity,
    czxing_symbol *_Nonnull symbol);

#ifdef __cplusplus
}
#endif
