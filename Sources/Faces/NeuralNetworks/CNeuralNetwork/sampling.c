#include "sampling.h"

#include <CProcessor.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t bytes4 __attribute__((vector_size(4)));
typedef uint16_t halves4 __attribute__((vector_size(8)));
typedef int32_t sums4 __attribute__((vector_size(16)));
typedef float float4 __attribute__((vector_size(16)));
typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef float float8 __attribute__((vector_size(32)));

static inline int clamped(int value, int limit) { return value < 0 ? 0 : value >= limit ? limit - 1 : value; }

// NaN becomes a number.
static inline float bounded(float value, float limit) { return value > -2 ? (value < limit ? value : limit) : -2; }

// MARK: Reducing

// A part of the picture, reduced by a whole number: pixel (0, 0) of it is at (left, top) of the picture.
typedef struct reduction {
    cneuralnetwork_picture picture;
    int left, top, factor;
} reduction;

enum { LARGEST_FACTOR = 16 };

static bool reserve(sampling_scratch *scratch, size_t pixels, size_t sums) {
    if (pixels > scratch->pixels_capacity) {
        uint8_t *larger = realloc(scratch->pixels, pixels);
        if (!larger) return false;
        scratch->pixels = larger;
        scratch->pixels_capacity = pixels;
    }
    if (sums > scratch->sums_capacity) {
        uint16_t *larger = realloc(scratch->sums, sums * sizeof *larger);
        if (!larger) return false;
        scratch->sums = larger;
        scratch->sums_capacity = sums;
    }
    return true;
}

void sampling_release(sampling_scratch *scratch) {
    free(scratch->pixels);
    free(scratch->sums);
}

// Sums of `rows` rows of `count` bytes. At most 16 · 255, so that 16 of them fit into 16 bits.
FOR_EACH_PROCESSOR
static void add_rows(const uint8_t *from, size_t bytes_per_row, int rows, size_t count, uint16_t *sums) {
    memset(sums, 0, count * sizeof *sums);
    for (int row = 0; row < rows; ++row, from += bytes_per_row)
        for (size_t index = 0; index < count; ++index) sums[index] = (uint16_t)(sums[index] + from[index]);
}

static void mean_of_columns(const uint16_t *sums, int width, int rows, int factor, int channels, uint8_t *to) {
    for (int start = 0; start < width; start += factor) {
        const int columns = start + factor <= width ? factor : width - start;
        const float scale = 1 / (float)(columns * rows);
        if (channels == 1) {
            unsigned sum = 0;
            for (int column = start; column < start + columns; ++column) sum += sums[column];
            *to++ = (uint8_t)((float)sum * scale + 0.5f);
            continue;
        }
        sums4 sum = {0, 0, 0, 0};
        for (int column = start; column < start + columns; ++column) {
            halves4 halves;
            memcpy(&halves, sums + 4 * column, sizeof halves);
            sum += __builtin_convertvector(halves, sums4);
        }
        const bytes4 mean = __builtin_convertvector(__builtin_convertvector(sum, float4) * scale + 0.5f, bytes4);
        memcpy(to, &mean, sizeof mean);
        to += sizeof mean;
    }
}

// Reduces the part of the picture that the square covers by means of factor × factor pixels.
static bool reduce(
    sampling_scratch *scratch, const cneuralnetwork_picture *picture, const cneuralnetwork_square *square,
    reduction *reduction) {
    float low[2], high[2];
    const int limits[2] = {picture->width, picture->height};
    int start[2], size[2];
    for (int axis = 0; axis < 2; ++axis) {
        const float across = square->across[axis], down = square->down[axis];
        low[axis] = square->origin[axis] + fminf(across, 0) + fminf(down, 0);
        high[axis] = square->origin[axis] + fmaxf(across, 0) + fmaxf(down, 0);
        const float margin = (float)(2 * reduction->factor), limit = (float)limits[axis];
        start[axis] = clamped((int)bounded(low[axis] - margin, limit), limits[axis]);
        size[axis] = clamped((int)bounded(high[axis] + margin, limit), limits[axis]) + 1 - start[axis];
        if (size[axis] < 1) size[axis] = 1;
    }
    const int factor = reduction->factor, channels = picture->channels;
    const int width = (size[0] + factor - 1) / factor, height = (size[1] + factor - 1) / factor;
    const size_t row_bytes = (size_t)width * (size_t)channels, row_count = (size_t)size[0] * (size_t)channels;
    if (!reserve(scratch, row_bytes * (size_t)height, row_count)) return false;
    for (int row = 0; row < height; ++row) {
        const int rows = (row + 1) * factor <= size[1] ? factor : size[1] - row * factor;
        const uint8_t *from = picture->pixels + (size_t)(start[1] + row * factor) * picture->bytes_per_row
            + (size_t)start[0] * (size_t)channels;
        add_rows(from, picture->bytes_per_row, rows, row_count, scratch->sums);
        mean_of_columns(scratch->sums, size[0], rows, factor, channels, scratch->pixels + (size_t)row * row_bytes);
    }
    reduction->picture = (cneuralnetwork_picture){scratch->pixels, width, height, channels, row_bytes};
    reduction->left = start[0];
    reduction->top = start[1];
    return true;
}

