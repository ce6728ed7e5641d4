// What surfaces of a scene look like: interpolation, textures and light. Included by kernel.h.

#ifdef KERNEL_HAS_AVX512
enum { POINTS = 16 };
#else
// Shading has many values at a time: of 16 points, they would fill the registers twice.
enum { POINTS = 8 };
#endif

// Vectors of points that are shaded at a time.
typedef float point_floats __attribute__((ext_vector_type(POINTS)));
typedef int32_t point_ints __attribute__((ext_vector_type(POINTS)));
typedef uint32_t point_words __attribute__((ext_vector_type(POINTS)));

typedef struct point_colors {
    point_floats r, g, b, a;
} point_colors;

INLINE point_floats lesser(point_floats a, point_floats b) { return a < b ? a : b; }
INLINE point_floats larger(point_floats a, point_floats b) { return a > b ? a : b; }

// A bit for each lane that is not 0.
INLINE uint32_t lane_bits(point_ints lanes) {
    typedef bool lane_mask __attribute__((ext_vector_type(POINTS)));
    const lane_mask mask = __builtin_convertvector(lanes, lane_mask);
    uint32_t bits = 0;
    memcpy(&bits, &mask, POINTS / 8);
    return bits;
}

// -1 in each lane that has a bit.
INLINE point_ints lanes_with(uint32_t bits) {
    point_ints places;
    for (int32_t lane = 0; lane < POINTS; ++lane) places[lane] = 1 << lane;
    return ((point_ints)(int32_t)bits & places) != 0;
}

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

// A surface at some places, one value per lane.
typedef struct surface_lanes {
    // What triangles say. Texture coordinates are not set where the material has no textures, nor tangents where it has none
    // that bends normals.
    _Alignas(64) float normal[3][POINTS], base[4][POINTS], tangent[4][POINTS], u[POINTS], v[POINTS], density[POINTS];
    _Alignas(64) int32_t materials[POINTS];
    // What materials say.
    _Alignas(64) float emissive[3][POINTS], metallic[POINTS], roughness[POINTS], occlusion[POINTS], blends[POINTS];
} surface_lanes;

INLINE point_floats lanes_of(const float *values) {
    point_floats result;
    memcpy(&result, values, sizeof result);
    return result;
}

// Keeps the lanes of others.
INLINE void set_lanes(float *values, point_ints is_mine, point_floats value) {
    const point_floats merged = is_mine ? value : lanes_of(values);
    memcpy(values, &merged, sizeof merged);
}

// sRGB to linear: a polynomial that is at most 0.002 off.
INLINE point_floats linear(point_floats x) { return x * (x * (x * 0.305306011f + 0.682171111f) + 0.012522878f); }

INLINE point_ints rounded_down(point_floats x) {
    const point_ints truncated = __builtin_convertvector(x, point_ints);
    return truncated + (__builtin_convertvector(truncated, point_floats) > x);
}

// Two texels beside each other, of some places.
typedef struct texel_pairs {
    _Alignas(64) uint64_t all[POINTS];
} texel_pairs;

// The colours between neighbours, four places at a time, with the arithmetic of `sample_8_bits`.
// - right, down: fractions.
INLINE point_colors between_texels(const longs4 *upper, const longs4 *lower, point_floats right, point_floats down) {
    const float steps = FRACTION;
    const point_ints across = __builtin_convertvector(right * steps, point_ints);
    const point_ints weight = (across * ROW_WEIGHTS + (1 << (FRACTION_BITS - 1))) >> FRACTION_BITS;
    const point_ints columns = ((ROW_WEIGHTS - weight) | weight << 8) * 0x10001;
    const point_ints rows = __builtin_convertvector(down * steps, point_ints) * 0x10001;
    shorts all[POINTS / 4];
#define FOUR_PLACES(group, ...)                                                            \
    {                                                                                      \
        const ints8 to_right = __builtin_shufflevector(columns, columns, __VA_ARGS__);     \
        const ints8 to_below = __builtin_shufflevector(rows, rows, __VA_ARGS__);           \
        all[group] = between_rows(                                                         \
            between_pairs(upper[group], to_right), between_pairs(lower[group], to_right), to_below); \
    }
    FOUR_PLACES(0, 0, 0, 1, 1, 2, 2, 3, 3)
    FOUR_PLACES(1, 4, 4, 5, 5, 6, 6, 7, 7)
#ifdef KERNEL_HAS_AVX512
    FOUR_PLACES(2, 8, 8, 9, 9, 10, 10, 11, 11)
    FOUR_PLACES(3, 12, 12, 13, 13, 14, 14, 15, 15)
#endif
#undef FOUR_PLACES
#ifdef KERNEL_HAS_AVX512
    const colors colors = colors_of(joined(all[0], all[1], all[2], all[3]), 1 / FULL_8_BITS);
    return (point_colors){colors.r, colors.g, colors.b, colors.a};
#else
    typedef uint32_t words16 __attribute__((ext_vector_type(16)));
    const words16 both = (words16)__builtin_shufflevector(
        all[0], all[1], 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
        27, 28, 29, 30, 31);
    const point_words red_green = __builtin_shufflevector(both, both, 0, 2, 4, 6, 8, 10, 12, 14);
    const point_words blue_alpha = __builtin_shufflevector(both, both, 1, 3, 5, 7, 9, 11, 13, 15);
    const float scale = 1 / FULL_8_BITS;
    return (point_colors){
        scale * __builtin_convertvector((point_ints)(red_green & 0xffff), point_floats),
        scale * __builtin_convertvector((point_ints)(red_green >> 16), point_floats),
        scale * __builtin_convertvector((point_ints)(blue_alpha & 0xffff), point_floats),
        scale * __builtin_convertvector((point_ints)(blue_alpha >> 16), point_floats)};
#endif
}

