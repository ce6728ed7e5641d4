#include "CRasterizerScene.h"

#include <math.h>

static const float farthest = 1 << 20;
// Triangles nearer to the camera are left out; in the unit of camera coordinates.
static const float nearest = 0.05f;

// floorf, of which the oldest processors have no instruction.
static float rounded_down(float value) {
    if (!(fabsf(value) < 1 << 30)) return value;
    const float truncated = (float)(int32_t)value;
    return truncated > value ? truncated - 1 : truncated;
}

static float on_grid(float value) { return rounded_down(value * 256 + 0.5f) / 256; }

void crasterizer_see(
    const crasterizer_model_vertex *vertices, int32_t count, const crasterizer_view *view,
    crasterizer_scene_vertex *result) {
    const float *m = view->matrix;
    const float scale = sqrtf(m[0] * m[0] + m[4] * m[4] + m[8] * m[8]);
    const float unit = scale > 0 ? 1 / scale : 0;
    const float volume = m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8])
        + m[2] * (m[4] * m[9] - m[5] * m[8]);
    // A mirror turns the bitangent, which is a cross product.
    const float hand = volume < 0 ? -1.0f : 1.0f;
    for (int32_t index = 0; index < count; ++index) {
        const crasterizer_model_vertex *from = &vertices[index];
        crasterizer_scene_vertex *to = &result[index];
        const float *p = from->position, *n = from->normal, *t = from->tangent;
        const float distance = -(m[8] * p[0] + m[9] * p[1] + m[10] * p[2] + m[11]);
        to->nearness = distance > nearest ? 1 / distance : 0;
        const float size = view->focal_length * to->nearness;
        to->x = on_grid(view->center_x + size * (m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3]));
        to->y = on_grid(view->center_y + size * (m[4] * p[0] + m[5] * p[1] + m[6] * p[2] + m[7]));
        to->u = from->u;
        to->v = from->v;
        for (int row = 0; row < 3; ++row) {
            const float *axis = m + 4 * row;
            to->normal[row] = unit * (axis[0] * n[0] + axis[1] * n[1] + axis[2] * n[2]);
            to->tangent[row] = unit * (axis[0] * t[0] + axis[1] * t[1] + axis[2] * t[2]);
        }
        to->tangent[3] = hand * t[3];
        for (int i = 0; i < 4; ++i) to->color[i] = from->color[i];
    }
}

static float lesser(float a, float b) { return a < b ? a : b; }
static float larger(float a, float b) { return a > b ? a : b; }
static float least(float a, float b, float c) { return lesser(a, lesser(b, c)); }
static float greatest(float a, float b, float c) { return larger(a, larger(b, c)); }
static int32_t limited(float value) { return (int32_t)larger(-farthest, lesser(farthest, value)); }

static bool is_seen(const crasterizer_scene_vertex *vertex) {
    // False for NaN, too.
    return vertex->nearness > 0 && fabsf(vertex->x) < farthest && fabsf(vertex->y) < farthest;
}

