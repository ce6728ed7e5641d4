#include "COpticalFlow.h"

#include <CProcessor.h>
#include <math.h>
#include <stdbool.h>

enum {
    RADIUS = 5,
    WINDOW = 2 * RADIUS + 1,  // pixels that are compared around a point
    FRAMED = WINDOW + 2,      // with one more pixel on each side, for gradients
    PADDED = 16,              // the length of a row in memory, a whole number of vectors
    ITERATIONS = 8
};

// MARK: Cutting

static inline int clamped(int value, int limit) { return value < 0 ? 0 : value >= limit ? limit - 1 : value; }

// ITU-R BT.601, times 256.
static inline int grey(const copticalflow_image *image, int x, int y) {
    const uint8_t *pixel = image->pixels + (size_t)y * image->bytes_per_row + (size_t)x * (size_t)image->channels;
    return image->channels == 1 ? pixel[0] << 8 : 77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2];
}

static inline int grey_anywhere(const copticalflow_image *image, int x, int y) {
    return grey(image, clamped(x, image->width), clamped(y, image->height));
}

// NaN becomes a number.
static inline float bounded(float value, float limit) {
    return value > -2 ? (value < limit ? value : limit) : -2;
}

static float between(const copticalflow_image *image, float x, float y) {
    x = bounded(x, (float)image->width + 1);
    y = bounded(y, (float)image->height + 1);
    const float left = floorf(x), top = floorf(y);
    const float u = x - left, v = y - top;
    const int i = (int)left, j = (int)top;
    const float upper = (float)grey_anywhere(image, i, j) * (1 - u) + (float)grey_anywhere(image, i + 1, j) * u;
    const float lower = (float)grey_anywhere(image, i, j + 1) * (1 - u) + (float)grey_anywhere(image, i + 1, j + 1) * u;
    return upper * (1 - v) + lower * v;
}

static void halve(const float *from, int side, float *to) {
    for (int y = 0; y < side / 2; ++y) {
        const float *upper = from + 2 * y * side, *lower = upper + side;
        for (int x = 0; x < side / 2; ++x)
            to[y * (side / 2) + x] = (upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1]) * 0.25f;
    }
}

// For patches whose pixels are about as large as the picture's: bilinear.
static void cut_between(const copticalflow_image *image, const copticalflow_place *place, int side, float *patch) {
    for (int j = 0; j < side; ++j) {
        for (int i = 0; i < side; ++i) {
            const float x = place->origin[0] + (float)i * place->across[0] + (float)j * place->down[0];
            const float y = place->origin[1] + (float)i * place->across[1] + (float)j * place->down[1];
            patch[j * side + i] = between(image, x, y) * (1.0f / 256);
        }
    }
}

// If a pixel of the patch covers several of the picture: the mean of two samples on its diagonal, a quarter of its size
// from its centre.
static inline void cut_means(
    const copticalflow_image *image, const copticalflow_place *place, int side, float *patch, bool inside) {
    const float width = (float)image->width + 1, height = (float)image->height + 1;
    for (int j = 0; j < side; ++j) {
        for (int i = 0; i < side; ++i) {
            int sum = 0;
            for (int part = 0; part < 2; ++part) {
                const float u = (float)i + (part ? 0.25f : -0.25f), v = (float)j + (part ? 0.25f : -0.25f);
                // Half a pixel is added so that truncation rounds.
                const float x = place->origin[0] + 0.5f + u * place->across[0] + v * place->down[0];
                const float y = place->origin[1] + 0.5f + u * place->across[1] + v * place->down[1];
                sum += inside ? grey(image, (int)x, (int)y)
                              : grey_anywhere(image, (int)bounded(x, width), (int)bounded(y, height));
            }
            patch[j * side + i] = (float)sum * (1.0f / 512);
        }
    }
}

// Lamps flicker and cameras change their exposure, so every patch is scaled to the same mean brightness.
static void even_brightness(float *patch, int pixels) {
    float sum = 0;
    for (int i = 0; i < pixels; ++i) sum += patch[i];
    const float factor = 128.0f * (float)pixels / fmaxf(sum, 8.0f * (float)pixels);
    for (int i = 0; i < pixels; ++i) patch[i] *= factor;
}

static bool lies_inside(const copticalflow_image *image, const copticalflow_place *place, int side) {
    for (int corner = 0; corner < 4; ++corner) {
        const float u = corner & 1 ? (float)side : -1, v = corner & 2 ? (float)side : -1;
        const float x = place->origin[0] + u * place->across[0] + v * place->down[0];
        const float y = place->origin[1] + u * place->across[1] + v * place->down[1];
        if (!(x >= 0 && y >= 0 && x < (float)image->width - 1 && y < (float)image->height - 1)) return false;
    }
    return true;
}

