// Cameras through Video4Linux2 (linux/videodev2.h): a function for each ioctl, which Swift cannot call.
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

enum { CCAMERA_YUYV = 0x56595559, CCAMERA_MJPG = 0x47504A4D };  // V4L2_PIX_FMT_YUYV, V4L2_PIX_FMT_MJPEG

typedef struct ccamera_mode {
    uint32_t format;  // V4L2_PIX_FMT_…, a FourCC
    int32_t width;
    int32_t height;
    double rate;  // frames per second; 0: unknown
} ccamera_mode;

typedef struct ccamera_control {
    uint32_t identifier;
    char name[32];  // the driver's, always terminated
    int32_t minimum;
    int32_t maximum;
    int32_t value;
} ccamera_control;

typedef struct ccamera ccamera;

// Opens a device without starting it. NULL with ENOTTY for a device that is not a camera.
ccamera *ccamera_open(const char *path, ccamera_error *error);
void ccamera_close(ccamera *camera);

// Whether programs can write frames to a device, as to a virtual camera. If so, stores its name, terminated.
bool ccamera_takes_frames(const char *path, char name[33]);

// The driver's name of the camera, always terminated.
const char *ccamera_name(const ccamera *camera);

// Fill up to `limit` modes or controls, and return how many there are.
int32_t ccamera_modes(ccamera *camera, ccamera_mode *modes, int32_t limit);
int32_t ccamera_controls(ccamera *camera, ccamera_control *controls, int32_t limit);

bool ccamera_set_control(ccamera *camera, uint32_t identifier, int32_t value, ccamera_error *error);

// Whether frames of a format can be read: YUYV, Motion JPEG, and with libv4lconvert, which is loaded when it is first
// needed, NV12, Bayer patterns and others.
bool ccamera_can_read(uint32_t format);

// Asks for a mode, stores in `mode` the one that the driver chose, and starts.
bool ccamera_start(ccamera *camera, ccamera_mode *mode, ccamera_error *error);

typedef struct ccamera_frame {
    const uint8_t *data;    // valid until ccamera_done
    size_t size;
    double seconds;         // CLOCK_MONOTONIC
    uint32_t index;         // for ccamera_done
} ccamera_frame;

// Waits for a frame. 1: there is one. 0: none within that time. −1: an error.
int ccamera_next(ccamera *camera, int timeout_milliseconds, ccamera_frame *frame, ccamera_error *error);
// Gives a frame's memory back to the driver.
bool ccamera_done(ccamera *camera, uint32_t index, ccamera_error *error);

// Converts a frame of any format but Motion JPEG to RGBA of the mode's size. YUYV is taken as ITU-R BT.601 with video
// range. Returns false for a damaged frame.
bool ccamera_convert(ccamera *camera, const ccamera_frame *frame, uint8_t *rgba, size_t rgba_bytes_per_row);

// The same for a frame without a camera, which a test has made. Size and length of rows are those that a driver says.
bool ccamera_convert_alone(
    uint32_t format, int32_t width, int32_t height, uint32_t bytes_per_row, const uint8_t *data, size_t size,
    uint8_t *rgba, size_t rgba_bytes_per_row);

#endif
