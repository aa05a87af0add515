// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

#include "camera.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "bytes.h"

enum { REFUSED = -1 };

// A control request's fields (USB 2.0, 9.3).
struct setup {
    uint8_t type, request;
    unsigned value, index, length;
};

// Offsets in the probe control (UVC 1.0, table 4-47).
enum { FORMAT_INDEX = 2, FRAME_INDEX = 3, INTERVAL = 4, FRAME_BYTES = 18, PAYLOAD_BYTES = 22 };
enum { PROBE_SELECTOR = 1, COMMIT_SELECTOR = 2, ERROR_CODE_SELECTOR = 2 };

static uint32_t nearest_interval(enum format format, unsigned size, uint32_t wanted) {
    const uint32_t *offered = intervals[format][size];
    uint32_t best = offered[0];
    for (unsigned i = 1; i < interval_count(format, size); i++) {
        int64_t gap = (int64_t)offered[i] - wanted, best_gap = (int64_t)best - wanted;
        if ((gap < 0 ? -gap : gap) < (best_gap < 0 ? -best_gap : best_gap))
            best = offered[i];
    }
    return best;
}

// Turns what the host asked for into what the camera does.
static void settle(const struct camera *camera, uint8_t *probe) {
    uint8_t first = camera->identity.raw_only ? RAW + 1 : MJPG + 1;
    if (probe[FORMAT_INDEX] < first || probe[FORMAT_INDEX] > FORMATS)
        probe[FORMAT_INDEX] = first;
    if (probe[FRAME_INDEX] < 1 || probe[FRAME_INDEX] > SIZES)
        probe[FRAME_INDEX] = 1;
    enum format format = probe[FORMAT_INDEX] - 1;
    unsigned size = probe[FRAME_INDEX] - 1u;
    put32(probe + INTERVAL, nearest_interval(format, size, get32(probe + INTERVAL)));
    put32(probe + FRAME_BYTES, (uint32_t)raw_bytes(camera->identity.raw, size));
    put32(probe + PAYLOAD_BYTES, camera->identity.isochronous ? WIDEST_PACKET : BULK_PAYLOAD);
}

void camera_init(struct camera *camera) {
    camera->fd = -1;
    camera->stream.isochronous = camera->identity.isochronous;
    urb_queue_init(&camera->held);
    urb_queue_init(&camera->stream.queue);
}

bool camera_plug(struct camera *camera) {
    if (camera->fd >= 0)
        return true;
    controls_reset();
    memset(camera->probe, 0, NEGOTIATION);
    settle(camera, camera->probe);
    memcpy(camera->commit, camera->probe, NEGOTIATION);
    camera->fd = usbip_attach(camera->port);
    return camera->fd >= 0;
}

static void forget(struct camera *camera) {
    close(camera->fd);
    camera->fd = -1;
    stream_stop(&camera->stream);
    urb_clear(&camera->stream.queue);
    urb_clear(&camera->held);
}

void camera_unplug(struct camera *camera) {
    if (camera->fd < 0)
        return;
    usbip_detach(camera->port);
    forget(camera);
}

static int get_descriptor(const struct camera *camera, unsigned value, uint8_t *into) {
    size_t length = 0;
    switch (value >> 8) {
    case 1:
        length = device_descriptor(&camera->identity, into);
        break;
    case 2:
        length = configuration_descriptor(&camera->identity, into);
        break;
    case 3:
        length = string_descriptor(&camera->identity, value & 0xff, into);
        break;
    }
    return length > 0 ? (int)length : REFUSED;
}

static int standard_request(struct camera *camera, const struct setup *setup, uint8_t *into) {
    enum { GET_STATUS = 0, CLEAR_FEATURE = 1, SET_FEATURE = 3, GET_DESCRIPTOR = 6, SET_CONFIGURATION = 9 };
    enum { GET_INTERFACE = 10, SET_INTERFACE = 11 };
    switch (setup->request) {
    case GET_STATUS:
        into[0] = into[1] = 0;
        return 2;
    case CLEAR_FEATURE: // of a bulk endpoint's halt: the driver's way to end a stream
        if (setup->index == STREAM_ENDPOINT)
            stream_stop(&camera->stream);
        return 0;
    case GET_DESCRIPTOR:
        return get_descriptor(camera, setup->value, into);
    case SET_FEATURE:
    case SET_CONFIGURATION:
        return 0;
    case GET_INTERFACE:
        into[0] = 0;
        return 1;
    case SET_INTERFACE:
        if (setup->index == STREAMING_INTERFACE) {
            stream_stop(&camera->stream);
            if (setup->value > 0)
                stream_start(&camera->stream);
        }
        return 0;
    }
    return REFUSED;
}

