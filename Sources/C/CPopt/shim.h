// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

#pragma once
#include <popt.h>

// popt.h has a struct poptOption and a pointer typedef of the same name; Swift finds the bare name ambiguous.
typedef struct poptOption popt_entry;
