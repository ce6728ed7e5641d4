// Pixels of a picture as the input of a network.
#ifndef SAMPLING_H
#define SAMPLING_H

#include "CNeuralNetwork.h"

// Memory for a reduced part of a picture, kept for the next one.
typedef struct sampling_scratch {
    uint8_t *pixels;
    uint16_t *sums;
    size_t pixels_capacity, sums_capacity;
} sampling_scratch;

// The numbers of black and white pixels, and what is outside the picture: black, or its edge repeated.
typedef struct sampling_range {
    float black, white;
    bool repeats_edge;
} sampling_range;

// Writes height × width × 3 numbers. Returns false when there is not enough memory.
bool sampling_fill(
    sampling_scratch *scratch, const cneuralnetwork_picture *picture, const cneuralnetwork_square *square,
    size_t height, size_t width, sampling_range range, float *values);

void sampling_release(sampling_scratch *scratch);

#endif
