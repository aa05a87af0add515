// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

// The pictures that the camera shows, one for each format and size.
#ifndef PICTURES_H
#define PICTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "modes.h"

struct picture {
    uint8_t *bytes;
    size_t length;
};

// Loads a file into the slot of its size, which is read from a JPEG's header or told by the length of a raw one. With
// `forced` (0 or 1, else -1) it goes to that slot whatever it says of itself. NULL, or what is wrong.
// `raw` is what raw pictures are in; NULL: the file is a JPEG.
const char *picture_load(const struct raw_format *raw, const char *path, int forced);
const struct picture *picture_of(enum format format, unsigned size);

#endif
