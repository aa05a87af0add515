// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

#include "stream.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pictures.h"

enum { HEADER = 2, FRAME_ID = 1, END_OF_FRAME = 2, ERROR = 0x40, END_OF_HEADER = 0x80 };
enum { LONGEST_URB = 1 << 20 };

double stream_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void stream_commit(struct stream *stream, enum format format, unsigned size, double rate, uint32_t payload) {
    stream->format = format;
    stream->size = size;
    stream->rate = rate;
    stream->payload = payload;
}

void stream_start(struct stream *stream) {
    stream->on = true;
    stream->in_frame = false;
    stream->due = stream_now();
}

void stream_stop(struct stream *stream) {
    stream->on = false;
    stream->in_frame = false;
}

static bool take(struct stream *stream, enum fault fault) {
    if (stream->fault[fault] == 0)
        return false;
    stream->fault[fault]--;
    return true;
}

// A copy of the picture that may be spoilt; valid until the next frame begins.
static uint8_t *copy(struct stream *stream) {
    static uint8_t *bytes;
    static size_t room;
    if (room < stream->length) {
        free(bytes);
        bytes = malloc(stream->length);
        if (!bytes)
            abort();
        room = stream->length;
    }
    memcpy(bytes, stream->bytes, stream->length);
    stream->bytes = bytes;
    return bytes;
}

static bool begin_frame(struct stream *stream) {
    const struct picture *picture = picture_of(stream->format, stream->size);
    if (!picture->bytes)
        return false;
    stream->bytes = picture->bytes;
    stream->length = picture->length;
    if (stream->noise && stream->format == RAW) {
        // A sensor's noise: of one luma in 16, the lowest bit.
        uint8_t *bytes = copy(stream);
        for (size_t i = 2 * (size_t)(rand() % 16); i < stream->length; i += 32)
            bytes[i] ^= (uint8_t)(rand() & 1);
    }
    if (take(stream, FAULT_JUNK)) {
        uint8_t *bytes = copy(stream);
        for (size_t i = 0; i < stream->length; i++)
            bytes[i] = (uint8_t)rand();
    }
    if (take(stream, FAULT_DAMAGE)) {
        uint8_t *bytes = copy(stream);
        for (int i = 0; i < 40; i++)
            bytes[stream->length / 8 + (size_t)rand() % (stream->length * 7 / 8)] ^= (uint8_t)(1 + rand() % 255);
    }
    if (take(stream, FAULT_SHORT))
        stream->length /= 2;
    if (take(stream, FAULT_EMPTY))
        stream->length = 0;
    stream->error_bit = take(stream, FAULT_ERROR);
    stream->unfinished = take(stream, FAULT_DROP);
    stream->position = 0;
    stream->in_frame = true;
    stream->frames++;
    return true;
}

// One payload: a header and what fits behind it.
static uint32_t pack(struct stream *stream, uint8_t *into, uint32_t room) {
    if (room <= HEADER)
        return 0;
    size_t count = stream->length - stream->position;
    bool last = count <= room - HEADER;
    if (!last)
        count = room - HEADER;
    into[0] = HEADER;
    into[1] = (uint8_t)(END_OF_HEADER | stream->frame_id | (stream->error_bit ? ERROR : 0));
    memcpy(into + HEADER, stream->bytes + stream->position, count);
    stream->position += count;
    if (last) {
        stream->in_frame = false;
        if (!stream->unfinished) {
            into[1] |= END_OF_FRAME;
            stream->frame_id ^= FRAME_ID;
        }
    }
    return (uint32_t)(count + HEADER);
}

static void answer(struct stream *stream, int fd, struct urb *urb) {
    static uint8_t bytes[LONGEST_URB];
    uint32_t count = 0;
    if (take(stream, FAULT_PROTOCOL)) {
        for (uint32_t i = 0; i < urb->packets; i++)
            urb->packet[i].actual = 0;
        usbip_answer(fd, urb, -EPROTO, NULL, 0);
        return;
    }
    if (urb->packets == 0) {
        uint32_t room = urb->length < stream->payload ? urb->length : stream->payload;
        count = pack(stream, bytes, room < LONGEST_URB ? room : LONGEST_URB);
    }
    for (uint32_t i = 0; i < urb->packets; i++) {
        uint32_t room = ntohl(urb->packet[i].length);
        uint32_t used = stream->in_frame && room <= LONGEST_URB - count ? pack(stream, bytes + count, room) : 0;
        urb->packet[i].actual = htonl(used);
        urb->packet[i].status = 0;
        count += used;
    }
    usbip_answer(fd, urb, 0, bytes, count);
}

int stream_wait(const struct stream *stream) {
    if (!stream->on || stream->frozen || !stream->queue.first)
        return -1;
    double left = stream->due - stream_now();
    return stream->in_frame || left <= 0 ? 0 : (int)(left * 1000) + 1;
}

void stream_pump(struct stream *stream, int fd) {
    while (stream->on && !stream->frozen && stream->queue.first) {
        if (!stream->in_frame) {
            double now = stream_now(), interval = 1 / (stream->forced_rate > 0 ? stream->forced_rate : stream->rate);
            if (now < stream->due)
                return;
            stream->due = stream->due + interval < now ? now + interval : stream->due + interval;
            if (!begin_frame(stream))
                return;
        }
        struct urb *urb = urb_pop(&stream->queue);
        answer(stream, fd, urb);
        urb_free(urb);
    }
}
