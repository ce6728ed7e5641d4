#include "COpticalFlow.h"

#include <CProcessor.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "lanes.h"

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

FOR_EACH_PROCESSOR
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

// MARK: Upright patches

// They are read along the rows of the picture, several pixels at a time.

// Which columns or rows of the picture the columns or rows of a patch lie between or, in means, are the means of.
typedef struct positions {
    int first[COPTICALFLOW_LARGEST_SIDE], second[COPTICALFLOW_LARGEST_SIDE];
    float weight[COPTICALFLOW_LARGEST_SIDE];  // of the second
} positions;

static void find_positions(float origin, float step, int side, int limit, bool means, positions *positions) {
    for (int i = 0; i < side; ++i) {
        if (means) {
            const float first = origin + 0.5f + ((float)i - 0.25f) * step;
            const float second = origin + 0.5f + ((float)i + 0.25f) * step;
            positions->first[i] = clamped((int)bounded(first, (float)limit + 1), limit);
            positions->second[i] = clamped((int)bounded(second, (float)limit + 1), limit);
        } else {
            const float place = bounded(origin + (float)i * step, (float)limit + 1);
            const float whole = floorf(place);
            positions->first[i] = clamped((int)whole, limit);
            positions->second[i] = clamped((int)whole + 1, limit);
            positions->weight[i] = place - whole;
        }
    }
}

// The pixels of a row at some columns, in grey times 256.
FOR_EACH_PROCESSOR
static void read_greys(const copticalflow_image *image, int row, const int *columns, int count, int *restrict greys) {
    const uint8_t *from = image->pixels + (size_t)row * image->bytes_per_row;
    if (image->channels == 1) {
        for (int i = 0; i < count; ++i) greys[i] = from[columns[i]] << 8;
        return;
    }
    uint32_t pixels[COPTICALFLOW_LARGEST_SIDE];
    for (int i = 0; i < count; ++i) memcpy(&pixels[i], from + 4 * (size_t)columns[i], sizeof pixels[i]);
    for (int i = 0; i < count; ++i) {
        uint8_t bytes[4];
        memcpy(bytes, &pixels[i], sizeof bytes);
        greys[i] = 77 * bytes[0] + 150 * bytes[1] + 29 * bytes[2];
    }
}

FOR_EACH_PROCESSOR
static void add_greys(const int *one, const int *other, int side, float *restrict row) {
    for (int i = 0; i < side; ++i) row[i] = (float)(one[i] + other[i]) * (1.0f / 512);
}

FOR_EACH_PROCESSOR
static void mix_greys(
    const int *first, const int *second, const float *weight, int side, float *restrict row) {
    for (int i = 0; i < side; ++i) row[i] = (float)first[i] * (1 - weight[i]) + (float)second[i] * weight[i];
}

FOR_EACH_PROCESSOR
static void mix_rows(const float *upper, const float *lower, float weight, int side, float *restrict row) {
    for (int i = 0; i < side; ++i) row[i] = (upper[i] * (1 - weight) + lower[i] * weight) * (1.0f / 256);
}

static void cut_upright(
    const copticalflow_image *image, const copticalflow_place *place, int side, bool means, float *patch) {
    positions columns, rows;
    find_positions(place->origin[0], place->across[0], side, image->width, means, &columns);
    find_positions(place->origin[1], place->down[1], side, image->height, means, &rows);
    int one[COPTICALFLOW_LARGEST_SIDE], other[COPTICALFLOW_LARGEST_SIDE];
    // Two rows of the picture, read at the patch's columns, and their numbers: the next row often needs them again.
    float mixed[2][COPTICALFLOW_LARGEST_SIDE];
    int known[2] = {-1, -1};
    for (int j = 0; j < side; ++j) {
        const int lines[2] = {rows.first[j], rows.second[j]};
        if (means) {
            read_greys(image, lines[0], columns.first, side, one);
            read_greys(image, lines[1], columns.second, side, other);
            add_greys(one, other, side, patch + j * side);
            continue;
        }
        // Neighbours lie in different places.
        for (int part = 0; part < 2; ++part) {
            if (known[lines[part] & 1] == lines[part]) continue;
            read_greys(image, lines[part], columns.first, side, one);
            read_greys(image, lines[part], columns.second, side, other);
            mix_greys(one, other, columns.weight, side, mixed[lines[part] & 1]);
            known[lines[part] & 1] = lines[part];
        }
        mix_rows(mixed[lines[0] & 1], mixed[lines[1] & 1], rows.weight[j], side, patch + j * side);
    }
}

// MARK: Cutting

// Lamps flicker and cameras change their exposure, so every patch is scaled to the same mean brightness.
FOR_EACH_PROCESSOR
static void even_brightness(float *patch, int pixels) {
    lanes all = {0};
    for (int i = 0; i < pixels; i += LANES) {
        lanes values;
        memcpy(&values, patch + i, sizeof values);
        all += values;
    }
    const float factor = 128.0f * (float)pixels / fmaxf(sum(&all), 8.0f * (float)pixels);
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
    const bool means = across >= 1.5f * 1.5f;
    if (place->across[1] == 0 && place->down[0] == 0) {
        cut_upright(image, place, side, means, patch);
    } else if (!means) {
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

