// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

// The wire between this process and the kernel's vhci_hcd: USB/IP over a socket pair.
//
// The kernel sends requests (URBs) and takes them back; each one is answered once. All functions block for as long as
// the kernel takes.
#ifndef USBIP_H
#define USBIP_H

#include <stdbool.h>
#include <stdint.h>

// One packet of an isochronous request, in network byte order as it is on the wire.
struct usbip_packet {
    uint32_t offset, length, actual, status;
};

struct urb {
    struct urb *next;
    uint32_t sequence;
    uint32_t endpoint; // without the direction
    bool in;
    uint32_t length; // bytes wanted or sent
    uint32_t packets; // 0: not isochronous
    struct usbip_packet *packet;
    uint8_t setup[8];
    uint8_t *data; // what the kernel sent, `length` bytes
};

struct urb_queue {
    struct urb *first, **end;
};

enum usbip_event { USBIP_URB, USBIP_UNLINK, USBIP_CLOSED };

// Plugs a high-speed device into a port of the virtual hub. The descriptor of our end, or -1.
int usbip_attach(int port);
void usbip_detach(int port);

// Reads one message. USBIP_URB gives the caller *urb; USBIP_UNLINK gives the number of the request that is taken back in
// *victim and that of the message in *sequence.
enum usbip_event usbip_read(int fd, struct urb **urb, uint32_t *victim, uint32_t *sequence);

// Answers a request with a status (0 or -errno) and `actual` bytes of data, which count for an IN request only.
void usbip_answer(int fd, const struct urb *urb, int status, const void *data, uint32_t actual);
void usbip_answer_unlink(int fd, uint32_t sequence, bool was_queued);

void urb_queue_init(struct urb_queue *queue);
void urb_push(struct urb_queue *queue, struct urb *urb);
struct urb *urb_pop(struct urb_queue *queue);
// Removes and frees the request of that number; false where it is not there.
bool urb_drop(struct urb_queue *queue, uint32_t sequence);
void urb_clear(struct urb_queue *queue);
void urb_free(struct urb *urb);

#endif
