// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

#include "pictures.h"

#include <stdio.h>
#include <stdlib.h>

static struct picture pictures[FORMATS][SIZES];

static const char *read_file(const char *path, struct picture *picture) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return "the file can not be opened";
    const char *wrong = NULL;
    long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    rewind(file);
    picture->bytes = length > 0 ? malloc((size_t)length) : NULL;
    picture->length = length > 0 ? (size_t)length : 0;
    if (!picture->bytes || fread(picture->bytes, 1, picture->length, file) != picture->length)
        wrong = "the file can not be read";
    fclose(file);
    return wrong;
}

// The size in a JPEG's frame header (ITU-T T.81, B.2.2), or -1.
static int jpeg_size(const struct picture *picture) {
    size_t at = 2;
    while (at + 9 < picture->length && picture->bytes[at] == 0xff) {
        const uint8_t *segment = picture->bytes + at;
        if (segment[1] >= 0xc0 && segment[1] <= 0xc2) {
            unsigned height = segment[5] << 8 | segment[6], width = segment[7] << 8 | segment[8];
            for (int size = 0; size < SIZES; size++)
                if (sizes[size].width == width && sizes[size].height == height)
                    return size;
            return -1;
        }
        at += 2 + (size_t)(segment[2] << 8 | segment[3]);
    }
    return -1;
}

static int raw_size(const struct raw_format *raw, const struct picture *picture) {
    for (int size = 0; size < SIZES; size++)
        if (raw_bytes(raw, (unsigned)size) == picture->length)
            return size;
    return -1;
}

const char *picture_load(const struct raw_format *raw, const char *path, int forced) {
    enum format format = raw ? RAW : MJPG;
    struct picture picture = {NULL, 0};
    const char *wrong = read_file(path, &picture);
    int size = forced;
    if (!wrong && size < 0)
        size = raw ? raw_size(raw, &picture) : jpeg_size(&picture);
    if (!wrong && size < 0)
        wrong = "the picture has none of the camera's sizes";
    if (wrong) {
        free(picture.bytes);
        return wrong;
    }
    free(pictures[format][size].bytes);
    pictures[format][size] = picture;
    return NULL;
}

const struct picture *picture_of(enum format format, unsigned size) { return &pictures[format][size]; }
