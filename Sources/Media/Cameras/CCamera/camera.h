// What the files of this target share.
#ifndef CAMERA_H
#define CAMERA_H

#include "CCamera.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <stdio.h>

enum { BUFFERS = 4 };

typedef struct converter converter;

struct ccamera {
    int descriptor;
    bool is_streaming;
    char name[33];
    // What the driver sends; set by ccamera_start.
    struct v4l2_format format;
    // NULL for the formats that need no libv4lconvert.
    converter *converter;
    int count;
    struct {
        void *start;
        size_t length;
    } buffers[BUFFERS];
};

// ioctl, repeated when a signal interrupts it.
int ccamera_ioctl(int descriptor, unsigned long request, void *argument);
// Fills an error with errno and what was being done.
void ccamera_fail(ccamera_error *error, const char *what);

// Corrects a length of rows that is too short for the width.
void ccamera_check_row(struct v4l2_pix_format *format);

// Converts from a driver's format to RGB with libv4lconvert. NULL when that is missing.
converter *ccamera_converter_new(int descriptor, const struct v4l2_format *format);
void ccamera_converter_free(converter *converter);
bool ccamera_converter_convert(
    converter *converter, const uint8_t *data, size_t size, uint8_t *rgba, size_t rgba_bytes_per_row);

#endif
