// Cells of 4 × 4 pixels in which a scene shows one smooth surface, alone or two beside each other: they are shaded at their
// corners and in between, and the pixels interpolate between the corners if the others agree. Included by kernel.h.

enum { CELL = SHADED_ROWS, CELL_PIXELS = CELL * CELL, MOST_CELL_TRIANGLES = 6 };

// How far what is shaded between corners may be from their mean, and corners from the first one, for pixels to
// interpolate.
static const float most_bend = 1.5f / 255, most_slope = 24.0f / 255;

// One cell, or two, whose pixels are the next places of a list of points, cell by cell and row by row.
typedef struct smooth_cells {
    int32_t pixels, count;  // the first place, and how many cells there are
} smooth_cells;

typedef struct smooth_list {
    int32_t count;
    smooth_cells all[2 * BLOCK / CELL];
} smooth_list;

// How two triangles continue each other: not at all, as a surface that may bend, or as one that is nearly plane.
enum { CONTINUES_NOT, CONTINUES_BENT, CONTINUES_PLANE };

// Pairs of triangles that were compared in a block: neighbouring pixels ask for the same ones.
typedef struct surface_pairs {
    int32_t first[128], second[128];
    uint8_t relations[128];
} surface_pairs;

// How triangles (counted from 1) that share a vertex continue each other.
INLINE uint8_t relation_between(const crasterizer_scene *scene, int32_t first, int32_t second) {
    const crasterizer_scene_triangle *a = &scene->triangles[first - 1], *b = &scene->triangles[second - 1];
    if (a->faces_away != b->faces_away || a->material != b->material) return CONTINUES_NOT;
    int shared = 0;
    for (int i = 0; i < 3; ++i) {
        const int32_t corner = a->corners[i];
        shared += corner == b->corners[0] || corner == b->corners[1] || corner == b->corners[2];
    }
    if (shared == 0) return CONTINUES_NOT;
    const float *normal = scene->vertices[a->corners[0]].normal;
    float least = 1;
    for (int i = 0; i < 3; ++i) {
        const float *other = scene->vertices[b->corners[i]].normal;
        const float cosine = normal[0] * other[0] + normal[1] * other[1] + normal[2] * other[2];
        least = cosine < least ? cosine : least;
    }
    if (least >= 0.98f) return CONTINUES_PLANE;
    // Along an edge, colours and normals go over into each other.
    return least >= (shared >= 2 ? 0.75f : 0.9f) ? CONTINUES_BENT : CONTINUES_NOT;
}

// - relation: at least.
INLINE bool continues(
    const crasterizer_scene *scene, int32_t first, int32_t second, uint8_t relation, surface_pairs *pairs) {
    if (first == second) return true;
    const int32_t place = (first ^ second * 5) & 127;
    if (pairs->first[place] != first || pairs->second[place] != second) {
        pairs->first[place] = first;
        pairs->second[place] = second;
        pairs->relations[place] = relation_between(scene, first, second);
    }
    return pairs->relations[place] >= relation;
}

// Whether all samples of a cell show triangles of one surface, which has no textures.
// - triangles: of the first row's samples.
static bool is_smooth_cell(const crasterizer_scene *scene, const int32_t *triangles, surface_pairs *pairs) {
    ints rows[CELL];
    for (int row = 0; row < CELL; ++row) memcpy(&rows[row], triangles + row * BLOCK * SAMPLES, sizeof rows[row]);
    const int32_t any = rows[0][0];
    if (any == 0 || has_textures(&scene->materials[scene->triangles[any - 1].material])) return false;
    if (__builtin_reduce_or((rows[0] ^ any) | (rows[1] ^ any) | (rows[2] ^ any) | (rows[3] ^ any))) {
        if (__builtin_reduce_or((rows[0] == 0) | (rows[1] == 0) | (rows[2] == 0) | (rows[3] == 0))) return false;
        int32_t known[MOST_CELL_TRIANGLES];
        int32_t count = 0;
        while (true) {
            const ints upper = __builtin_elementwise_max(rows[0], rows[1]);
            const ints lower = __builtin_elementwise_max(rows[2], rows[3]);
            const int32_t next = __builtin_reduce_max(__builtin_elementwise_max(upper, lower));
            if (next == 0) break;
            if (count == MOST_CELL_TRIANGLES) return false;
            bool is_connected = count == 0;
            for (int32_t index = count - 1; index >= 0 && !is_connected; --index) {
                is_connected = continues(scene, known[index], next, CONTINUES_BENT, pairs);
            }
            if (!is_connected) return false;
            known[count++] = next;
            for (int row = 0; row < CELL; ++row) rows[row] = rows[row] == next ? 0 : rows[row];
        }
    }
    return true;
}

