#include "COpticalFlow.h"

#include <CProcessor.h>
#include <math.h>

enum {
    LARGEST = COPTICALFLOW_LARGEST_SIDE,
    TENSOR_RADIUS = 3,
    TENSOR_WINDOW = 2 * TENSOR_RADIUS + 1
};

// The products of the gradients in a row, each summed over the width of a window.
FOR_EACH_PROCESSOR
static void row_tensors(
    const float *row, int side, int from, int to, float *restrict xx, float *restrict xy, float *restrict yy) {
    float products[3][LARGEST];
    for (int x = from - TENSOR_RADIUS; x < to + TENSOR_RADIUS; ++x) {
        const float gx = row[x + 1] - row[x - 1], gy = row[x + side] - row[x - side];
        products[0][x] = gx * gx;
        products[1][x] = gx * gy;
        products[2][x] = gy * gy;
    }
    for (int x = from; x < to; ++x) {
        float sums[3] = {0, 0, 0};
        for (int k = x - TENSOR_RADIUS; k <= x + TENSOR_RADIUS; ++k) {
            sums[0] += products[0][k];
            sums[1] += products[1][k];
            sums[2] += products[2][k];
        }
        xx[x] = sums[0];
        xy[x] = sums[1];
        yy[x] = sums[2];
    }
}

FOR_EACH_PROCESSOR
static void smaller_eigenvalues(float (*rows)[3][LARGEST], int from, int to, float *restrict values) {
    for (int x = from; x < to; ++x) {
        float xx = 0, xy = 0, yy = 0;
        for (int k = 0; k < TENSOR_WINDOW; ++k) {
            xx += rows[k][0][x];
            xy += rows[k][1][x];
            yy += rows[k][2][x];
        }
        const float half = (xx + yy) * 0.5f, difference = (xx - yy) * 0.5f;
        values[x] = half - sqrtf(difference * difference + xy * xy);
    }
}

// `low` and `high` in whole pixels, so that every window lies inside the patch.
static int bounded_pixel(float value, int side) {
    const int border = TENSOR_RADIUS + 1;
    return value > (float)border ? (value < (float)(side - border) ? (int)value : side - border) : border;
}

int32_t copticalflow_corners(
    const float *patch, int32_t side, int32_t cell, const float low[2], const float high[2], float *corners,
    int32_t capacity) {
    const int left = bounded_pixel(low[0], side), top = bounded_pixel(low[1], side);
    const int columns = (bounded_pixel(high[0], side) - left) / cell;
    const int rows = (bounded_pixel(high[1], side) - top) / cell;
    if (columns <= 0) return 0;
    // The last rows of sums, in turn: their order does not matter.
    float sums[TENSOR_WINDOW][3][LARGEST], values[LARGEST];
    int next = top - TENSOR_RADIUS;
    int32_t count = 0;
    for (int row = 0; row < rows && count + columns <= capacity; ++row) {
        float best[LARGEST];
        for (int i = 0; i < columns; ++i) best[i] = -1;
        for (int y = top + row * cell; y < top + (row + 1) * cell; ++y) {
            for (; next <= y + TENSOR_RADIUS; ++next) {
                float(*sum)[LARGEST] = sums[next % TENSOR_WINDOW];
                row_tensors(patch + next * side, side, left, left + columns * cell, sum[0], sum[1], sum[2]);
            }
            smaller_eigenvalues(sums, left, left + columns * cell, values);
            for (int i = 0; i < columns; ++i) {
                for (int x = left + i * cell; x < left + (i + 1) * cell; ++x) {
                    if (!(values[x] > best[i])) continue;
                    best[i] = values[x];
                    corners[2 * (count + i)] = (float)x;
                    corners[2 * (count + i) + 1] = (float)y;
                }
            }
        }
        count += columns;
    }
    return count;
}
