// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

// The camera's controls: exposure, focus, brightness and so on. They fall back to their defaults when it is plugged in,
// as they do in a camera that loses its power.
#ifndef CONTROLS_H
#define CONTROLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// UVC 1.0, 4.2.1.2: why a request was refused.
enum request_error {
    NO_ERROR = 0,
    WRONG_STATE = 2,
    OUT_OF_RANGE = 4,
    INVALID_UNIT = 5,
    INVALID_CONTROL = 6,
    INVALID_REQUEST = 7,
};

// UVC 1.0, A.8.
enum request { SET_CUR = 0x01, GET_CUR = 0x81, GET_MIN, GET_MAX, GET_RES, GET_LEN, GET_INFO, GET_DEF };

void controls_reset(void);
// The bits of a unit's bmControls.
uint32_t controls_of(unsigned unit);
// Carries out a request. What GET gives goes into `data`, its length into *length.
enum request_error controls_request(unsigned unit, unsigned selector, enum request request, uint8_t *data,
                                    size_t *length);
// By the name that V4L2 has for it; false where there is none.
bool control_value(const char *name, int *value);

#endif
