// Draws a scene into the value planes of a tile: red, green, blue and alpha take the places of values 0, 1, 3 and 4.
// Included by kernel.h.

typedef struct scene_scratch {
    visible_samples opaque, blended;
    surface_points points;
    shading_scratch shading;
    smooth_list cells;
    // For each pixel of the rows that are shaded: which point its samples show, opaque ones and those in front of them; -1:
    // none.
    int16_t shown[SHADED_ROWS][BLOCK][2 * SAMPLES];
    surface_pairs pairs;
    triangle_groups groups;
} scene_scratch;

// A bit for each lane that is not 0.
INLINE uint32_t lane_bits4(ints4 lanes) {
    typedef bool lane_mask __attribute__((ext_vector_type(4)));
    const lane_mask mask = __builtin_convertvector(lanes, lane_mask);
    uint8_t bits = 0;
    memcpy(&bits, &mask, sizeof bits);
    return bits & 15;
}

// The middle of some samples of a pixel, by their bits.
#define MIDDLE_OF(a, b, c, d, bits) \
    (((bits & 1 ? a : 0) + (bits & 2 ? b : 0) + (bits & 4 ? c : 0) + (bits & 8 ? d : 0)) \
     / (bits ? (bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1) + (bits >> 3) : 1))
#define MIDDLES(a, b, c, d) \
    { \
        MIDDLE_OF(a, b, c, d, 0), MIDDLE_OF(a, b, c, d, 1), MIDDLE_OF(a, b, c, d, 2), MIDDLE_OF(a, b, c, d, 3), \
        MIDDLE_OF(a, b, c, d, 4), MIDDLE_OF(a, b, c, d, 5), MIDDLE_OF(a, b, c, d, 6), MIDDLE_OF(a, b, c, d, 7), \
        MIDDLE_OF(a, b, c, d, 8), MIDDLE_OF(a, b, c, d, 9), MIDDLE_OF(a, b, c, d, 10), MIDDLE_OF(a, b, c, d, 11), \
        MIDDLE_OF(a, b, c, d, 12), MIDDLE_OF(a, b, c, d, 13), MIDDLE_OF(a, b, c, d, 14), MIDDLE_OF(a, b, c, d, 15) \
    }
static const float middle_x[1 << SAMPLES] = MIDDLES(0.375f, 0.875f, 0.125f, 0.625f);
static const float middle_y[1 << SAMPLES] = MIDDLES(0.125f, 0.375f, 0.625f, 0.875f);
#undef MIDDLES
#undef MIDDLE_OF

// All samples of a pixel show one point.
INLINE void show_in_all(int16_t shown[SAMPLES], int32_t point) {
    const uint64_t all = (uint64_t)point * 0x1000100010001;
    _Static_assert(sizeof all == SAMPLES * sizeof shown[0], "one word has all samples");
    memcpy(shown, &all, sizeof all);
}

// The points to shade for the samples of one pixel: one for each surface.
INLINE void add_points(
    const crasterizer_scene *scene, const int32_t *triangles, float x, float y, surface_points *points,
    int16_t shown[SAMPLES], surface_pairs *pairs) {
    ints4 all;
    memcpy(&all, triangles, sizeof all);
    if (!__builtin_reduce_or(all)) return;
    if (!__builtin_reduce_or(all ^ all.x)) {
        show_in_all(shown, points->count);
        points->triangles[points->count] = all.x - 1;
        points->x[points->count] = x + 0.5f;
        points->y[points->count] = y + 0.5f;
        ++points->count;
        return;
    }
    for (uint32_t rest = lane_bits4(all != 0); rest != 0;) {
        const int32_t triangle = triangles[__builtin_ctz(rest)];
        uint32_t mine = lane_bits4(all == triangle);
        for (uint32_t others = rest & ~mine; others != 0;) {
            const int32_t other = triangles[__builtin_ctz(others)];
            const uint32_t same = lane_bits4(all == other);
            if (continues(scene, triangle, other, CONTINUES_PLANE, pairs)) mine |= same;
            others &= ~same;
        }
        for (uint32_t samples = mine; samples != 0; samples &= samples - 1) {
            shown[__builtin_ctz(samples)] = (int16_t)points->count;
        }
        // The middle of the samples that show the surface: mostly, it lies inside of the triangle.
        points->triangles[points->count] = triangle - 1;
        points->x[points->count] = x + middle_x[mine];
        points->y[points->count] = y + middle_y[mine];
        ++points->count;
        rest &= ~mine;
    }
}

