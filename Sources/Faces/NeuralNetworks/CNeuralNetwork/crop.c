#include "crop.h"

#include <math.h>
#include <string.h>

void crop_matrix(const crop_options *options, const cneuralnetwork_tensor *landmarks, float matrix[16]) {
    const float *left = landmarks->values + 3 * options->left, *right = landmarks->values + 3 * options->right;
    const float rotation = options->rotation - atan2f(right[1] - left[1], right[0] - left[0]);
    const float c = cosf(rotation), s = sinf(rotation);
    float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t index = 0; index < options->count; ++index) {
        const float *point = landmarks->values + 3 * options->landmarks[index];
        const float turned[2] = {c * point[0] - s * point[1], s * point[0] + c * point[1]};
        for (size_t axis = 0; axis < 2; ++axis) {
            low[axis] = fminf(low[axis], turned[axis]);
            high[axis] = fmaxf(high[axis], turned[axis]);
        }
    }
    const float middle[2] = {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2};
    const float across = options->scale[0] * (high[0] - low[0]) / (float)options->size[0];
    const float down = options->scale[1] * (high[1] - low[1]) / (float)options->size[1];
    // The crop's middle is at that of the landmarks.
    const float x = -(float)options->size[0] / 2, y = -(float)options->size[1] / 2;
    const float rows[2][4] = {
        {c * across, s * down, 0, c * middle[0] + s * middle[1] + c * across * x + s * down * y},
        {-s * across, c * down, 0, c * middle[1] - s * middle[0] + c * down * y - s * across * x},
    };
    memset(matrix, 0, 16 * sizeof *matrix);
    memcpy(matrix, rows, sizeof rows);
    matrix[10] = matrix[15] = 1;
}

static void interpolate(const cneuralnetwork_tensor *input, float x, float y, float *result) {
    const size_t height = input->dimensions[1], width = input->dimensions[2], channels = input->dimensions[3];
    // Also when it is not a number.
    if (!(x >= 0 && y >= 0 && x <= (float)(width - 1) && y <= (float)(height - 1))) {
        memset(result, 0, channels * sizeof *result);
        return;
    }
    const size_t left = (size_t)x, top = (size_t)y;
    const size_t right = left + 1 < width ? left + 1 : left, bottom = top + 1 < height ? top + 1 : top;
    const float u = x - (float)left, v = y - (float)top;
    const float *above = input->values + top * width * channels, *below = input->values + bottom * width * channels;
    for (size_t channel = 0; channel < channels; ++channel) {
        const float upper = (1 - u) * above[left * channels + channel] + u * above[right * channels + channel];
        const float lower = (1 - u) * below[left * channels + channel] + u * below[right * channels + channel];
        result[channel] = (1 - v) * upper + v * lower;
    }
}

void crop_apply(const cneuralnetwork_tensor *input, const float matrix[16], const cneuralnetwork_tensor *output) {
    const size_t height = output->dimensions[1], width = output->dimensions[2], channels = output->dimensions[3];
    for (size_t row = 0; row < height; ++row) {
        for (size_t column = 0; column < width; ++column) {
            // The matrix is one of places, and pixels have their centres at +0.5.
            const float u = (float)column + 0.5f, v = (float)row + 0.5f;
            const float x = matrix[0] * u + matrix[1] * v + matrix[3] - 0.5f;
            const float y = matrix[4] * u + matrix[5] * v + matrix[7] - 0.5f;
            interpolate(input, x, y, output->values + (row * width + column) * channels);
        }
    }
}

void crop_leave(const cneuralnetwork_tensor *input, const float matrix[16], const cneuralnetwork_tensor *output) {
    for (size_t index = 0; index + 1 < input->count; index += 2) {
        const float u = input->values[index], v = input->values[index + 1];
        output->values[index] = matrix[0] * u + matrix[1] * v + matrix[3];
        output->values[index + 1] = matrix[4] * u + matrix[5] * v + matrix[7];
    }
}
