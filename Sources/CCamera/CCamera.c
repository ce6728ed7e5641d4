#include "CCamera.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { BUFFERS = 4 };

struct ccamera {
    int descriptor;
    bool is_streaming;
    char name[33];
    uint32_t bytes_per_row;
    int count;
    struct {
        void *start;
        size_t length;
    } buffers[BUFFERS];
};

static int call(int descriptor, unsigned long request, void *argument) {
    int result;
    do {
        result = ioctl(descriptor, request, argument);
    } while (result < 0 && errno == EINTR);
    return result;
}

static void fail(ccamera_error *error, const char *what) {
    error->code = errno;
    snprintf(error->message, sizeof error->message, "%s", what);
}

ccamera *ccamera_open(const char *path, ccamera_error *error) {
    // Not blocking: a driver must not hold the thread when it is asked to end.
    const int descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        fail(error, "opening it");
        return NULL;
    }
    struct v4l2_capability capability = {0};
    uint32_t can = 0;
    if (call(descriptor, VIDIOC_QUERYCAP, &capability) == 0) {
        can = capability.capabilities & V4L2_CAP_DEVICE_CAPS ? capability.device_caps : capability.capabilities;
    }
    if (!(can & V4L2_CAP_VIDEO_CAPTURE) || !(can & V4L2_CAP_STREAMING)) {
        close(descriptor);
        errno = ENOTTY;
        fail(error, "asking what it is");
        return NULL;
    }
    ccamera *camera = calloc(1, sizeof *camera);
    if (!camera) {
        close(descriptor);
        fail(error, "making room for it");
        return NULL;
    }
    camera->descriptor = descriptor;
    snprintf(camera->name, sizeof camera->name, "%.32s", (const char *)capability.card);
    return camera;
}

void ccamera_close(ccamera *camera) {
    if (!camera) return;
    if (camera->is_streaming) {
        int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
        call(camera->descriptor, VIDIOC_STREAMOFF, &type);
    }
    for (int index = 0; index < camera->count; index += 1) {
        munmap(camera->buffers[index].start, camera->buffers[index].length);
    }
    close(camera->descriptor);
    free(camera);
}

const char *ccamera_name(const ccamera *camera) { return camera->name; }

// MARK: What it can do

static void add(ccamera_mode mode, ccamera_mode *modes, int32_t limit, int32_t *count) {
    if (*count < limit) modes[*count] = mode;
    *count += 1;
}

static void add_rates(ccamera *camera, ccamera_mode mode, ccamera_mode *modes, int32_t limit, int32_t *count) {
    struct v4l2_frmivalenum interval = {
        .pixel_format = mode.format, .width = (uint32_t)mode.width, .height = (uint32_t)mode.height};
    const int32_t before = *count;
    while (interval.index < 64 && call(camera->descriptor, VIDIOC_ENUM_FRAMEINTERVALS, &interval) == 0) {
        // In steps or without: the shortest interval is what is of interest.
        const struct v4l2_fract step =
            interval.type == V4L2_FRMIVAL_TYPE_DISCRETE ? interval.discrete : interval.stepwise.min;
        if (step.numerator > 0) {
            mode.rate = (double)step.denominator / step.numerator;
            add(mode, modes, limit, count);
        }
        if (interval.type != V4L2_FRMIVAL_TYPE_DISCRETE) break;
        interval.index += 1;
    }
    if (*count == before) add(mode, modes, limit, count);
}