void copticalflow_cut(const copticalflow_image *image, const copticalflow_place *place, int32_t side, float *patch) {
    const float across = place->across[0] * place->across[0] + place->across[1] * place->across[1];
    if (across < 1.5f * 1.5f) {
        cut_between(image, place, side, patch);
    } else if (!lies_inside(image, place, side)) {
        cut_means(image, place, side, patch, false);
    } else if (image->channels == 1) {
        // The same with constant parameters, for a loop without branches.
        const copticalflow_image grey_image = {image->pixels, image->width, image->height, 1, image->bytes_per_row};
        cut_means(&grey_image, place, side, patch, true);
    } else {
        const copticalflow_image colour = {image->pixels, image->width, image->height, 4, image->bytes_per_row};
        cut_means(&colour, place, side, patch, true);
    }
    even_brightness(patch, side * side);
    float *half = patch + side * side;
    halve(patch, side, half);
    halve(half, side / 2, half + side * side / 4);
}

// MARK: Following

// `size` × `size` values around a point, bilinear. All have the same fractions, so the loop is vectorised.
FOR_EACH_PROCESSOR
static void window(const float *level, int side, float x, float y, int size, float *restrict values) {
    const float left = floorf(x), top = floorf(y);
    const float u = x - left, v = y - top;
    const int i = (int)left - size / 2, j = (int)top - size / 2;
    const float a = (1 - u) * (1 - v), b = u * (1 - v), c = (1 - u) * v, d = u * v;
    if (i >= 0 && j >= 0 && i + PADDED < side && j + size < side) {
        for (int row = 0; row < size; ++row) {
            const float *upper = level + (j + row) * side + i, *lower = upper + side;
            for (int k = 0; k < PADDED; ++k)
                values[row * PADDED + k] = a * upper[k] + b * upper[k + 1] + c * lower[k] + d * lower[k + 1];
        }
        return;
    }
    for (int row = 0; row < size; ++row) {
        const float *upper = level + clamped(j + row, side) * side, *lower = level + clamped(j + row + 1, side) * side;
        for (int k = 0; k < size; ++k) {
            const int p = clamped(i + k, side), q = clamped(i + k + 1, side);
            values[row * PADDED + k] = a * upper[p] + b * upper[q] + c * lower[p] + d * lower[q];
        }
    }
}

// The gradients minus their mean, and the sums of their products: Σ gx², Σ gx·gy, Σ gy². Subtracting the mean makes
// changes of brightness irrelevant.
FOR_EACH_PROCESSOR
static void gradients(const float *framed, float *restrict gx, float *restrict gy, float sums[3]) {
    float mean_x = 0, mean_y = 0;
    for (int row = 0; row < WINDOW; ++row) {
        const float *middle = framed + (row + 1) * PADDED + 1;
        for (int k = 0; k < WINDOW; ++k) {
            const float x = (middle[k + 1] - middle[k - 1]) * 0.5f;
            const float y = (middle[k + PADDED] - middle[k - PADDED]) * 0.5f;
            gx[row * PADDED + k] = x;
            gy[row * PADDED + k] = y;
            mean_x += x;
            mean_y += y;
        }
    }
    mean_x /= WINDOW * WINDOW;
    mean_y /= WINDOW * WINDOW;
    float xx = 0, xy = 0, yy = 0;
    for (int row = 0; row < WINDOW; ++row) {
        for (int k = 0; k < WINDOW; ++k) {
            const float x = gx[row * PADDED + k] -= mean_x;
            const float y = gy[row * PADDED + k] -= mean_y;
            xx += x * x;
            xy += x * y;
            yy += y * y;
        }
    }
    sums[0] = xx, sums[1] = xy, sums[2] = yy;
}

// Σ gx·(from − to), Σ gy·(from − to), Σ |from − to|.
FOR_EACH_PROCESSOR
static void differences(
    const float *framed, const float *gx, const float *gy, const float *to, float sums[3]) {
    float x = 0, y = 0, total = 0;
    for (int row = 0; row < WINDOW; ++row) {
        for (int k = 0; k < WINDOW; ++k) {
            const float difference = framed[(row + 1) * PADDED + k + 1] - to[row * PADDED + k];
            x += gx[row * PADDED + k] * difference;
            y += gy[row * PADDED + k] * difference;
            total += fabsf(difference);
        }
    }
    sums[0] = x, sums[1] = y, sums[2] = total;
}

// Whether a point lies in the patch or no further from it than 100 patches. False for NaN.
static bool lies_near(const float point[2]) {
    return fabsf(point[0]) < 100.0f * COPTICALFLOW_LARGEST_SIDE && fabsf(point[1]) < 100.0f * COPTICALFLOW_LARGEST_SIDE;
}

// Follows one point. Returns the remaining difference, or −1.
static float follow(const float *from, const float *to, int patch_side, const float point[2], float moved[2]) {
    float framed[FRAMED * PADDED], gx[WINDOW * PADDED], gy[WINDOW * PADDED], other[WINDOW * PADDED];
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
        window(from + offset, side, x, y, FRAMED, framed);
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
            window(to + offset, side, x + dx, y + dy, WINDOW, other);
            float b[3];
            differences(framed, gx, gy, other, b);
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
