// Which triangle of a scene is seen at each sample of a block of pixels. Included by kernel.h.
//
// Each pixel has four samples, at the places where Direct3D and most OpenGL drivers have them. A vector holds those of four
// neighbours in a row.

enum { BLOCK = 32, SAMPLES = 4, BLOCK_LANES = BLOCK * HEIGHT * SAMPLES };

static const float sample_x[SAMPLES] = {0.375f, 0.875f, 0.125f, 0.625f};
static const float sample_y[SAMPLES] = {0.125f, 0.375f, 0.625f, 0.875f};

INLINE floats lane_x(void) {
    return (floats){0.375f, 0.875f, 0.125f, 0.625f, 1.375f, 1.875f, 1.125f, 1.625f,
                    2.375f, 2.875f, 2.125f, 2.625f, 3.375f, 3.875f, 3.125f, 3.625f};
}

INLINE floats lane_y(void) {
    return (floats){0.125f, 0.375f, 0.625f, 0.875f, 0.125f, 0.375f, 0.625f, 0.875f,
                    0.125f, 0.375f, 0.625f, 0.875f, 0.125f, 0.375f, 0.625f, 0.875f};
}

// The nearest surface at each sample.
typedef struct visible_samples {
    _Alignas(64) float nearness[BLOCK_LANES];
    _Alignas(64) int32_t triangles[BLOCK_LANES];  // counted from 1; 0: none, or what only hides
    // The least nearness of each vector, or less: what is farther away is not seen there.
    float least_nearness[BLOCK_LANES / LANES];
    // The least of those in all rows.
    float least_of_columns[BLOCK * SAMPLES / LANES];
} visible_samples;

static void update_columns(visible_samples *samples) {
    typedef float row_of_vectors __attribute__((ext_vector_type(BLOCK * SAMPLES / LANES)));
    row_of_vectors least;
    memcpy(&least, samples->least_nearness, sizeof least);
    for (int32_t row = 1; row < HEIGHT; ++row) {
        row_of_vectors other;
        memcpy(&other, samples->least_nearness + row * BLOCK * SAMPLES / LANES, sizeof other);
        least = other < least ? other : least;
    }
    memcpy(samples->least_of_columns, &least, sizeof least);
}

// Whether a triangle of a scene lies behind everything in its columns of a block.
INLINE bool is_behind(
    const crasterizer_scene *scene, int32_t index, int32_t left, const visible_samples *samples) {
    enum { WIDTH_OF_VECTOR = LANES / SAMPLES };
    const int32_t from = scene->lefts[index] > left ? scene->lefts[index] - left : 0;
    const int32_t to = scene->rights[index] - left < BLOCK ? scene->rights[index] - left : BLOCK;
    for (int32_t column = from / WIDTH_OF_VECTOR; column * WIDTH_OF_VECTOR < to; ++column) {
        if (scene->nearest[index] > samples->least_of_columns[column]) return false;
    }
    return true;
}

// An edge of a triangle: what is on its inner side has values dx · (v − y) − dy · (u − x) of at least 0 at (u, v). They are
// computed from the same corner by both triangles that share the edge, so that no sample between them is left out.
typedef struct scene_edge {
    float x, y, dx, dy;
} scene_edge;

INLINE scene_edge scene_edge_between(
    const crasterizer_scene_vertex *a, const crasterizer_scene_vertex *b, float left, float top) {
    const bool is_turned = b->y < a->y || (b->y == a->y && b->x < a->x);
    const crasterizer_scene_vertex *from = is_turned ? b : a, *to = is_turned ? a : b;
    const float sign = is_turned ? -1.0f : 1.0f;
    return (scene_edge){from->x - left, from->y - top, sign * (to->x - from->x), sign * (to->y - from->y)};
}

// Of rows of a block: from which column to which one an edge lets samples be inside.
typedef struct row_limits {
    floats low, high;
} row_limits;

// Samples that rounding puts inside are at most so many columns outside of an edge.
static const float edge_margin = 0.5f;
// Farther away, rounding may be larger, and an edge sets no limit.
static const float farthest_edge = 1 << 15;

INLINE void limit_rows(const scene_edge *edge, row_limits *limits) {
    if (edge->dy == 0) return;
    if (!(__builtin_fabsf(edge->x) < farthest_edge && __builtin_fabsf(edge->y) < farthest_edge)) return;
    const float slope = edge->dx / edge->dy;
    const floats crossings = edge->x + slope * (lane_numbers() + (0.5f - edge->y));
    const float margin = __builtin_fabsf(slope) * 0.375f + edge_margin;
    if (edge->dy > 0) limits->high = least(limits->high, crossings + margin);
    else limits->low = greatest(limits->low, crossings - margin);
}

