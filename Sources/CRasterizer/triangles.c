#include <math.h>

#include "CRasterizer.h"

// Corners are moved to a grid of this many places per pixel, as by OpenGL: two triangles that share an edge cover every
// pixel along it exactly once.
static const float grid = 256;
static const float farthest = 1 << 20;

typedef struct corner {
    float x, y;
} corner;

static bool snap(const crasterizer_vertex *vertex, corner *result) {
    // False for NaN, too.
    if (!(fabsf(vertex->x) < farthest && fabsf(vertex->y) < farthest)) return false;
    *result = (corner){rintf(vertex->x * grid) / grid, rintf(vertex->y * grid) / grid};
    return true;
}

// The same from both ends, so that neighbours agree.
static crasterizer_edge edge_between(corner a, corner b) {
    if (b.y < a.y) {
        const corner other = a;
        a = b;
        b = other;
    }
    return (crasterizer_edge){a.x - 0.5f, a.y, (b.x - a.x) / (b.y - a.y)};
}

// Two left and two right edges; where there is one, it is repeated.
static void set_edges(const corner corners[3], crasterizer_edge edges[4]) {
    int left = 0, right = 0;
    for (int i = 0; i < 3; ++i) {
        const corner a = corners[i], b = corners[(i + 1) % 3];
        // Clockwise in the picture: what goes up is on the left.
        if (b.y < a.y) edges[left++] = edge_between(a, b);
        else if (b.y > a.y) edges[2 + right++] = edge_between(a, b);
    }
    if (left == 1) edges[1] = edges[0];
    if (right == 1) edges[3] = edges[2];
}

static float least3(float a, float b, float c) { return fminf(a, fminf(b, c)); }
static float greatest3(float a, float b, float c) { return fmaxf(a, fmaxf(b, c)); }

// The first row or column whose centre is not before a place.
static int32_t first_center(float place) { return (int32_t)ceilf(place - 0.5f); }

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }
static int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }

static float double_area(const corner c[3]) {
    return (c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[1].y - c[0].y) * (c[2].x - c[0].x);
}

static bool prepare(
    const crasterizer_vertex *vertices[3], const crasterizer_layer *layer, bool draws_both_sides,
    crasterizer_triangle *triangle) {
    corner c[3];
    for (int i = 0; i < 3; ++i) {
        if (!snap(vertices[i], &c[i])) return false;
    }
    if (draws_both_sides && double_area(c) < 0) {
        const crasterizer_vertex *second = vertices[1];
        vertices[1] = vertices[2];
        vertices[2] = second;
        return prepare(vertices, layer, false, triangle);
    }
    const float area = double_area(c);
    if (!(area > 0)) return false;
    triangle->left = larger(layer->left, first_center(least3(c[0].x, c[1].x, c[2].x)));
    triangle->top = larger(layer->top, first_center(least3(c[0].y, c[1].y, c[2].y)));
    triangle->right = smaller(layer->right, first_center(greatest3(c[0].x, c[1].x, c[2].x)));
    triangle->bottom = smaller(layer->bottom, first_center(greatest3(c[0].y, c[1].y, c[2].y)));
    if (triangle->left >= triangle->right || triangle->top >= triangle->bottom) return false;
    set_edges(c, triangle->edges);
    triangle->x = c[0].x;
    triangle->y = c[0].y;
    const float abx = c[1].x - c[0].x, aby = c[1].y - c[0].y, acx = c[2].x - c[0].x, acy = c[2].y - c[0].y;
    const float scale = 1 / area;
    for (int i = 0; i < layer->value_count; ++i) {
        const float start = vertices[0]->values[i];
        const float ab = vertices[1]->values[i] - start, ac = vertices[2]->values[i] - start;
        triangle->start[i] = start;
        triangle->across[i] = (ab * acy - ac * aby) * scale;
        triangle->down[i] = (ac * abx - ab * acx) * scale;
    }
    return true;
}

void crasterizer_prepare(
    const crasterizer_vertex *vertices, const int32_t *indices, int32_t count, bool draws_both_sides,
    crasterizer_triangle *triangles, int32_t *rows, crasterizer_layer *layer) {
    int32_t *tops = rows, *bottoms = rows + (count + 15) / 16 * 16;
    int32_t prepared = 0;
    for (int32_t index = 0; index < count; ++index) {
        const crasterizer_vertex *corners[3] = {
            &vertices[indices[3 * index]], &vertices[indices[3 * index + 1]], &vertices[indices[3 * index + 2]]};
        if (!prepare(corners, layer, draws_both_sides, &triangles[prepared])) continue;
        tops[prepared] = triangles[prepared].top;
        bottoms[prepared] = triangles[prepared].bottom;
        ++prepared;
    }
    for (int32_t index = prepared; index % 16 != 0; ++index) tops[index] = bottoms[index] = INT32_MAX;
    layer->triangles = triangles;
    layer->tops = tops;
    layer->bottoms = bottoms;
    layer->triangle_count = prepared;
}
