// Draws textured triangles into pictures in memory: the inner loops of the software renderer.
//
// In C because every loop is compiled for several generations of processors, with vectors of 16 pixels, and the fitting
// version is chosen at run time. All versions compute the same bits.
//
// Coordinates are pixels of the picture; the centre of pixel (x, y) is at (x + 0.5, y + 0.5). All pointers refer to memory
// of the caller, which guarantees that they are valid and that sizes are true.
#ifndef CRASTERIZER_H
#define CRASTERIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    // A tile is what one call draws: whole rows of a part of the picture.
    CRASTERIZER_TILE_WIDTH = 512,
    CRASTERIZER_TILE_HEIGHT = 16,
    CRASTERIZER_VALUES = 7,
    CRASTERIZER_TABLE_SIDE = 16,      // of a colour table
    CRASTERIZER_TRANSFER_STEPS = 4096,  // of a transfer function
    CRASTERIZER_LARGEST_SIDE = 65535,   // of a texture
    CRASTERIZER_COPY = -1,
    // How a layer changes the picture under it instead of drawing its colours (crasterizer_layer.change).
    CRASTERIZER_RECOLOR = 1,  // its colours are looked up in the layer's table, where the layer's alpha is
    CRASTERIZER_OFFSET = 2,   // half of the layer's colours, less those of 128, is added
    CRASTERIZER_NO_EDGE = -(1 << 30),
};

// Values that are interpolated between the corners of a triangle, in this order. Texture coordinates are texels, less a
// half: (0, 0) is the centre of the first texel.
//   0, 1  on the colour source
//   2     weight: the layer's opacity times its visibility
//   3, 4  light: the factor of the layer's brightness; the brightness of the skin
//   5, 6  on the texture of the soft edge; at CRASTERIZER_NO_EDGE, the edge counts as 1
typedef struct crasterizer_vertex {
    float x, y;
    float values[CRASTERIZER_VALUES];
} crasterizer_vertex;

// A line x(y) = x + slope · (y − from), half a pixel to the left.
typedef struct crasterizer_edge {
    float x, from, slope;
} crasterizer_edge;

// A triangle that faces the viewer, ready to be drawn. It covers the pixels whose centres are between its left and right
// edges.
typedef struct crasterizer_triangle {
    int32_t left, top, right, bottom;  // no pixel outside is covered
    float x, y;                        // where the values are `start`
    crasterizer_edge edges[4];         // two on the left, two on the right; they may be equal
    float start[CRASTERIZER_VALUES];
    float across[CRASTERIZER_VALUES];  // added per pixel to the right
    float down[CRASTERIZER_VALUES];    // added per pixel downwards
} crasterizer_triangle;

// RGBA, row by row. Beyond the last column and the last row lies a copy of it, which counts neither in width nor height.
typedef struct crasterizer_texture {
    const void *texels;
    int32_t width, height;    // 1…CRASTERIZER_LARGEST_SIDE
    int32_t texels_per_row;   // at least width + 1
    bool has_16_bits;         // per component; otherwise 8
} crasterizer_texture;

// How the picture encodes colours.
typedef struct crasterizer_encoding {
    bool is_opaque;
    bool is_grey;             // drawn in its luminance
    bool has_matrix;
    float matrix[9];          // linear sRGB to the picture's linear RGB, row by row
    // CRASTERIZER_TRANSFER_STEPS + 1 values of sRGB's transfer function and its inverse, at equal steps over 0…1; only for
    // pictures that are grey or have a matrix.
    const float *decode;
    const float *encode;
} crasterizer_encoding;

// 3-D models in front of the camera (CRasterizerScene.h).
typedef struct crasterizer_scene crasterizer_scene;

// Where something lies in front of a face, row by row: 0 (nothing) … 255. Between texels it is interpolated. Beyond the
// last column lies a copy of it, which does not count in the width.
typedef struct crasterizer_matte {
    const uint8_t *alphas;
    int32_t width, height;
    int32_t texels_per_row;  // at least width + 1
    float x, y;              // texels, less a half, where the picture begins
    float across, down;      // texels per pixel, above 0
} crasterizer_matte;

