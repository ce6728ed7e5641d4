// Shades the points of a list. Included by kernel.h.

typedef struct shading_scratch {
    surface_lanes lanes;
    matt_triangles matt;
} shading_scratch;

// Shades POINTS points, from `first` on, of any surfaces.
INLINE point_colors shade_all(
    const crasterizer_scene *scene, const surface_points *points, int32_t first, point_ints triangles, point_floats x,
    point_floats y, surface_lanes *lanes) {
    // Neighbours mostly belong to few triangles, and to fewer materials.
    for (uint32_t rest = ALL_POINTS; rest != 0;) {
        const int32_t triangle = points->triangles[first + __builtin_ctz(rest)];
        const point_ints is_mine = triangles == triangle;
        const surface_triangle surface = surface_triangle_of(scene, triangle);
        // Later ones overwrite what the first sets in their lanes.
        if (rest == ALL_POINTS) set_surface(&surface, x, y, (point_ints)-1, lanes);
        else set_surface(&surface, x, y, is_mine, lanes);
        rest &= ~lane_bits(is_mine);
    }
    point_ints materials;
    memcpy(&materials, lanes->materials, sizeof materials);
    for (uint32_t rest = ALL_POINTS; rest != 0;) {
        const int32_t material = lanes->materials[__builtin_ctz(rest)];
        const point_ints is_mine = materials == material;
        const uint32_t bits = lane_bits(is_mine);
        if (bits == ALL_POINTS) apply_material(&scene->materials[material], (point_ints)-1, lanes);
        else apply_material(&scene->materials[material], is_mine, lanes);
        if (has_textures(&scene->materials[material])) {
            apply_textures(&scene->materials[material], is_mine, lanes);
        }
        rest &= ~bits;
    }
    return surface_colors(scene, lanes, x, y);
}

// Shades points of a list from `start` to before `end`, multiples of POINTS.
static void shade_range(
    const crasterizer_scene *scene, surface_points *points, int32_t start, int32_t end, shading_scratch *scratch) {
    for (int32_t first = start; first < end; first += POINTS) {
        point_ints triangles;
        memcpy(&triangles, points->triangles + first, sizeof triangles);
        const point_floats x = lanes_of(points->x + first), y = lanes_of(points->y + first);
        point_colors color = {0};
        const uint32_t matt = shade_matt(scene, points, first, triangles, x, y, &scratch->matt, &color);
        if (matt != ALL_POINTS) {
            const point_colors other = shade_all(scene, points, first, triangles, x, y, &scratch->lanes);
            const point_ints is_matt = lanes_with(matt);
            color.r = is_matt ? color.r : other.r;
            color.g = is_matt ? color.g : other.g;
            color.b = is_matt ? color.b : other.b;
            color.a = is_matt ? color.a : other.a;
        }
        memcpy(points->red + first, &color.r, sizeof color.r);
        memcpy(points->green + first, &color.g, sizeof color.g);
        memcpy(points->blue + first, &color.b, sizeof color.b);
        memcpy(points->alpha + first, &color.a, sizeof color.a);
    }
}

// Shades the points of a list from `start` on, a multiple of POINTS.
static void shade_points(
    const crasterizer_scene *scene, surface_points *points, int32_t start, shading_scratch *scratch) {
    // Lanes beyond the last point repeat it.
    const int32_t last = points->count - 1;
    int32_t end = points->count;
    for (; end % POINTS != 0; ++end) {
        points->triangles[end] = points->triangles[last];
        points->x[end] = points->x[last];
        points->y[end] = points->y[last];
    }
    shade_range(scene, points, start, end, scratch);
}
