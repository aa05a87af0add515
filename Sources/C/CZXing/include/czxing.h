// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

// zxing-cpp 1.4 behind plain C: it has no C interface of its own, and an exception that reaches Swift ends the process.

#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The linear symbologies that can be asked for, as bits.
enum {
    CZXING_EAN13 = 1 << 0,
    CZXING_EAN8 = 1 << 1,
    CZXING_UPCA = 1 << 2,
    CZXING_UPCE = 1 << 3,
    CZXING_CODE128 = 1 << 4,
};

/// Reads at most one linear symbol in a crop of luma whose bars stand upright.
///
/// Writes its text (UTF-8, no NUL) to `text` and its symbology's bit to `symbology`. Returns the text's length, 0 when
/// nothing was read, -1 when it does not fit `capacity` or the library threw. `pixels` holds `height` rows, `stride`
/// bytes apart. It may abort the process on hostile pictures (zxing-cpp#740, #516): call it in a worker.
long czxing_read_linear(
    const uint8_t *_Nonnull pixels, int width, int height, int stride, uint32_t symbologies, char *_Nonnull text,
    size_t capacity, uint32_t *_Nonnull symbology);

#ifdef __cplusplus
}
#endif