// MARK: Interpolating

static inline float4 pixel(const cneuralnetwork_picture *picture, int x, int y) {
    const uint8_t *from = picture->pixels + (size_t)y * picture->bytes_per_row + (size_t)x * (size_t)picture->channels;
    bytes4 bytes;
    if (picture->channels == 1) bytes = (bytes4){from[0], from[0], from[0], 255};
    else memcpy(&bytes, from, sizeof bytes);
    return __builtin_convertvector(bytes, float4);
}

// `x` and `y` in pixels with centres at +0.5.
static inline float4 between(const cneuralnetwork_picture *picture, float x, float y) {
    x = bounded(x - 0.5f, (float)picture->width + 1);
    y = bounded(y - 0.5f, (float)picture->height + 1);
    // At least -2: truncation rounds down.
    const int left = (int)(x + 2) - 2, top = (int)(y + 2) - 2;
    const float u = x - (float)left, v = y - (float)top;
    const int i = clamped(left, picture->width), k = clamped(left + 1, picture->width);
    const int j = clamped(top, picture->height), l = clamped(top + 1, picture->height);
    const float4 upper = pixel(picture, i, j) * (1 - u) + pixel(picture, k, j) * u;
    const float4 lower = pixel(picture, i, l) * (1 - u) + pixel(picture, k, l) * u;
    return upper * (1 - v) + lower * v;
}

// The same inside of a picture with four channels: both neighbours in a row are converted at once.
static inline float4 between_inside(const cneuralnetwork_picture *picture, float x, float y) {
    x -= 0.5f;
    y -= 0.5f;
    const int left = (int)x, top = (int)y;
    const float u = x - (float)left, v = y - (float)top;
    const uint8_t *from = picture->pixels + (size_t)top * picture->bytes_per_row + (size_t)left * 4;
    bytes8 upper_bytes, lower_bytes;
    memcpy(&upper_bytes, from, sizeof upper_bytes);
    memcpy(&lower_bytes, from + picture->bytes_per_row, sizeof lower_bytes);
    const float8 upper = __builtin_convertvector(upper_bytes, float8);
    const float8 both = upper + (__builtin_convertvector(lower_bytes, float8) - upper) * v;
    const float4 one = __builtin_shufflevector(both, both, 0, 1, 2, 3);
    const float4 other = __builtin_shufflevector(both, both, 4, 5, 6, 7);
    return one + (other - one) * u;
}

FOR_EACH_PROCESSOR
static void interpolate(
    const reduction *reduction, const cneuralnetwork_picture *whole, const cneuralnetwork_square *square,
    size_t rows, size_t columns, sampling_range range, float *values) {
    const float down = 1 / (float)rows, across = 1 / (float)columns, unit = 1 / (float)reduction->factor;
    const float scale = (range.white - range.black) / 255;
    const float width = (float)whole->width, height = (float)whole->height;
    const cneuralnetwork_picture *picture = &reduction->picture;
    // The last centres between which all four neighbours lie in the picture.
    const float last_x = (float)picture->width - 0.5f, last_y = (float)picture->height - 0.5f;
    for (size_t row = 0; row < rows; ++row) {
        const float v = ((float)row + 0.5f) * down;
        for (size_t column = 0; column < columns; ++column) {
            const float u = ((float)column + 0.5f) * across;
            const float x = square->origin[0] + u * square->across[0] + v * square->down[0];
            const float y = square->origin[1] + u * square->across[1] + v * square->down[1];
            float4 value = {0, 0, 0, 0};
            if (range.repeats_edge || (x >= 0 && y >= 0 && x < width && y < height)) {
                const float i = (x - (float)reduction->left) * unit, j = (y - (float)reduction->top) * unit;
                const bool is_inside = i >= 0.5f && j >= 0.5f && i < last_x && j < last_y;
                value = is_inside && picture->channels == 4 ? between_inside(picture, i, j) : between(picture, i, j);
            }
            value = value * scale + range.black;
            for (int channel = 0; channel < 3; ++channel) *values++ = value[channel];
        }
    }
}

bool sampling_fill(
    sampling_scratch *scratch, const cneuralnetwork_picture *picture, const cneuralnetwork_square *square,
    size_t height, size_t width, sampling_range range, float *values) {
    // Pixels of the picture for each number, along each axis.
    const float density = fmaxf(
        hypotf(square->across[0], square->across[1]) / (float)width,
        hypotf(square->down[0], square->down[1]) / (float)height);
    reduction reduction = {.picture = *picture, .factor = density < LARGEST_FACTOR ? (int)density : LARGEST_FACTOR};
    if (reduction.factor < 2) reduction.factor = 1;
    else if (!reduce(scratch, picture, square, &reduction)) return false;
    interpolate(&reduction, picture, square, height, width, range, values);
    return true;
}
