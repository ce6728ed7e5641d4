// Cameras through Video4Linux2 (linux/videodev2.h), for Swift: what is an ioctl there is a function here.
//
// Conventions
// - A function that can fail takes a `ccamera_error` last and fills it.
// - A `ccamera` belongs to one thread.
#ifndef CCAMERA_H
#define CCAMERA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ccamera_error {
    int code;           // errno, or 0
    char message[128];  // what was being done; always terminated
} ccamera_error;

enum { CCAMERA_YUYV = 0x56595559, CCAMERA_MJPG = 0x47504A4D };  // as V4L2_PIX_FMT_…

typedef struct ccamera_mode {
    uint32_t format;  // a FourCC; those above can be read
    int32_t width;
    int32_t height;
    double rate;  // frames a second; 0: not said
} ccamera_mode;

typedef struct ccamera_control {
    uint32_t identifier;
    char name[32];  // as the driver says it, always terminated
    int32_t minimum;
    int32_t maximum;
    int32_t value;
} ccamera_control;

typedef struct ccamera ccamera;

// Opens a device without starting it. NULL with ENOTTY where it is no camera.
ccamera *ccamera_open(const char *path, ccamera_error *error);
void ccamera_close(ccamera *camera);

// The name that the driver gives, always terminated.
const char *ccamera_name(const ccamera *camera);

// Fills up to `limit` modes or controls, and returns how many there are of them.
int32_t ccamera_modes(ccamera *camera, ccamera_mode *modes, int32_t limit);
int32_t ccamera_controls(ccamera *camera, ccamera_control *controls, int32_t limit);

bool ccamera_set_control(ccamera *camera, uint32_t identifier, int32_t value, ccamera_error *error);

// Asks for a mode, says in `mode` what was got, and starts.
bool ccamera_start(ccamera *camera, ccamera_mode *mode, ccamera_error *error);

typedef struct ccamera_frame {
    const uint8_t *data;    // valid until ccamera_done
    size_t size;
    size_t bytes_per_row;   // of YUYV
    double seconds;         // CLOCK_MONOTONIC
    uint32_t index;         // for ccamera_done
} ccamera_frame;

// Waits for a frame. 1: there is one. 0: none came in that time. −1: an error.
int ccamera_next(ccamera *camera, int timeout_milliseconds, ccamera_frame *frame, ccamera_error *error);
bool ccamera_done(ccamera *camera, uint32_t index, ccamera_error *error);

// YUYV (ITU-R BT.601, limited range) to RGBA.
void ccamera_convert_yuyv(
    const uint8_t *yuyv, size_t yuyv_bytes_per_row, uint8_t *rgba, size_t rgba_bytes_per_row, int32_t width,
    int32_t height);

#endif
