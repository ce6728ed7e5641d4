#include <CRasterizer.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs.h"

enum { WIDTH = 637, HEIGHT = 360, SIDE = 300, COLUMNS = 24, ROWS = 18, CELLS = COLUMNS * ROWS };
enum { VERTICES = (COLUMNS + 1) * (ROWS + 1), TRIANGLES = 2 * CELLS, ROOM = TRIANGLES + 16 };

static crasterizer_texture new_texture(int32_t side, int has_alpha, bool has_16_bits) {
    const size_t count = 4 * (size_t)(side + 1) * (size_t)(side + 1);
    uint8_t *bytes = new_memory(count);
    draw_spots(bytes, side, side, side + 1, has_alpha);
    crasterizer_texture texture = {bytes, side, side, side + 1, has_16_bits};
    if (!has_16_bits) return texture;
    uint16_t *shorts = new_memory(2 * count);
    for (size_t i = 0; i < count; ++i) shorts[i] = (uint16_t)(bytes[i] * 257);
    free(bytes);
    texture.texels = shorts;
    return texture;
}

static void free_texture(crasterizer_texture texture) { free((void *)texture.texels); }

static crasterizer_picture new_picture(bool is_opaque, bool has_16_bits) {
    crasterizer_texture drawn = new_texture(WIDTH, !is_opaque, has_16_bits);
    const size_t pixel_size = has_16_bits ? 8 : 4, row = (WIDTH * pixel_size + 63) / 64 * 64;
    crasterizer_picture picture = {new_memory(row * HEIGHT), row, WIDTH, HEIGHT, has_16_bits};
    for (size_t y = 0; y < HEIGHT; ++y)
        memcpy((char *)picture.pixels + y * row, (const char *)drawn.texels + y * (WIDTH + 1) * pixel_size,
               WIDTH * pixel_size);
    free_texture(drawn);
    return picture;
}

static void draw(
    const char *name, const crasterizer_picture *picture, const crasterizer_encoding *encoding,
    const crasterizer_layer *layer) {
    const size_t size = picture->bytes_per_row * HEIGHT;
    void *before = new_memory(size), *scratch = new_memory(crasterizer_scratch_size());
    memcpy(before, picture->pixels, size);
    for (int32_t top = 0; top < HEIGHT; top += CRASTERIZER_TILE_HEIGHT)
        for (int32_t left = 0; left < WIDTH; left += CRASTERIZER_TILE_WIDTH)
            crasterizer_draw_tile(crasterizer_newest_generation(), picture, encoding, layer, 1, left, top, scratch);
    size_t changed = 0;
    for (size_t i = 0; i < size; ++i) changed += ((char *)before)[i] != ((char *)picture->pixels)[i];
    expect(changed > size / 10, name);
    print_checksum(name, picture->pixels, size);
    free(before);
    free(scratch);
}

// A grid of triangles with shaken vertices, about as a face mask has them.
static void shake(crasterizer_vertex vertices[VERTICES], int32_t indices[3 * TRIANGLES], float texels) {
    for (int row = 0; row <= ROWS; ++row)
        for (int column = 0; column <= COLUMNS; ++column)
            vertices[row * (COLUMNS + 1) + column] = (crasterizer_vertex){
                40 + 23.3f * (float)column + random_between(-6, 6), 10 + 18.6f * (float)row + random_between(-6, 6),
                {texels / COLUMNS * (float)column, texels / ROWS * (float)row, random_between(0.5f, 1),
                 random_between(0.6f, 1.2f), random_between(0.7f, 1.3f), texels / COLUMNS * (float)column,
                 texels / ROWS * (float)row}};
    for (int cell = 0; cell < CELLS; ++cell) {
        const int32_t first = cell / COLUMNS * (COLUMNS + 1) + cell % COLUMNS, below = first + COLUMNS + 1;
        const int32_t corners[6] = {first, first + 1, below, first + 1, below + 1, below};
        memcpy(indices + 6 * cell, corners, sizeof corners);
    }
}

static void draw_layers(void) {
    static crasterizer_vertex vertices[VERTICES];
    static int32_t indices[3 * TRIANGLES], rows[2 * ROOM];
    static crasterizer_triangle triangles[TRIANGLES];
    static float decode[CRASTERIZER_TRANSFER_STEPS + 1], encode[CRASTERIZER_TRANSFER_STEPS + 1];
    for (int i = 0; i <= CRASTERIZER_TRANSFER_STEPS; ++i) {
        const float value = (float)i / CRASTERIZER_TRANSFER_STEPS;
        decode[i] = value * value;
        encode[i] = sqrtf(value);
    }
    crasterizer_texture table = new_texture(64, 0, false);
    // Every kind of picture, colours and light with every blend mode: two of each are tried with every third.
    for (int round = 0; round < 96; ++round) {
        const int mode = round % 17 - 1, kind = round % 4;
        const bool has_16_bits = round / 2 % 2, is_opaque = round % 3 == 0;
        const crasterizer_encoding encoding = {
            is_opaque, kind == 1, kind == 2, {0.8f, 0.15f, 0.05f, 0.1f, 0.85f, 0.05f, 0.02f, 0.08f, 0.9f}, decode, encode};
        const crasterizer_picture picture = new_picture(is_opaque, has_16_bits);
        crasterizer_texture colors = new_texture(SIDE, 1, round % 5 < 2), edge = new_texture(SIDE, 1, false);
        crasterizer_layer layer = {
            .value_count = (int32_t[]){3, 5, 7, 7}[round / 3 % 4], .right = WIDTH - 3, .bottom = HEIGHT,
            .colors = colors, .is_capture = round % 7 == 0, .mean_luminance = 0.5f, .blend_mode = mode,
            .color_weight = 0.75f, .detail_weight = round % 2 ? 0.5f : 0,
            .color_table = round % 4 == 3 ? table.texels : NULL, .edge_feather = round % 8 < 4 ? 0.6f : 0};
        if (layer.value_count == 7) layer.edge = edge;
        shake(vertices, indices, SIDE);
        crasterizer_prepare(vertices, indices, NULL, TRIANGLES, round % 2, triangles, rows, &layer);
        char name[32];
        snprintf(name, sizeof name, "layer %d", round);
        draw(name, &picture, &encoding, &layer);
        free_texture(colors);
        free_texture(edge);
        free(picture.pixels);
    }
    free_texture(table);
}

