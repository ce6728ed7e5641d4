// Follows points from one small grey picture to the next: pyramidal Lucas–Kanade optical flow (Lucas & Kanade 1981;
// Bouguet, "Pyramidal implementation of the affine Lucas Kanade feature tracker", 2001).
//
// OpenCV has the same, but allocates in every call and wants the whole frame; a face needs a patch of fixed size,
// turned and scaled with it, and no allocation at all.
#ifndef COPTICALFLOW_H
#define COPTICALFLOW_H

#include <stddef.h>
#include <stdint.h>

enum {
    COPTICALFLOW_SIDE = 128,  // of a patch, in its own pixels
    COPTICALFLOW_LEVELS = 3,  // of its pyramid, each half the size of the one before
    // Pixels of all levels together.
    COPTICALFLOW_PIXELS = 128 * 128 + 64 * 64 + 32 * 32
};

// Pixels: 1 channel (grey), or 4 (red, green, blue, alpha), 8 bits each, rows top first.
typedef struct copticalflow_image {
    const uint8_t *pixels;
    int32_t width;
    int32_t height;
    int32_t channels;
    size_t bytes_per_row;
} copticalflow_image;

// Where a patch lies: its pixel (i, j) is at origin + i · across + j · down, in pixels of the picture, both counted
// from the first pixel's centre.
typedef struct copticalflow_place {
    float origin[2];
    float across[2];
    float down[2];
} copticalflow_place;

// Cuts a patch out of a picture, in grey (ITU-R BT.601) of a mean of 128, with its pyramid. Where the picture ends, its
// last pixels go on. `patch` has room for COPTICALFLOW_PIXELS.
void copticalflow_cut(const copticalflow_image *image, const copticalflow_place *place, float *patch);

// Where points of one patch went in another. Points are x0, y0, x1, y1, … in pixels of the patch.
// - `moved`: where they are looked for first, and where they were found.
// - `residual`: the mean difference of grey values (0…255) that is left around each, or −1 for a point that could not
//   be followed because there is nothing to hold on to around it, or because it left the patch.
void copticalflow_follow(
    const float *from, const float *to, int32_t count, const float *points, float *moved, float *residual);

#endif
