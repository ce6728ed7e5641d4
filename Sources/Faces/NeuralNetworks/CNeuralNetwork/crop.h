// The operators by which MediaPipe's face mesh with attention looks at eyes and lips again, as version 2 of MediaPipe's
// `landmarks_to_transform_matrix`, `transform_tensor_bilinear` and `transform_landmarks` defines them:
// - CROP_MATRIX: from landmarks (1 × count × 3) a matrix (1 × 4 × 4), which turns the pixels of a crop into those of a tensor;
// - CROP: a tensor (1 × height × width × channels) and a matrix give the crop, interpolated, and 0 outside the tensor;
// - LEAVE_CROP: landmarks in a crop (1 × count × 2) and a matrix give landmarks in the tensor.
// The shapes are checked when the network is read; any numbers may be in the tensors.
#ifndef CROP_H
#define CROP_H

#include "CNeuralNetwork.h"

// What CROP_MATRIX crops: the rectangle around some of the landmarks, turned by `rotation` (radians) from the line between
// two of them, and enlarged.
typedef struct crop_options {
    uint32_t left, right;  // landmarks
    float rotation;
    float scale[2];        // horizontal, vertical
    uint32_t size[2];      // of the crop: width, height
    size_t count;
    uint32_t landmarks[];
} crop_options;

void crop_matrix(const crop_options *options, const cneuralnetwork_tensor *landmarks, float matrix[16]);
void crop_apply(const cneuralnetwork_tensor *input, const float matrix[16], const cneuralnetwork_tensor *output);
void crop_leave(const cneuralnetwork_tensor *input, const float matrix[16], const cneuralnetwork_tensor *output);

#endif