// The mean of the samples of a pixel.
INLINE void resolve(
    const surface_points *points, const int16_t shown[2 * SAMPLES], int32_t column, float *const planes[4]) {
    const int16_t only = shown[0];
    const bool is_one = shown[1] == only && shown[2] == only && shown[3] == only;
    // Mostly, one opaque surface.
    if (is_one && shown[4] < 0 && shown[5] < 0 && shown[6] < 0 && shown[7] < 0) {
        planes[0][column] = only < 0 ? 0 : points->red[only];
        planes[1][column] = only < 0 ? 0 : points->green[only];
        planes[2][column] = only < 0 ? 0 : points->blue[only];
        planes[3][column] = only < 0 ? 0 : points->alpha[only];
        return;
    }
    floats4 sum = 0.0f;
    for (int sample = 0; sample < SAMPLES; ++sample) {
        const int16_t below = shown[sample], above = shown[SAMPLES + sample];
        floats4 color = 0.0f;
        if (below >= 0) {
            color = (floats4){points->red[below], points->green[below], points->blue[below], points->alpha[below]};
        }
        if (above >= 0) {
            const floats4 front = {points->red[above], points->green[above], points->blue[above], points->alpha[above]};
            color = front + color * (1.0f - front.w);
        }
        sum += color;
    }
    for (int plane = 0; plane < 4; ++plane) planes[plane][column] = sum[plane] * (1.0f / SAMPLES);
}

// Pixels of a vector of samples.
enum { NEIGHBOURS = LANES / SAMPLES };

// What such neighbours show: nothing, one triangle each all over, or more.
enum { SHOWS_NOTHING, SHOWS_WHOLE_PIXELS, SHOWS_MORE };

// Adds the points of four pixels that show one triangle each.
INLINE void add_four(ints4 triangles, int32_t x, int32_t y, surface_points *points, int16_t *shown) {
    const int32_t first = points->count;
    const floats4 all_x = (floats4){0.5f, 1.5f, 2.5f, 3.5f} + (float)x, all_y = (float)y + 0.5f;
    memcpy(points->triangles + first, &triangles, sizeof triangles);
    memcpy(points->x + first, &all_x, sizeof all_x);
    memcpy(points->y + first, &all_y, sizeof all_y);
    for (int32_t pixel = 0; pixel < NEIGHBOURS; ++pixel) show_in_all(shown + pixel * 2 * SAMPLES, first + pixel);
    points->count += NEIGHBOURS;
}

