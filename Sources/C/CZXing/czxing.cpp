// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

#include "czxing.h"

// Without it every header of the library warns that wide strings will go.
#define ZX_USE_UTF8 1

#include <ZXing/ReadBarcode.h>

#include <cstring>
#include <string>

namespace {

struct Known {
    uint32_t bit;
    ZXing::BarcodeFormat format;
};

constexpr Known known[] = {
    {CZXING_EAN13, ZXing::BarcodeFormat::EAN13}, {CZXING_EAN8, ZXing::BarcodeFormat::EAN8},
    {CZXING_UPCA, ZXing::BarcodeFormat::UPCA},   {CZXING_UPCE, ZXing::BarcodeFormat::UPCE},
    {CZXING_CODE128, ZXing::BarcodeFormat::Code128},
};

}  // namespace

long czxing_read_linear(
    const uint8_t *pixels, int width, int height, int stride, uint32_t symbologies, char *text, size_t capacity,
    uint32_t *symbology) {
    try {
        ZXing::BarcodeFormats formats;
        for (const auto &entry : known)
            if (symbologies & entry.bit) formats |= entry.format;
        ZXing::DecodeHints hints;
        hints.setFormats(formats);
        hints.setTryHarder(true);
        hints.setTryRotate(false);
        // More than one would abort on two equal symbols in one row (Result.cpp: lineCount() == 1).
        hints.setMaxNumberOfSymbols(1);
        const auto result = ZXing::ReadBarcode({pixels, width, height, ZXing::ImageFormat::Lum, stride}, hints);
        if (!result.isValid()) return 0;
        for (const auto &entry : known)
            if (entry.format == result.format()) *symbology = entry.bit;
        const std::string read(result.bytes().begin(), result.bytes().end());
        if (read.size() > capacity) return -1;
        std::memcpy(text, read.data(), read.size());
        return static_cast<long>(read.size());
    } catch (...) {
        return -1;
    }
}
