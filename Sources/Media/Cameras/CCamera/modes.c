#include "camera.h"

static void add(ccamera_mode mode, ccamera_mode *modes, int32_t limit, int32_t *count) {
    if (*count < limit) modes[*count] = mode;
    *count += 1;
}

static void add_rates(ccamera *camera, ccamera_mode mode, ccamera_mode *modes, int32_t limit, int32_t *count) {
    struct v4l2_frmivalenum interval = {
        .pixel_format = mode.format, .width = (uint32_t)mode.width, .height = (uint32_t)mode.height};
    const int32_t before = *count;
    while (interval.index < 64 && ccamera_ioctl(camera->descriptor, VIDIOC_ENUM_FRAMEINTERVALS, &interval) == 0) {
        // Of a range of intervals, the shortest counts.
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
    while (format.index < 64 && ccamera_ioctl(camera->descriptor, VIDIOC_ENUM_FMT, &format) == 0) {
        struct v4l2_frmsizeenum size = {.pixel_format = format.pixelformat};
        while (size.index < 256 && ccamera_ioctl(camera->descriptor, VIDIOC_ENUM_FRAMESIZES, &size) == 0) {
            ccamera_mode mode = {.format = format.pixelformat};
            if (size.type == V4L2_FRMSIZE_TYPE_DISCRETE) {
                mode.width = (int32_t)size.discrete.width;
                mode.height = (int32_t)size.discrete.height;
                add_rates(camera, mode, modes, limit, &count);
                size.index += 1;
            } else {
                // Of a range of sizes: the usual ones and the largest.
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