int32_t ccamera_modes(ccamera *camera, ccamera_mode *modes, int32_t limit) {
    int32_t count = 0;
    struct v4l2_fmtdesc format = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    while (format.index < 64 && call(camera->descriptor, VIDIOC_ENUM_FMT, &format) == 0) {
        struct v4l2_frmsizeenum size = {.pixel_format = format.pixelformat};
        while (size.index < 256 && call(camera->descriptor, VIDIOC_ENUM_FRAMESIZES, &size) == 0) {
            ccamera_mode mode = {.format = format.pixelformat};
            if (size.type == V4L2_FRMSIZE_TYPE_DISCRETE) {
                mode.width = (int32_t)size.discrete.width;
                mode.height = (int32_t)size.discrete.height;
                add_rates(camera, mode, modes, limit, &count);
                size.index += 1;
            } else {
                // Any size in a range: its ends, and what is usual in between.
                const int32_t usual[][2] = {{640, 480}, {1280, 720}, {1920, 1080}};
                for (int index = 0; index < 3; index += 1) {
                    mode.width = usual[index][0];
                    mode.height = usual[index][1];
                    if (mode.width >= (int32_t)size.stepwise.min_width && mode.width <= (int32_t)size.stepwise.max_width
                        && mode.height >= (int32_t)size.stepwise.min_height
                        && mode.height <= (int32_t)size.stepwise.max_height) {
                        add_rates(camera, mode, modes, limit, &count);
                    }
                }
                mode.width = (int32_t)size.stepwise.max_width;
                mode.height = (int32_t)size.stepwise.max_height;
                add_rates(camera, mode, modes, limit, &count);
                break;
            }
        }
        format.index += 1;
    }
    return count;
}

int32_t ccamera_controls(ccamera *camera, ccamera_control *controls, int32_t limit) {
    int32_t count = 0;
    struct v4l2_queryctrl query = {.id = V4L2_CTRL_FLAG_NEXT_CTRL};
    while (count < 256 && call(camera->descriptor, VIDIOC_QUERYCTRL, &query) == 0) {
        const bool is_usable = !(query.flags & (V4L2_CTRL_FLAG_DISABLED | V4L2_CTRL_FLAG_READ_ONLY))
            && (query.type == V4L2_CTRL_TYPE_INTEGER || query.type == V4L2_CTRL_TYPE_BOOLEAN
                || query.type == V4L2_CTRL_TYPE_MENU);
        if (is_usable) {
            struct v4l2_control value = {.id = query.id};
            if (call(camera->descriptor, VIDIOC_G_CTRL, &value) < 0) value.value = query.default_value;
            if (count < limit) {
                ccamera_control *control = &controls[count];
                control->identifier = query.id;
                snprintf(control->name, sizeof control->name, "%.31s", (const char *)query.name);
                control->minimum = query.minimum;
                control->maximum = query.maximum;
                control->value = value.value;
            }
            count += 1;
        }
        query.id |= V4L2_CTRL_FLAG_NEXT_CTRL;
    }
    return count;
}

bool ccamera_set_control(ccamera *camera, uint32_t identifier, int32_t value, ccamera_error *error) {
    struct v4l2_control control = {.id = identifier, .value = value};
    if (call(camera->descriptor, VIDIOC_S_CTRL, &control) == 0) return true;
    fail(error, "setting a control");
    return false;
}

// MARK: Frames

