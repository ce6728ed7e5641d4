// All loops over pixels, compiled once per generation of processors: each of its files defines KERNEL_NAME and
// KERNEL_BLUR_NAME, and includes this one.

#include "CRasterizerScene.h"
#include "vectors.h"

#include "spans.h"

#include "sampling.h"

#include "blending.h"

#include "corners.h"

#include "visibility.h"

#include "surfaces.h"

#include "lighting.h"

#include "matt.h"

#include "shading.h"

#include "cells.h"

#include "scene.h"

// MARK: Pixels of the picture

INLINE colors load_8_bits(const uint8_t *pixels) {
    words all;
    memcpy(&all, pixels, sizeof all);
    const float scale = 1.0f / 255;
    return (colors){
        scale * __builtin_convertvector((ints)(all & 255), floats),
        scale * __builtin_convertvector((ints)((all >> 8) & 255), floats),
        scale * __builtin_convertvector((ints)((all >> 16) & 255), floats),
        scale * __builtin_convertvector((ints)(all >> 24), floats)};
}

INLINE words component(floats value, float maximum) {
    value = limited(value, 1.0f);
    return (words)(__builtin_convertvector(value * maximum + 0.5f, ints));
}

// Pixels that are not to be changed keep their bits.
INLINE void store_8_bits(uint8_t *pixels, colors color, ints is_changed) {
    words old;
    memcpy(&old, pixels, sizeof old);
    const words all = component(color.r, 255) | component(color.g, 255) << 8 | component(color.b, 255) << 16
        | component(color.a, 255) << 24;
    const words merged = is_changed ? all : old;
    memcpy(pixels, &merged, sizeof merged);
}

INLINE colors load_16_bits(const uint16_t *pixels, int32_t count) {
    samples all = 0;
    memcpy(&all, pixels, (size_t)count * 8);
    return colors_of(all, 1 / FULL_16_BITS);
}

INLINE void store_16_bits(uint16_t *pixels, int32_t count, colors color, ints is_changed) {
    const words r = component(color.r, 65535), g = component(color.g, 65535);
    const words b = component(color.b, 65535), a = component(color.a, 65535);
    for (int32_t lane = 0; lane < count; ++lane) {
        if (!is_changed[lane]) continue;
        pixels[4 * lane] = (uint16_t)r[lane];
        pixels[4 * lane + 1] = (uint16_t)g[lane];
        pixels[4 * lane + 2] = (uint16_t)b[lane];
        pixels[4 * lane + 3] = (uint16_t)a[lane];
    }
}

// MARK: Layers

INLINE floats value_at(const tile_values *tile, int value, int32_t place) {
    floats result;
    memcpy(&result, &tile->values[value][place], sizeof result);
    return result;
}

// The alpha of the layer's soft edge at 16 pixels; 1 without one.
INLINE floats edge_alpha(const crasterizer_layer *layer, const tile_values *tile, int32_t place) {
    const floats all = (floats){} + 1.0f;
    if (!layer->edge.texels) return all;
    const floats edge_u = value_at(tile, 5, place);
    // Most of a face lies inside of its soft edge.
    const ints has_edge = edge_u > (float)CRASTERIZER_NO_EDGE && value_at(tile, 2, place) > 0.0f;
    if (!__builtin_reduce_or(has_edge)) return all;
    const samples edge = sample_8_bits(&layer->edge, edge_u, value_at(tile, 6, place));
    floats alpha = has_edge ? colors_of(edge, 1 / FULL_8_BITS).a : 1.0f;
    if (layer->edge_feather > 0) {
        const floats t = limited(alpha * (1 / layer->edge_feather), 1.0f);
        alpha = t * t * (3.0f - 2.0f * t);
    }
    return alpha;
}

// Whether the soft edge hides the layer at 16 pixels: a few of its texels say so for all 16.
// - is_changed: pixels where the place on the edge is set.
INLINE bool is_hidden(const crasterizer_layer *layer, const tile_values *tile, int32_t place, ints is_changed) {
    enum { MOST_COLUMNS = 8, MOST_ROWS = 3 };
    if (!__builtin_reduce_and(is_changed)) return false;
    const floats u = value_at(tile, 5, place), v = value_at(tile, 6, place);
    // Not NaN, and not where the edge counts as 1.
    if (!__builtin_reduce_and(u > -1.0f && v > -1.0f && u < 65536.0f && v < 65536.0f)) return false;
    const ints columns = __builtin_convertvector(u, ints), rows = __builtin_convertvector(v, ints);
    const int32_t left = __builtin_reduce_min(columns), top = __builtin_reduce_min(rows);
    int32_t right = __builtin_reduce_max(columns) + 1, bottom = __builtin_reduce_max(rows) + 1;
    if (right - left >= MOST_COLUMNS || bottom - top >= MOST_ROWS) return false;
    const crasterizer_texture *edge = &layer->edge;
    right = right < edge->width ? right : edge->width - 1;
    bottom = bottom < edge->height ? bottom : edge->height - 1;
    const uint8_t *texels = edge->texels;
    for (int32_t row = top < bottom ? top : bottom; row <= bottom; ++row) {
        for (int32_t column = left < right ? left : right; column <= right; ++column) {
            if (texels[4 * ((size_t)row * (size_t)edge->texels_per_row + (size_t)column) + 3] != 0) return false;
        }
    }
    return true;
}