// Finds the points to shade for four neighbours, for the samples from `shown_from` on of each pixel.
// - row: of those that are shaded together.
// - Returns: what the neighbours show.
INLINE uint8_t add_neighbours(
    const crasterizer_scene *scene, const int32_t *triangles, int32_t x, int32_t y, int16_t shown[][2 * SAMPLES],
    int32_t shown_from, scene_scratch *scratch) {
    surface_points *points = &scratch->points;
    ints all;
    memcpy(&all, triangles, sizeof all);
    if (!__builtin_reduce_or(all)) return SHOWS_NOTHING;
    const ints of_pixels = __builtin_shufflevector(all, all, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    if (!__builtin_reduce_or((all ^ of_pixels) | (all == 0))) {
        add_four(__builtin_shufflevector(all, all, 0, 4, 8, 12) - 1, x, y, points, shown[0] + shown_from);
        return SHOWS_WHOLE_PIXELS;
    }
    for (int32_t pixel = 0; pixel < NEIGHBOURS; ++pixel) {
        add_points(
            scene, triangles + pixel * SAMPLES, (float)(x + pixel), (float)y, points, shown[pixel] + shown_from,
            &scratch->pairs);
    }
    return SHOWS_MORE;
}

// Four pixels that each show one opaque triangle all over or nothing, and likewise what is in front of them.
INLINE void resolve_four(
    const surface_points *points, const int16_t *shown, bool has_below, bool has_above, int32_t column,
    float *const planes[4]) {
    const float *const colors[4] = {points->red, points->green, points->blue, points->alpha};
    const floats4 rest = has_above ? 1.0f - loaded4(points->alpha + shown[SAMPLES]) : (floats4)1.0f;
    for (int plane = 0; plane < 4; ++plane) {
        floats4 color = has_below ? loaded4(colors[plane] + shown[0]) : (floats4)0.0f;
        if (has_above) color = loaded4(colors[plane] + shown[SAMPLES]) + color * rest;
        memcpy(planes[plane] + column, &color, sizeof color);
    }
}

// What four neighbours each show in the rows that are shaded together.
typedef struct shown_kinds {
    uint8_t all[SHADED_ROWS][BLOCK / NEIGHBOURS];
    bool is_cell[BLOCK / NEIGHBOURS];
} shown_kinds;

// Adds a cell to the last one if they are neighbours on one surface, otherwise as one of its own.
// - before: of the last cell, the triangle at its right edge; 0: none is on the left.
// - triangle: at the left edge.
INLINE void add_smooth_cell(
    const crasterizer_scene *scene, int32_t before, int32_t triangle, int32_t pixels, smooth_list *cells,
    surface_pairs *pairs) {
    if (before != 0) {
        smooth_cells *last = &cells->all[cells->count - 1];
        if (last->count == 1 && continues(scene, before, triangle, CONTINUES_BENT, pairs)) {
            last->count = 2;
            return;
        }
    }
    cells->all[cells->count++] = (smooth_cells){pixels, 1};
}

// Finds cells in rows from `row` on, for the samples from `shown_from` on of each pixel. The list of points has only
// cells.
static void find_cells(
    const crasterizer_scene *scene, const visible_samples *samples, int32_t left, int32_t top, int32_t row,
    int32_t shown_from, shown_kinds *kinds, scene_scratch *scratch) {
    surface_points *points = &scratch->points;
    int32_t before = 0;
    for (int32_t column = 0; column < BLOCK; column += CELL) {
        const int32_t *triangles = samples->triangles + (row * BLOCK + column) * SAMPLES;
        if (!is_smooth_cell(scene, triangles, &scratch->pairs)) {
            before = 0;
            continue;
        }
        add_smooth_cell(scene, before, triangles[0], points->count, &scratch->cells, &scratch->pairs);
        before = triangles[CELL * SAMPLES - 1];
        kinds->is_cell[column / CELL] = true;
        for (int32_t i = 0; i < CELL; ++i) {
            kinds->all[i][column / CELL] = SHOWS_WHOLE_PIXELS;
            for (int32_t pixel = 0; pixel < CELL; ++pixel) {
                show_in_all(scratch->shown[i][column + pixel] + shown_from, points->count + i * CELL + pixel);
            }
        }
        add_cell(triangles, left + column, top + row, points);
    }
}

// Shades cells, which are all of a list of points.
static void shade_cells(const crasterizer_scene *scene, scene_scratch *scratch) {
    surface_points *points = &scratch->points;
    const int32_t end = points->count;
    for (int32_t index = 0; index < scratch->cells.count; ++index) add_probes(scratch->cells.all[index], points);
    shade_points(scene, points, end, &scratch->shading);
    int32_t probes = end;
    for (int32_t index = 0; index < scratch->cells.count; ++index) {
        const smooth_cells cells = scratch->cells.all[index];
        if (!interpolate_cells(cells, probes, points)) {
            shade_range(scene, points, cells.pixels, cells.pixels + cells.count * CELL_PIXELS, &scratch->shading);
        }
        probes += 4 + cells.count;
    }
    // The probes are not needed any more.
    points->count = end;
}

// The points to shade in rows from `row` on, for the samples from `shown_from` on of each pixel.
INLINE void add_rows(
    const crasterizer_scene *scene, const visible_samples *samples, int32_t left, int32_t top, int32_t row,
    int32_t shown_from, shown_kinds *kinds, scene_scratch *scratch) {
    for (int32_t column = 0; column < BLOCK; column += NEIGHBOURS) {
        if (kinds->is_cell[column / NEIGHBOURS]) continue;
        for (int32_t i = 0; i < SHADED_ROWS; ++i) {
            kinds->all[i][column / NEIGHBOURS] = add_neighbours(
                scene, samples->triangles + ((row + i) * BLOCK + column) * SAMPLES, left + column, top + row + i,
                scratch->shown[i] + column, shown_from, scratch);
        }
    }
}

static void shade_rows(
    const crasterizer_scene *scene, int32_t left, int32_t top, int32_t row, bool has_blended, float *const planes[4],
    scene_scratch *scratch) {
    surface_points *points = &scratch->points;
    points->count = 0;
    memset(scratch->shown, 0xff, sizeof scratch->shown);
    shown_kinds below = {0}, above = {0};
    scratch->cells.count = 0;
    find_cells(scene, &scratch->opaque, left, top, row, 0, &below, scratch);
    if (has_blended) find_cells(scene, &scratch->blended, left, top, row, SAMPLES, &above, scratch);
    if (points->count > 0) shade_cells(scene, scratch);
    const int32_t first = points->count;
    // One after the other, so that neighbours in the list belong to few triangles.
    add_rows(scene, &scratch->opaque, left, top, row, 0, &below, scratch);
    if (has_blended) add_rows(scene, &scratch->blended, left, top, row, SAMPLES, &above, scratch);
    if (points->count > first) shade_points(scene, points, first, &scratch->shading);
    for (int32_t i = 0; i < SHADED_ROWS; ++i) {
        float *const in_row[4] = {planes[0] + i * ROW, planes[1] + i * ROW, planes[2] + i * ROW, planes[3] + i * ROW};
        for (int32_t column = 0; column < BLOCK; column += NEIGHBOURS) {
            const uint8_t behind = below.all[i][column / NEIGHBOURS], front = above.all[i][column / NEIGHBOURS];
            if (behind != SHOWS_MORE && front != SHOWS_MORE) {
                resolve_four(
                    points, scratch->shown[i][column], behind != SHOWS_NOTHING, front != SHOWS_NOTHING, column, in_row);
                continue;
            }
            for (int32_t pixel = column; pixel < column + NEIGHBOURS; ++pixel) {
                resolve(points, scratch->shown[i][pixel], pixel, in_row);
            }
        }
    }
}

static void draw_scene_block(
    const crasterizer_scene *scene, int32_t left, int32_t top, int32_t column, tile_values *tile,
    scene_scratch *scratch) {
    static const int values[4] = {0, 1, 3, 4};
    if (!is_touched(scene, &scratch->groups, (scene_area){left, top, left + BLOCK, top + HEIGHT})) {
        // Where alpha is 0, the colours do not count.
        for (int32_t row = 0; row < HEIGHT; ++row) memset(&tile->values[4][row * ROW + column], 0, BLOCK * sizeof(float));
        return;
    }
    memset(scratch->opaque.nearness, 0, sizeof scratch->opaque.nearness);
    memset(scratch->opaque.least_nearness, 0, sizeof scratch->opaque.least_nearness);
    memset(scratch->opaque.least_of_columns, 0, sizeof scratch->opaque.least_of_columns);
    memset(scratch->opaque.triangles, 0, sizeof scratch->opaque.triangles);
    see_triangles(scene, &scratch->groups, 0, scene->opaque_count, left, top, &scratch->opaque);
    bool has_blended = false;
    if (scene->opaque_count < scene->triangle_count) {
        memcpy(scratch->blended.nearness, scratch->opaque.nearness, sizeof scratch->opaque.nearness);
        memcpy(
            scratch->blended.least_nearness, scratch->opaque.least_nearness, sizeof scratch->opaque.least_nearness);
        memcpy(
            scratch->blended.least_of_columns, scratch->opaque.least_of_columns,
            sizeof scratch->blended.least_of_columns);
        memset(scratch->blended.triangles, 0, sizeof scratch->blended.triangles);
        has_blended =
            see_triangles(
                scene, &scratch->groups, scene->opaque_count, scene->triangle_count, left, top, &scratch->blended);
    }
    for (int32_t row = 0; row < HEIGHT; row += SHADED_ROWS) {
        float *planes[4];
        for (int plane = 0; plane < 4; ++plane) planes[plane] = &tile->values[values[plane]][row * ROW + column];
        shade_rows(scene, left, top, row, has_blended, planes, scratch);
    }
}

static void draw_scene(
    const crasterizer_layer *layer, int32_t left, int32_t top, tile_values *tile, scene_scratch *scratch) {
    memset(scratch->pairs.first, 0, sizeof scratch->pairs.first);
    memset(scratch->shading.matt.indices, 0, sizeof scratch->shading.matt.indices);
    find_groups(layer->scene, (scene_area){left, top, left + WIDTH, top + HEIGHT}, &scratch->groups);
    for (int32_t column = 0; column < WIDTH; column += BLOCK) {
        if (layer->right <= left + column || layer->left >= left + column + BLOCK) continue;
        draw_scene_block(layer->scene, left + column, top, column, tile, scratch);
    }
}