// Pairs of texels around places that may lie on several levels, or across the edges of a texture.
static void find_pairs(
    const crasterizer_scene_texture *texture, const int32_t *levels, const int32_t *lefts, const int32_t *tops,
    texel_pairs *upper, texel_pairs *lower) {
    for (int lane = 0; lane < POINTS; ++lane) {
        const crasterizer_texture *from = &texture->levels[levels[lane]];
        const uint32_t *texels = from->texels;
        const size_t row_size = (size_t)from->texels_per_row;
        const int32_t x0 = wrapped(lefts[lane], from->width, texture->wrap_u);
        const int32_t x1 = wrapped(lefts[lane] + 1, from->width, texture->wrap_u);
        const uint32_t *above = texels + row_size * (size_t)wrapped(tops[lane], from->height, texture->wrap_v);
        const uint32_t *below = texels + row_size * (size_t)wrapped(tops[lane] + 1, from->height, texture->wrap_v);
        const uint32_t first[2] = {above[x0], above[x1]}, second[2] = {below[x0], below[x1]};
        memcpy(&upper->all[lane], first, sizeof first);
        memcpy(&lower->all[lane], second, sizeof second);
    }
}

// `textured` at some places; other lanes are without meaning.
INLINE point_colors textured_lanes(
    const crasterizer_scene_texture *texture, point_floats u, point_floats v, point_floats density, point_ints is_mine) {
    point_floats rest = density * (float)texture->levels->width * (float)texture->levels->height;
    point_ints level = 0;
    for (int32_t index = 1; index < texture->level_count; ++index) {
        const point_ints is_too_fine = rest > 2.25f;
        if (!__builtin_reduce_or(is_too_fine & is_mine)) break;
        rest *= 0.25f;
        level -= is_too_fine;
    }
    // As in `textured`; lanes of others are in the middle.
    u = is_mine ? (u > -4096.0f && u < 4096.0f ? u : 0.0f) : 0.5f;
    v = is_mine ? (v > -4096.0f && v < 4096.0f ? v : 0.0f) : 0.5f;
    const uint32_t mine = lane_bits(is_mine);
    const int32_t first = level[mine ? __builtin_ctz(mine) : 0];
    level = is_mine ? level : first;
    const crasterizer_texture *one = &texture->levels[first];
    point_ints width = one->width, height = one->height;
    // Neighbours mostly are of one level.
    const bool is_one_level = !__builtin_reduce_or(level != first);
    _Alignas(64) int32_t levels[POINTS];
    if (!is_one_level) {
        memcpy(levels, &level, sizeof levels);
        _Alignas(64) int32_t widths[POINTS], heights[POINTS];
        for (int lane = 0; lane < POINTS; ++lane) {
            widths[lane] = texture->levels[levels[lane]].width;
            heights[lane] = texture->levels[levels[lane]].height;
        }
        memcpy(&width, widths, sizeof width);
        memcpy(&height, heights, sizeof height);
    }
    const point_floats x = u * __builtin_convertvector(width, point_floats) - 0.5f;
    const point_floats y = v * __builtin_convertvector(height, point_floats) - 0.5f;
    const point_ints left = rounded_down(x), top = rounded_down(y);
    const point_floats right = x - __builtin_convertvector(left, point_floats);
    const point_floats down = y - __builtin_convertvector(top, point_floats);
    const bool is_inside = !__builtin_reduce_or((left < 0) | (left + 1 >= width) | (top < 0) | (top + 1 >= height));
    longs4 upper[POINTS / 4], lower[POINTS / 4];
    if (is_one_level && is_inside) {
        _Alignas(64) int32_t offsets[POINTS];
        const point_ints all = top * one->texels_per_row + left;
        memcpy(offsets, &all, sizeof offsets);
        const uint8_t *above = one->texels, *below = above + 4 * (ptrdiff_t)one->texels_per_row;
        for (int group = 0; group < POINTS / 4; ++group) {
            upper[group] = four_pairs(above, offsets + 4 * group);
            lower[group] = four_pairs(below, offsets + 4 * group);
        }
    } else {
        if (is_one_level) memcpy(levels, &level, sizeof levels);
        _Alignas(64) int32_t lefts[POINTS], tops[POINTS];
        memcpy(lefts, &left, sizeof lefts);
        memcpy(tops, &top, sizeof tops);
        texel_pairs above, below;
        find_pairs(texture, levels, lefts, tops, &above, &below);
        memcpy(upper, &above, sizeof upper);
        memcpy(lower, &below, sizeof lower);
    }
    return between_texels(upper, lower, right, down);
}

