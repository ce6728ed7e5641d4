// Rough surfaces that are nearly plane: light is computed at the corners of a triangle, and its points interpolate.
// Included by kernel.h.

enum { ALL_POINTS = (1 << POINTS) - 1, MATT_TRIANGLES = 512 };

static const float least_matt_roughness = 0.7f;
// The cosine of the angle between the normals of two corners.
static const float least_matt_cosine = 0.95f;

// What corners of a triangle look like: linear.
typedef struct matt_triangle {
    bool is_matt;        // otherwise, the rest is not set
    float colors[3][3];  // red, green and blue of each corner, without textures
    float shine[3];      // what is added to each of them
} matt_triangle;

// Triangles of a scene that were met lately.
typedef struct matt_triangles {
    int32_t indices[MATT_TRIANGLES];  // counted from 1; 0: none
    matt_triangle all[MATT_TRIANGLES];
} matt_triangles;

INLINE bool is_matt_material(const crasterizer_material *material) {
    return material->roughness >= least_matt_roughness && material->metallic == 0 && !material->blends
        && material->emissive[0] == 0 && material->emissive[1] == 0 && material->emissive[2] == 0
        && material->metallic_roughness_texture.level_count == 0 && material->normal_texture.level_count == 0
        && material->occlusion_texture.level_count == 0 && material->emissive_texture.level_count == 0;
}

