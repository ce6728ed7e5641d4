#include "COpticalFlow.h"

#include "lanes.h"

#include <CProcessor.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    RADIUS = 5,
    WINDOW = 2 * RADIUS + 1,  // pixels that are compared around a point
    FRAMED = WINDOW + 2,      // with one more pixel on each side, for gradients
    PARTS = 2,
    PADDED = PARTS * LANES,  // the length of a row in memory
    COPIED = PADDED + 1,     // the length of a row that is copied because a part of it lies outside
    ITERATIONS = 8
};

static inline float sum_of(const lanes *parts) {
    const lanes all = parts[0] + parts[1];
    return sum(&all);
}

// Less work than floorf where that is no instruction.
static inline int rounded_down(float value) {
    const int truncated = (int)value;
    return truncated - ((float)truncated > value);
}

// Pixels of a level from a place on; (0, 0) is the upper left one.
typedef struct view {
    const float *pixels;
    int stride;
} view;

// `rows` + 1 rows of PADDED + 1 pixels. Where they do not all lie inside of the level, its border is repeated in `copy`.
static inline view look(const float *level, int side, int left, int top, int rows, float *copy) {
    if (left >= 0 && top >= 0 && left + PADDED < side && top + rows < side)
        return (view){level + top * side + left, side};
    int columns[PADDED + 1];
    for (int k = 0; k <= PADDED; ++k) columns[k] = clamped(left + k, side);
    for (int row = 0; row <= rows; ++row) {
        const float *from = level + clamped(top + row, side) * side;
        for (int k = 0; k <= PADDED; ++k) copy[row * COPIED + k] = from[columns[k]];
    }
    return (view){copy, COPIED};
}

// Reads a row between two columns.
#define BETWEEN_COLUMNS(row, u, result) \
    for (int part = 0; part < PARTS; ++part) { \
        lanes here, next; \
        memcpy(&here, (row) + part * LANES, sizeof here); \
        memcpy(&next, (row) + part * LANES + 1, sizeof next); \
        result[part] = here * (1 - (u)) + next * (u); \
    }

// FRAMED rows of PADDED values around a point, bilinear. All have the same fractions.
FOR_EACH_PROCESSOR
static void window(view from, float u, float v, float *restrict framed) {
    lanes upper[PARTS], lower[PARTS];
    BETWEEN_COLUMNS(from.pixels, u, upper)
    for (int row = 0; row < FRAMED; ++row) {
        BETWEEN_COLUMNS(from.pixels + (row + 1) * from.stride, u, lower)
        for (int part = 0; part < PARTS; ++part) {
            const lanes value = upper[part] * (1 - v) + lower[part] * v;
            memcpy(framed + row * PADDED + part * LANES, &value, sizeof value);
            upper[part] = lower[part];
        }
    }
}

// The gradients minus their mean, and the sums of their products: Σ gx², Σ gx·gy, Σ gy². Subtracting the mean makes
// changes of brightness irrelevant. Beyond the window gradients are 0.
FOR_EACH_PROCESSOR
static void gradients(const float *framed, float *restrict gx, float *restrict gy, float sums[3]) {
    static const lanes inside[PARTS] = {{1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 0, 0, 0, 0, 0}};
    lanes x[WINDOW][PARTS], y[WINDOW][PARTS];
    lanes sum_x[PARTS] = {{0}, {0}}, sum_y[PARTS] = {{0}, {0}};
    for (int row = 0; row < WINDOW; ++row) {
        for (int part = 0; part < PARTS; ++part) {
            const float *middle = framed + (row + 1) * PADDED + 1 + part * LANES;
            lanes left, right, above, below;
            memcpy(&left, middle - 1, sizeof left);
            memcpy(&right, middle + 1, sizeof right);
            memcpy(&above, middle - PADDED, sizeof above);
            memcpy(&below, middle + PADDED, sizeof below);
            x[row][part] = (right - left) * 0.5f * inside[part];
            y[row][part] = (below - above) * 0.5f * inside[part];
            sum_x[part] += x[row][part];
            sum_y[part] += y[row][part];
        }
    }
    const float mean_x = sum_of(sum_x) / (WINDOW * WINDOW), mean_y = sum_of(sum_y) / (WINDOW * WINDOW);
    lanes xx[PARTS] = {{0}, {0}}, xy[PARTS] = {{0}, {0}}, yy[PARTS] = {{0}, {0}};
    for (int row = 0; row < WINDOW; ++row) {
        for (int part = 0; part < PARTS; ++part) {
            const lanes across = x[row][part] - mean_x * inside[part], down = y[row][part] - mean_y * inside[part];
            xx[part] += across * across;
            xy[part] += across * down;
            yy[part] += down * down;
            memcpy(gx + row * PADDED + part * LANES, &across, sizeof across);
            memcpy(gy + row * PADDED + part * LANES, &down, sizeof down);
        }
    }
    sums[0] = sum_of(xx), sums[1] = sum_of(xy), sums[2] = sum_of(yy);
}