// Bends the normals of some places by what a normal texture says; the results are not of length 1.
INLINE void bend_normals(const crasterizer_material *material, point_colors texel, point_ints is_mine, surface_lanes *lanes) {
    const point_floats nx = lanes_of(lanes->normal[0]), ny = lanes_of(lanes->normal[1]), nz = lanes_of(lanes->normal[2]);
    const point_floats tx = lanes_of(lanes->tangent[0]), ty = lanes_of(lanes->tangent[1]), tz = lanes_of(lanes->tangent[2]);
    const point_floats hand = lanes_of(lanes->tangent[3]);
    const point_floats x = material->normal_scale * (2.0f * texel.r - 1.0f);
    const point_floats y = material->normal_scale * (2.0f * texel.g - 1.0f), z = 2.0f * texel.b - 1.0f;
    set_lanes(lanes->normal[0], is_mine, x * tx + y * (hand * (ny * tz - nz * ty)) + z * nx);
    set_lanes(lanes->normal[1], is_mine, x * ty + y * (hand * (nz * tx - nx * tz)) + z * ny);
    set_lanes(lanes->normal[2], is_mine, x * tz + y * (hand * (nx * ty - ny * tx)) + z * nz);
}

INLINE bool has_textures(const crasterizer_material *material) {
    return material->base_color_texture.level_count > 0 || material->metallic_roughness_texture.level_count > 0
        || material->normal_texture.level_count > 0 || material->occlusion_texture.level_count > 0
        || material->emissive_texture.level_count > 0;
}

// Applies the textures of a material, after all else of it.
INLINE void apply_textures(const crasterizer_material *material, point_ints is_mine, surface_lanes *lanes) {
    const point_floats u = lanes_of(lanes->u), v = lanes_of(lanes->v), density = lanes_of(lanes->density);
    if (material->normal_texture.level_count > 0) {
        bend_normals(material, textured_lanes(&material->normal_texture, u, v, density, is_mine), is_mine, lanes);
    }
    if (material->base_color_texture.level_count > 0) {
        const point_colors texel = textured_lanes(&material->base_color_texture, u, v, density, is_mine);
        set_lanes(lanes->base[0], is_mine, lanes_of(lanes->base[0]) * linear(texel.r));
        set_lanes(lanes->base[1], is_mine, lanes_of(lanes->base[1]) * linear(texel.g));
        set_lanes(lanes->base[2], is_mine, lanes_of(lanes->base[2]) * linear(texel.b));
        set_lanes(lanes->base[3], is_mine, lanes_of(lanes->base[3]) * texel.a);
    }
    if (material->metallic_roughness_texture.level_count > 0) {
        const point_colors texel = textured_lanes(&material->metallic_roughness_texture, u, v, density, is_mine);
        set_lanes(lanes->roughness, is_mine, lanes_of(lanes->roughness) * texel.g);
        set_lanes(lanes->metallic, is_mine, lanes_of(lanes->metallic) * texel.b);
    }
    if (material->occlusion_texture.level_count > 0) {
        const point_floats red = textured_lanes(&material->occlusion_texture, u, v, density, is_mine).r;
        set_lanes(
            lanes->occlusion, is_mine, lanes_of(lanes->occlusion) + material->occlusion_strength * (red - 1.0f));
    }
    if (material->emissive_texture.level_count > 0) {
        const point_colors light = textured_lanes(&material->emissive_texture, u, v, density, is_mine);
        set_lanes(lanes->emissive[0], is_mine, lanes_of(lanes->emissive[0]) * linear(light.r));
        set_lanes(lanes->emissive[1], is_mine, lanes_of(lanes->emissive[1]) * linear(light.g));
        set_lanes(lanes->emissive[2], is_mine, lanes_of(lanes->emissive[2]) * linear(light.b));
    }
}

