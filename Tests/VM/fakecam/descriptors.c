// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

#include "descriptors.h"

#include <string.h>

#include "bytes.h"
#include "controls.h"

// Types and subtypes by their names in the standards.
enum { DEVICE = 1, CONFIGURATION = 2, STRING = 3, INTERFACE = 4, ENDPOINT = 5, INTERFACE_ASSOCIATION = 11 };
enum { CS_INTERFACE = 0x24, VIDEO = 0x0e, VIDEO_CONTROL = 1, VIDEO_STREAMING = 2, VIDEO_COLLECTION = 3 };
enum { VC_HEADER = 1, VC_INPUT_TERMINAL = 2, VC_OUTPUT_TERMINAL = 3, VC_PROCESSING_UNIT = 5 };
enum { VS_INPUT_HEADER = 1, VS_FORMAT_YUV = 4, VS_FRAME_YUV = 5, VS_FORMAT_MJPEG = 6, VS_FRAME_MJPEG = 7 };
enum { VS_COLOUR = 13 };

struct writer {
    uint8_t *at, *start;
};

static void add(struct writer *writer, const uint8_t *bytes, size_t count) {
    memcpy(writer->at, bytes, count);
    writer->at += count;
}
#define ADD(writer, ...) add(writer, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))
#define WORD(value) (uint8_t)(value), (uint8_t)((value) >> 8)
#define LONG(value) WORD((uint32_t)(value)), WORD((uint32_t)(value) >> 16)

size_t device_descriptor(const struct identity *identity, uint8_t *into) {
    struct writer writer = {into, into};
    // The class (239, 2, 1) says that an association joins interfaces. Strings: 1 maker, 2 name, 3 serial number.
    ADD(&writer, 18, DEVICE, WORD(0x0200), 239, 2, 1, 64, WORD(identity->vendor), WORD(identity->product), WORD(0x0100),
        1, 2, 3, 1);
    return (size_t)(writer.at - writer.start);
}

static void add_frames(struct writer *writer, const struct identity *identity, enum format format) {
    for (unsigned size = 0; size < SIZES; size++) {
        unsigned count = interval_count(format, size);
        const uint32_t *interval = intervals[format][size];
        uint32_t bytes = (uint32_t)raw_bytes(identity->raw, size);
        uint32_t slowest = UNITS_PER_SECOND / interval[count - 1], fastest = UNITS_PER_SECOND / interval[0];
        ADD(writer, (uint8_t)(26 + 4 * count), CS_INTERFACE, format == MJPG ? VS_FRAME_MJPEG : VS_FRAME_YUV,
            (uint8_t)(size + 1), 0, WORD(sizes[size].width), WORD(sizes[size].height), LONG(bytes * 8 * slowest),
            LONG(bytes * 8 * fastest), LONG(bytes), LONG(interval[0]), (uint8_t)count);
        for (unsigned i = 0; i < count; i++)
            ADD(writer, LONG(interval[i]));
    }
    ADD(writer, 6, CS_INTERFACE, VS_COLOUR, 1, 1, 4);
}

static void add_control_interface(struct writer *writer) {
    ADD(writer, 9, INTERFACE, CONTROL_INTERFACE, 0, 0, VIDEO, VIDEO_CONTROL, 0, 2);
    uint8_t *start = writer->at;
    ADD(writer, 13, CS_INTERFACE, VC_HEADER, WORD(0x0100), WORD(0), LONG(48000000), 1, STREAMING_INTERFACE);
    uint32_t controls = controls_of(TERMINAL);
    ADD(writer, 18, CS_INTERFACE, VC_INPUT_TERMINAL, TERMINAL, WORD(0x0201), 0, 0, WORD(0), WORD(0), WORD(0), 3,
        WORD(controls), (uint8_t)(controls >> 16));
    controls = controls_of(PROCESSING);
    ADD(writer, 11, CS_INTERFACE, VC_PROCESSING_UNIT, PROCESSING, TERMINAL, WORD(0), 2, WORD(controls), 0);
    ADD(writer, 9, CS_INTERFACE, VC_OUTPUT_TERMINAL, OUTPUT, WORD(0x0101), 0, PROCESSING, 0);
    put16(start + 5, (uint32_t)(writer->at - start));
}

static void add_raw_format(struct writer *writer, const struct identity *identity) {
    const struct raw_format *raw = identity->raw;
    ADD(writer, 27, CS_INTERFACE, VS_FORMAT_YUV, RAW + 1, SIZES);
    add(writer, raw->guid, sizeof raw->guid);
    ADD(writer, raw->bits, 1, 0, 0, 0, 0);
    add_frames(writer, identity, RAW);
}

static void add_streaming_interface(struct writer *writer, const struct identity *identity) {
    ADD(writer, 9, INTERFACE, STREAMING_INTERFACE, 0, identity->isochronous ? 0 : 1, VIDEO, VIDEO_STREAMING, 0, 0);
    uint8_t *start = writer->at;
    uint8_t formats = identity->raw_only ? 1 : FORMATS;
    ADD(writer, (uint8_t)(13 + formats), CS_INTERFACE, VS_INPUT_HEADER, formats, WORD(0), STREAM_ENDPOINT, 0, OUTPUT, 0,
        0, 0, 1);
    for (unsigned i = 0; i < formats; i++)
        ADD(writer, 0);
    if (!identity->raw_only) {
        ADD(writer, 11, CS_INTERFACE, VS_FORMAT_MJPEG, MJPG + 1, SIZES, 1, 1, 0, 0, 0, 0);
        add_frames(writer, identity, MJPG);
    }
    add_raw_format(writer, identity);
    put16(start + 4, (uint32_t)(writer->at - start));
    if (!identity->isochronous) {
        ADD(writer, 7, ENDPOINT, STREAM_ENDPOINT, 2, WORD(512), 0);
        return;
    }
    // Alternate settings of 1, 2 and 3 packets of 1024 bytes a microframe.
    for (uint8_t packets = 1; packets <= 3; packets++) {
        ADD(writer, 9, INTERFACE, STREAMING_INTERFACE, packets, 1, VIDEO, VIDEO_STREAMING, 0, 0);
        ADD(writer, 7, ENDPOINT, STREAM_ENDPOINT, 5, WORD(1024 | (packets - 1) << 11), 1);
    }
}

size_t configuration_descriptor(const struct identity *identity, uint8_t *into) {
    struct writer writer = {into, into};
    ADD(&writer, 9, CONFIGURATION, WORD(0), 2, 1, 0, 0x80, 250);
    ADD(&writer, 8, INTERFACE_ASSOCIATION, CONTROL_INTERFACE, 2, VIDEO, VIDEO_COLLECTION, 0, 2);
    add_control_interface(&writer);
    add_streaming_interface(&writer, identity);
    put16(into + 2, (uint32_t)(writer.at - writer.start));
    return (size_t)(writer.at - writer.start);
}

size_t string_descriptor(const struct identity *identity, unsigned index, uint8_t *into) {
    const char *strings[] = {NULL, "Scenario Works", identity->name, identity->serial};
    struct writer writer = {into, into};
    if (index == 0) {
        ADD(&writer, 4, STRING, WORD(0x0409)); // English
    } else if (index < sizeof strings / sizeof *strings) {
        size_t length = strnlen(strings[index], 126);
        ADD(&writer, (uint8_t)(2 + 2 * length), STRING);
        for (size_t i = 0; i < length; i++)
            ADD(&writer, (uint8_t)strings[index][i], 0);
    }
    return (size_t)(writer.at - writer.start);
}
