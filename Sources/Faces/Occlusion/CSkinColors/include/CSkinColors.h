// Reads the colours of a face from pictures with 8 bits: the inner loop of Swift's `SkinColors`. In C because it is
// compiled for several generations of processors. All versions compute the same bits.
#ifndef CSKINCOLORS_H
#define CSKINCOLORS_H

#include <stddef.h>
#include <stdint.h>

// RGBA, row by row.
typedef struct cskincolors_picture {
    const void *pixels;
    size_t bytes_per_row;   // below 2^31 for all rows together
    int32_t width, height;  // at least 1
} cskincolors_picture;

// How much is averaged at a place: a square of samples.
typedef struct cskincolors_square {
    int32_t side;  // 2 or 3 samples
    float step;    // between samples, in pixels
} cskincolors_square;

// - places: x and y in pixels, of each one. Outside of the picture the nearest pixel counts.
// - logarithms: of grey values from 0 to 255 in steps of a sixteenth: 16 · 255 + 1 of them.
// - result: for each place luminance, red : green and blue : green, as logarithms, and 0; 0 for places that are no number.
void cskincolors_read(
    const cskincolors_picture *picture, const float *places, ptrdiff_t count, cskincolors_square square,
    const float *logarithms, float *result);

#endif
