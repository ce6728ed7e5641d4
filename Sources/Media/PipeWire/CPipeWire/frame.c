#include "connection.h"

#include <CFrameFormats.h>
#include <errno.h>
#include <linux/videodev2.h>
#include <spa/buffer/buffer.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const cpipewire_format_names cpipewire_formats[CPIPEWIRE_FORMATS] = {
    {V4L2_PIX_FMT_MJPEG, SPA_VIDEO_FORMAT_ENCODED}, {V4L2_PIX_FMT_YUYV, SPA_VIDEO_FORMAT_YUY2},
    {V4L2_PIX_FMT_NV12, SPA_VIDEO_FORMAT_NV12},     {V4L2_PIX_FMT_YUV420, SPA_VIDEO_FORMAT_I420},
    {V4L2_PIX_FMT_RGBX32, SPA_VIDEO_FORMAT_RGBx},   {V4L2_PIX_FMT_RGBA32, SPA_VIDEO_FORMAT_RGBA},
    {V4L2_PIX_FMT_XBGR32, SPA_VIDEO_FORMAT_BGRx},   {V4L2_PIX_FMT_ABGR32, SPA_VIDEO_FORMAT_BGRA},
    {V4L2_PIX_FMT_RGB24, SPA_VIDEO_FORMAT_RGB},     {V4L2_PIX_FMT_BGR24, SPA_VIDEO_FORMAT_BGR},
};

uint32_t cpipewire_code(enum spa_video_format name) {
    for (int index = 1; index < CPIPEWIRE_FORMATS; ++index)
        if (cpipewire_formats[index].name == name) return cpipewire_formats[index].code;
    return 0;
}

static bool has_three_bytes(uint32_t code) { return code == V4L2_PIX_FMT_RGB24 || code == V4L2_PIX_FMT_BGR24; }

// Of RGB and BGR, the one that has the same components in four bytes.
static cframe_format layout(uint32_t code) {
    switch (code) {
    case V4L2_PIX_FMT_YUYV: return CFRAME_YUY2;
    case V4L2_PIX_FMT_NV12: return CFRAME_NV12;
    case V4L2_PIX_FMT_YUV420: return CFRAME_I420;
    case V4L2_PIX_FMT_XBGR32:
    case V4L2_PIX_FMT_ABGR32:
    case V4L2_PIX_FMT_BGR24: return CFRAME_BGRA;
    default: return CFRAME_RGBA;
    }
}

static size_t row_bytes(const cpipewire_frame *frame, int plane) {
    return has_three_bytes(frame->format) ? 3 * (size_t)frame->width
                                          : cframe_row_bytes(layout(frame->format), plane, frame->width);
}

size_t cpipewire_frame_size(const cpipewire_frame *frame) {
    const cframe_format format = layout(frame->format);
    size_t size = 0;
    for (int plane = 0; plane < cframe_planes(format); ++plane)
        size += row_bytes(frame, plane) * cframe_rows(format, plane, frame->height);
    return size;
}

// Where a block of memory has its content. Another program may write to the chunk at any time: it is read once.
typedef struct {
    const struct spa_data *data;
    size_t offset;
    size_t size;
    size_t stride;
} block;

static bool find_block(const struct spa_data *data, block *block) {
    if (!data->chunk || (data->type != SPA_DATA_MemFd && !data->data)) return false;
    const struct spa_chunk chunk = *(const volatile struct spa_chunk *)data->chunk;
    if (chunk.flags & SPA_CHUNK_FLAG_CORRUPTED || chunk.offset > data->maxsize) return false;
    block->data = data;
    block->offset = chunk.offset;
    block->size = SPA_MIN(chunk.size, data->maxsize - chunk.offset);
    block->stride = chunk.stride > 0 ? (size_t)chunk.stride : 0;
    return true;
}

// Shared memory is read as a file, and not mapped: the other program could make it shorter, and to touch what is gone would end
// this one (SIGBUS).
static bool copy_bytes(const block *block, size_t place, uint8_t *copy, size_t count) {
    const struct spa_data *data = block->data;
    if (data->type != SPA_DATA_MemFd) {
        memcpy(copy, (const uint8_t *)data->data + block->offset + place, count);
        return true;
    }
    off_t from = (off_t)(data->mapoffset + block->offset + place);
    while (count) {
        const ssize_t read = pread((int)data->fd, copy, count, from);
        if (read < 0 && errno == EINTR) continue;
        if (read <= 0) return false;
        copy += read;
        from += read;
        count -= (size_t)read;
    }
    return true;
}