void crasterizer_add_triangles(
    crasterizer_scene_room *room, const crasterizer_scene_vertex *vertices, const uint32_t *indices, int32_t count,
    int32_t first, int32_t material, bool draws_both_sides, crasterizer_bounds bounds) {
    for (int32_t index = 0; index < count; ++index) {
        crasterizer_scene_triangle triangle = {.material = material};
        for (int i = 0; i < 3; ++i) triangle.corners[i] = first + (int32_t)indices[3 * index + i];
        const crasterizer_scene_vertex *a = &vertices[triangle.corners[0]], *b = &vertices[triangle.corners[1]];
        const crasterizer_scene_vertex *c = &vertices[triangle.corners[2]];
        if (!is_seen(a) || !is_seen(b) || !is_seen(c)) continue;
        const float area = (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
        if (area == 0 || (area > 0 && !draws_both_sides)) continue;
        const int32_t left = limited(rounded_down(least(a->x, b->x, c->x)));
        const int32_t top = limited(rounded_down(least(a->y, b->y, c->y)));
        const int32_t right = limited(-rounded_down(-greatest(a->x, b->x, c->x)));
        const int32_t bottom = limited(-rounded_down(-greatest(a->y, b->y, c->y)));
        if (left >= bounds.right || top >= bounds.bottom || right <= bounds.left || bottom <= bounds.top) continue;
        triangle.faces_away = area > 0;
        if (area < 0) {
            const int32_t second = triangle.corners[1];
            triangle.corners[1] = triangle.corners[2];
            triangle.corners[2] = second;
        }
        const float on_texture = (b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u);
        triangle.texture_density = fabsf(on_texture / area);
        room->triangles[room->count] = triangle;
        room->lefts[room->count] = left;
        room->tops[room->count] = top;
        room->rights[room->count] = right;
        room->bottoms[room->count] = bottom;
        room->nearest[room->count] = greatest(a->nearness, b->nearness, c->nearness);
        ++room->count;
    }
}

enum { GROUP = 16, NEARNESS_STEPS = 256 };

static float nearest_of_group(const float *nearest) {
    float result = nearest[0];
    for (int i = 1; i < GROUP; ++i) result = larger(result, nearest[i]);
    return result;
}

// Sorts groups by counting those of each step of nearness.
static void order_groups(crasterizer_scene_room *room) {
    const int32_t count = (room->count + GROUP - 1) / GROUP;
    float low = INFINITY, high = 0;
    for (int32_t group = 0; group < count; ++group) {
        const float nearness = nearest_of_group(room->nearest + GROUP * group);
        low = lesser(low, nearness);
        high = larger(high, nearness);
    }
    const float scale = high > low ? (NEARNESS_STEPS - 1) / (high - low) : 0;
    int32_t places[NEARNESS_STEPS + 1] = {0};
    for (int32_t group = 0; group < count; ++group) {
        ++places[1 + (int)((high - nearest_of_group(room->nearest + GROUP * group)) * scale)];
    }
    for (int step = 1; step <= NEARNESS_STEPS; ++step) places[step] += places[step - 1];
    for (int32_t group = 0; group < count; ++group) {
        const int step = (int)((high - nearest_of_group(room->nearest + GROUP * group)) * scale);
        room->order[places[step]++] = group;
    }
}

static int32_t least_of(const int32_t *values) {
    int32_t result = values[0];
    for (int i = 1; i < GROUP; ++i) result = values[i] < result ? values[i] : result;
    return result;
}

static int32_t greatest_of(const int32_t *values) {
    int32_t result = values[0];
    for (int i = 1; i < GROUP; ++i) result = values[i] > result ? values[i] : result;
    return result;
}

static void bound_groups(crasterizer_scene_room *room) {
    const int32_t count = (room->count + GROUP - 1) / GROUP;
    int32_t index = 0;
    for (; index < count; ++index) {
        const int32_t first = GROUP * room->order[index];
        room->group_lefts[index] = least_of(room->lefts + first);
        room->group_tops[index] = least_of(room->tops + first);
        room->group_rights[index] = greatest_of(room->rights + first);
        room->group_bottoms[index] = greatest_of(room->bottoms + first);
    }
    for (; index % GROUP != 0; ++index) {
        room->group_lefts[index] = room->group_tops[index] = INT32_MAX;
        room->group_rights[index] = room->group_bottoms[index] = INT32_MIN;
    }
}

void crasterizer_end_triangles(crasterizer_scene_room *room) {
    for (int32_t index = room->count; index % GROUP != 0; ++index) {
        room->lefts[index] = room->tops[index] = INT32_MAX;
        room->rights[index] = room->bottoms[index] = INT32_MIN;
        room->nearest[index] = 0;
    }
    order_groups(room);
    bound_groups(room);
}
