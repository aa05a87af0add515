// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

#include "czxing.h"

// Without it every header of the library warns that wide strings will go.
#define ZX_USE_UTF8 1

#include <ZXing/ReadBarcode.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace {

struct Known {
    uint32_t bit;
    ZXing::BarcodeFormat format;
};

constexpr Known known[] = {
    {CZXING_AZTEC, ZXing::BarcodeFormat::Aztec},
    {CZXING_CODABAR, ZXing::BarcodeFormat::Codabar},
    {CZXING_CODE39, ZXing::BarcodeFormat::Code39},
    {CZXING_CODE93, ZXing::BarcodeFormat::Code93},
    {CZXING_CODE128, ZXing::BarcodeFormat::Code128},
    {CZXING_DATABAR, ZXing::BarcodeFormat::DataBar},
    {CZXING_DATABAR_EXPANDED, ZXing::BarcodeFormat::DataBarExpanded},
    {CZXING_DATA_MATRIX, ZXing::BarcodeFormat::DataMatrix},
    {CZXING_EAN8, ZXing::BarcodeFormat::EAN8},
    {CZXING_EAN13, ZXing::BarcodeFormat::EAN13},
    {CZXING_ITF, ZXing::BarcodeFormat::ITF},
    {CZXING_MAXICODE, ZXing::BarcodeFormat::MaxiCode},
    {CZXING_PDF417, ZXing::BarcodeFormat::PDF417},
    {CZXING_QR, ZXing::BarcodeFormat::QRCode},
    {CZXING_UPCA, ZXing::BarcodeFormat::UPCA},
    {CZXING_UPCE, ZXing::BarcodeFormat::UPCE},
    {CZXING_MICRO_QR, ZXing::BarcodeFormat::MicroQRCode},
};

ZXing::DecodeHints hints(const czxing_options &options) {
    ZXing::BarcodeFormats formats;
    for (const auto &entry : known)
        if (options.formats & entry.bit) formats |= entry.format;
    ZXing::DecodeHints result;
    result.setFormats(formats);
    result.setTryHarder(options.try_harder);
    result.setTryRotate(options.try_rotate);
    result.setTryDownscale(false);
    result.setIsPure(options.is_pure);
    result.setBinarizer(
        options.binarizer == CZXING_GLOBAL_HISTOGRAM  ? ZXing::Binarizer::GlobalHistogram
        : options.binarizer == CZXING_FIXED_THRESHOLD ? ZXing::Binarizer::FixedThreshold
                                                      : ZXing::Binarizer::LocalAverage);
    result.setMinLineCount(options.minimum_lines);
    result.setReturnCodabarStartEnd(true);
    // More than one would abort on two equal symbols in one row (Result.cpp: lineCount() == 1).
    result.setMaxNumberOfSymbols(1);
    return result;
}

// The first assignment in the ECI protocol's form: a backslash and six digits; a backslash of the data is doubled.
int32_t firstECI(const ZXing::Result &result) {
    if (!result.hasECI()) return -1;
    const auto bytes = result.bytesECI();
    const auto isDigit = [](uint8_t byte) { return byte >= '0' && byte <= '9'; };
    for (size_t at = 0; at + 6 < bytes.size(); ++at) {
        if (bytes[at] != '\\') continue;
        if (bytes[at + 1] == '\\') {
            ++at;
            continue;
        }
        if (!std::all_of(bytes.begin() + at + 1, bytes.begin() + at + 7, isDigit)) continue;
        return std::stoi(std::string(bytes.begin() + at + 1, bytes.begin() + at + 7));
    }
    return -1;
}

template <size_t size>
void copy(const std::string &from, char (&to)[size]) {
    const auto count = std::min(from.size(), size - 1);
    std::memcpy(to, from.data(), count);
    to[count] = 0;
}

void describe(const ZXing::Result &result, czxing_symbol &symbol) {
    for (const auto &entry : known)
        if (entry.format == result.format()) symbol.format = entry.bit;
    for (int corner = 0; corner < 4; ++corner) {
        symbol.corners[2 * corner] = result.position()[corner].x;
        symbol.corners[2 * corner + 1] = result.position()[corner].y;
    }
    symbol.eci = firstECI(result);
    symbol.sequence_index = result.sequenceIndex();
    symbol.sequence_size = result.sequenceSize();
    symbol.line_count = result.lineCount();
    symbol.is_mirrored = result.isMirrored();
    symbol.is_gs1 = result.contentType() == ZXing::ContentType::GS1;
    symbol.is_reader_programming = result.readerInit();
    copy(result.symbologyIdentifier(), symbol.identifier);
    copy(result.sequenceId(), symbol.sequence_id);
}

}  // namespace

int czxing_read(
    const uint8_t *pixels, int width, int height, int stride, const czxing_options *options, uint8_t *payload,
    size_t payload_capacity, char *text, size_t text_capacity, czxing_symbol *symbol) {
    try {
        *symbol = {};
        const auto asked = hints(*options);
        // No format at all means every format to the library.
        if (asked.formats().empty()) return CZXING_NOTHING;
        const auto result = ZXing::ReadBarcode({pixels, width, height, ZXing::ImageFormat::Lum, stride}, asked);
        if (!result.isValid()) return CZXING_NOTHING;
        const auto &bytes = result.bytes();
        if (bytes.size() > payload_capacity) return CZXING_FAILED;
        std::memcpy(payload, bytes.data(), bytes.size());
        symbol->payload_length = bytes.size();
        const auto utf8 = result.text();
        if (utf8.size() <= text_capacity) {
            std::memcpy(text, utf8.data(), utf8.size());
            symbol->text_length = utf8.size();
        }
        describe(result, *symbol);
        return CZXING_FOUND;
    } catch (...) {
        return CZXING_FAILED;
    }
}