bool cpipewire_copy_block(const struct spa_buffer *buffer, size_t *size, uint8_t *copy) {
    block block;
    if (!buffer->n_datas || !find_block(&buffer->datas[0], &block) || !block.size) return false;
    *size = copy ? SPA_MIN(*size, block.size) : block.size;
    return !copy || copy_bytes(&block, 0, copy, *size);
}

// Where the planes of a picture are in the blocks. Returns false if they are not all there.
//
// alignment: in bytes, of rows whose length the other program does not tell.
static bool copy_planes(
    const cpipewire_frame *frame, const struct spa_buffer *buffer, size_t alignment, uint8_t *copy) {
    const cframe_format format = layout(frame->format);
    const int planes = cframe_planes(format);
    const bool is_divided = buffer->n_datas >= (uint32_t)planes;
    block block;
    size_t place = 0;
    for (int plane = 0; plane < planes; ++plane) {
        if (plane == 0 || is_divided) {
            if (!find_block(&buffer->datas[plane], &block)) return false;
            place = 0;
        }
        const size_t row = row_bytes(frame, plane), rows = cframe_rows(format, plane, frame->height);
        // Planes in one block have the length of rows of the first.
        const bool is_half = plane && !is_divided && format == CFRAME_I420;
        const size_t stride =
            block.stride ? is_half ? (block.stride + 1) / 2 : block.stride : (row + alignment - 1) / alignment * alignment;
        // The last row may be without padding.
        if (stride < row || stride > SIZE_MAX / 2 / rows || place + stride * (rows - 1) + row > block.size) return false;
        if (stride == row) {
            if (!copy_bytes(&block, place, copy, row * rows)) return false;
            copy += row * rows;
        } else {
            for (size_t y = 0; y < rows; ++y, copy += row)
                if (!copy_bytes(&block, place + y * stride, copy, row)) return false;
        }
        place += stride * rows;
    }
    return true;
}

bool cpipewire_copy_frame(const cpipewire_frame *frame, const struct spa_buffer *buffer, uint8_t *copy) {
    if (!buffer->n_datas || (layout(frame->format) == CFRAME_YUY2 && frame->width % 2)) return false;
    // GStreamer's rows begin at multiples of 4, and it does not say so.
    return copy_planes(frame, buffer, 4, copy) || copy_planes(frame, buffer, 1, copy);
}

void cpipewire_frame_to_rgba(const cpipewire_frame *frame, uint8_t *rgba, size_t stride) {
    const cframe_format format = layout(frame->format);
    if (has_three_bytes(frame->format)) {
        const int red = format == CFRAME_RGBA ? 0 : 2;
        for (uint32_t y = 0; y < frame->height; ++y) {
            const uint8_t *from = frame->data + y * row_bytes(frame, 0);
            uint8_t *to = rgba + y * stride;
            for (uint32_t x = 0; x < frame->width; ++x, from += 3, to += 4) {
                to[0] = from[red];
                to[1] = from[1];
                to[2] = from[2 - red];
                to[3] = 255;
            }
        }
        return;
    }
    cframe_picture picture = {
        .format = format, .is_bt709 = frame->is_bt709, .is_full = frame->is_full, .width = frame->width,
        .height = frame->height};
    // Only read.
    uint8_t *plane_bytes = (uint8_t *)(uintptr_t)frame->data;
    for (int plane = 0; plane < cframe_planes(format); ++plane) {
        picture.planes[plane] = plane_bytes;
        picture.strides[plane] = row_bytes(frame, plane);
        plane_bytes += picture.strides[plane] * cframe_rows(format, plane, frame->height);
    }
    cframe_to_rgba(&picture, rgba, stride);
    if (format != CFRAME_RGBA && format != CFRAME_BGRA) return;
    // What a camera has there is not how opaque it is.
    for (uint32_t y = 0; y < frame->height; ++y)
        for (uint32_t x = 0; x < frame->width; ++x) rgba[y * stride + 4 * x + 3] = 255;
}

bool cpipewire_read_alone(
    const cpipewire_frame *frame, const uint8_t *block, uint32_t capacity, uint32_t offset, uint32_t size, int32_t stride,
    uint8_t *rgba, size_t rgba_stride) {
    struct spa_chunk chunk = {.offset = offset, .size = size, .stride = stride};
    struct spa_data data = {.type = SPA_DATA_MemPtr, .maxsize = capacity, .data = (void *)(uintptr_t)block, .chunk = &chunk};
    const struct spa_buffer buffer = {.n_datas = 1, .datas = &data};
    cpipewire_frame read = *frame;
    uint8_t *copy = malloc(cpipewire_frame_size(frame));
    const bool is_whole = copy && cpipewire_copy_frame(frame, &buffer, copy);
    read.data = copy;
    if (is_whole) cpipewire_frame_to_rgba(&read, rgba, rgba_stride);
    free(copy);
    return is_whole;
}
