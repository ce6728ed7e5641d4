#include <math.h>

#include "CRasterizer.h"

// Corners are moved to a grid of this many places per pixel, as by OpenGL: two triangles that share an edge cover every
// pixel along it exactly once.
enum { GRID_BITS = 8, GRID = 1 << GRID_BITS };
static const float farthest = 1 << 20;

typedef struct corner {
    int32_t grid_x, grid_y;
    float x, y;
} corner;

static int32_t rounded(float value) { return (int32_t)(value + (value < 0 ? -0.5f : 0.5f)); }

static bool snap(const crasterizer_vertex *vertex, corner *result) {
    // False for NaN, too.
    if (!(fabsf(vertex->x) < farthest && fabsf(vertex->y) < farthest)) return false;
    result->grid_x = rounded(vertex->x * GRID);
    result->grid_y = rounded(vertex->y * GRID);
    result->x = (float)result->grid_x / GRID;
    result->y = (float)result->grid_y / GRID;
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

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }
static int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t least(int32_t a, int32_t b, int32_t c) { return smaller(a, smaller(b, c)); }
static int32_t greatest(int32_t a, int32_t b, int32_t c) { return larger(a, larger(b, c)); }

// The first row or column whose centre is not before a place on the grid.
static int32_t first_center(int32_t place) { return (place + GRID / 2 - 1) >> GRID_BITS; }

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
    triangle->left = larger(layer->left, first_center(least(c[0].grid_x, c[1].grid_x, c[2].grid_x)));
    triangle->top = larger(layer->top, first_center(least(c[0].grid_y, c[1].grid_y, c[2].grid_y)));
    triangle->right = smaller(layer->right, first_center(greatest(c[0].grid_x, c[1].grid_x, c[2].grid_x)));
    triangle->bottom = smaller(layer->bottom, first_center(greatest(c[0].grid_y, c[1].grid_y, c[2].grid_y)));
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
    const crasterizer_vertex *vertices, const int32_t *indices, const bool *has_no_edge, int32_t count,
    bool draws_both_sides, crasterizer_triangle *triangles, int32_t *rows, crasterizer_layer *layer) {
    int32_t *tops = rows, *bottoms = rows + (count + 15) / 16 * 16;
    int32_t prepared = 0;
    for (int32_t index = 0; index < count; ++index) {
        const crasterizer_vertex *corners[3] = {
            &vertices[indices[3 * index]], &vertices[indices[3 * index + 1]], &vertices[indices[3 * index + 2]]};
        if (!prepare(corners, layer, draws_both_sides, &triangles[prepared])) continue;
        if (has_no_edge && has_no_edge[index]) {
            triangles[prepared].start[5] = CRASTERIZER_NO_EDGE;
            triangles[prepared].across[5] = triangles[prepared].down[5] = 0;
        }
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
