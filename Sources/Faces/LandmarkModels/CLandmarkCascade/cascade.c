#include "CLandmarkCascade.h"

#include <CProcessor.h>
#include <stdbool.h>
#include <string.h>

enum { COORDINATES = CLANDMARKCASCADE_COORDINATES };

// The similarity (without translation) that best takes the mean shape to the current one (Umeyama 1991): a complex
// number a + ib.
static void similarity(const float *from, const float *to, float *a, float *b) {
    double from_x = 0, from_y = 0, to_x = 0, to_y = 0;
    for (int i = 0; i < COORDINATES; i += 2) {
        from_x += from[i];
        from_y += from[i + 1];
        to_x += to[i];
        to_y += to[i + 1];
    }
    const double n = COORDINATES / 2;
    from_x /= n, from_y /= n, to_x /= n, to_y /= n;
    double dot = 0, cross = 0, square = 0;
    for (int i = 0; i < COORDINATES; i += 2) {
        const double fx = from[i] - from_x, fy = from[i + 1] - from_y;
        const double tx = to[i] - to_x, ty = to[i + 1] - to_y;
        dot += fx * tx + fy * ty;
        cross += fx * ty - fy * tx;
        square += fx * fx + fy * fy;
    }
    *a = square > 0 ? (float)(dot / square) : 1;
    *b = square > 0 ? (float)(cross / square) : 0;
}

// The pixels that the trees of a level of the cascade look at. Outside of the picture the row is −1.
typedef struct places {
    int32_t columns[CLANDMARKCASCADE_FEATURES], rows[CLANDMARKCASCADE_FEATURES];
} places;

FOR_EACH_PROCESSOR
static void find_places(
    const clandmarkcascade_model *model, int cascade, const clandmarkcascade_image *image,
    const clandmarkcascade_box *box, const float *shape, places *places) {
    const uint16_t *anchors = model->anchors + (size_t)cascade * (size_t)model->feature_count;
    const float *deltas = model->deltas + (size_t)cascade * (size_t)model->feature_count * 2;
    const double width = image->width, height = image->height;
    const int count = model->feature_count;
    float a, b;
    similarity(model->mean_shape, shape, &a, &b);
    for (int i = 0; i < count; ++i) {
        const float dx = deltas[2 * i], dy = deltas[2 * i + 1];
        const float *anchor = shape + 2 * anchors[i];
        const float u = a * dx - b * dy + anchor[0];
        const float v = b * dx + a * dy + anchor[1];
        // dlib rounds to the nearest pixel; outside the picture is black. NaN counts as outside. The conversion to an
        // integer rounds non-negative numbers down.
        const double column = box->origin[0] + (double)u * box->across[0] + (double)v * box->down[0] + 0.5;
        const double row = box->origin[1] + (double)u * box->across[1] + (double)v * box->down[1] + 0.5;
        const bool inside = (column >= 0) & (row >= 0) & (column < width) & (row < height);
        places->columns[i] = inside ? (int32_t)column : 0;
        places->rows[i] = inside ? (int32_t)row : -1;
    }
}

// All places are known before the first pixel is read, so that many memory accesses overlap.
static void look_at_pixels(
    const clandmarkcascade_image *image, const places *places, int count, int16_t *restrict features) {
    const size_t channels = (size_t)image->channels;
    for (int i = 0; i < count; ++i) {
        if (places->rows[i] < 0) {
            features[i] = 0;
            continue;
        }
        const uint8_t *pixel =
            image->pixels + (size_t)places->rows[i] * image->bytes_per_row + (size_t)places->columns[i] * channels;
        features[i] = (int16_t)(channels == 1 ? pixel[0] : (pixel[0] + pixel[1] + pixel[2]) / 3);
    }
}

// Walks every tree to its leaf. Leaves are read only after all of them are known, so that many memory accesses overlap.
static void find_leaves(
    const clandmarkcascade_model *model, int cascade, const int16_t *features, const float **leaves) {
    const int split_count = (1 << model->depth) - 1;
    const size_t leaf_count = (size_t)split_count + 1;
    const size_t first_tree = (size_t)cascade * (size_t)model->tree_count;
    const clandmarkcascade_split *splits = model->splits + first_tree * (size_t)split_count;
    const float *values = model->leaves + first_tree * leaf_count * COORDINATES;
    for (int tree = 0; tree < model->tree_count; ++tree) {
        int node = 0;
        for (int level = 0; level < model->depth; ++level) {
            const clandmarkcascade_split split = splits[node];
            node = 2 * node + 2 - (features[split.first] - features[split.second] > split.threshold);
        }
        const float *leaf = values + (size_t)(node - split_count) * COORDINATES;
        for (int i = 0; i < COORDINATES; i += 16) __builtin_prefetch(leaf + i);
        leaves[tree] = leaf;
        splits += split_count;
        values += leaf_count * COORDINATES;
    }
}

FOR_EACH_PROCESSOR
static void add_leaves(const float *const *leaves, int count, float *restrict shape) {
    for (int tree = 0; tree < count; ++tree) {
        const float *leaf = leaves[tree];
        for (int i = 0; i < COORDINATES; ++i) shape[i] += leaf[i];
    }
}

void clandmarkcascade_evaluate(
    const clandmarkcascade_model *model, const clandmarkcascade_image *image, const clandmarkcascade_box *box,
    float landmarks[COORDINATES]) {
    float shape[COORDINATES];
    places places;
    int16_t features[CLANDMARKCASCADE_FEATURES];
    const float *leaves[CLANDMARKCASCADE_TREES];
    memcpy(shape, model->mean_shape, sizeof shape);
    for (int cascade = 0; cascade < model->cascade_count; ++cascade) {
        find_places(model, cascade, image, box, shape, &places);
        look_at_pixels(image, &places, model->feature_count, features);
        find_leaves(model, cascade, features, leaves);
        add_leaves(leaves, model->tree_count, shape);
    }
    for (int i = 0; i < COORDINATES; i += 2) {
        landmarks[i] = box->origin[0] + shape[i] * box->across[0] + shape[i + 1] * box->down[0];
        landmarks[i + 1] = box->origin[1] + shape[i] * box->across[1] + shape[i + 1] * box->down[1];
    }
}
