// Follows points from one small grey picture to the next: pyramidal Lucas–Kanade optical flow (Lucas & Kanade 1981;
// Bouguet, "Pyramidal implementation of the affine Lucas Kanade feature tracker", 2001).
//
// OpenCV's implementation allocates in every call and needs the whole frame; this one works on a patch that rotates
// and scales with the face, without any allocation.
#ifndef COPTICALFLOW_H
#define COPTICALFLOW_H

#include <stddef.h>
#include <stdint.h>

enum {
    COPTICALFLOW_LARGEST_SIDE = 192,  // largest side of a patch, in its own pixels; any side is a multiple of 64
    COPTICALFLOW_LEVELS = 3,          // levels of its pyramid, each half the size of the one before
    // Pixels of all levels of the largest patch together.
    COPTICALFLOW_LARGEST_PIXELS = 192 * 192 + 96 * 96 + 48 * 48
};

// Pixels: 1 channel (grey), or 4 (red, green, blue, alpha), 8 bits each, rows top first.
typedef struct copticalflow_image {
    const uint8_t *pixels;
    int32_t width;
    int32_t height;
    int32_t channels;
    size_t bytes_per_row;
} copticalflow_image;

// The position of a patch: its pixel (i, j) is at origin + i · across + j · down in the picture. In both, (0, 0) is the
// centre of the first pixel.
typedef struct copticalflow_place {
    float origin[2];
    float across[2];
    float down[2];
} copticalflow_place;

// Extracts a patch of `side` × `side` pixels from a picture, in grey (ITU-R BT.601) with a mean of 128, with its pyramid.
// Outside the picture, its border pixels are repeated. `patch` has room for all levels.
void copticalflow_cut(const copticalflow_image *image, const copticalflow_place *place, int32_t side, float *patch);

// Follows points from one patch to another of the same side. Points are x0, y0, x1, y1, … in pixels of the patch.
// - `moved`: in: where the search starts; out: where the points were found.
// - `residual`: the mean remaining difference of grey values (0…255) around each point, or −1 for a point that could
//   not be followed because there is no texture around it, because it left the patch, or because its coordinates or
//   those of its start are not numbers.
void copticalflow_follow(
    const float *from, const float *to, int32_t side, int32_t count, const float *points, float *moved,
    float *residual);

// The point of each cell of a patch that is easiest to follow: where the smaller eigenvalue of the structure tensor is
// largest (Shi & Tomasi, "Good Features to Track", CVPR 1994). Cells begin at `low` and end before `high`, in pixels.
// Writes x0, y0, x1, y1, … of at most `capacity` points and returns how many.
int32_t copticalflow_corners(
    const float *patch, int32_t side, int32_t cell, const float low[2], const float high[2], float *corners,
    int32_t capacity);

#endif
