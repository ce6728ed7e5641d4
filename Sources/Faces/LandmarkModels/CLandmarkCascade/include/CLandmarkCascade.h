// Evaluates an ensemble of regression trees (Kazemi & Sullivan, CVPR 2014): the inner loops of the landmark cascade.
// In C because the compiler builds one version per processor generation (SSE2 and AVX2, or NEON) and selects one at
// run time.
//
// Every sum has the order and precision of dlib's own evaluation: the slightest difference moves a pixel that a tree
// looks at, and then another leaf is reached.
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

// A model. All pointers refer to memory of the caller. The caller guarantees that features in splits are below
// `feature_count`, and landmarks in anchors below 68.
typedef struct clandmarkcascade_model {
    int32_t cascade_count;
    int32_t tree_count;     // per cascade level
    int32_t depth;          // decisions from root to leaf; a tree has 2^depth leaves and one split fewer
    int32_t feature_count;  // pixels sampled per cascade level; at most CLANDMARKCASCADE_FEATURES
    const float *mean_shape;                // CLANDMARKCASCADE_COORDINATES
    const uint16_t *anchors;                // [cascade][feature]: the landmark that a pixel is near
    const float *deltas;                    // [cascade][feature][2]: its offset from there
    const clandmarkcascade_split *splits;   // [cascade][tree][split]
    const float *leaves;                    // [cascade][tree][leaf][coordinate]
} clandmarkcascade_model;

enum { CLANDMARKCASCADE_FEATURES = 4096, CLANDMARKCASCADE_TREES = 4096 };

// Pixels: 1 channel, or 4, of which the mean of the first three is used.
typedef struct clandmarkcascade_image {
    const uint8_t *pixels;
    int32_t width;
    int32_t height;
    int32_t channels;
    size_t bytes_per_row;
} clandmarkcascade_image;

// The position in the picture of the unit square in which shapes are defined, in pixel indices (the centre of the first
// pixel is 0, 0): (u, v) is at origin + u · across + v · down.
typedef struct clandmarkcascade_box {
    float origin[2];
    float across[2];
    float down[2];
} clandmarkcascade_box;

// Writes the landmarks in pixel indices. Allocates nothing; may be called by several threads at once.
void clandmarkcascade_evaluate(
    const clandmarkcascade_model *model, const clandmarkcascade_image *image, const clandmarkcascade_box *box,
    float landmarks[CLANDMARKCASCADE_COORDINATES]);

#endif