INLINE float cosine_between(const float a[3], const float b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Whether points between the corners may interpolate: false at the edge of the shadow, too.
INLINE bool is_evenly_lit(const crasterizer_scene *scene, const crasterizer_scene_vertex *const c[3], float side) {
    const float *a = c[0]->normal, *b = c[1]->normal, *d = c[2]->normal;
    if (!(cosine_between(a, b) >= least_matt_cosine && cosine_between(b, d) >= least_matt_cosine
            && cosine_between(d, a) >= least_matt_cosine)) {
        return false;
    }
    int lit = 0;
    for (int i = 0; i < 3; ++i) {
        lit += side * cosine_between(c[i]->normal, scene->light.direction) + light_beyond_edge > 0;
    }
    return lit == 0 || lit == 3;
}

static void set_matt_triangle(const crasterizer_scene *scene, int32_t index, matt_triangle *result) {
    const surface_triangle surface = surface_triangle_of(scene, index);
    const crasterizer_material *material = surface.material;
    const float side = surface.triangle->faces_away ? -1.0f : 1.0f;
    result->is_matt = is_matt_material(material) && is_evenly_lit(scene, surface.corners, side);
    if (!result->is_matt) return;
    _Alignas(64) float normal[3][POINTS], x[POINTS], y[POINTS];
    for (int lane = 0; lane < POINTS; ++lane) {
        const crasterizer_scene_vertex *corner = surface.corners[lane % 3];
        for (int i = 0; i < 3; ++i) normal[i][lane] = side * corner->normal[i];
        x[lane] = corner->x;
        y[lane] = corner->y;
    }
    const float rough = material->roughness, f0 = 0.04f, polished = 1 - rough > f0 ? 1 - rough : f0;
    const surface_light lit = light_on(
        scene, (vectors3){lanes_of(normal[0]), lanes_of(normal[1]), lanes_of(normal[2])}, (point_floats)rough,
        (point_floats)1.0f, lanes_of(x), lanes_of(y));
    const point_floats shine = (lit.highlight * (f0 + (1.0f - f0) * lit.grazing)
                                   + lit.around * (f0 + (polished - f0) * lit.edge))
        * scene->light.exposure;
    const point_floats received = lit.received * scene->light.exposure;
    for (int corner = 0; corner < 3; ++corner) {
        result->shine[corner] = shine[corner];
        for (int i = 0; i < 3; ++i) {
            result->colors[corner][i] =
                material->base_color[i] * surface.corners[corner]->color[i] * received[corner];
        }
    }
}

// NULL if the triangle is not of a rough surface, or not nearly plane.
INLINE const matt_triangle *matt_triangle_at(const crasterizer_scene *scene, int32_t index, matt_triangles *known) {
    const int32_t place = index & (MATT_TRIANGLES - 1);
    if (known->indices[place] != index + 1) {
        known->indices[place] = index + 1;
        set_matt_triangle(scene, index, &known->all[place]);
    }
    return known->all[place].is_matt ? &known->all[place] : NULL;
}

// Points between the corners of such triangles; one lane each.
typedef struct matt_lanes {
    point_floats colors[3], shine, u, v, density;
    point_ints materials;
} matt_lanes;

INLINE void set_matt_lanes(
    const surface_triangle *surface, const matt_triangle *matt, point_floats x, point_floats y, point_ints is_mine,
    matt_lanes *lanes) {
    const lane_weights weights = lane_weights_at(surface, x, y);
    const crasterizer_scene_vertex *const *c = surface->corners;
    for (int i = 0; i < 3; ++i) {
        const point_floats color =
            between_lanes(&weights, matt->colors[0][i], matt->colors[1][i], matt->colors[2][i]);
        lanes->colors[i] = is_mine ? color : lanes->colors[i];
    }
    const point_floats shine = between_lanes(&weights, matt->shine[0], matt->shine[1], matt->shine[2]);
    lanes->shine = is_mine ? shine : lanes->shine;
    lanes->materials = is_mine ? (point_ints)surface->triangle->material : lanes->materials;
    if (surface->material->base_color_texture.level_count == 0) return;
    const point_floats u = between_lanes(&weights, c[0]->u, c[1]->u, c[2]->u);
    const point_floats v = between_lanes(&weights, c[0]->v, c[1]->v, c[2]->v);
    lanes->u = is_mine ? u : lanes->u;
    lanes->v = is_mine ? v : lanes->v;
    lanes->density = is_mine ? (point_floats)surface->triangle->texture_density : lanes->density;
}

// Shades those of POINTS points that are of rough surfaces; what happens to one point does not depend on the others.
// - triangles, x, y: of the points, which begin at `first` in their list.
// - Returns: a bit for each that was shaded.
INLINE uint32_t shade_matt(
    const crasterizer_scene *scene, const surface_points *points, int32_t first, point_ints triangles, point_floats x,
    point_floats y, matt_triangles *known, point_colors *result) {
    matt_lanes lanes = {0};
    uint32_t shaded = 0;
    for (uint32_t rest = ALL_POINTS; rest != 0;) {
        const int32_t triangle = points->triangles[first + __builtin_ctz(rest)];
        const point_ints is_mine = triangles == triangle;
        const uint32_t bits = lane_bits(is_mine);
        rest &= ~bits;
        const matt_triangle *matt = matt_triangle_at(scene, triangle, known);
        if (!matt) continue;
        const surface_triangle surface = surface_triangle_of(scene, triangle);
        set_matt_lanes(&surface, matt, x, y, is_mine, &lanes);
        shaded |= bits;
    }
    for (uint32_t rest = shaded; rest != 0;) {
        const int32_t number = lanes.materials[__builtin_ctz(rest)];
        const crasterizer_scene_texture *texture = &scene->materials[number].base_color_texture;
        const point_ints is_mine = lanes.materials == number;
        rest &= ~lane_bits(is_mine);
        if (texture->level_count == 0) continue;
        const point_colors texel = textured_lanes(texture, lanes.u, lanes.v, lanes.density, is_mine);
        lanes.colors[0] *= is_mine ? linear(texel.r) : 1.0f;
        lanes.colors[1] *= is_mine ? linear(texel.g) : 1.0f;
        lanes.colors[2] *= is_mine ? linear(texel.b) : 1.0f;
    }
    if (shaded != 0) {
        *result = (point_colors){
            displayed(lanes.colors[0] + lanes.shine), displayed(lanes.colors[1] + lanes.shine),
            displayed(lanes.colors[2] + lanes.shine), (point_floats)1.0f};
    }
    return shaded;
}
