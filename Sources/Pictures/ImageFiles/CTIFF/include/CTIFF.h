// The pixels of TIFF pictures through libtiff, which is loaded when the first one is read. A picture is decoded in a child
// process behind a wall (CSandbox): a TIFF may be compressed in a dozen ways, each by a library of its own. Directories and
// metadata are read elsewhere, and TIFF files are written without libtiff.
#ifndef CTIFF_H
#define CTIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CTIFF_MESSAGE = 256 };

enum { CTIFF_NO_ALPHA = 0, CTIFF_PREMULTIPLIED_ALPHA = 1, CTIFF_STRAIGHT_ALPHA = 2 };

// What the caller has found in the first directory of the file. libtiff must find the same.
typedef struct ctiff_layout {
    int32_t width;
    int32_t height;
    int32_t bits_per_sample;
    int32_t samples_per_pixel;
    // True: libtiff converts the samples to RGBA with 8 bits (palettes, YCbCr, grey with less than 8 bits). False: the
    // samples are grey or RGB with 8 or 16 bits, alpha if there is one, and others that are left out.
    bool is_converted;
    bool is_color;
    bool is_inverted;  // grey, and 0 is white
    int32_t alpha;     // CTIFF_…_ALPHA, of the first sample after the colours
} ctiff_layout;

// What a child may use beside the picture itself.
typedef struct ctiff_limits {
    int32_t seconds;  // of processor time; three times as many of the clock, since others may use the processor
    uint64_t memory_bytes;
} ctiff_limits;

// Decodes the first picture of a file to RGBA with straight alpha, of 8 bits a component, or of 16 where the samples have
// 16 and are not converted; rows top first, as they are stored. One that is cut off is an error. False with a message.
bool ctiff_read(
    const uint8_t *data, size_t size, const ctiff_layout *layout, const ctiff_limits *limits, uint8_t *rgba,
    size_t bytes_per_row, char *message);

#endif