// A bumpy sheet of opaque triangles and a glassy one in front of it, seen in perspective.
static void draw_scenes(void) {
    static crasterizer_model_vertex model[VERTICES];
    static crasterizer_scene_vertex seen[2 * VERTICES];
    static uint32_t indices[3 * TRIANGLES];
    static crasterizer_scene_triangle triangles[2 * ROOM];
    static int32_t bounds[4][2 * ROOM], order[2 * ROOM];
    static float nearest[2 * ROOM];
    for (int round = 0; round < 12; ++round) {
        crasterizer_texture levels[4];
        for (int level = 0; level < 4; ++level) levels[level] = new_texture(256 >> level, 1, false);
        const crasterizer_scene_texture texture = {levels, 4, round % 3, (round + 1) % 3}, none = {0};
        const crasterizer_material materials[2] = {
            {{1, 0.9f, 0.8f, 1}, {0.1f, 0, 0.2f}, 0.3f * (float)(round % 3), 0.2f + 0.2f * (float)(round % 4), 1, 0.7f,
             round % 2 ? 0.4f : -1, false, texture, round % 4 == 1 ? texture : none, round % 4 == 2 ? texture : none,
             round % 4 == 3 ? texture : none, round % 5 == 1 ? texture : none},
            {{0.6f, 0.8f, 1, 0.4f}, {0, 0, 0}, 0, 0.15f, 1, 0, -1, true, none, none, none, none, none}};
        crasterizer_scene_room room = {
            triangles, bounds[0], bounds[1], bounds[2], bounds[3], nearest, order, 0};
        int32_t opaque_count = 0;
        for (int part = 0; part < 2; ++part) {
            for (int row = 0; row <= ROWS; ++row)
                for (int column = 0; column <= COLUMNS; ++column)
                    model[row * (COLUMNS + 1) + column] = (crasterizer_model_vertex){
                        {-1.2f + 0.1f * (float)column, -0.8f + 0.09f * (float)row, random_between(-0.1f, 0.1f)},
                        2.0f / COLUMNS * (float)column,
                        {random_between(-0.3f, 0.3f), random_between(-0.3f, 0.3f), 0.9375f},
                        2.0f / ROWS * (float)row, {1, 0, 0, 1},
                        {random_between(0.5f, 1), random_between(0.5f, 1), random_between(0.5f, 1), 1}};
            for (uint32_t cell = 0; cell < CELLS; ++cell) {
                const uint32_t first = cell / COLUMNS * (COLUMNS + 1) + cell % COLUMNS, below = first + COLUMNS + 1;
                const uint32_t corners[6] = {first, below, first + 1, first + 1, below, below + 1};
                memcpy(indices + 6 * cell, corners, sizeof corners);
            }
            const float turn = random_between(-0.25f, 0.25f), near = part ? -2.0f : -2.5f;
            const crasterizer_view view = {
                {1, turn, 0, 0, -turn, 1, 0, 0, 0, 0, 1, near}, 500, WIDTH / 2.0f, HEIGHT / 2.0f};
            crasterizer_see(model, VERTICES, &view, seen + part * VERTICES);
            crasterizer_add_triangles(
                &room, seen, indices, TRIANGLES, part * VERTICES, part, true,
                (crasterizer_bounds){0, 0, WIDTH, HEIGHT});
            if (part == 0) opaque_count = room.count;
        }
        crasterizer_end_triangles(&room);
        const crasterizer_scene scene = {
            seen, triangles, bounds[0], bounds[1], bounds[2], bounds[3], nearest, order, room.count, 0, opaque_count,
            materials, {{-0.48f, -0.6f, 0.64f}, 0.9f, 0.5f, 1.1f, NULL}, 500, WIDTH / 2.0f, HEIGHT / 2.0f};
        const crasterizer_vertex corners[4] = {
            {0, 0, {0, 0, 1}}, {WIDTH, 0, {0, 0, 1}}, {WIDTH, HEIGHT, {0, 0, 1}}, {0, HEIGHT, {0, 0, 1}}};
        const int32_t whole[6] = {0, 1, 2, 0, 2, 3};
        crasterizer_triangle covering[2];
        int32_t rows[32];
        crasterizer_layer layer = {.value_count = 3, .right = WIDTH, .bottom = HEIGHT, .scene = &scene};
        crasterizer_prepare(corners, whole, NULL, 2, false, covering, rows, &layer);
        const crasterizer_encoding encoding = {.is_opaque = round % 2};
        const crasterizer_picture picture = new_picture(round % 2, round % 4 < 2);
        char name[32];
        snprintf(name, sizeof name, "scene %d", round);
        draw(name, &picture, &encoding, &layer);
        for (int level = 0; level < 4; ++level) free_texture(levels[level]);
        free(picture.pixels);
    }
}

void test_rasterizer(void) {
    draw_layers();
    draw_scenes();
}