// Adds the pixels of a cell to a list of points that has only cells.
// - triangles: of the first row's samples.
INLINE void add_cell(const int32_t *triangles, int32_t x, int32_t y, surface_points *points) {
    for (int32_t row = 0; row < CELL; ++row) {
        ints samples;
        memcpy(&samples, triangles + row * BLOCK * SAMPLES, sizeof samples);
        const ints4 shown = __builtin_shufflevector(samples, samples, 0, 4, 8, 12) - 1;
        const floats4 all_x = (floats4){0.5f, 1.5f, 2.5f, 3.5f} + (float)x, all_y = (float)(y + row) + 0.5f;
        memcpy(points->triangles + points->count, &shown, sizeof shown);
        memcpy(points->x + points->count, &all_x, sizeof all_x);
        memcpy(points->y + points->count, &all_y, sizeof all_y);
        points->count += CELL;
    }
}

// Adds a point at a pixel, or `beside` to the right and down of it.
INLINE void add_probe(int32_t pixel, float beside, surface_points *points) {
    points->triangles[points->count] = points->triangles[pixel];
    points->x[points->count] = points->x[pixel] + beside;
    points->y[points->count] = points->y[pixel] + beside;
    ++points->count;
}

// Adds the corners of cells, then the middle of each.
INLINE void add_probes(smooth_cells cells, surface_points *points) {
    const int32_t first = cells.pixels, last = first + (cells.count - 1) * CELL_PIXELS;
    add_probe(first, 0, points);
    add_probe(last + CELL - 1, 0, points);
    add_probe(first + CELL_PIXELS - CELL, 0, points);
    add_probe(last + CELL_PIXELS - 1, 0, points);
    for (int32_t cell = first; cell <= last; cell += CELL_PIXELS) add_probe(cell + CELL + 1, 0.5f, points);
}

// Sets the pixels of cells between the colours of their corners.
// - probes: those of the cells, in the list.
// - Returns: false if that would differ from what was shaded in the middle, or might: the pixels are not set.
INLINE bool interpolate_cells(smooth_cells cells, int32_t probes, surface_points *points) {
    float *const planes[4] = {points->red, points->green, points->blue, points->alpha};
    floats4 corners[4];
    const float step = 1.0f / (float)(CELL * cells.count - 1);
    for (int plane = 0; plane < 4; ++plane) {
        corners[plane] = loaded4(planes[plane] + probes);
        const floats4 first = corners[plane].x;
        if (!__builtin_reduce_and(corners[plane] - first <= most_slope && first - corners[plane] <= most_slope)) {
            return false;
        }
        const float left = 0.5f * (corners[plane].x + corners[plane].z);
        const float right = 0.5f * (corners[plane].y + corners[plane].w);
        for (int32_t cell = 0; cell < cells.count; ++cell) {
            const float expected = left + ((float)(CELL * cell) + 1.5f) * step * (right - left);
            const float bend = expected - planes[plane][probes + 4 + cell];
            if (!(bend <= most_bend && bend >= -most_bend)) return false;
        }
    }
    for (int32_t cell = 0; cell < cells.count; ++cell) {
        const floats4 right = ((floats4){0, 1, 2, 3} + (float)(CELL * cell)) * step;
        for (int plane = 0; plane < 4; ++plane) {
            const floats4 upper = corners[plane].x + right * (corners[plane].y - corners[plane].x);
            const floats4 lower = corners[plane].z + right * (corners[plane].w - corners[plane].z);
            float *to = planes[plane] + cells.pixels + cell * CELL_PIXELS;
            for (int row = 0; row < CELL; ++row) {
                const floats4 colors = upper + (float)row * (1.0f / (CELL - 1)) * (lower - upper);
                memcpy(to + row * CELL, &colors, sizeof colors);
            }
        }
    }
    return true;
}