// Applies what a material says without textures, where the triangles are set.
INLINE void apply_material(const crasterizer_material *material, point_ints is_mine, surface_lanes *lanes) {
    for (int i = 0; i < 4; ++i) {
        set_lanes(lanes->base[i], is_mine, material->base_color[i] * lanes_of(lanes->base[i]));
    }
    for (int i = 0; i < 3; ++i) set_lanes(lanes->emissive[i], is_mine, (point_floats)material->emissive[i]);
    set_lanes(lanes->blends, is_mine, (point_floats)(material->blends ? 1.0f : 0.0f));
    set_lanes(lanes->roughness, is_mine, (point_floats)material->roughness);
    set_lanes(lanes->metallic, is_mine, (point_floats)material->metallic);
    set_lanes(lanes->occlusion, is_mine, (point_floats)1.0f);
}

// The weights of a triangle's corners at some places of the picture, with perspective.
typedef struct lane_weights {
    point_floats corners[3];
} lane_weights;

INLINE lane_weights lane_weights_at(const surface_triangle *surface, point_floats x, point_floats y) {
    lane_weights result;
    for (int i = 0; i < 3; ++i) {
        const point_floats area =
            surface->across[i] * (y - surface->from_y[i]) - surface->down[i] * (x - surface->from_x[i]);
        result.corners[i] = (area > 0.0f ? area : 0.0f) * surface->nearness[i];
    }
    const point_floats sum = result.corners[0] + result.corners[1] + result.corners[2];
    const point_floats scale = 1.0f / sum;
    for (int i = 0; i < 3; ++i) result.corners[i] = sum > 0.0f ? result.corners[i] * scale : 1.0f / 3;
    return result;
}

INLINE point_floats between_lanes(const lane_weights *weights, float a, float b, float c) {
    return weights->corners[0] * a + weights->corners[1] * b + weights->corners[2] * c;
}

// Sets the lanes of one triangle.
// - x, y: of all lanes.
INLINE void set_surface(
    const surface_triangle *surface, point_floats x, point_floats y, point_ints is_mine, surface_lanes *lanes) {
    const crasterizer_material *material = surface->material;
    const crasterizer_scene_vertex *const *c = surface->corners;
    const lane_weights weights = lane_weights_at(surface, x, y);
    const float side = surface->triangle->faces_away ? -1.0f : 1.0f;
    for (int i = 0; i < 3; ++i) {
        const point_floats normal = between_lanes(&weights, c[0]->normal[i], c[1]->normal[i], c[2]->normal[i]);
        set_lanes(lanes->normal[i], is_mine, normal * side);
    }
    for (int i = 0; i < 4; ++i) {
        const point_floats color = between_lanes(&weights, c[0]->color[i], c[1]->color[i], c[2]->color[i]);
        set_lanes(lanes->base[i], is_mine, color);
    }
    point_ints materials;
    memcpy(&materials, lanes->materials, sizeof materials);
    materials = is_mine ? (point_ints)surface->triangle->material : materials;
    memcpy(lanes->materials, &materials, sizeof materials);
    if (!has_textures(material)) return;
    set_lanes(lanes->u, is_mine, between_lanes(&weights, c[0]->u, c[1]->u, c[2]->u));
    set_lanes(lanes->v, is_mine, between_lanes(&weights, c[0]->v, c[1]->v, c[2]->v));
    set_lanes(lanes->density, is_mine, (point_floats)surface->triangle->texture_density);
    if (material->normal_texture.level_count == 0) return;
    for (int i = 0; i < 4; ++i) {
        const point_floats tangent = between_lanes(&weights, c[0]->tangent[i], c[1]->tangent[i], c[2]->tangent[i]);
        set_lanes(lanes->tangent[i], is_mine, tangent);
    }
}
