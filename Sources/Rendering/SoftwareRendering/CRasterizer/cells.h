// Cells of 4 × 4 pixels in which a scene shows one smooth surface: such a cell is shaded at its corners and in the
// middle, and its pixels interpolate between the corners if the middle agrees. Included by kernel.h.

enum { CELL = SHADED_ROWS, CELL_PIXELS = CELL * CELL, PROBES = 5, MOST_CELL_TRIANGLES = 6 };

// How far the middle may be from the mean of the corners, and the corners from each other, for pixels to interpolate.
static const float most_bend = 1.5f / 255, most_slope = 24.0f / 255;

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
    if (any == 0) return false;
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
    return !has_textures(&scene->materials[scene->triangles[any - 1].material]);
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

// Adds the probes of all cells to a list of points that has only their pixels.
static void add_probes(int32_t cell_count, surface_points *points) {
    static const int32_t places[PROBES] = {0, CELL - 1, CELL_PIXELS - CELL, CELL_PIXELS - 1, CELL + 1};
    for (int32_t cell = 0; cell < cell_count; ++cell) {
        for (int32_t probe = 0; probe < PROBES; ++probe) {
            const int32_t from = CELL_PIXELS * cell + places[probe];
            const float middle = probe == PROBES - 1 ? 0.5f : 0.0f;
            points->triangles[points->count] = points->triangles[from];
            points->x[points->count] = points->x[from] + middle;
            points->y[points->count] = points->y[from] + middle;
            ++points->count;
        }
    }
}

// Sets a cell's pixels between the colours of its corners.
// - probes: of the cell, in the list.
// - Returns: false if that would differ from what was shaded in the middle, or might: the pixels are not set.
INLINE bool interpolate_cell(surface_points *points, int32_t probes, int32_t pixels) {
    float *const planes[4] = {points->red, points->green, points->blue, points->alpha};
    floats4 corners[4];
    for (int plane = 0; plane < 4; ++plane) {
        corners[plane] = loaded4(planes[plane] + probes);
        const float sum = (corners[plane].x + corners[plane].y) + (corners[plane].z + corners[plane].w);
        const float bend = 0.25f * sum - planes[plane][probes + 4];
        const float slope = __builtin_reduce_max(corners[plane]) - __builtin_reduce_min(corners[plane]);
        if (!(bend <= most_bend && bend >= -most_bend && slope <= most_slope)) return false;
    }
    const floats4 right = {0, 1.0f / 3, 2.0f / 3, 1};
    for (int plane = 0; plane < 4; ++plane) {
        const floats4 upper = corners[plane].x + right * (corners[plane].y - corners[plane].x);
        const floats4 lower = corners[plane].z + right * (corners[plane].w - corners[plane].z);
        for (int row = 0; row < CELL; ++row) {
            const floats4 colors = upper + right[row] * (lower - upper);
            memcpy(planes[plane] + pixels + row * CELL, &colors, sizeof colors);
        }
    }
    return true;
}
