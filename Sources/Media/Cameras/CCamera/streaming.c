#include "camera.h"

#include <poll.h>
#include <sys/mman.h>
#include <time.h>

static bool choose_format(ccamera *camera, ccamera_mode *mode, ccamera_error *error) {
    struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    format.fmt.pix.width = (uint32_t)mode->width;
    format.fmt.pix.height = (uint32_t)mode->height;
    format.fmt.pix.pixelformat = mode->format;
    format.fmt.pix.field = V4L2_FIELD_ANY;
    if (ccamera_ioctl(camera->descriptor, VIDIOC_S_FMT, &format) < 0) {
        ccamera_fail(error, "choosing a format");
        return false;
    }
    const struct v4l2_pix_format *chosen = &format.fmt.pix;
    if (chosen->width < 1 || chosen->height < 1 || chosen->width > 16384 || chosen->height > 16384) {
        errno = EINVAL;
        ccamera_fail(error, "choosing a size");
        return false;
    }
    mode->width = (int32_t)chosen->width;
    mode->height = (int32_t)chosen->height;
    mode->format = chosen->pixelformat;
    if (!ccamera_can_read(mode->format)) {
        errno = EINVAL;
        ccamera_fail(error, "agreeing on a readable format");
        return false;
    }
    ccamera_check_row(&format.fmt.pix);
    camera->format = format;
    if (mode->format == CCAMERA_YUYV || mode->format == CCAMERA_MJPG) return true;
    camera->converter = ccamera_converter_new(camera->descriptor, &format);
    if (camera->converter) return true;
    errno = ENOMEM;
    ccamera_fail(error, "preparing the conversion of its format");
    return false;
}

static void choose_rate(ccamera *camera, ccamera_mode *mode) {
    struct v4l2_streamparm parameters = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    if (mode->rate > 0) {
        parameters.parm.capture.timeperframe.numerator = 1000;
        parameters.parm.capture.timeperframe.denominator = (uint32_t)(1000 * mode->rate + 0.5);
        // Drivers that cannot change the rate keep their own.
        ccamera_ioctl(camera->descriptor, VIDIOC_S_PARM, &parameters);
    }
    mode->rate = 0;
    if (ccamera_ioctl(camera->descriptor, VIDIOC_G_PARM, &parameters) == 0
        && parameters.parm.capture.timeperframe.numerator > 0) {
        const struct v4l2_fract interval = parameters.parm.capture.timeperframe;
        mode->rate = (double)interval.denominator / interval.numerator;
    }
}

static bool map_buffer(ccamera *camera, uint32_t index, ccamera_error *error) {
    struct v4l2_buffer buffer = {.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    if (ccamera_ioctl(camera->descriptor, VIDIOC_QUERYBUF, &buffer) < 0) {
        ccamera_fail(error, "asking for a buffer");
        return false;
    }
    void *start =
        mmap(NULL, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, camera->descriptor, (off_t)buffer.m.offset);
    if (start == MAP_FAILED) {
        ccamera_fail(error, "mapping a buffer");
        return false;
    }
    camera->buffers[index].start = start;
    camera->buffers[index].length = buffer.length;
    camera->count += 1;
    return ccamera_done(camera, index, error);
}

bool ccamera_start(ccamera *camera, ccamera_mode *mode, ccamera_error *error) {
    if (!choose_format(camera, mode, error)) return false;
    choose_rate(camera, mode);
    struct v4l2_requestbuffers request = {
        .count = BUFFERS, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    if (ccamera_ioctl(camera->descriptor, VIDIOC_REQBUFS, &request) < 0 || request.count < 2) {
        if (errno == 0) errno = ENOMEM;
        ccamera_fail(error, "asking for buffers");
        return false;
    }
    for (uint32_t index = 0; index < request.count && index < BUFFERS; index += 1) {
        if (!map_buffer(camera, index, error)) return false;
    }
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (ccamera_ioctl(camera->descriptor, VIDIOC_STREAMON, &type) < 0) {
        ccamera_fail(error, "starting it");
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
    if (ready < 0 || ccamera_ioctl(camera->descriptor, VIDIOC_DQBUF, &buffer) < 0) {
        if (errno == EAGAIN) return 0;
        ccamera_fail(error, "taking a frame");
        return -1;
    }
    if (buffer.index >= (uint32_t)camera->count) {
        errno = EPROTO;
        ccamera_fail(error, "taking a frame");
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
    // Frames that the driver marks as damaged are handed out empty.
    if (buffer.flags & V4L2_BUF_FLAG_ERROR) frame->size = 0;
    frame->index = buffer.index;
    return 1;
}

bool ccamera_done(ccamera *camera, uint32_t index, ccamera_error *error) {
    struct v4l2_buffer buffer = {.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    if (ccamera_ioctl(camera->descriptor, VIDIOC_QBUF, &buffer) == 0) return true;
    ccamera_fail(error, "giving a buffer back");
    return false;
}