// One layer on one face.
typedef struct crasterizer_layer {
    const crasterizer_triangle *triangles;
    const int32_t *tops;      // of the triangles; up to the next multiple of 16, the rest is below every picture
    const int32_t *bottoms;
    int32_t triangle_count;
    int32_t value_count;      // that are interpolated: 3, 5 with light, 7 with a soft edge
    int32_t left, top, right, bottom;  // pixels outside keep their value
    const crasterizer_scene *scene;    // what is drawn inside the triangles; NULL: `colors`
    crasterizer_texture colors;        // premultiplied by alpha, or a part of the picture
    bool is_capture;          // a part of the picture: its alpha counts as 1, its encoding is the picture's
    // Where it has something, the picture is as it was before the first layer; of the rest, only the bounds and what says
    // the encoding count. No alphas: none.
    crasterizer_matte matte;
    bool restores;            // of a matte: alpha, too, is as it was
    crasterizer_texture edge;          // 8 bits; the colours are multiplied by its alpha; no texels: none
    // Above 0: the edge's alpha is a distance, and the colours are multiplied by smoothstep(0, feather, alpha).
    float edge_feather;
    // CRASTERIZER_TABLE_SIDE³ RGBA, red fastest: the layer's colour to the matched colour; NULL: none.
    const uint8_t *color_table;
    float color_weight;
    float detail_weight;      // 0: the fine structure of the skin has no influence
    float mean_luminance;     // of the skin, sRGB-encoded
    bool has_haze;            // colours are multiplied by `transmission`, and `haze` is added
    float transmission, haze[3];
    int32_t change;           // 0: it draws its colours
    // 0 (normal) … 15 (luminosity), in the order of the specification; CRASTERIZER_COPY: the premultiplied colours
    // replace the picture's.
    int32_t blend_mode;
} crasterizer_layer;

// RGBA with straight alpha. Rows begin at multiples of 64 bytes, and so much memory belongs to each.
typedef struct crasterizer_picture {
    void *pixels;
    size_t bytes_per_row;
    int32_t width, height;
    bool has_16_bits;
} crasterizer_picture;

// Generations of processors.
typedef enum crasterizer_generation {
    CRASTERIZER_BASELINE,  // SSE2, or NEON
    CRASTERIZER_AVX2,
    CRASTERIZER_AVX512,
} crasterizer_generation;

// The newest one that this processor belongs to.
crasterizer_generation crasterizer_newest_generation(void);

// Prepares a layer's triangles for its value count and bounds, and sets `triangles` and `triangle_count`. Those that face
// away, have no area, have corners that are no numbers or farther than 2^20 pixels away, or lie outside the bounds, are
// left out.
// - indices: three per triangle, clockwise in the picture if it faces the viewer; below the count of vertices.
// - has_no_edge: for each triangle, whether the soft edge is 1 all over it; NULL: it is not known.
// - draws_both_sides: triangles that face away are drawn, too.
// - triangles: room for `count`.
// - rows: room for twice `count`, rounded up to a multiple of 16.
void crasterizer_prepare(
    const crasterizer_vertex *vertices, const int32_t *indices, const bool *has_no_edge, int32_t count,
    bool draws_both_sides, crasterizer_triangle *triangles, int32_t *rows, crasterizer_layer *layer);

// Bytes of memory that a thread needs for drawing, aligned to 64.
size_t crasterizer_scratch_size(void);

// Draws one tile of all layers, one after another.
// - left, top: of the tile, inside the picture; multiples of 16.
// - generation: at most the processor's.
void crasterizer_draw_tile(
    crasterizer_generation generation, const crasterizer_picture *picture, const crasterizer_encoding *encoding,
    const crasterizer_layer *layers, int32_t layer_count, int32_t left, int32_t top, void *scratch);

enum {
    CRASTERIZER_BLUR_COLUMNS = 16,  // that are blurred at once
    CRASTERIZER_MOST_BLUR = 64,     // pixels in each direction
};

// A blur of what was drawn on a part of a picture.
typedef struct crasterizer_blur {
    crasterizer_picture picture;
    // The part: left is a multiple of 16, and so is right, which may lie beyond the last column, but not beyond the memory
    // of a row. Top and bottom lie inside.
    int32_t left, top, right, bottom;
    const void *before;       // the part as it was before, without gaps between its rows
    int32_t reach;            // in each direction: 1...CRASTERIZER_MOST_BLUR pixels
    const uint16_t *weights;  // of a pixel, and of those in each distance; those of all are 256
    void *rows;               // memory for the part
    int32_t *spans;           // memory for two of each row
} crasterizer_blur;

// Bytes of memory that a thread needs for blurring, aligned to 64.
size_t crasterizer_blur_scratch_size(const crasterizer_blur *blur);

// Blurs an opaque picture where it differs from what it was, and a little around. Where it hardly differs, it is blurred less.
// The first pass blurs along rows, and leaves the picture as it is; after it has passed all of them, the second one blurs
// across rows.
// - first, end: of the rows, from the part's top.
// - scratch: of the calling thread; the second pass needs none.
void crasterizer_blur_drawn(
    crasterizer_generation generation, const crasterizer_blur *blur, bool is_second, int32_t first, int32_t end,
    void *scratch);

#include "CRasterizerScene.h"

#endif
