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
    if (place >= 0 && place < size) return place;
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

// Keeps the lanes of other triangles.
INLINE void set_lanes(float *values, ints is_mine, floats value) {
    floats old;
    memcpy(&old, values, sizeof old);
    const floats merged = is_mine ? value : old;
    memcpy(values, &merged, sizeof merged);
}

// The normal that a normal texture bends, not of length 1.
INLINE floats4 bent_normal(
    const crasterizer_material *material, floats4 texel, floats4 tangent, floats4 normal) {
    const floats4 across = tangent.w * (normal.yzxw * tangent.zxyw - normal.zxyw * tangent.yzxw);
    const float x = material->normal_scale * (2 * texel.x - 1), y = material->normal_scale * (2 * texel.y - 1);
    return x * tangent + y * across + (2 * texel.z - 1) * normal;
}

// Applies the textures of a material to one lane, where everything else is set.
static void apply_textures(
    const surface_triangle *surface, float u, float v, floats4 tangent, int lane, surface_lanes *lanes) {
    const crasterizer_material *material = surface->material;
    const float density = surface->triangle->texture_density;
    if (material->normal_texture.level_count > 0) {
        const floats4 normal = {lanes->normal[0][lane], lanes->normal[1][lane], lanes->normal[2][lane], 0};
        const floats4 bent = bent_normal(material, textured(&material->normal_texture, u, v, density), tangent, normal);
        for (int i = 0; i < 3; ++i) lanes->normal[i][lane] = bent[i];
    }
    if (material->base_color_texture.level_count > 0) {
        const floats4 color = linear_color(textured(&material->base_color_texture, u, v, density));
        for (int i = 0; i < 4; ++i) lanes->base[i][lane] *= color[i];
    }
    if (material->metallic_roughness_texture.level_count > 0) {
        const floats4 surface_texel = textured(&material->metallic_roughness_texture, u, v, density);
        lanes->roughness[lane] *= surface_texel.y;
        lanes->metallic[lane] *= surface_texel.z;
    }
    if (material->occlusion_texture.level_count > 0) {
        const float red = textured(&material->occlusion_texture, u, v, density).x;
        lanes->occlusion[lane] += material->occlusion_strength * (red - 1);
    }
    if (material->emissive_texture.level_count > 0) {
        const floats4 light = linear_color(textured(&material->emissive_texture, u, v, density));
        for (int i = 0; i < 3; ++i) lanes->emissive[i][lane] *= light[i];
    }
}

INLINE bool has_textures(const crasterizer_material *material) {
    return material->base_color_texture.level_count > 0 || material->metallic_roughness_texture.level_count > 0
        || material->normal_texture.level_count > 0 || material->occlusion_texture.level_count > 0
        || material->emissive_texture.level_count > 0;
}

// The weights of a triangle's corners at 16 places of the picture, with perspective.
typedef struct lane_weights {
    floats corners[3];
} lane_weights;

INLINE lane_weights lane_weights_at(const surface_triangle *surface, floats x, floats y) {
    lane_weights result;
    for (int i = 0; i < 3; ++i) {
        const floats area =
            surface->across[i] * (y - surface->from_y[i]) - surface->down[i] * (x - surface->from_x[i]);
        result.corners[i] = (area > 0.0f ? area : 0.0f) * surface->nearness[i];
    }
    const floats sum = result.corners[0] + result.corners[1] + result.corners[2];
    const floats scale = 1.0f / sum;
    for (int i = 0; i < 3; ++i) result.corners[i] = sum > 0.0f ? result.corners[i] * scale : 1.0f / 3;
    return result;
}

INLINE floats between_lanes(const lane_weights *weights, float a, float b, float c) {
    return weights->corners[0] * a + weights->corners[1] * b + weights->corners[2] * c;
}

// Sets the lanes of one triangle.
// - x, y: of all lanes.
INLINE void set_surface(
    const surface_triangle *surface, floats x, floats y, ints is_mine, surface_lanes *lanes) {
    const crasterizer_material *material = surface->material;
    const crasterizer_scene_vertex *const *c = surface->corners;
    const lane_weights weights = lane_weights_at(surface, x, y);
    const float side = surface->triangle->faces_away ? -1.0f : 1.0f;
    for (int i = 0; i < 3; ++i) {
        const floats normal = between_lanes(&weights, c[0]->normal[i], c[1]->normal[i], c[2]->normal[i]);
        set_lanes(lanes->normal[i], is_mine, normal * side);
    }
    for (int i = 0; i < 4; ++i) {
        const floats color = between_lanes(&weights, c[0]->color[i], c[1]->color[i], c[2]->color[i]);
        set_lanes(lanes->base[i], is_mine, material->base_color[i] * color);
    }
    for (int i = 0; i < 3; ++i) set_lanes(lanes->emissive[i], is_mine, (floats)material->emissive[i]);
    set_lanes(lanes->blends, is_mine, (floats)(material->blends ? 1.0f : 0.0f));
    set_lanes(lanes->roughness, is_mine, (floats)material->roughness);
    set_lanes(lanes->metallic, is_mine, (floats)material->metallic);
    set_lanes(lanes->occlusion, is_mine, (floats)1.0f);
    if (!has_textures(material)) return;
    const floats u = between_lanes(&weights, c[0]->u, c[1]->u, c[2]->u);
    const floats v = between_lanes(&weights, c[0]->v, c[1]->v, c[2]->v);
    floats tangent[4];
    for (int i = 0; i < 4; ++i) {
        tangent[i] = between_lanes(&weights, c[0]->tangent[i], c[1]->tangent[i], c[2]->tangent[i]);
    }
    for (int lane = 0; lane < LANES; ++lane) {
        if (!is_mine[lane]) continue;
        const floats4 along = {tangent[0][lane], tangent[1][lane], tangent[2][lane], tangent[3][lane]};
        apply_textures(surface, u[lane], v[lane], along, lane, lanes);
    }
}
