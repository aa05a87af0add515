// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

// The camera as a USB device: what it is, whether it is plugged in, and what its default endpoint answers.
#ifndef CAMERA_H
#define CAMERA_H

#include "controls.h"
#include "descriptors.h"
#include "stream.h"
#include "usbip.h"

enum { NEGOTIATION = 26 }; // bytes of the probe and commit controls in UVC 1.0

struct camera {
    struct identity identity;
    int port, fd; // fd -1: not plugged in
    struct stream stream;
    struct urb_queue held; // control requests that are not answered while it hangs
    bool hangs;      // control requests get no answer
    bool deaf;       // no control can be set
    bool weak;       // raw video can be negotiated and not started
    unsigned stalls; // probe requests still to be refused
    uint8_t probe[NEGOTIATION], commit[NEGOTIATION];
    enum request_error last_error;
};

void camera_init(struct camera *camera);
bool camera_plug(struct camera *camera);
void camera_unplug(struct camera *camera);
// Reads what the kernel wants and answers, or keeps it for later.
void camera_read(struct camera *camera);
void camera_hang(struct camera *camera, bool hangs);

#endif
