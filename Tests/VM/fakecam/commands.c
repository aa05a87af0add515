// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

#include "commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pictures.h"

// A command's answer: NULL for ok, else what is wrong. What it tells goes to `tell`.
typedef const char *handler(struct camera *camera, int which, const char *argument, const char *second, char *tell);

enum { TOLD = 64 };

static const char *load(struct camera *camera, int which, const char *argument, const char *second, char *tell) {
    (void)tell;
    int forced = -1;
    unsigned width = 0, height = 0;
    if (!argument)
        return "a file is missing";
    if (second) {
        if (sscanf(second, "%ux%u", &width, &height) != 2)
            return "a size is WIDTHxHEIGHT";
        for (int size = 0; size < SIZES; size++)
            if (sizes[size].width == width && sizes[size].height == height)
                forced = size;
        if (forced < 0)
            return "the camera does not have that size";
    }
    return picture_load(which == RAW ? camera->identity.raw : NULL, argument, forced);
}

static const char *rate(struct camera *camera, int which, const char *argument, const char *second, char *tell) {
    (void)which, (void)second, (void)tell;
    double wanted = argument ? atof(argument) : 0;
    if (wanted < 0 || wanted > 120)
        return "a rate is 0 (as negotiated) to 120";
    camera->stream.forced_rate = wanted;
    return NULL;
}

static const char *freeze(struct camera *camera, int which, const char *argument, const char *second, char *tell) {
    (void)argument, (void)second, (void)tell;
    camera->stream.frozen = which != 0;
    camera->stream.due = stream_now();
    return NULL;
}

static const char *plug(struct camera *camera, int which, const char *argument, const char *second, char *tell) {
    (void)second, (void)tell;
    if (which == 0) {
        camera_unplug(camera);
        return NULL;
    }
    if (argument && camera->fd < 0)
        camera->port = atoi(argument);
    return camera_plug(camera) ? NULL : "the hub does not take it";
}

static const char *fault(struct camera *camera, int which, const char *argument, const char *second, char *tell) {
    (void)second, (void)tell;
    int count = argument ? atoi(argument) : 1;
    if (count < 0)
        return "a count is not negative";
    camera->stream.fault[which] = (unsigned)count;
    return NULL;
}

static const char *stall(struct camera *camera, int which, const char *argument, const char *second, char *tell) {
    (void)which, (void)second, (void)tell;
    int count = argument ? atoi(argument) : 1;
    if (count < 0)
        return "a count is not negative";
    camera->stalls = (unsigned)count;
    return NULL;
}

static const char *hang(struct camera *camera, int which, const char *argument, const char *second, char *tell) {
    (void)argument, (void)second, (void)tell;
    camera_hang(camera, which != 0);
    return NULL;
}

enum { NOISE, DEAF, WEAK };
static const char *toggle(struct camera *camera, int which, const char *argument, const char *second, char *tell) {
    (void)second, (void)tell;
    bool *places[] = {[NOISE] = &camera->stream.noise, [DEAF] = &camera->deaf, [WEAK] = &camera->weak};
    if (!argument || (strcmp(argument, "on") != 0 && strcmp(argument, "off") != 0))
        return "say on or off";
    *places[which] = strcmp(argument, "on") == 0;
    return NULL;
}

static const char *get(struct camera *camera, int which, const char *argument, const char *second, char *tell) {
    (void)camera, (void)which, (void)second;
    int value;
    if (!argument || !control_value(argument, &value))
        return "there is no such control";
    snprintf(tell, TOLD, " %d", value);
    return NULL;
}

static const char *mode(struct camera *camera, int which, const char *argument, const char *second, char *tell) {
    (void)which, (void)argument, (void)second;
    const struct stream *stream = &camera->stream;
    if (!stream->on)
        snprintf(tell, TOLD, " off");
    else
        snprintf(tell, TOLD, " %s %ux%u %.0f", stream->format == MJPG ? "MJPG" : camera->identity.raw->name,
                 sizes[stream->size].width, sizes[stream->size].height, stream->rate);
    return NULL;
}

static const char *frames(struct camera *camera, int which, const char *argument, const char *second, char *tell) {
    (void)which, (void)argument, (void)second;
    snprintf(tell, TOLD, " %lu", camera->stream.frames);
    return NULL;
}

static const struct {
    const char *name;
    handler *handle;
    int which;
} commands[] = {
    {"mjpeg", load, MJPG},         // FILE [SIZE]: show this picture; SIZE: whatever size the file has
    {"raw", load, RAW},            // FILE [SIZE]: in the raw format that it has
    {"fps", rate, 0},              // N: frames a second, whatever was negotiated; 0: as negotiated
    {"freeze", freeze, 1},         // frames stop
    {"thaw", freeze, 0},           //
    {"unplug", plug, 0},           //
    {"plug", plug, 1},             // [PORT]
    {"err", fault, FAULT_ERROR},   // [N]: the next N frames have the error bit
    {"short", fault, FAULT_SHORT}, // [N]: ... end in the middle
    {"drop", fault, FAULT_DROP},   // [N]: ... have no end
    {"junk", fault, FAULT_JUNK},   // [N]: ... are random bytes
    {"damage", fault, FAULT_DAMAGE}, // [N]: ... have 40 bytes changed
    {"empty", fault, FAULT_EMPTY},   // [N]: ... have no bytes
    {"proto", fault, FAULT_PROTOCOL}, // [N]: the next N transfers fail
    {"stall", stall, 0},           // [N]: the next N attempts to negotiate a format are refused
    {"hang", hang, 1},             // control requests are not answered
    {"unhang", hang, 0},           //
    {"noise", toggle, NOISE},      // on|off: raw pictures differ from one to the next as a sensor's do
    {"deaf", toggle, DEAF},        // on|off: no control can be set
    {"weak", toggle, WEAK},        // on|off: raw video can be negotiated, and fails when it should start
    {"get", get, 0},               // CONTROL: tells its value
    {"mode", mode, 0},             // tells format, size and rate
    {"frames", frames, 0},         // tells how many frames were sent
};

bool command(struct camera *camera, char *line) {
    char *place = NULL, tell[TOLD] = "";
    const char *name = strtok_r(line, " ", &place), *argument = strtok_r(NULL, " ", &place);
    const char *second = strtok_r(NULL, " ", &place), *wrong = "there is no such command";
    if (!name)
        return true;
    if (strcmp(name, "quit") == 0)
        return false;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            wrong = commands[i].handle(camera, commands[i].which, argument, second, tell);
    if (wrong)
        printf("error: %s: %s\n", name, wrong);
    else
        printf("ok%s\n", tell);
    return true;
}
