// The memory layouts in which programs hand over pictures of 8 bits a component, and RGBA.
#ifndef CFRAMEFORMATS_H
#define CFRAMEFORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    CFRAME_RGBA,  // one plane
    CFRAME_BGRA,  // one plane
    CFRAME_I420,  // three planes: Y; U and V at half width and height, rounded up
    CFRAME_NV12,  // two planes: Y; U and V alternating, at half width and height, rounded up
    CFRAME_YUY2,  // one plane: Y U Y V; the width is even
} cframe_format;

// A picture in memory that the caller owns.
typedef struct {
    cframe_format format;
    bool is_bt709;  // ITU-R BT.709; otherwise ITU-R BT.601. RGBA and BGRA ignore it.
    bool is_full;   // whether Y, U and V have the range 0...255; otherwise 16...235 and 16...240. The same.
    uint32_t width;   // in pixels
    uint32_t height;  // in pixels
    uint8_t *planes[3];
    size_t strides[3];  // from one row to the next, in bytes
} cframe_picture;

// How many planes a format has, 1 to 3.
int cframe_planes(cframe_format format);
// The bytes of a row of a plane, and the number of its rows.
size_t cframe_row_bytes(cframe_format format, int plane, uint32_t width);
uint32_t cframe_rows(cframe_format format, int plane, uint32_t height);

// Copies a picture to one of the same format and size.
void cframe_copy(const cframe_picture *from, const cframe_picture *to);

// Makes every pixel the same grey, opaque.
//
// level: 0...255, as of RGBA.
void cframe_fill(const cframe_picture *picture, uint8_t level);

// Converts a picture to RGBA. The alpha of YUV pictures is 255. Colours between pixels are those of the nearest place.
//
// stride: from one row of rgba to the next, in bytes.
void cframe_to_rgba(const cframe_picture *picture, uint8_t *rgba, size_t stride);

// Converts RGBA to a picture. Colours of several pixels are averages. The result is the exact value, rounded.
void cframe_from_rgba(const cframe_picture *picture, const uint8_t *rgba, size_t stride);

// Converts to a picture only those pixels of RGBA that differ from what cframe_to_rgba makes of it: all others keep their
// bytes, which a conversion there and back would not give. Colours that several pixels share change with each of them.
//
// rows: memory of the caller for two rows of RGBA, 8 * width bytes.
void cframe_update(const cframe_picture *picture, const uint8_t *rgba, size_t stride, uint8_t *rows);

#endif
