// Triangles of a scene at places of the picture. Included by kernel.h.

// What is the same all over a triangle.
typedef struct surface_triangle {
    const crasterizer_scene_triangle *triangle;
    const crasterizer_material *material;
    const crasterizer_scene_vertex *corners[3];
    // Of the edge that is opposite to each corner: where it begins, and its direction.
    floats4 from_x, from_y, across, down;
    floats4 nearness;
} surface_triangle;

INLINE surface_triangle surface_triangle_of(const crasterizer_scene *scene, int32_t index) {
    surface_triangle result;
    result.triangle = &scene->triangles[index];
    result.material = &scene->materials[result.triangle->material];
    for (int i = 0; i < 3; ++i) result.corners[i] = &scene->vertices[result.triangle->corners[i]];
    const crasterizer_scene_vertex *a = result.corners[0], *b = result.corners[1], *c = result.corners[2];
    result.from_x = (floats4){b->x, c->x, a->x, 0};
    result.from_y = (floats4){b->y, c->y, a->y, 0};
    result.across = (floats4){c->x, a->x, b->x, 0} - result.from_x;
    result.down = (floats4){c->y, a->y, b->y, 0} - result.from_y;
    result.nearness = (floats4){a->nearness, b->nearness, c->nearness, 0};
    return result;
}

// The weights of a triangle's corners at a place of the picture, with perspective.
INLINE floats4 corner_weights(const surface_triangle *surface, float x, float y) {
    const floats4 areas = surface->across * (y - surface->from_y) - surface->down * (x - surface->from_x);
    const floats4 weights = (areas > 0.0f ? areas : 0.0f) * surface->nearness;
    const float sum = weights.x + weights.y + weights.z;
    return sum > 0 ? weights * (1 / sum) : (floats4)(1.0f / 3);
}

INLINE floats4 loaded4(const float *values) {
    floats4 result;
    memcpy(&result, values, sizeof result);
    return result;
}
