// What surfaces of a scene look like: interpolation, textures and light. Included by kernel.h.

// Rows of a block that are shaded together: the points of a vector lie close to each other, and on few triangles.
enum { SHADED_ROWS = 4, MOST_POINTS = SHADED_ROWS * BLOCK * 2 * SAMPLES };

// Where surfaces are shaded, and what they are there; one lane each.
typedef struct surface_points {
    int32_t count;
    _Alignas(64) int32_t triangles[MOST_POINTS];
    _Alignas(64) float x[MOST_POINTS], y[MOST_POINTS];  // pixels of the picture
    // Results: sRGB-encoded, premultiplied.
    _Alignas(64) float red[MOST_POINTS], green[MOST_POINTS], blue[MOST_POINTS], alpha[MOST_POINTS];
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
    // What triangles say. Texture coordinates are not set where the material has no textures, nor tangents where it has none
    // that bends normals.
    _Alignas(64) float normal[3][LANES], base[4][LANES], tangent[4][LANES], u[LANES], v[LANES], density[LANES];
    _Alignas(64) int32_t materials[LANES];
    // What materials say.
    _Alignas(64) float emissive[3][LANES], metallic[LANES], roughness[LANES], occlusion[LANES], blends[LANES];
} surface_lanes;

INLINE floats lanes_of(const float *values) {
    floats result;
    memcpy(&result, values, sizeof result);
    return result;
}

// Keeps the lanes of others.
INLINE void set_lanes(float *values, ints is_mine, floats value) {
    const floats merged = is_mine ? value : lanes_of(values);
    memcpy(values, &merged, sizeof merged);
}

// sRGB to linear: a polynomial that is at most 0.002 off.
INLINE floats linear(floats x) { return x * (x * (x * 0.305306011f + 0.682171111f) + 0.012522878f); }

// The texels around 16 places: pairs of neighbours in a row.
typedef struct texel_pairs {
    _Alignas(64) uint32_t upper[2 * LANES], lower[2 * LANES];
} texel_pairs;

typedef uint32_t words32 __attribute__((ext_vector_type(32)));

INLINE words32 pairs_of(const uint32_t *pairs) {
    words32 result;
    memcpy(&result, pairs, sizeof result);
    return result;
}