// A quantity that is linear in the picture: start + across · x + down · y, in a block.
typedef struct scene_plane {
    float start, across, down, low, high;
} scene_plane;

INLINE scene_plane nearness_plane(const crasterizer_scene_vertex *const c[3], float left, float top) {
    const float abx = c[1]->x - c[0]->x, aby = c[1]->y - c[0]->y, acx = c[2]->x - c[0]->x, acy = c[2]->y - c[0]->y;
    const float ab = c[1]->nearness - c[0]->nearness, ac = c[2]->nearness - c[0]->nearness;
    const float scale = 1.0f / (abx * acy - aby * acx);
    scene_plane plane;
    plane.across = (ab * acy - ac * aby) * scale;
    plane.down = (ac * abx - ab * acx) * scale;
    plane.start = c[0]->nearness - plane.across * (c[0]->x - left) - plane.down * (c[0]->y - top);
    plane.low = ab < 0 ? (ac < ab ? c[2]->nearness : c[1]->nearness) : (ac < 0 ? c[2]->nearness : c[0]->nearness);
    plane.high = ab > 0 ? (ac > ab ? c[2]->nearness : c[1]->nearness) : (ac > 0 ? c[2]->nearness : c[0]->nearness);
    return plane;
}

// Of values that are not negative: their bits are in the same order, and integers need not be asked whether they are numbers.
INLINE float least_of(floats values) {
    const int32_t bits = __builtin_reduce_min((ints)values);
    float result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

static float alpha_at(const surface_triangle *surface, float x, float y);

// Takes out pixels that a mask's alpha leaves open.
INLINE ints without_open_pixels(
    const crasterizer_scene *scene, int32_t index, ints is_seen, float x, float y) {
    const surface_triangle surface = surface_triangle_of(scene, index);
    for (int pixel = 0; pixel < LANES / SAMPLES; ++pixel) {
        // At the middle of the samples that are covered, as for shading.
        float px = 0, py = 0;
        int count = 0;
        for (int sample = 0; sample < SAMPLES; ++sample) {
            if (!is_seen[pixel * SAMPLES + sample]) continue;
            px += sample_x[sample];
            py += sample_y[sample];
            ++count;
        }
        if (count == 0) continue;
        const float share = 1.0f / (float)count;
        if (alpha_at(&surface, x + (float)pixel + px * share, y + py * share) >= surface.material->cutoff) continue;
        for (int sample = 0; sample < SAMPLES; ++sample) is_seen[pixel * SAMPLES + sample] = 0;
    }
    return is_seen;
}

static void see_triangle(
    const crasterizer_scene *scene, int32_t index, int32_t left, int32_t top, visible_samples *samples) {
    const crasterizer_scene_triangle *triangle = &scene->triangles[index];
    const crasterizer_scene_vertex *c[3];
    for (int i = 0; i < 3; ++i) c[i] = &scene->vertices[triangle->corners[i]];
    const float x0 = (float)left, y0 = (float)top;
    const scene_edge first = scene_edge_between(c[0], c[1], x0, y0), second = scene_edge_between(c[1], c[2], x0, y0);
    const scene_edge third = scene_edge_between(c[2], c[0], x0, y0);
    const scene_plane plane = nearness_plane(c, x0, y0);
    const bool is_masked = triangle->material >= 0 && scene->materials[triangle->material].cutoff >= 0;
    const int32_t from = (scene->lefts[index] > left ? scene->lefts[index] - left : 0) & ~3;
    const int32_t to = scene->rights[index] - left < BLOCK ? scene->rights[index] - left : BLOCK;
    const int32_t first_row = scene->tops[index] > top ? scene->tops[index] - top : 0;
    const int32_t end_row = scene->bottoms[index] - top < HEIGHT ? scene->bottoms[index] - top : HEIGHT;
    const int32_t value = triangle->material >= 0 ? index + 1 : 0;
    const int32_t group_count = (to - from + LANES / SAMPLES - 1) / (LANES / SAMPLES);
    // What edges and nearness have in common in each column.
    floats columns[4][BLOCK * SAMPLES / LANES];
    for (int32_t group = 0; group < group_count; ++group) {
        const floats x = lane_x() + (float)(from + group * (LANES / SAMPLES));
        columns[0][group] = first.dy * (x - first.x);
        columns[1][group] = second.dy * (x - second.x);
        columns[2][group] = third.dy * (x - third.x);
        columns[3][group] = plane.across * x;
    }
    _Alignas(64) int32_t first_groups[HEIGHT], end_groups[HEIGHT];
    ints first_group = 0, end_group = group_count;
    // Of a narrow triangle, asking the edges takes longer than it saves.
    if (group_count > 2) {
        row_limits limits = {(float)from, (float)to};
        limit_rows(&first, &limits);
        limit_rows(&second, &limits);
        limit_rows(&third, &limits);
        const floats low = least(limits.low, (float)to), high = greatest(limits.high, (float)from);
        first_group = (__builtin_convertvector(low, ints) - from) / (LANES / SAMPLES);
        end_group = (rounded_up(high) - from + (LANES / SAMPLES - 1)) / (LANES / SAMPLES);
    }
    memcpy(first_groups, &first_group, sizeof first_groups);
    memcpy(end_groups, &end_group, sizeof end_groups);
    for (int32_t row = first_row; row < end_row; ++row) {
        if (first_groups[row] >= end_groups[row]) continue;
        const floats y = lane_y() + (float)row;
        const floats first_part = first.dx * (y - first.y), second_part = second.dx * (y - second.y);
        const floats third_part = third.dx * (y - third.y), nearness_part = plane.start + plane.down * y;
        for (int32_t group = first_groups[row]; group < end_groups[row]; ++group) {
            float *least_nearness = &samples->least_nearness[(row * BLOCK + from) * SAMPLES / LANES + group];
            if (plane.high <= *least_nearness) continue;
            const floats inside = least(
                least(first_part - columns[0][group], second_part - columns[1][group]), third_part - columns[2][group]);
            ints is_seen = inside >= 0.0f;
            if (!__builtin_reduce_or(is_seen)) continue;
            const int32_t column = from + group * (LANES / SAMPLES);
            const floats nearness = greatest(least(nearness_part + columns[3][group], plane.high), plane.low);
            const int32_t place = (row * BLOCK + column) * SAMPLES;
            floats old_nearness;
            ints old_triangles;
            memcpy(&old_nearness, samples->nearness + place, sizeof old_nearness);
            memcpy(&old_triangles, samples->triangles + place, sizeof old_triangles);
            is_seen &= nearness > old_nearness;
            if (!__builtin_reduce_or(is_seen)) continue;
            if (is_masked) {
                is_seen = without_open_pixels(scene, index, is_seen, x0 + (float)column, y0 + (float)row);
            }
            const floats new_nearness = is_seen ? nearness : old_nearness;
            const ints new_triangles = is_seen ? (ints)value : old_triangles;
            memcpy(samples->nearness + place, &new_nearness, sizeof new_nearness);
            memcpy(samples->triangles + place, &new_triangles, sizeof new_triangles);
            *least_nearness = least_of(new_nearness);
        }
    }
}

// A bit for each lane that is not 0.
INLINE uint32_t lane_bits16(ints lanes) {
    typedef bool lane_mask __attribute__((ext_vector_type(LANES)));
    const lane_mask mask = __builtin_convertvector(lanes, lane_mask);
    uint16_t bits;
    memcpy(&bits, &mask, sizeof bits);
    return bits;
}

// Where triangles of a tile are in the scene's lists: 16 that follow each other, some of which touch the tile. About the
// nearest come first, so that most of what others hide is found to be hidden.
typedef struct triangle_groups {
    int32_t count;
    bool are_all;  // there were too many to list them: `count` is that of the whole scene
    _Alignas(64) int32_t first[4096];
    // The columns that each group may touch; up to the next multiple of 16, the rest touches none.
    _Alignas(64) int32_t lefts[4096], rights[4096];
} triangle_groups;

typedef struct scene_area {
    int32_t left, top, right, bottom;
} scene_area;

INLINE ints touches_area(
    const int32_t *all_lefts, const int32_t *all_tops, const int32_t *all_rights, const int32_t *all_bottoms,
    scene_area area) {
    ints lefts, tops, rights, bottoms;
    memcpy(&tops, all_tops, sizeof tops);
    memcpy(&bottoms, all_bottoms, sizeof bottoms);
    memcpy(&lefts, all_lefts, sizeof lefts);
    memcpy(&rights, all_rights, sizeof rights);
    return tops < area.bottom & bottoms > area.top & lefts < area.right & rights > area.left;
}

INLINE ints touches(const crasterizer_scene *scene, int32_t first, scene_area area) {
    return touches_area(
        scene->lefts + first, scene->tops + first, scene->rights + first, scene->bottoms + first, area);
}

// Finds the triangles of a tile, so that its blocks need not look at all of the scene.
static void find_groups(const crasterizer_scene *scene, scene_area area, triangle_groups *groups) {
    const int32_t most = sizeof groups->first / sizeof groups->first[0];
    const int32_t count = (scene->triangle_count + LANES - 1) / LANES;
    groups->count = 0;
    groups->are_all = false;
    for (int32_t start = 0; start < count; start += LANES) {
        uint32_t here = lane_bits16(
            touches_area(
                scene->group_lefts + start, scene->group_tops + start, scene->group_rights + start,
                scene->group_bottoms + start, area));
        for (; here != 0; here &= here - 1) {
            const int32_t index = start + __builtin_ctz(here), first = scene->order[index] * LANES;
            if (!__builtin_reduce_or(touches(scene, first, area))) continue;
            if (groups->count == most) {
                groups->count = count;
                groups->are_all = true;
                return;
            }
            groups->first[groups->count] = first;
            groups->lefts[groups->count] = scene->group_lefts[index];
            groups->rights[groups->count] = scene->group_rights[index];
            ++groups->count;
        }
    }
    for (int32_t index = groups->count; index % LANES != 0; ++index) {
        groups->lefts[index] = INT32_MAX;
        groups->rights[index] = INT32_MIN;
    }
}

// Sees those of 16 triangles, from `group` on, that are in a range and touch a block.
// - Returns: whether there were any.
INLINE bool see_group(
    const crasterizer_scene *scene, int32_t group, int32_t first, int32_t end, scene_area block,
    visible_samples *samples) {
    uint32_t here = lane_bits16(touches(scene, group, block));
    if (group < first) here &= ~0u << (first - group);
    if (group + LANES > end) here &= (1u << (end - group)) - 1;
    if (here == 0) return false;
    bool is_changed = false;
    for (; here != 0; here &= here - 1) {
        const int32_t index = group + __builtin_ctz(here);
        if (is_behind(scene, index, block.left, samples)) continue;
        see_triangle(scene, index, block.left, block.top, samples);
        is_changed = true;
    }
    if (is_changed) update_columns(samples);
    return true;
}

// The list's entry: the first of 16 triangles.
INLINE int32_t group_at(const crasterizer_scene *scene, const triangle_groups *groups, int32_t index) {
    return groups->are_all ? scene->order[index] * LANES : groups->first[index];
}

// A bit for each of 16 groups of the list, from `start` on, that may touch the columns of a block.
INLINE uint32_t groups_in_columns(
    const crasterizer_scene *scene, const triangle_groups *groups, int32_t start, scene_area block) {
    ints lefts, rights;
    memcpy(&lefts, (groups->are_all ? scene->group_lefts : groups->lefts) + start, sizeof lefts);
    memcpy(&rights, (groups->are_all ? scene->group_rights : groups->rights) + start, sizeof rights);
    return lane_bits16(lefts < block.right & rights > block.left);
}

// Whether a triangle that can be seen touches a block.
static bool is_touched(const crasterizer_scene *scene, const triangle_groups *groups, scene_area block) {
    for (int32_t start = 0; start < groups->count; start += LANES) {
        for (uint32_t here = groups_in_columns(scene, groups, start, block); here != 0; here &= here - 1) {
            const int32_t group = group_at(scene, groups, start + __builtin_ctz(here));
            if (group + LANES > scene->hider_count && __builtin_reduce_or(touches(scene, group, block))) return true;
        }
    }
    return false;
}

// Sees triangles from `first` to before `end`.
// - Returns: whether there were any.
static bool see_triangles(
    const crasterizer_scene *scene, const triangle_groups *groups, int32_t first, int32_t end, int32_t left,
    int32_t top, visible_samples *samples) {
    const scene_area block = {left, top, left + BLOCK, top + HEIGHT};
    bool found = false;
    for (int32_t start = 0; start < groups->count; start += LANES) {
        for (uint32_t here = groups_in_columns(scene, groups, start, block); here != 0; here &= here - 1) {
            const int32_t group = group_at(scene, groups, start + __builtin_ctz(here));
            if (group + LANES <= first || group >= end) continue;
            found |= see_group(scene, group, first, end, block, samples);
        }
    }
    return found;
}
