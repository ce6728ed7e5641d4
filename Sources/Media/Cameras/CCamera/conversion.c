#include "camera.h"

static inline uint8_t clamped(int32_t value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value; }

static void convert_yuyv(
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

bool ccamera_convert(ccamera *camera, const ccamera_frame *frame, uint8_t *rgba, size_t rgba_bytes_per_row) {
    if (camera->converter)
        return ccamera_converter_convert(camera->converter, frame->data, frame->size, rgba, rgba_bytes_per_row);
    const struct v4l2_pix_format *format = &camera->format.fmt.pix;
    if (format->pixelformat != CCAMERA_YUYV) return false;
    const size_t last_row = 4 * (((size_t)format->width + 1) / 2);
    if (frame->size < (size_t)format->bytesperline * (format->height - 1) + last_row) return false;
    convert_yuyv(
        frame->data, format->bytesperline, rgba, rgba_bytes_per_row, (int32_t)format->width, (int32_t)format->height);
    return true;
}

bool ccamera_convert_alone(
    uint32_t format, int32_t width, int32_t height, uint32_t bytes_per_row, const uint8_t *data, size_t size,
    uint8_t *rgba, size_t rgba_bytes_per_row) {
    ccamera camera = {.descriptor = -1, .format = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE}};
    camera.format.fmt.pix.width = (uint32_t)width;
    camera.format.fmt.pix.height = (uint32_t)height;
    camera.format.fmt.pix.pixelformat = format;
    camera.format.fmt.pix.bytesperline = bytes_per_row;
    ccamera_check_row(&camera.format.fmt.pix);
    if (format != CCAMERA_YUYV) {
        camera.converter = ccamera_can_read(format) ? ccamera_converter_new(-1, &camera.format) : NULL;
        if (!camera.converter) return false;
    }
    const ccamera_frame frame = {.data = data, .size = size};
    const bool is_good = ccamera_convert(&camera, &frame, rgba, rgba_bytes_per_row);
    ccamera_converter_free(camera.converter);
    return is_good;
}

void ccamera_check_row(struct v4l2_pix_format *format) {
    if (format->pixelformat == CCAMERA_YUYV && format->bytesperline < 2 * format->width)
        format->bytesperline = 2 * format->width;
}
