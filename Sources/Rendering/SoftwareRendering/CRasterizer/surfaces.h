// What surfaces of a scene look like: interpolation, textures and light. Included by kernel.h.

// Where surfaces are shaded, and what they are there; one lane each.
typedef struct surface_points {
    int32_t count;
    int32_t triangles[BLOCK * 2 * SAMPLES];
    _Alignas(64) float x[BLOCK * 2 * SAMPLES], y[BLOCK * 2 * SAMPLES];  // pixels of the picture
    // Results: sRGB-encoded, premultiplied.
    _Alignas(64) float red[BLOCK * 2 * SAMPLES], green[BLOCK * 2 * SAMPLES], blue[BLOCK * 2 * SAMPLES];
    _Alignas(64) float alpha[BLOCK * 2 * SAMPLES];
} surface_points;

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

static float alpha_at(const surface_triangle *surface, float x, float y) {
    const crasterizer_material *material = surface->material;
    const floats4 w = corner_weights(surface, x, y);
    const crasterizer_scene_vertex *const *c = surface->corners;
    float alpha = material->base_color[3] * (w.x * c[0]->color[3] + w.y * c[1]->color[3] + w.z * c[2]->color[3]);
    if (material->base_color_texture.level_count > 0) {
        const float u = w.x * c[0]->u + w.y * c[1]->u + w.z * c[2]->u;
        const float v = w.x * c[0]->v + w.y * c[1]->v + w.z * c[2]->v;
        alpha *= textured(&material->base_color_texture, u, v, surface->triangle->texture_density).w;
    }
    return alpha;
}

// A surface at 16 places, one value per lane.
typedef struct surface_lanes {
    _Alignas(64) float normal[3][LANES], base[4][LANES], emissive[3][LANES];
    _Alignas(64) float metallic[LANES], roughness[LANES], occlusion[LANES], blends[LANES];
} surface_lanes;

// sRGB to linear: a polynomial that is at most 0.002 off. Alpha stays as it is.
INLINE floats4 linear_color(floats4 x) {
    floats4 result = x * (x * (x * 0.305306011f + 0.682171111f) + 0.012522878f);
    result.w = x.w;
    return result;
}

INLINE void set_colors(
    const crasterizer_material *material, float u, float v, float density, floats4 color, int lane,
    surface_lanes *lanes) {
    floats4 base = loaded4(material->base_color) * color;
    if (material->base_color_texture.level_count > 0) {
        base *= linear_color(textured(&material->base_color_texture, u, v, density));
    }
    for (int i = 0; i < 4; ++i) lanes->base[i][lane] = base[i];
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
        light = linear_color(textured(&material->emissive_texture, u, v, density));
    }
    for (int i = 0; i < 3; ++i) lanes->emissive[i][lane] = material->emissive[i] * light[i];
}

// The normal that a normal texture bends, not of length 1.
INLINE floats4 bent_normal(
    const crasterizer_material *material, floats4 texel, floats4 tangent, floats4 normal) {
    const floats4 across = tangent.w * (normal.yzxw * tangent.zxyw - normal.zxyw * tangent.yzxw);
    const float x = material->normal_scale * (2 * texel.x - 1), y = material->normal_scale * (2 * texel.y - 1);
    return x * tangent + y * across + (2 * texel.z - 1) * normal;
}

INLINE void set_lane(const surface_triangle *surface, float x, float y, int lane, surface_lanes *lanes) {
    const crasterizer_material *material = surface->material;
    const crasterizer_scene_vertex *const *c = surface->corners;
    const floats4 w = corner_weights(surface, x, y);
    const float u = w.x * c[0]->u + w.y * c[1]->u + w.z * c[2]->u;
    // v comes before the normal.
    const floats4 direction = between_corners(surface, w, offsetof(crasterizer_scene_vertex, v));
    floats4 normal = direction.yzwx * (surface->triangle->faces_away ? -1.0f : 1.0f);
    const float density = surface->triangle->texture_density;
    if (material->normal_texture.level_count > 0) {
        const floats4 tangent = between_corners(surface, w, offsetof(crasterizer_scene_vertex, tangent));
        normal = bent_normal(material, textured(&material->normal_texture, u, direction.x, density), tangent, normal);
    }
    for (int i = 0; i < 3; ++i) lanes->normal[i][lane] = normal[i];
    const floats4 color = between_corners(surface, w, offsetof(crasterizer_scene_vertex, color));
    set_colors(material, u, direction.x, density, color, lane, lanes);
}