// Σ gx·(from − to), Σ gy·(from − to), Σ |from − to|, where `to` is read between pixels.
FOR_EACH_PROCESSOR
static void differences(
    const float *framed, const float *gx, const float *gy, view to, float u, float v, float sums[3]) {
    static const lanes inside[PARTS] = {{1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 0, 0, 0, 0, 0}};
    lanes x[PARTS] = {{0}, {0}}, y[PARTS] = {{0}, {0}}, total[PARTS] = {{0}, {0}};
    lanes upper[PARTS], lower[PARTS];
    BETWEEN_COLUMNS(to.pixels, u, upper)
    for (int row = 0; row < WINDOW; ++row) {
        BETWEEN_COLUMNS(to.pixels + (row + 1) * to.stride, u, lower)
        for (int part = 0; part < PARTS; ++part) {
            lanes across, down, here;
            memcpy(&across, gx + row * PADDED + part * LANES, sizeof across);
            memcpy(&down, gy + row * PADDED + part * LANES, sizeof down);
            memcpy(&here, framed + (row + 1) * PADDED + 1 + part * LANES, sizeof here);
            const lanes difference = here - (upper[part] * (1 - v) + lower[part] * v);
            x[part] += across * difference;
            y[part] += down * difference;
            total[part] += __builtin_elementwise_abs(difference);
            upper[part] = lower[part];
        }
    }
    for (int part = 0; part < PARTS; ++part) total[part] *= inside[part];
    sums[0] = sum_of(x), sums[1] = sum_of(y), sums[2] = sum_of(total);
}

// Whether a point lies in the patch or no further from it than 100 patches. False for NaN.
static bool lies_near(const float point[2]) {
    return fabsf(point[0]) < 100.0f * COPTICALFLOW_LARGEST_SIDE && fabsf(point[1]) < 100.0f * COPTICALFLOW_LARGEST_SIDE;
}

// Follows one point. Returns the remaining difference, or −1.
static float follow(const float *from, const float *to, int patch_side, const float point[2], float moved[2]) {
    // One more: the row below the last window ends a pixel later. It must be a number, which a mask of 0 removes.
    float framed[FRAMED * PADDED + 1], gx[WINDOW * PADDED], gy[WINDOW * PADDED], copy[(FRAMED + 1) * COPIED];
    framed[FRAMED * PADDED] = 0;
    // Numbers that are not finite, or too large for an integer, must not be converted.
    if (!lies_near(point) || !lies_near(moved)) return -1;
    float step[2] = {moved[0] - point[0], moved[1] - point[1]};
    float left = -1;
    for (int level = COPTICALFLOW_LEVELS - 1; level >= 0; --level) {
        const int side = patch_side >> level;
        size_t offset = 0;
        for (int i = 0; i < level; ++i) offset += (size_t)(patch_side >> i) * (size_t)(patch_side >> i);
        const float scale = 1.0f / (float)(1 << level);
        // Pixel centres are whole numbers on every level: (x + ½) · scale − ½.
        const float x = (point[0] + 0.5f) * scale - 0.5f, y = (point[1] + 0.5f) * scale - 0.5f;
        const int column = rounded_down(x), row = rounded_down(y);
        const view start = look(from + offset, side, column - RADIUS - 1, row - RADIUS - 1, FRAMED, copy);
        window(start, x - (float)column, y - (float)row, framed);
        float sums[3];
        gradients(framed, gx, gy, sums);
        const float determinant = sums[0] * sums[2] - sums[1] * sums[1];
        // The smaller eigenvalue: a point without texture in both directions slides along an edge.
        const float half = (sums[0] + sums[2]) * 0.5f;
        const float smaller = half - sqrtf(fmaxf(half * half - determinant, 0));
        if (!(smaller > WINDOW * WINDOW * 0.05f)) {
            if (level == 0) return -1;
            continue;
        }
        float dx = step[0] * scale, dy = step[1] * scale;
        for (int iteration = 0; iteration < ITERATIONS; ++iteration) {
            const float i = x + dx, j = y + dy;
            const int left_column = rounded_down(i), top_row = rounded_down(j);
            const view other = look(to + offset, side, left_column - RADIUS, top_row - RADIUS, WINDOW, copy);
            float b[3];
            differences(framed, gx, gy, other, i - (float)left_column, j - (float)top_row, b);
            const float mx = (sums[2] * b[0] - sums[1] * b[1]) / determinant;
            const float my = (sums[0] * b[1] - sums[1] * b[0]) / determinant;
            dx += mx;
            dy += my;
            left = b[2] / (WINDOW * WINDOW);
            if (mx * mx + my * my < (level == 0 ? 1e-4f : 4e-3f)) break;
            if (!(dx * dx + dy * dy < (float)(side * side))) return -1;
        }
        step[0] = dx / scale;
        step[1] = dy / scale;
    }
    moved[0] = point[0] + step[0];
    moved[1] = point[1] + step[1];
    const bool inside = moved[0] >= 0 && moved[1] >= 0 && moved[0] < (float)patch_side && moved[1] < (float)patch_side;
    return inside ? left : -1;
}

void copticalflow_follow(
    const float *from, const float *to, int32_t side, int32_t count, const float *points, float *moved,
    float *residual) {
    for (int32_t i = 0; i < count; ++i) residual[i] = follow(from, to, side, points + 2 * i, moved + 2 * i);
}