bool ccamera_start(ccamera *camera, ccamera_mode *mode, ccamera_error *error) {
    struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    format.fmt.pix.width = (uint32_t)mode->width;
    format.fmt.pix.height = (uint32_t)mode->height;
    format.fmt.pix.pixelformat = mode->format;
    format.fmt.pix.field = V4L2_FIELD_ANY;
    if (call(camera->descriptor, VIDIOC_S_FMT, &format) < 0) {
        fail(error, "choosing a format");
        return false;
    }
    if (format.fmt.pix.width < 1 || format.fmt.pix.height < 1 || format.fmt.pix.width > 16384
        || format.fmt.pix.height > 16384) {
        errno = EINVAL;
        fail(error, "choosing a size");
        return false;
    }
    mode->width = (int32_t)format.fmt.pix.width;
    mode->height = (int32_t)format.fmt.pix.height;
    mode->format = format.fmt.pix.pixelformat;
    camera->bytes_per_row = format.fmt.pix.bytesperline;
    if (camera->bytes_per_row < 2 * format.fmt.pix.width) camera->bytes_per_row = 2 * format.fmt.pix.width;

    struct v4l2_streamparm parameters = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    if (mode->rate > 0) {
        parameters.parm.capture.timeperframe.numerator = 1000;
        parameters.parm.capture.timeperframe.denominator = (uint32_t)(1000 * mode->rate + 0.5);
        // Drivers that know no rate go at their own.
        call(camera->descriptor, VIDIOC_S_PARM, &parameters);
    }
    mode->rate = 0;
    if (call(camera->descriptor, VIDIOC_G_PARM, &parameters) == 0
        && parameters.parm.capture.timeperframe.numerator > 0) {
        const struct v4l2_fract interval = parameters.parm.capture.timeperframe;
        mode->rate = (double)interval.denominator / interval.numerator;
    }

    struct v4l2_requestbuffers request = {
        .count = BUFFERS, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    if (call(camera->descriptor, VIDIOC_REQBUFS, &request) < 0 || request.count < 2) {
        if (errno == 0) errno = ENOMEM;
        fail(error, "asking for buffers");
        return false;
    }
    for (uint32_t index = 0; index < request.count && index < BUFFERS; index += 1) {
        struct v4l2_buffer buffer = {
            .index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
        if (call(camera->descriptor, VIDIOC_QUERYBUF, &buffer) < 0) {
            fail(error, "asking for a buffer");
            return false;
        }
        void *start = mmap(
            NULL, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, camera->descriptor, (off_t)buffer.m.offset);
        if (start == MAP_FAILED) {
            fail(error, "mapping a buffer");
            return false;
        }
        camera->buffers[index].start = start;
        camera->buffers[index].length = buffer.length;
        camera->count += 1;
        if (!ccamera_done(camera, index, error)) return false;
    }
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (call(camera->descriptor, VIDIOC_STREAMON, &type) < 0) {
        fail(error, "starting it");
        return false;
    }
    camera->is_streaming = true;
    return true;
}

int ccamera_next(ccamera *camera, int timeout_milliseconds, ccamera_frame *frame, ccamera_error *error) {
    struct pollfd waiting = {.fd = camera->descriptor, .events = POLLIN};
    const int ready = poll(&waiting, 1, timeout_milliseconds);
    if (ready == 0 || (ready < 0 && errno == EINTR)) return 0;
    struct v4l2_buffer buffer = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    if (ready < 0 || call(camera->descriptor, VIDIOC_DQBUF, &buffer) < 0) {
        if (errno == EAGAIN) return 0;
        fail(error, "taking a frame");
        return -1;
    }
    if (buffer.index >= (uint32_t)camera->count) {
        errno = EPROTO;
        fail(error, "taking a frame");
        return -1;
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const bool is_monotonic =
        (buffer.flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
    frame->seconds = is_monotonic ? (double)buffer.timestamp.tv_sec + 1e-6 * (double)buffer.timestamp.tv_usec
                                  : (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    frame->data = camera->buffers[buffer.index].start;
    frame->size = buffer.bytesused < camera->buffers[buffer.index].length ? buffer.bytesused
                                                                          : camera->buffers[buffer.index].length;
    // A frame that the driver itself calls damaged is an empty one.
    if (buffer.flags & V4L2_BUF_FLAG_ERROR) frame->size = 0;
    frame->bytes_per_row = camera->bytes_per_row;
    frame->index = buffer.index;
    return 1;
}

bool ccamera_done(ccamera *camera, uint32_t index, ccamera_error *error) {
    struct v4l2_buffer buffer = {.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    if (call(camera->descriptor, VIDIOC_QBUF, &buffer) == 0) return true;
    fail(error, "giving a buffer back");
    return false;
}

// MARK: Colour

static inline uint8_t clamped(int32_t value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value; }

void ccamera_convert_yuyv(
    const uint8_t *yuyv, size_t yuyv_bytes_per_row, uint8_t *rgba, size_t rgba_bytes_per_row, int32_t width,
    int32_t height) {
    for (int32_t y = 0; y < height; y += 1) {
        const uint8_t *from = yuyv + (size_t)y * yuyv_bytes_per_row;
        uint8_t *to = rgba + (size_t)y * rgba_bytes_per_row;
        for (int32_t x = 0; x < width; x += 1) {
            // Coefficients of ITU-R BT.601 in 1/256.
            const int32_t luma = 298 * (from[2 * x] - 16) + 128;
            const int32_t u = from[4 * (x / 2) + 1] - 128;
            const int32_t v = from[4 * (x / 2) + 3] - 128;
            to[4 * x] = clamped((luma + 409 * v) >> 8);
            to[4 * x + 1] = clamped((luma - 100 * u - 208 * v) >> 8);
            to[4 * x + 2] = clamped((luma + 516 * u) >> 8);
            to[4 * x + 3] = 255;
        }
    }
}
