// What surfaces of a scene look like: interpolation, textures and light. Included by kernel.h.

// Where surfaces are shaded, and what they are there; one lane each.
typedef struct surface_points {
    int32_t count;
    int32_t triangles[BLOCK * 2 * SAMPLES];
    float x[BLOCK * 2 * SAMPLES], y[BLOCK * 2 * SAMPLES];  // pixels of the picture
    // Results: sRGB-encoded, premultiplied.
    _Alignas(64) float red[BLOCK * 2 * SAMPLES], green[BLOCK * 2 * SAMPLES], blue[BLOCK * 2 * SAMPLES];
    _Alignas(64) float alpha[BLOCK * 2 * SAMPLES];
} surface_points;

// The weights of a triangle's corners at a place of the picture, with perspective.
INLINE void corner_weights(const crasterizer_scene_vertex *const c[3], float x, float y, float weights[3]) {
    for (int i = 0; i < 3; ++i) {
        const crasterizer_scene_vertex *a = c[(i + 1) % 3], *b = c[(i + 2) % 3];
        const float area = (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
        weights[i] = (area > 0 ? area : 0) * c[i]->nearness;
    }
    const float sum = weights[0] + weights[1] + weights[2];
    const float scale = sum > 0 ? 1 / sum : 0;
    for (int i = 0; i < 3; ++i) weights[i] = sum > 0 ? weights[i] * scale : 1.0f / 3;
}

// A row or column of a texture for a place in texels.
INLINE int32_t wrapped(int32_t place, int32_t size, int32_t mode) {
    if (mode == 1) return place < 0 ? 0 : (place >= size ? size - 1 : place);
    const int32_t period = mode == 2 ? 2 * size : size;
    int32_t rest = place % period;
    if (rest < 0) rest += period;
    return rest < size ? rest : 2 * size - 1 - rest;
}

// RGBA of 0…1 between the four nearest texels, of the level that fits the density for a whole triangle.
INLINE floats4 textured(const crasterizer_scene_texture *texture, float u, float v, float density) {
    const crasterizer_texture *level = texture->levels;
    float rest = density * (float)level->width * (float)level->height;
    for (int32_t index = 1; index < texture->level_count && rest > 2.25f; ++index) {
        rest *= 0.25f;
        level = &texture->levels[index];
    }
    // Far outside, integers would overflow; it is true for NaN, too.
    if (!(u > -4096.0f && u < 4096.0f)) u = 0;
    if (!(v > -4096.0f && v < 4096.0f)) v = 0;
    const float x = u * (float)level->width - 0.5f, y = v * (float)level->height - 0.5f;
    const float left = __builtin_floorf(x), top = __builtin_floorf(y);
    const float fx = x - left, fy = y - top;
    const int32_t x0 = wrapped((int32_t)left, level->width, texture->wrap_u);
    const int32_t x1 = wrapped((int32_t)left + 1, level->width, texture->wrap_u);
    const int32_t y0 = wrapped((int32_t)top, level->height, texture->wrap_v);
    const int32_t y1 = wrapped((int32_t)top + 1, level->height, texture->wrap_v);
    typedef uint8_t bytes4 __attribute__((ext_vector_type(4)));
    const uint8_t *rows[2] = {
        (const uint8_t *)level->texels + 4 * (size_t)y0 * (size_t)level->texels_per_row,
        (const uint8_t *)level->texels + 4 * (size_t)y1 * (size_t)level->texels_per_row};
    floats4 mixed[2];
    for (int row = 0; row < 2; ++row) {
        bytes4 a, b;
        memcpy(&a, rows[row] + 4 * x0, sizeof a);
        memcpy(&b, rows[row] + 4 * x1, sizeof b);
        const floats4 from = __builtin_convertvector(a, floats4), to = __builtin_convertvector(b, floats4);
        mixed[row] = from + fx * (to - from);
    }
    return (mixed[0] + fy * (mixed[1] - mixed[0])) * (1.0f / 255);
}

static float alpha_at(const crasterizer_scene *scene, const crasterizer_scene_triangle *triangle, float x, float y) {
    const crasterizer_material *material = &scene->materials[triangle->material];
    const crasterizer_scene_vertex *c[3];
    for (int i = 0; i < 3; ++i) c[i] = &scene->vertices[triangle->corners[i]];
    float w[3];
    corner_weights(c, x, y, w);
    float alpha = material->base_color[3] * (w[0] * c[0]->color[3] + w[1] * c[1]->color[3] + w[2] * c[2]->color[3]);
    if (material->base_color_texture.level_count > 0) {
        const float u = w[0] * c[0]->u + w[1] * c[1]->u + w[2] * c[2]->u;
        const float v = w[0] * c[0]->v + w[1] * c[1]->v + w[2] * c[2]->v;
        alpha *= textured(&material->base_color_texture, u, v, triangle->texture_density).w;
    }
    return alpha;
}

// A surface at 16 places, one value per lane.
typedef struct surface_lanes {
    _Alignas(64) float normal[3][LANES], view[2][LANES], base[4][LANES], emissive[3][LANES];
    _Alignas(64) float metallic[LANES], roughness[LANES], occlusion[LANES], blends[LANES];
} surface_lanes;

// sRGB to linear: a polynomial that is at most 0.002 off.
INLINE float linear_component(float x) { return x * (x * (x * 0.305306011f + 0.682171111f) + 0.012522878f); }

INLINE void set_colors(
    const crasterizer_material *material, float u, float v, float density, const float color[4], int lane,
    surface_lanes *lanes) {
    floats4 texel = 1.0f;
    if (material->base_color_texture.level_count > 0) {
        texel = textured(&material->base_color_texture, u, v, density);
        for (int i = 0; i < 3; ++i) texel[i] = linear_component(texel[i]);
    }
    for (int i = 0; i < 4; ++i) lanes->base[i][lane] = material->base_color[i] * color[i] * texel[i];
    lanes->blends[lane] = material->blends ? 1.0f : 0.0f;
    floats4 surface = 1.0f;
    if (material->metallic_roughness_texture.level_count > 0) {
        surface = textured(&material->metallic_roughness_texture, u, v, density);
    }
    lanes->roughness[lane] = material->roughness * surface.y;
    lanes->metallic[lane] = material->metallic * surface.z;
    float occlusion = 1;
    if (material->occlusion_texture.level_count > 0) {
        const float red = textured(&material->occlusion_texture, u, v, density).x;
        occlusion += material->occlusion_strength * (red - 1);
    }
    lanes->occlusion[lane] = occlusion;
    floats4 light = 1.0f;
    if (material->emissive_texture.level_count > 0) {
        light = textured(&material->emissive_texture, u, v, density);
        for (int i = 0; i < 3; ++i) light[i] = linear_component(light[i]);
    }
    for (int i = 0; i < 3; ++i) lanes->emissive[i][lane] = material->emissive[i] * light[i];
}

// The normal that a normal texture bends, not of length 1.
INLINE void bend_normal(
    const crasterizer_material *material, floats4 texel, const float tangent[4], float normal[3]) {
    const float bx = tangent[3] * (normal[1] * tangent[2] - normal[2] * tangent[1]);
    const float by = tangent[3] * (normal[2] * tangent[0] - normal[0] * tangent[2]);
    const float bz = tangent[3] * (normal[0] * tangent[1] - normal[1] * tangent[0]);
    const float x = material->normal_scale * (2 * texel.x - 1), y = material->normal_scale * (2 * texel.y - 1);
    const float z = 2 * texel.z - 1;
    normal[0] = x * tangent[0] + y * bx + z * normal[0];
    normal[1] = x * tangent[1] + y * by + z * normal[1];
    normal[2] = x * tangent[2] + y * bz + z * normal[2];
}

INLINE void set_lane(
    const crasterizer_scene *scene, int32_t index, float x, float y, int lane, surface_lanes *lanes) {
    const crasterizer_scene_triangle *triangle = &scene->triangles[index];
    const crasterizer_material *material = &scene->materials[triangle->material];
    const crasterizer_scene_vertex *c[3];
    for (int i = 0; i < 3; ++i) c[i] = &scene->vertices[triangle->corners[i]];
    float w[3];
    corner_weights(c, x, y, w);
    float normal[3], color[4];
    const float side = triangle->faces_away ? -1.0f : 1.0f;
    for (int i = 0; i < 3; ++i) {
        normal[i] = side * (w[0] * c[0]->normal[i] + w[1] * c[1]->normal[i] + w[2] * c[2]->normal[i]);
    }
    for (int i = 0; i < 4; ++i) color[i] = w[0] * c[0]->color[i] + w[1] * c[1]->color[i] + w[2] * c[2]->color[i];
    const float u = w[0] * c[0]->u + w[1] * c[1]->u + w[2] * c[2]->u;
    const float v = w[0] * c[0]->v + w[1] * c[1]->v + w[2] * c[2]->v;
    if (material->normal_texture.level_count > 0) {
        float tangent[4];
        for (int i = 0; i < 4; ++i) {
            tangent[i] = w[0] * c[0]->tangent[i] + w[1] * c[1]->tangent[i] + w[2] * c[2]->tangent[i];
        }
        const floats4 texel = textured(&material->normal_texture, u, v, triangle->texture_density);
        bend_normal(material, texel, tangent, normal);
    }
    for (int i = 0; i < 3; ++i) lanes->normal[i][lane] = normal[i];
    lanes->view[0][lane] = (scene->center_x - x) / scene->focal_length;
    lanes->view[1][lane] = (scene->center_y - y) / scene->focal_length;
    set_colors(material, u, v, triangle->texture_density, color, lane, lanes);
}
