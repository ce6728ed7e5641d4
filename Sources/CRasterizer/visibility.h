// Which triangle of a scene is seen at each sample of a block of pixels. Included by kernel.h.
//
// Each pixel has four samples, at the places where Direct3D and most OpenGL drivers have them. A vector holds those of four
// neighbours in a row.

enum { BLOCK = 64, SAMPLES = 4, BLOCK_LANES = BLOCK * HEIGHT * SAMPLES };

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
} visible_samples;

// An edge of a triangle: what is on its inner side has values of at least 0. It is computed from the same corner by both
// triangles that share it, so that no sample between them is left out.
typedef struct scene_edge {
    float x, y, dx, dy;
} scene_edge;

INLINE scene_edge scene_edge_between(const crasterizer_scene_vertex *a, const crasterizer_scene_vertex *b, float left, float top) {
    const bool is_turned = b->y < a->y || (b->y == a->y && b->x < a->x);
    const crasterizer_scene_vertex *from = is_turned ? b : a, *to = is_turned ? a : b;
    const float sign = is_turned ? -1.0f : 1.0f;
    return (scene_edge){from->x - left, from->y - top, sign * (to->x - from->x), sign * (to->y - from->y)};
}

INLINE floats edge_value(scene_edge edge, floats x, floats y) {
    return edge.dx * (y - edge.y) - edge.dy * (x - edge.x);
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

static float alpha_at(const crasterizer_scene *scene, const crasterizer_scene_triangle *triangle, float x, float y);

// Takes out pixels that a mask's alpha leaves open.
INLINE ints without_open_pixels(
    const crasterizer_scene *scene, const crasterizer_scene_triangle *triangle, ints is_seen, float x, float y) {
    const float cutoff = scene->materials[triangle->material].cutoff;
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
        if (alpha_at(scene, triangle, x + (float)pixel + px * share, y + py * share) >= cutoff) continue;
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
    for (int32_t row = first_row; row < end_row; ++row) {
        const floats y = lane_y() + (float)row;
        for (int32_t column = from; column < to; column += LANES / SAMPLES) {
            const floats x = lane_x() + (float)column;
            ints is_seen = edge_value(first, x, y) >= 0.0f & edge_value(second, x, y) >= 0.0f
                & edge_value(third, x, y) >= 0.0f;
            if (!__builtin_reduce_or(is_seen)) continue;
            floats nearness = plane.start + plane.across * x + plane.down * y;
            nearness = greatest(least(nearness, plane.high), plane.low);
            const int32_t place = (row * BLOCK + column) * SAMPLES;
            floats old_nearness;
            ints old_triangles;
            memcpy(&old_nearness, samples->nearness + place, sizeof old_nearness);
            memcpy(&old_triangles, samples->triangles + place, sizeof old_triangles);
            is_seen &= nearness > old_nearness;
            if (!__builtin_reduce_or(is_seen)) continue;
            if (is_masked) {
                is_seen = without_open_pixels(scene, triangle, is_seen, x0 + (float)column, y0 + (float)row);
            }
            const floats new_nearness = is_seen ? nearness : old_nearness;
            const ints new_triangles = is_seen ? (ints)value : old_triangles;
            memcpy(samples->nearness + place, &new_nearness, sizeof new_nearness);
            memcpy(samples->triangles + place, &new_triangles, sizeof new_triangles);
        }
    }
}

// Sees triangles from `first` to before `end`.
// - Returns: whether there were any.
static bool see_triangles(
    const crasterizer_scene *scene, int32_t first, int32_t end, int32_t left, int32_t top, visible_samples *samples) {
    bool found = false;
    for (int32_t block = first & ~(LANES - 1); block < end; block += LANES) {
        ints lefts, tops, rights, bottoms;
        memcpy(&tops, scene->tops + block, sizeof tops);
        memcpy(&bottoms, scene->bottoms + block, sizeof bottoms);
        memcpy(&lefts, scene->lefts + block, sizeof lefts);
        memcpy(&rights, scene->rights + block, sizeof rights);
        const ints is_here = tops < top + HEIGHT & bottoms > top & lefts < left + BLOCK & rights > left;
        if (!__builtin_reduce_or(is_here)) continue;
        for (int32_t lane = 0; lane < LANES; ++lane) {
            if (!is_here[lane] || block + lane < first || block + lane >= end) continue;
            see_triangle(scene, block + lane, left, top, samples);
            found = true;
        }
    }
    return found;
}
