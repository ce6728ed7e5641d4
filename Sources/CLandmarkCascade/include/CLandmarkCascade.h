// Evaluates an ensemble of regression trees (Kazemi & Sullivan, CVPR 2014): the inner loops of the landmark cascade.
// In C because the compiler makes one version a processor generation of them (SSE2 and AVX2, or NEON) and picks at
// run time.
//
// Every sum is made in the order and precision of dlib's own evaluation: the slightest difference moves a pixel that
// a tree looks at, and from there on another leaf is reached.
#ifndef CLANDMARKCASCADE_H
#define CLANDMARKCASCADE_H

#include <stddef.h>
#include <stdint.h>

// Coordinates of 68 landmarks: x0, y0, x1, y1, …
#define CLANDMARKCASCADE_COORDINATES 136

// One decision: go left where pixel `first` is brighter than pixel `second` by more than `threshold`.
typedef struct clandmarkcascade_split {
    uint16_t first;
    uint16_t second;
    int16_t threshold;
} clandmarkcascade_split;

// A model. All pointers are to memory of the caller's. The caller has made sure that splits name features below
// `feature_count`, and anchors landmarks below 68.
typedef struct clandmarkcascade_model {
    int32_t cascade_count;
    int32_t tree_count;     // a cascade
    int32_t depth;          // decisions from root to leaf; a tree has 2^depth leaves and one split fewer
    int32_t feature_count;  // pixels looked at, a cascade; at most CLANDMARKCASCADE_FEATURES
    const float *mean_shape;                // CLANDMARKCASCADE_COORDINATES
    const uint16_t *anchors;                // [cascade][feature]: the landmark that a pixel is near
    const float *deltas;                    // [cascade][feature][2]: its offset from there
    const clandmarkcascade_split *splits;   // [cascade][tree][split]
    const float *leaves;                    // [cascade][tree][leaf][coordinate]
} clandmarkcascade_model;

enum { CLANDMARKCASCADE_FEATURES = 4096, CLANDMARKCASCADE_TREES = 4096 };

// Pixels: 1 channel, or 4 of which the mean of the first three counts.
typedef struct clandmarkcascade_image {
    const uint8_t *pixels;
    int32_t width;
    int32_t height;
    int32_t channels;
    size_t bytes_per_row;
} clandmarkcascade_image;

// Where the unit square that shapes live in lies in the picture, in indices of pixels (the first one's centre is 0, 0):
// (u, v) lies at origin + u · across + v · down.
typedef struct clandmarkcascade_box {
    float origin[2];
    float across[2];
    float down[2];
} clandmarkcascade_box;

// Writes the landmarks in indices of pixels. Allocates nothing; may be called by many threads at once.
void clandmarkcascade_evaluate(
    const clandmarkcascade_model *model, const clandmarkcascade_image *image, const clandmarkcascade_box *box,
    float landmarks[CLANDMARKCASCADE_COORDINATES]);

// A checksum that notices damage; no protection against intent.
uint64_t clandmarkcascade_checksum(const void *bytes, size_t count);

#endif
