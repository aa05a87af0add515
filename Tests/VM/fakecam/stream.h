// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

// The streaming endpoint: frames cut into payloads (UVC 1.0, 2.4.3), at a rate, with the faults that were asked for.
#ifndef STREAM_H
#define STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "modes.h"
#include "usbip.h"

// Each counts the frames, or for FAULT_PROTOCOL the requests, that are still to be spoilt.
enum fault {
    FAULT_ERROR,    // the ERR bit in every payload header
    FAULT_SHORT,    // the second half is missing
    FAULT_DROP,     // no end of frame: the next one is glued to it
    FAULT_JUNK,     // random bytes
    FAULT_DAMAGE,   // some bytes changed
    FAULT_EMPTY,    // no bytes at all
    FAULT_PROTOCOL, // requests that fail with -EPROTO
    FAULTS
};

struct stream {
    struct urb_queue queue;
    bool isochronous, on, frozen, noise;
    enum format format;
    unsigned size;
    double rate, forced_rate; // frames a second; forced_rate 0: as negotiated
    uint32_t payload;
    unsigned fault[FAULTS];
    unsigned long frames; // begun since the start
    // The frame that is being sent.
    bool in_frame, error_bit, unfinished;
    const uint8_t *bytes;
    size_t length, position;
    uint8_t frame_id;
    double due;
};

double stream_now(void);
void stream_commit(struct stream *stream, enum format format, unsigned size, double rate, uint32_t payload);
void stream_start(struct stream *stream);
void stream_stop(struct stream *stream);
// Milliseconds until there is something to send, -1 for never.
int stream_wait(const struct stream *stream);
// Answers as many requests as there is something for.
void stream_pump(struct stream *stream, int fd);

#endif