// What the layer's texels say at 16 pixels.
INLINE colors texel_colors(const crasterizer_layer *layer, const tile_values *tile, int32_t place) {
    const floats u = value_at(tile, 0, place), v = value_at(tile, 1, place);
    return layer->colors.has_16_bits
        ? colors_of(sample_16_bits(&layer->colors, u, v), 1 / FULL_16_BITS)
        : colors_of(sample_8_bits(&layer->colors, u, v), 1 / FULL_8_BITS);
}

// The layer's colours at 16 pixels, premultiplied, before light and weight.
INLINE colors layer_colors(const crasterizer_layer *layer, const tile_values *tile, int32_t place) {
    if (layer->scene) {
        return (colors){
            value_at(tile, 0, place), value_at(tile, 1, place), value_at(tile, 3, place), value_at(tile, 4, place)};
    }
    colors color = texel_colors(layer, tile, place);
    if (layer->is_capture) color.a = 1.0f;
    if (!layer->edge.texels) return color;
    const floats alpha = edge_alpha(layer, tile, place);
    return (colors){color.r * alpha, color.g * alpha, color.b * alpha, color.a * alpha};
}

INLINE colors matched(const crasterizer_layer *layer, colors color) {
    const floats divisor = color.a > 0.0f ? 1.0f / color.a : 0.0f;
    const floats r = color.r * divisor, g = color.g * divisor, b = color.b * divisor;
    const colors table = table_colors(layer->color_table, r, g, b);
    const float weight = layer->color_weight;
    color.r = (r + weight * (table.r - r)) * color.a;
    color.g = (g + weight * (table.g - g)) * color.a;
    color.b = (b + weight * (table.b - b)) * color.a;
    return color;
}

// Of a layer that changes the colours of the picture below; premultiplied.
INLINE colors changed(const crasterizer_layer *layer, colors color, colors below) {
    if (layer->change == CRASTERIZER_RECOLOR) {
        const colors table = table_colors(layer->color_table, below.r, below.g, below.b);
        return (colors){table.r * color.a, table.g * color.a, table.b * color.a, color.a};
    }
    const float zero = 128.0f / 255;
    return (colors){
        limited(below.r + 0.5f * (color.r - zero), 1.0f), limited(below.g + 0.5f * (color.g - zero), 1.0f),
        limited(below.b + 0.5f * (color.b - zero), 1.0f), color.a};
}

INLINE colors lit(const crasterizer_layer *layer, const tile_values *tile, int32_t place, colors color, colors below) {
    if (layer->value_count < 5) return color;
    floats brightness = value_at(tile, 3, place);
    if (layer->detail_weight > 0) {
        const floats luminance = 0.2126f * below.r + 0.7152f * below.g + 0.0722f * below.b;
        const floats fine = luminance / greatest(layer->mean_luminance * value_at(tile, 4, place), 0.02f);
        const floats kept = fine < 0.55f ? 0.55f : (fine > 1.5f ? 1.5f : fine);
        brightness *= 1.0f + layer->detail_weight * (kept - 1.0f);
    }
    color.r = least(color.r * brightness, color.a);
    color.g = least(color.g * brightness, color.a);
    color.b = least(color.b * brightness, color.a);
    return color;
}

// The layer seen through haze; premultiplied.
INLINE colors hazy(const crasterizer_layer *layer, colors color) {
    const float t = layer->transmission, *haze = layer->haze;
    return (colors){
        t * color.r + haze[0] * color.a, t * color.g + haze[1] * color.a, t * color.b + haze[2] * color.a, color.a};
}