static int set_negotiation(struct camera *camera, bool commit, const uint8_t *data, size_t length) {
    if (!commit && camera->stalls > 0) {
        camera->stalls--;
        return REFUSED;
    }
    if (commit && camera->weak && data[FORMAT_INDEX] == RAW + 1)
        return REFUSED;
    uint8_t *control = commit ? camera->commit : camera->probe;
    memcpy(control, data, length < NEGOTIATION ? length : NEGOTIATION);
    settle(camera, control);
    if (commit) {
        stream_commit(&camera->stream, control[FORMAT_INDEX] - 1, control[FRAME_INDEX] - 1u,
                      UNITS_PER_SECOND / (double)get32(control + INTERVAL), get32(control + PAYLOAD_BYTES));
        if (!camera->identity.isochronous)
            stream_start(&camera->stream);
    }
    return 0;
}

static int negotiate(struct camera *camera, const struct setup *setup, const uint8_t *data, size_t length,
                     uint8_t *into) {
    bool commit = setup->value >> 8 == COMMIT_SELECTOR;
    switch (setup->request) {
    case SET_CUR:
        return set_negotiation(camera, commit, data, length);
    case GET_LEN:
        put16(into, NEGOTIATION);
        return 2;
    case GET_INFO:
        into[0] = 3;
        return 1;
    case GET_CUR:
        memcpy(into, commit ? camera->commit : camera->probe, NEGOTIATION);
        return NEGOTIATION;
    case GET_MIN:
    case GET_MAX:
    case GET_DEF:
        memset(into, 0, NEGOTIATION);
        if (setup->request == GET_MAX)
            into[FORMAT_INDEX] = into[FRAME_INDEX] = 2;
        settle(camera, into);
        return NEGOTIATION;
    }
    return REFUSED;
}

static int class_request(struct camera *camera, const struct setup *setup, const uint8_t *data, size_t length,
                         uint8_t *into) {
    unsigned selector = setup->value >> 8, interface = setup->index & 0xff, unit = setup->index >> 8;
    if (interface == STREAMING_INTERFACE && selector != PROBE_SELECTOR && selector != COMMIT_SELECTOR)
        return REFUSED;
    if (interface == STREAMING_INTERFACE)
        return negotiate(camera, setup, data, length, into);
    if (unit == 0 && selector == ERROR_CODE_SELECTOR) {
        into[0] = (uint8_t)camera->last_error;
        return 1;
    }
    if (setup->request == SET_CUR && camera->deaf)
        return REFUSED;
    uint8_t value[4] = {0};
    memcpy(value, data, length < sizeof value ? length : sizeof value);
    size_t answer = 0;
    camera->last_error = controls_request(unit, selector, setup->request, value, &answer);
    memcpy(into, value, answer);
    return camera->last_error == NO_ERROR ? (int)answer : REFUSED;
}

static void answer_control(struct camera *camera, const struct urb *urb) {
    const uint8_t *bytes = urb->setup;
    struct setup setup = {bytes[0], bytes[1], get16(bytes + 2), get16(bytes + 4), get16(bytes + 6)};
    uint8_t into[1024];
    int length = REFUSED;
    if ((setup.type & 0x60) == 0)
        length = standard_request(camera, &setup, into);
    else if ((setup.type & 0x7f) == 0x21) // of the class, to an interface
        length = class_request(camera, &setup, urb->data, urb->data ? urb->length : 0, into);
    if (length == REFUSED)
        usbip_answer(camera->fd, urb, -EPIPE, NULL, 0);
    else if (urb->in)
        usbip_answer(camera->fd, urb, 0, into, (unsigned)length < setup.length ? (unsigned)length : setup.length);
    else
        usbip_answer(camera->fd, urb, 0, NULL, urb->length);
}

void camera_read(struct camera *camera) {
    struct urb *urb;
    uint32_t victim, sequence;
    switch (usbip_read(camera->fd, &urb, &victim, &sequence)) {
    case USBIP_CLOSED:
        forget(camera);
        break;
    case USBIP_UNLINK:
        usbip_answer_unlink(camera->fd, sequence,
                            urb_drop(&camera->stream.queue, victim) || urb_drop(&camera->held, victim));
        break;
    case USBIP_URB:
        if (urb->endpoint != 0) {
            urb_push(&camera->stream.queue, urb);
        } else if (camera->hangs) {
            urb_push(&camera->held, urb);
        } else {
            answer_control(camera, urb);
            urb_free(urb);
        }
        break;
    }
}

void camera_hang(struct camera *camera, bool hangs) {
    camera->hangs = hangs;
    for (struct urb *urb; !hangs && (urb = urb_pop(&camera->held));) {
        answer_control(camera, urb);
        urb_free(urb);
    }
}
