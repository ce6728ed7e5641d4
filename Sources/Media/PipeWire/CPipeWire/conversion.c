#include "CPipeWire.h"

#include <CFrameFormats.h>

size_t cpipewire_size(cpipewire_format format, uint32_t width, uint32_t height) {
    size_t pixels = (size_t)width * height;
    switch (format) {
    case CPIPEWIRE_I420:
    case CPIPEWIRE_NV12: return pixels * 3 / 2;
    case CPIPEWIRE_YUY2: return pixels * 2;
    case CPIPEWIRE_RGBA: return pixels * 4;
    }
    return 0;
}

static cframe_format frame_format(cpipewire_format format) {
    switch (format) {
    case CPIPEWIRE_I420: return CFRAME_I420;
    case CPIPEWIRE_NV12: return CFRAME_NV12;
    case CPIPEWIRE_YUY2: return CFRAME_YUY2;
    case CPIPEWIRE_RGBA: break;
    }
    return CFRAME_RGBA;
}

void cpipewire_convert(
    cpipewire_format format, uint32_t width, uint32_t height, const uint8_t *rgba, size_t stride, uint8_t *pixels) {
    cframe_picture picture = {.format = frame_format(format), .width = width, .height = height};
    for (int plane = 0; plane < cframe_planes(picture.format); ++plane) {
        picture.planes[plane] = pixels;
        picture.strides[plane] = cframe_row_bytes(picture.format, plane, width);
        pixels += picture.strides[plane] * cframe_rows(picture.format, plane, height);
    }
    cframe_from_rgba(&picture, rgba, stride);
}
