// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

// A USB webcam that is a program: the kernel's own vhci_hcd, usbcore and uvcvideo take it for a real one, so
// /dev/videoN, its links, unplugging and replugging are those of a real one.
//
//   fakecam [-p PORT] [-v VENDOR:PRODUCT] [-n NAME] [-s SERIAL] [-i] [-r FORMAT]
//
// -i streams isochronously, else in bulk. -r offers this raw format only, else there are MJPG and YUYV. It starts
// unplugged and shows nothing. Commands come as lines on standard input, each is answered by a line on standard output
// (commands.c); at the end of the input it is unplugged and ends.
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "camera.h"
#include "commands.h"

struct line {
    char text[512];
    size_t length;
};

// False at the end of the input or of patience.
static bool read_commands(struct camera *camera, struct line *line) {
    char bytes[256];
    ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR)
        return true;
    for (ssize_t i = 0; i < count; i++) {
        if (bytes[i] != '\n') {
            if (line->length + 1 < sizeof line->text)
                line->text[line->length++] = bytes[i];
            continue;
        }
        line->text[line->length] = '\0';
        line->length = 0;
        if (!command(camera, line->text))
            return false;
    }
    return count > 0;
}

static const struct raw_format *raw_format(const char *name) {
    for (size_t i = 0; i < RAW_FORMATS; i++)
        if (strcmp(raw_formats[i].name, name) == 0)
            return raw_formats + i;
    return NULL;
}

static bool options(struct camera *camera, int count, char **words) {
    struct identity *identity = &camera->identity;
    unsigned vendor, product;
    for (int option; (option = getopt(count, words, "p:v:n:s:ir:")) >= 0;) {
        switch (option) {
        case 'p':
            camera->port = atoi(optarg);
            break;
        case 'v':
            if (sscanf(optarg, "%x:%x", &vendor, &product) != 2)
                return false;
            identity->vendor = (uint16_t)vendor;
            identity->product = (uint16_t)product;
            break;
        case 'n':
            identity->name = optarg;
            break;
        case 's':
            identity->serial = optarg;
            break;
        case 'i':
            identity->isochronous = true;
            break;
        case 'r':
            identity->raw_only = true;
            if (!(identity->raw = raw_format(optarg)))
                return false;
            break;
        default:
            return false;
        }
    }
    return optind == count;
}

int main(int count, char **words) {
    static struct camera camera = {.identity = {0x1d6b, 0x0102, "Scripted Camera", "SCENE0", false, raw_formats, false}};
    static struct line line;
    if (!options(&camera, count, words)) {
        fprintf(stderr, "usage: fakecam [-p PORT] [-v VENDOR:PRODUCT] [-n NAME] [-s SERIAL] [-i] [-r FORMAT]\n");
        return 64;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    camera_init(&camera);
    for (;;) {
        struct pollfd waits[2] = {{STDIN_FILENO, POLLIN, 0}, {camera.fd, POLLIN, 0}};
        if (poll(waits, 2, stream_wait(&camera.stream)) < 0 && errno != EINTR)
            return 71;
        if (waits[0].revents && !read_commands(&camera, &line)) {
            camera_unplug(&camera);
            return 0;
        }
        if (camera.fd >= 0 && waits[1].fd == camera.fd && waits[1].revents)
            camera_read(&camera);
        if (camera.fd >= 0)
            stream_pump(&camera.stream, camera.fd);
    }
}
