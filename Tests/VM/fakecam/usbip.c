// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

#include "usbip.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CMD_SUBMIT = 1, CMD_UNLINK = 2, RET_SUBMIT = 3, RET_UNLINK = 4 };
enum { HIGH_SPEED = 3, BUS = 1, LONGEST = 1 << 24 };
static const uint32_t NOT_ISOCHRONOUS = 0xffffffff;

// The kernel's Documentation/usb/usbip_protocol.rst: five words that all messages have, five by kind, then the eight
// bytes of a control request. All in network byte order.
struct message {
    uint32_t command, sequence, device, in, endpoint;
    union {
        struct {
            uint32_t flags, length, start_frame, packets, interval;
        } submit;
        struct {
            uint32_t status, actual, start_frame, packets, errors;
        } answer;
        uint32_t victim;
        uint32_t status;
    };
    uint8_t setup[8];
};
_Static_assert(sizeof(struct message) == 48, "a USB/IP header has 48 bytes");

static bool read_all(int fd, void *into, size_t count) {
    uint8_t *at = into;
    while (count > 0) {
        ssize_t got = read(fd, at, count);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        count -= (size_t)got;
    }
    return true;
}

// A kernel that has closed its end is noticed when it is read from.
static void write_all(int fd, struct iovec *parts, int count) {
    while (count > 0) {
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)count};
        ssize_t sent = sendmsg(fd, &message, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return;
        while (count > 0 && (size_t)sent >= parts->iov_len) {
            sent -= (ssize_t)parts->iov_len;
            parts++;
            count--;
        }
        if (count > 0) {
            parts->iov_base = (uint8_t *)parts->iov_base + sent;
            parts->iov_len -= (size_t)sent;
        }
    }
}

static bool tell_hub(const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "/sys/devices/platform/vhci_hcd.0/%s", name);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        fprintf(stderr, "fakecam: %s: %s; is vhci-hcd loaded?\n", path, strerror(errno));
        return false;
    }
    bool told = write(fd, text, strlen(text)) >= 0;
    if (!told)
        fprintf(stderr, "fakecam: %s '%s': %s\n", path, text, strerror(errno));
    close(fd);
    return told;
}

int usbip_attach(int port) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
        return -1;
    int room = 4 << 20;
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    char text[64];
    snprintf(text, sizeof text, "%d %d %d %d", port, ends[1], BUS << 16 | (port + 2), HIGH_SPEED);
    bool told = tell_hub("attach", text);
    close(ends[1]); // the kernel holds its own
    if (told)
        return ends[0];
    close(ends[0]);
    return -1;
}

void usbip_detach(int port) {
    char text[16];
    snprintf(text, sizeof text, "%d", port);
    tell_hub("detach", text);
}

static struct urb *read_urb(int fd, const struct message *message) {
    struct urb *urb = calloc(1, sizeof *urb);
    if (!urb)
        abort();
    urb->sequence = ntohl(message->sequence);
    urb->endpoint = ntohl(message->endpoint);
    urb->in = ntohl(message->in) != 0;
    urb->length = ntohl(message->submit.length);
    urb->packets = message->submit.packets == NOT_ISOCHRONOUS ? 0 : ntohl(message->submit.packets);
    memcpy(urb->setup, message->setup, sizeof urb->setup);
    if (urb->length > LONGEST || urb->packets > LONGEST / sizeof *urb->packet)
        abort();
    bool complete = true;
    if (!urb->in && urb->length > 0) {
        urb->data = malloc(urb->length);
        complete = urb->data && read_all(fd, urb->data, urb->length);
    }
    if (complete && urb->packets > 0) {
        urb->packet = malloc(urb->packets * sizeof *urb->packet);
        complete = urb->packet && read_all(fd, urb->packet, urb->packets * sizeof *urb->packet);
    }
    if (complete)
        return urb;
    urb_free(urb);
    return NULL;
}

enum usbip_event usbip_read(int fd, struct urb **urb, uint32_t *victim, uint32_t *sequence) {
    struct message message;
    if (!read_all(fd, &message, sizeof message))
        return USBIP_CLOSED;
    if (ntohl(message.command) == CMD_UNLINK) {
        *victim = ntohl(message.victim);
        *sequence = ntohl(message.sequence);
        return USBIP_UNLINK;
    }
    *urb = ntohl(message.command) == CMD_SUBMIT ? read_urb(fd, &message) : NULL;
    return *urb ? USBIP_URB : USBIP_CLOSED;
}

void usbip_answer(int fd, const struct urb *urb, int status, const void *data, uint32_t actual) {
    struct message message = {.command = htonl(RET_SUBMIT), .sequence = htonl(urb->sequence)};
    message.answer.status = htonl((uint32_t)status);
    message.answer.actual = htonl(actual);
    message.answer.packets = urb->packets ? htonl(urb->packets) : NOT_ISOCHRONOUS;
    struct iovec parts[3] = {{&message, sizeof message}};
    int count = 1;
    if (urb->in && actual > 0)
        parts[count++] = (struct iovec){(void *)(uintptr_t)data, actual};
    if (urb->packets)
        parts[count++] = (struct iovec){urb->packet, urb->packets * sizeof *urb->packet};
    write_all(fd, parts, count);
}

void usbip_answer_unlink(int fd, uint32_t sequence, bool was_queued) {
    struct message message = {.command = htonl(RET_UNLINK), .sequence = htonl(sequence)};
    message.status = htonl((uint32_t)(was_queued ? -ECONNRESET : 0));
    write_all(fd, &(struct iovec){&message, sizeof message}, 1);
}

void urb_queue_init(struct urb_queue *queue) {
    queue->first = NULL;
    queue->end = &queue->first;
}

void urb_push(struct urb_queue *queue, struct urb *urb) {
    urb->next = NULL;
    *queue->end = urb;
    queue->end = &urb->next;
}

struct urb *urb_pop(struct urb_queue *queue) {
    struct urb *urb = queue->first;
    if (!urb)
        return NULL;
    queue->first = urb->next;
    if (!queue->first)
        queue->end = &queue->first;
    return urb;
}

bool urb_drop(struct urb_queue *queue, uint32_t sequence) {
    for (struct urb **at = &queue->first; *at; at = &(*at)->next) {
        if ((*at)->sequence != sequence)
            continue;
        struct urb *urb = *at;
        *at = urb->next;
        if (!*at)
            queue->end = at;
        urb_free(urb);
        return true;
    }
    return false;
}

void urb_clear(struct urb_queue *queue) {
    for (struct urb *urb; (urb = urb_pop(queue));)
        urb_free(urb);
}

void urb_free(struct urb *urb) {
    free(urb->packet);
    free(urb->data);
    free(urb);
}