// The layer over the picture.
INLINE colors composited(
    const crasterizer_layer *layer, const crasterizer_encoding *encoding, colors color, colors below) {
    if (layer->blend_mode == CRASTERIZER_COPY) return color;
    const floats rest = 1.0f - color.a;
    const bool is_sRGB = !encoding->is_grey && !encoding->has_matrix;
    // On an opaque picture three modes need no division by alpha.
    // What comes from the picture is in its encoding.
    const bool is_own = layer->is_capture || (layer->change && !encoding->is_grey);
    if (encoding->is_opaque && (is_sRGB || is_own) && layer->blend_mode <= 2) {
        colors source = color;
        if (layer->blend_mode == 1) {
            source = (colors){color.r * below.r, color.g * below.g, color.b * below.b, color.a};
        } else if (layer->blend_mode == 2) {
            return (colors){
                below.r + color.r * (1.0f - below.r), below.g + color.g * (1.0f - below.g),
                below.b + color.b * (1.0f - below.b), below.a};
        }
        return (colors){
            source.r + below.r * rest, source.g + below.g * rest, source.b + below.b * rest, below.a};
    }
    const floats divisor = 1.0f / color.a;
    colors straight = {color.r * divisor, color.g * divisor, color.b * divisor, color.a};
    if (!is_own) straight = in_the_pictures_encoding(encoding, straight);
    colors mixed = blended(layer->blend_mode, below, straight);
    const floats covered = below.a;
    mixed.r = straight.r + covered * (limited(mixed.r, 1.0f) - straight.r);
    mixed.g = straight.g + covered * (limited(mixed.g, 1.0f) - straight.g);
    mixed.b = straight.b + covered * (limited(mixed.b, 1.0f) - straight.b);
    const floats kept = covered * rest, alpha = color.a + kept;
    return (colors){
        (mixed.r * color.a + below.r * kept) / alpha, (mixed.g * color.a + below.g * kept) / alpha,
        (mixed.b * color.a + below.b * kept) / alpha, alpha};
}

// Between the picture and what was captured of it, by `share`: also its alpha comes back.
INLINE colors restored(colors captured, colors below, floats share) {
    const floats alpha = below.a + share * (captured.a - below.a);
    const floats old = share * captured.a, drawn = (1.0f - share) * below.a;
    const floats divisor = 1.0f / greatest(alpha, 1.0f / 4096);
    const ints is_seen = alpha >= 1.0f / 1024;
    return (colors){
        is_seen ? (captured.r * old + below.r * drawn) * divisor : captured.r,
        is_seen ? (captured.g * old + below.g * drawn) * divisor : captured.g,
        is_seen ? (captured.b * old + below.b * drawn) * divisor : captured.b, alpha};
}

// 16 pixels of a row.
INLINE void draw_pixels(
    const crasterizer_layer *layer, const crasterizer_encoding *encoding, const tile_values *tile, int32_t place,
    bool has_16_bits, void *pixels, int32_t count) {
    const floats weight = value_at(tile, 2, place);
    // Not NaN.
    ints is_changed = weight > 0.0f;
    // Much of a scene's rectangle is empty.
    if (layer->scene) is_changed &= value_at(tile, 4, place) > 0.0f;
    if (!__builtin_reduce_or(is_changed)) return;
    if (layer->edge.texels && is_hidden(layer, tile, place, is_changed)) return;
    colors color = layer_colors(layer, tile, place);
    // Less is invisible, and cannot be divided by. Much of a layer of make-up is transparent.
    is_changed &= color.a * weight >= 1.0f / 1024;
    if (!__builtin_reduce_or(is_changed)) return;
    const colors below = has_16_bits ? load_16_bits(pixels, count) : load_8_bits(pixels);
    if (layer->change) color = changed(layer, color, below);
    else if (layer->color_table) color = matched(layer, color);
    color = lit(layer, tile, place, color, below);
    if (layer->has_haze) color = hazy(layer, color);
    color = (colors){color.r * weight, color.g * weight, color.b * weight, color.a * weight};
    const colors result = composited(layer, encoding, color, below);
    if (has_16_bits) store_16_bits(pixels, count, result, is_changed);
    else store_8_bits(pixels, result, is_changed);
}

// The texels of a large face are in no near cache. Those of the pixels ahead are fetched while others are drawn: both
// rows, at the first and at the middle one of 16 pixels.
INLINE void fetch_texels(const crasterizer_layer *layer, const tile_values *tile, int32_t place) {
    const crasterizer_texture *texture = &layer->colors;
    const size_t texel_size = texture->has_16_bits ? 8 : 4;
    for (int32_t lane = 0; lane < LANES; lane += LANES / 2) {
        // Where nothing is covered, the place on the texture is not set.
        if (!(tile->values[2][place + lane] > 0)) continue;
        const float u = tile->values[0][place + lane], v = tile->values[1][place + lane];
        if (!(u >= 0 && v >= 0 && u < (float)texture->width && v < (float)texture->height)) continue;
        const char *texel = (const char *)texture->texels
            + ((size_t)v * (size_t)texture->texels_per_row + (size_t)u) * texel_size;
        __builtin_prefetch(texel);
        __builtin_prefetch(texel + (size_t)texture->texels_per_row * texel_size);
    }
}

enum { AHEAD = 4 * LANES };