// A component between two texels of a pair.
INLINE floats between_pair(words32 pairs, int shift, floats right) {
    const words32 component = (pairs >> (uint32_t)shift) & 255;
    const words from = __builtin_shufflevector(
        component, component, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const words to = __builtin_shufflevector(
        component, component, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    const floats a = __builtin_convertvector((ints)from, floats), b = __builtin_convertvector((ints)to, floats);
    return a + right * (b - a);
}

INLINE ints rounded_down(floats x) {
    const ints truncated = __builtin_convertvector(x, ints);
    return truncated + (__builtin_convertvector(truncated, floats) > x);
}

// `textured` at 16 places; other lanes are without meaning.
INLINE colors textured_lanes(
    const crasterizer_scene_texture *texture, floats u, floats v, floats density, ints is_mine) {
    floats rest = density * (float)texture->levels->width * (float)texture->levels->height;
    ints level = 0;
    for (int32_t index = 1; index < texture->level_count; ++index) {
        const ints is_too_fine = rest > 2.25f;
        if (!__builtin_reduce_or(is_too_fine & is_mine)) break;
        rest *= 0.25f;
        level -= is_too_fine;
    }
    // As in `textured`; lanes of others are in the middle.
    u = is_mine ? (u > -4096.0f && u < 4096.0f ? u : 0.0f) : 0.5f;
    v = is_mine ? (v > -4096.0f && v < 4096.0f ? v : 0.0f) : 0.5f;
    _Alignas(64) int32_t levels[LANES], widths[LANES], heights[LANES];
    memcpy(levels, &level, sizeof levels);
    for (int lane = 0; lane < LANES; ++lane) {
        widths[lane] = texture->levels[levels[lane]].width;
        heights[lane] = texture->levels[levels[lane]].height;
    }
    ints width, height;
    memcpy(&width, widths, sizeof width);
    memcpy(&height, heights, sizeof height);
    const floats x = u * __builtin_convertvector(width, floats) - 0.5f;
    const floats y = v * __builtin_convertvector(height, floats) - 0.5f;
    const ints left = rounded_down(x), top = rounded_down(y);
    const floats right = x - __builtin_convertvector(left, floats), down = y - __builtin_convertvector(top, floats);
    _Alignas(64) int32_t lefts[LANES], tops[LANES];
    memcpy(lefts, &left, sizeof lefts);
    memcpy(tops, &top, sizeof tops);
    const bool is_inside = !__builtin_reduce_or((left < 0) | (left + 1 >= width) | (top < 0) | (top + 1 >= height));
    texel_pairs pairs;
    for (int lane = 0; lane < LANES; ++lane) {
        const crasterizer_texture *from = &texture->levels[levels[lane]];
        const uint32_t *texels = from->texels;
        const size_t row_size = (size_t)from->texels_per_row;
        if (is_inside) {
            const uint32_t *texel = texels + row_size * (size_t)tops[lane] + lefts[lane];
            memcpy(pairs.upper + 2 * lane, texel, 2 * sizeof *texel);
            memcpy(pairs.lower + 2 * lane, texel + row_size, 2 * sizeof *texel);
            continue;
        }
        const int32_t x0 = wrapped(lefts[lane], from->width, texture->wrap_u);
        const int32_t x1 = wrapped(lefts[lane] + 1, from->width, texture->wrap_u);
        const uint32_t *upper = texels + row_size * (size_t)wrapped(tops[lane], from->height, texture->wrap_v);
        const uint32_t *lower = texels + row_size * (size_t)wrapped(tops[lane] + 1, from->height, texture->wrap_v);
        pairs.upper[2 * lane] = upper[x0];
        pairs.upper[2 * lane + 1] = upper[x1];
        pairs.lower[2 * lane] = lower[x0];
        pairs.lower[2 * lane + 1] = lower[x1];
    }
    const words32 upper = pairs_of(pairs.upper), lower = pairs_of(pairs.lower);
    floats result[4];
    for (int i = 0; i < 4; ++i) {
        const floats above = between_pair(upper, 8 * i, right), below = between_pair(lower, 8 * i, right);
        result[i] = (above + down * (below - above)) * (1.0f / 255);
    }
    return (colors){result[0], result[1], result[2], result[3]};
}

// Bends the normals of 16 places by what a normal texture says; the results are not of length 1.
INLINE void bend_normals(const crasterizer_material *material, colors texel, ints is_mine, surface_lanes *lanes) {
    const floats nx = lanes_of(lanes->normal[0]), ny = lanes_of(lanes->normal[1]), nz = lanes_of(lanes->normal[2]);
    const floats tx = lanes_of(lanes->tangent[0]), ty = lanes_of(lanes->tangent[1]), tz = lanes_of(lanes->tangent[2]);
    const floats hand = lanes_of(lanes->tangent[3]);
    const floats x = material->normal_scale * (2.0f * texel.r - 1.0f);
    const floats y = material->normal_scale * (2.0f * texel.g - 1.0f), z = 2.0f * texel.b - 1.0f;
    set_lanes(lanes->normal[0], is_mine, x * tx + y * (hand * (ny * tz - nz * ty)) + z * nx);
    set_lanes(lanes->normal[1], is_mine, x * ty + y * (hand * (nz * tx - nx * tz)) + z * ny);
    set_lanes(lanes->normal[2], is_mine, x * tz + y * (hand * (nx * ty - ny * tx)) + z * nz);
}

INLINE bool has_textures(const crasterizer_material *material) {
    return material->base_color_texture.level_count > 0 || material->metallic_roughness_texture.level_count > 0
        || material->normal_texture.level_count > 0 || material->occlusion_texture.level_count > 0
        || material->emissive_texture.level_count > 0;
}

// Applies the textures of a material, where everything else is set.
static void apply_textures(const crasterizer_material *material, ints is_mine, surface_lanes *lanes) {
    const floats u = lanes_of(lanes->u), v = lanes_of(lanes->v), density = lanes_of(lanes->density);
    if (material->normal_texture.level_count > 0) {
        bend_normals(material, textured_lanes(&material->normal_texture, u, v, density, is_mine), is_mine, lanes);
    }
    if (material->base_color_texture.level_count > 0) {
        const colors texel = textured_lanes(&material->base_color_texture, u, v, density, is_mine);
        set_lanes(lanes->base[0], is_mine, lanes_of(lanes->base[0]) * linear(texel.r));
        set_lanes(lanes->base[1], is_mine, lanes_of(lanes->base[1]) * linear(texel.g));
        set_lanes(lanes->base[2], is_mine, lanes_of(lanes->base[2]) * linear(texel.b));
        set_lanes(lanes->base[3], is_mine, lanes_of(lanes->base[3]) * texel.a);
    }
    if (material->metallic_roughness_texture.level_count > 0) {
        const colors texel = textured_lanes(&material->metallic_roughness_texture, u, v, density, is_mine);
        set_lanes(lanes->roughness, is_mine, lanes_of(lanes->roughness) * texel.g);
        set_lanes(lanes->metallic, is_mine, lanes_of(lanes->metallic) * texel.b);
    }
    if (material->occlusion_texture.level_count > 0) {
        const floats red = textured_lanes(&material->occlusion_texture, u, v, density, is_mine).r;
        set_lanes(
            lanes->occlusion, is_mine, lanes_of(lanes->occlusion) + material->occlusion_strength * (red - 1.0f));
    }
    if (material->emissive_texture.level_count > 0) {
        const colors light = textured_lanes(&material->emissive_texture, u, v, density, is_mine);
        set_lanes(lanes->emissive[0], is_mine, lanes_of(lanes->emissive[0]) * linear(light.r));
        set_lanes(lanes->emissive[1], is_mine, lanes_of(lanes->emissive[1]) * linear(light.g));
        set_lanes(lanes->emissive[2], is_mine, lanes_of(lanes->emissive[2]) * linear(light.b));
    }
}

// Applies a material to its lanes, where the triangles are set.
INLINE void apply_material(const crasterizer_material *material, ints is_mine, surface_lanes *lanes) {
    for (int i = 0; i < 4; ++i) {
        set_lanes(lanes->base[i], is_mine, material->base_color[i] * lanes_of(lanes->base[i]));
    }
    for (int i = 0; i < 3; ++i) set_lanes(lanes->emissive[i], is_mine, (floats)material->emissive[i]);
    set_lanes(lanes->blends, is_mine, (floats)(material->blends ? 1.0f : 0.0f));
    set_lanes(lanes->roughness, is_mine, (floats)material->roughness);
    set_lanes(lanes->metallic, is_mine, (floats)material->metallic);
    set_lanes(lanes->occlusion, is_mine, (floats)1.0f);
    if (has_textures(material)) apply_textures(material, is_mine, lanes);
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
        set_lanes(lanes->base[i], is_mine, color);
    }
    ints materials;
    memcpy(&materials, lanes->materials, sizeof materials);
    materials = is_mine ? (ints)surface->triangle->material : materials;
    memcpy(lanes->materials, &materials, sizeof materials);
    if (!has_textures(material)) return;
    set_lanes(lanes->u, is_mine, between_lanes(&weights, c[0]->u, c[1]->u, c[2]->u));
    set_lanes(lanes->v, is_mine, between_lanes(&weights, c[0]->v, c[1]->v, c[2]->v));
    set_lanes(lanes->density, is_mine, (floats)surface->triangle->texture_density);
    if (material->normal_texture.level_count == 0) return;
    for (int i = 0; i < 4; ++i) {
        const floats tangent = between_lanes(&weights, c[0]->tangent[i], c[1]->tangent[i], c[2]->tangent[i]);
        set_lanes(lanes->tangent[i], is_mine, tangent);
    }
}
