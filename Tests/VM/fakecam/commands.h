// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

// What the camera can be told while it runs; commands.c has the list.
#ifndef COMMANDS_H
#define COMMANDS_H

#include "camera.h"

// Carries out a line and writes the answer to standard output: `ok`, `ok VALUE` or `error: WHY`. False: quit.
bool command(struct camera *camera, char *line);

#endif
