// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

// The VIDIOC_ requests are casts of sums in macros, which Swift does not import: they are constants here.

#pragma once
#include <libv4l2.h>
#include <linux/videodev2.h>
#include <stdio.h>

#define CV4L2_REQUEST(name) static const unsigned long cv4l2_##name = VIDIOC_##name
CV4L2_REQUEST(QUERYCAP);
CV4L2_REQUEST(ENUM_FMT);
CV4L2_REQUEST(ENUM_FRAMESIZES);
CV4L2_REQUEST(ENUM_FRAMEINTERVALS);
CV4L2_REQUEST(ENUMINPUT);
CV4L2_REQUEST(G_FMT);
CV4L2_REQUEST(S_FMT);
CV4L2_REQUEST(G_PARM);
CV4L2_REQUEST(S_PARM);
CV4L2_REQUEST(REQBUFS);
CV4L2_REQUEST(QUERYBUF);
CV4L2_REQUEST(QBUF);
CV4L2_REQUEST(DQBUF);
CV4L2_REQUEST(STREAMON);
CV4L2_REQUEST(STREAMOFF);
CV4L2_REQUEST(SUBSCRIBE_EVENT);
CV4L2_REQUEST(DQEVENT);
CV4L2_REQUEST(QUERY_EXT_CTRL);
CV4L2_REQUEST(QUERYMENU);
CV4L2_REQUEST(G_EXT_CTRLS);
CV4L2_REQUEST(S_EXT_CTRLS);
#undef CV4L2_REQUEST

/// This function is provided because v4l2_ioctl is variadic.
static inline int cv4l2_library_ioctl(int fd, unsigned long request, void *_Nonnull argument) {
    return v4l2_ioctl(fd, request, argument);
}

/// This function is provided because a global variable of C can not be written from Swift 6. What the library has to say
/// goes to `file`, and to standard error while that is NULL; it is not to be closed afterwards.
static inline void cv4l2_library_log_to(FILE *_Nullable file) { v4l2_log_file = file; }
