// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

#include "controls.h"

#include <string.h>

#include "bytes.h"
#include "descriptors.h"

enum { MANUAL = 1, APERTURE_PRIORITY = 8 };

struct control {
    const char *name; // as v4l2-ctl has it
    unsigned unit, selector, bit, size; // bit of bmControls, bytes of the value
    int minimum, maximum, resolution, standard;
    const char *master; // while this one is not `manual`, the control can not be set
    int manual;
    int value;
};

// UVC 1.0, tables for selectors, 3-6 and 3-8 for bits. The resolution of the exposure mode is the set of
// modes that there are.
static struct control controls[] = {
    {"auto_exposure", TERMINAL, 0x02, 1, 1, MANUAL, APERTURE_PRIORITY, MANUAL | APERTURE_PRIORITY, APERTURE_PRIORITY, NULL,
     0, 0},
    {"exposure_dynamic_framerate", TERMINAL, 0x03, 2, 1, 0, 1, 1, 1, NULL, 0, 0},
    {"exposure_time_absolute", TERMINAL, 0x04, 3, 4, 3, 2047, 1, 250, "auto_exposure", MANUAL, 0},
    {"focus_absolute", TERMINAL, 0x06, 5, 2, 0, 250, 5, 0, "focus_automatic_continuous", 0, 0},
    {"focus_automatic_continuous", TERMINAL, 0x08, 17, 1, 0, 1, 1, 1, NULL, 0, 0},
    {"zoom_absolute", TERMINAL, 0x0b, 9, 2, 100, 500, 1, 100, NULL, 0, 0},
    {"backlight_compensation", PROCESSING, 0x01, 8, 2, 0, 1, 1, 0, NULL, 0, 0},
    {"brightness", PROCESSING, 0x02, 0, 2, -64, 64, 1, 0, NULL, 0, 0},
    {"contrast", PROCESSING, 0x03, 1, 2, 0, 64, 1, 32, NULL, 0, 0},
    {"gain", PROCESSING, 0x04, 9, 2, 0, 255, 1, 0, NULL, 0, 0},
    {"power_line_frequency", PROCESSING, 0x05, 10, 1, 0, 2, 1, 2, NULL, 0, 0},
    {"saturation", PROCESSING, 0x07, 3, 2, 0, 128, 1, 64, NULL, 0, 0},
    {"sharpness", PROCESSING, 0x08, 4, 2, 0, 6, 1, 3, NULL, 0, 0},
    {"white_balance_temperature", PROCESSING, 0x0a, 6, 2, 2800, 6500, 1, 4600, "white_balance_automatic", 0, 0},
    {"white_balance_automatic", PROCESSING, 0x0b, 12, 1, 0, 1, 1, 1, NULL, 0, 0},
};
enum { COUNT = sizeof controls / sizeof *controls };

static struct control *named(const char *name) {
    for (unsigned i = 0; i < COUNT; i++)
        if (strcmp(controls[i].name, name) == 0)
            return &controls[i];
    return NULL;
}

static bool is_automatic(const struct control *control) {
    const struct control *master = control->master ? named(control->master) : NULL;
    return master && master->value != control->manual;
}

void controls_reset(void) {
    for (unsigned i = 0; i < COUNT; i++)
        controls[i].value = controls[i].standard;
}

uint32_t controls_of(unsigned unit) {
    uint32_t bits = 0;
    for (unsigned i = 0; i < COUNT; i++)
        if (controls[i].unit == unit)
            bits |= 1u << controls[i].bit;
    return bits;
}

static enum request_error set(struct control *control, const uint8_t *data) {
    if (is_automatic(control))
        return WRONG_STATE;
    int value = control->size == 1 ? data[0] : control->size == 2 ? (int16_t)get16(data) : (int32_t)get32(data);
    if (value < control->minimum || value > control->maximum)
        return OUT_OF_RANGE;
    control->value = value;
    return NO_ERROR;
}

static void give(const struct control *control, int value, uint8_t *data, size_t *length) {
    put32(data, (uint32_t)value);
    *length = control->size;
}

enum request_error controls_request(unsigned unit, unsigned selector, enum request request, uint8_t *data,
                                    size_t *length) {
    struct control *control = NULL;
    for (unsigned i = 0; i < COUNT; i++)
        if (controls[i].unit == unit && controls[i].selector == selector)
            control = &controls[i];
    if (!control)
        return unit == TERMINAL || unit == PROCESSING ? INVALID_CONTROL : INVALID_UNIT;
    switch (request) {
    case SET_CUR:
        return set(control, data);
    case GET_CUR:
        give(control, control->value, data, length);
        return NO_ERROR;
    case GET_MIN:
        give(control, control->minimum, data, length);
        return NO_ERROR;
    case GET_MAX:
        give(control, control->maximum, data, length);
        return NO_ERROR;
    case GET_RES:
        give(control, control->resolution, data, length);
        return NO_ERROR;
    case GET_DEF:
        give(control, control->standard, data, length);
        return NO_ERROR;
    case GET_LEN:
        put16(data, control->size);
        *length = 2;
        return NO_ERROR;
    case GET_INFO:
        data[0] = 3; // can be read and set
        if (is_automatic(control))
            data[0] |= 4;
        *length = 1;
        return NO_ERROR;
    }
    return INVALID_REQUEST;
}

bool control_value(const char *name, int *value) {
    const struct control *control = named(name);
    if (control)
        *value = control->value;
    return control != NULL;
}