INLINE void draw_rows(
    const crasterizer_picture *picture, const crasterizer_encoding *encoding, const crasterizer_layer *layer,
    int32_t left, int32_t top, const tile_values *tile, bool has_16_bits) {
    const size_t pixel_size = has_16_bits ? 8 : 4;
    for (int32_t row = 0; row < HEIGHT; ++row) {
        if (tile->from[row] >= tile->to[row]) continue;
        char *pixels = (char *)picture->pixels + (size_t)(top + row) * picture->bytes_per_row;
        const int32_t first = tile->from[row] & ~(LANES - 1);
        const bool has_texels = !layer->scene;
        for (int32_t x = first; has_texels && x < first + AHEAD && x < tile->to[row]; x += LANES)
            fetch_texels(layer, tile, row * ROW + x);
        for (int32_t x = first; x < tile->to[row]; x += LANES) {
            if (has_texels && x + AHEAD < tile->to[row]) fetch_texels(layer, tile, row * ROW + x + AHEAD);
            const int32_t rest = picture->width - left - x;
            draw_pixels(
                layer, encoding, tile, row * ROW + x, has_16_bits, pixels + (size_t)(left + x) * pixel_size,
                rest < LANES ? rest : LANES);
        }
    }
}

#include "uncovered.h"

// The memory of a thread.
typedef struct kernel_scratch {
    tile_values tile;
    uncovered_scratch uncovered;
    scene_scratch scene;
} kernel_scratch;

static void draw_layer(
    const crasterizer_picture *picture, const crasterizer_encoding *encoding, const crasterizer_layer *layer,
    int32_t left, int32_t top, kernel_scratch *scratch) {
    tile_values *tile = &scratch->tile;
    const int32_t first = (layer->left > left ? layer->left - left : 0) & ~(LANES - 1);
    const int32_t end = layer->right - left < WIDTH ? layer->right - left : WIDTH;
    const size_t cleared = sizeof(float) * (size_t)((end - first + LANES - 1) & ~(LANES - 1));
    for (int32_t row = 0; row < HEIGHT; ++row) memset(&tile->values[2][row * ROW + first], 0, cleared);
    switch (layer->value_count) {
    case 3: rasterize(layer, left, top, 3, tile); break;
    case 5: rasterize(layer, left, top, 5, tile); break;
    default: rasterize(layer, left, top, 7, tile); break;
    }
    if (layer->scene) draw_scene(layer, left, top, tile, &scratch->scene);
    if (picture->has_16_bits) draw_rows(picture, encoding, layer, left, top, tile, true);
    else draw_rows(picture, encoding, layer, left, top, tile, false);
}

void KERNEL_NAME(
    const crasterizer_picture *picture, const crasterizer_encoding *encoding, const crasterizer_layer *layers,
    int32_t layer_count, int32_t left, int32_t top, void *scratch) {
    kernel_scratch *memory = scratch;
    columns_of_tile kept = {WIDTH, 0};
    for (int32_t index = 0; index < layer_count; ++index) {
        if (!layers[index].matte.alphas) continue;
        const columns_of_tile columns = matte_columns(&layers[index], left, top);
        if (columns.from >= columns.to) continue;
        if (columns.from < kept.from) kept.from = columns.from;
        if (columns.to > kept.to) kept.to = columns.to;
    }
    if (kept.from < kept.to) keep_pixels(picture, left, top, kept, &memory->uncovered);
    for (int32_t index = 0; index < layer_count; ++index) {
        const crasterizer_layer *layer = &layers[index];
        if (layer->bottom <= top || layer->top >= top + HEIGHT || layer->right <= left || layer->left >= left + WIDTH)
            continue;
        if (layer->matte.alphas) uncover(picture, encoding, layer, left, top, &memory->uncovered);
        else if (layer->triangle_count > 0) draw_layer(picture, encoding, layer, left, top, memory);
    }
}

// MARK: Blur

#define COMPONENT uint8_t
#define SUM uint16_t
#define DIFFERENCE int16_t
#define FULL 255
#define TYPE_OF(name) name##_of_8_bits
#include "blurring.h"
#undef COMPONENT
#undef SUM
#undef DIFFERENCE
#undef FULL
#undef TYPE_OF

#define COMPONENT uint16_t
#define SUM uint32_t
#define DIFFERENCE int32_t
#define FULL 65535
#define TYPE_OF(name) name##_of_16_bits
#include "blurring.h"

void KERNEL_BLUR_NAME(const crasterizer_blur *blur, bool is_second, int32_t first, int32_t end, void *scratch) {
    if (is_second) {
        if (blur->picture.has_16_bits) blur_across_of_16_bits(blur, first, end);
        else blur_across_of_8_bits(blur, first, end);
    } else if (blur->picture.has_16_bits) {
        blur_along_of_16_bits(blur, first, end, scratch);
    } else {
        blur_along_of_8_bits(blur, first, end, scratch);
    }
}
