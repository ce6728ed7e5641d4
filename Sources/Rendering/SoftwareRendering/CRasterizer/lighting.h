// Light on the surfaces of a scene, 16 at a time: Lambert's and Cook and Torrance's terms (GGX, Smith's shadowing as
// approximated by Hammon 2017, Schlick's Fresnel term), and an environment that is given by formulas: floor, sky, and
// two soft lamps. shaders/PropSurface.frag computes the same. Included by kernel.h.

typedef struct vectors3 {
    floats x, y, z;
} vectors3;

INLINE floats dot(vectors3 a, vectors3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
INLINE vectors3 scaled(vectors3 a, floats s) { return (vectors3){a.x * s, a.y * s, a.z * s}; }

INLINE vectors3 unit(vectors3 a) {
    const floats square = greatest(dot(a, a), 1e-20f);
    return scaled(a, 1.0f / __builtin_elementwise_sqrt(square));
}

INLINE floats fifth_power(floats x) {
    const floats square = x * x;
    return square * square * x;
}

INLINE floats clamped(floats x) { return greatest(least(x, 1.0f), 0.0f); }

// A lamp as wide as the surface is rough, around a direction.
INLINE floats lamp(vectors3 reflected, float x, float y, float z, floats width) {
    const floats far = (1.0f - (reflected.x * x + reflected.y * y + reflected.z * z)) / width;
    return 1.0f / ((1.0f + far) * (1.0f + far));
}

// What a surface reflects from a direction.
INLINE floats environment(const crasterizer_scene_light *light, vectors3 reflected, floats roughness) {
    const floats up = -reflected.y;
    const floats blur = 0.12f + 0.88f * roughness;
    const floats t = clamped(0.5f + 0.5f * up / blur);
    const floats sky = t * t * (3.0f - 2.0f * t);
    const floats wide = 0.03f + 0.9f * roughness * roughness, fading = 1.0f / (1.0f + 5.0f * roughness);
    const floats key = lamp(reflected, light->direction[0], light->direction[1], light->direction[2], wide);
    // A weaker lamp on the other side.
    const floats rim = lamp(reflected, -0.8f, -0.33f, 0.5f, wide);
    return light->ambient * (0.14f + 0.86f * sky + 0.9f * fading * rim) + 2.2f * light->key * fading * key;
}

// How strongly a surface mirrors the colours of the room: polished metal and glass do.
INLINE floats mirroring(floats metallic, floats roughness) {
    return greatest(metallic * clamped(1.3f * (1.0f - roughness)), clamped(1.0f - 2.2f * roughness));
}

typedef float floats8 __attribute__((ext_vector_type(8)));

INLINE floats8 room_texel(const float *room, int32_t index) {
    floats8 result;
    memcpy(&result, room + 8 * index, sizeof result);
    return result;
}

// The colours that the room has in a direction; 1 is the mean.
INLINE void room_colors(const float *room, vectors3 reflected, floats roughness, floats result[3]) {
    enum { SIDE = CRASTERIZER_ROOM_SIDE };
    const floats scale = (float)SIDE / (2.0f * __builtin_elementwise_sqrt(greatest(2.0f + 2.0f * reflected.z, 0.002f)));
    const float limit = (float)(SIDE - 1) - 0.001f;
    const floats u = greatest(least((float)SIDE / 2 - 0.5f + reflected.x * scale, limit), 0.0f);
    const floats v = greatest(least((float)SIDE / 2 - 0.5f + reflected.y * scale, limit), 0.0f);
    const ints column = __builtin_convertvector(u, ints), row = __builtin_convertvector(v, ints);
    const floats right = u - __builtin_convertvector(column, floats), down = v - __builtin_convertvector(row, floats);
    const ints first = row * SIDE + column;
    const floats blurred = clamped(2.0f * roughness);
    // In memory: in registers, setting one lane of a vector moves it to memory and back.
    _Alignas(64) float lanes[3][LANES];
    for (int lane = 0; lane < LANES; ++lane) {
        const floats8 a = room_texel(room, first[lane]), b = room_texel(room, first[lane] + 1);
        const floats8 c = room_texel(room, first[lane] + SIDE), d = room_texel(room, first[lane] + SIDE + 1);
        const floats8 above = a + right[lane] * (b - a), below = c + right[lane] * (d - c);
        const floats8 color = above + down[lane] * (below - above);
        const floats8 mixed = color + blurred[lane] * (color.s45674567 - color);
        for (int i = 0; i < 3; ++i) lanes[i][lane] = mixed[i];
    }
    for (int i = 0; i < 3; ++i) memcpy(&result[i], lanes[i], sizeof result[i]);
}

// Highlights end softly, then sRGB's transfer function as a sum of roots, at most 0.003 off.
INLINE floats displayed(floats linear) {
    const floats excess = greatest(linear - 0.75f, 0.0f) * 4.0f;
    const floats soft = linear < 0.75f ? linear : 0.75f + 0.25f * (excess / (1.0f + excess));
    const floats s1 = __builtin_elementwise_sqrt(greatest(soft, 0.0f));
    const floats s2 = __builtin_elementwise_sqrt(s1), s3 = __builtin_elementwise_sqrt(s2);
    return clamped(0.662002687f * s1 + 0.684122060f * s2 - 0.323583601f * s3 - 0.0225411470f * soft);
}

// sRGB-encoded, premultiplied.
// - x, y: pixels of the picture.
INLINE colors surface_colors(const crasterizer_scene *scene, const surface_lanes *lanes, floats x, floats y) {
    const crasterizer_scene_light *light = &scene->light;
    const vectors3 n = unit((vectors3){lanes_of(lanes->normal[0]), lanes_of(lanes->normal[1]), lanes_of(lanes->normal[2])});
    const vectors3 v = unit((vectors3){
        (scene->center_x - x) / scene->focal_length, (scene->center_y - y) / scene->focal_length, 1.0f});
    const vectors3 l = {light->direction[0], light->direction[1], light->direction[2]};
    const vectors3 h = unit((vectors3){l.x + v.x, l.y + v.y, l.z + v.z});
    const floats towards_light = dot(n, l), facing = dot(n, v);
    const floats nl = clamped(towards_light), nv = greatest(facing, 0.001f), nh = clamped(dot(n, h));
    const floats metallic = lanes_of(lanes->metallic), rough = greatest(lanes_of(lanes->roughness), 0.12f);
    const floats occlusion = lanes_of(lanes->occlusion);

    const floats a = rough * rough, a2 = a * a;
    const floats bell = nh * nh * (a2 - 1.0f) + 1.0f;
    const floats spread = a2 / (3.14159265f * bell * bell);
    const floats shadowing = 0.5f / (nl * (nv * (1.0f - a) + a) + nv * (nl * (1.0f - a) + a));
    const floats highlight = least(spread * shadowing, 40.0f) * nl * light->key * 3.14159265f * 0.3f;
    const floats grazing = fifth_power(1.0f - clamped(dot(v, h))), edge = fifth_power(1.0f - clamped(nv));
    const vectors3 reflected = {
        2.0f * facing * n.x - v.x, 2.0f * facing * n.y - v.y, 2.0f * facing * n.z - v.z};
    const floats around = environment(light, reflected, rough) * occlusion;
    floats room[3] = {1.0f, 1.0f, 1.0f};
    const floats mirrors = light->room ? mirroring(metallic, rough) : 0.0f;
    const bool has_room = __builtin_reduce_or(mirrors > 0.0f);
    if (has_room) {
        room_colors(light->room, reflected, rough, room);
        for (int i = 0; i < 3; ++i) room[i] = 1.0f + mirrors * (room[i] - 1.0f);
    }
    // Light bleeds a little around the edge of the shadow.
    const floats wrapped_light = clamped((towards_light + 0.15f) / 1.15f);
    const floats received = light->key * wrapped_light + light->ambient * (0.8f - 0.2f * n.y) * occlusion;

    const floats alpha = lanes_of(lanes->blends) > 0.0f ? clamped(lanes_of(lanes->base[3])) : 1.0f;
    floats matt[3], shiny[3];
    for (int i = 0; i < 3; ++i) {
        const floats base = lanes_of(lanes->base[i]);
        const floats f0 = 0.04f + metallic * (base - 0.04f);
        const floats polished = greatest(1.0f - rough, f0);
        shiny[i] = (highlight * (f0 + (1.0f - f0) * grazing) + around * room[i] * (f0 + (polished - f0) * edge)) * light->exposure
            + lanes_of(lanes->emissive[i]);
        matt[i] = base * (1.0f - metallic) * received * light->exposure;
    }
    // What glass reflects hides what is behind it.
    const floats glare = clamped(0.2126f * shiny[0] + 0.7152f * shiny[1] + 0.0722f * shiny[2]);
    const floats opacity = alpha + (1.0f - alpha) * glare;
    const floats divisor = 1.0f / greatest(opacity, 1.0f / 1024);
    return (colors){
        displayed((matt[0] * alpha + shiny[0]) * divisor) * opacity,
        displayed((matt[1] * alpha + shiny[1]) * divisor) * opacity,
        displayed((matt[2] * alpha + shiny[2]) * divisor) * opacity, opacity};
}

INLINE ints lane_order(void) { return (ints){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}; }

// Whether no earlier lane has the value of a lane.
// - all: the values.
INLINE bool is_first_lane(const int32_t *values, ints all, int lane) {
    if (lane > 0 && values[lane] == values[lane - 1]) return false;
    return !__builtin_reduce_or((all == values[lane]) & (lane_order() < lane));
}

// Shades all points of a list.
static void shade_points(const crasterizer_scene *scene, surface_points *points, surface_lanes *lanes) {
    // Lanes beyond the last point repeat it.
    const int32_t last = points->count - 1;
    for (int32_t point = points->count; point % LANES != 0; ++point) {
        points->triangles[point] = points->triangles[last];
        points->x[point] = points->x[last];
        points->y[point] = points->y[last];
    }
    for (int32_t first = 0; first < points->count; first += LANES) {
        ints triangles;
        memcpy(&triangles, points->triangles + first, sizeof triangles);
        const floats x = lanes_of(points->x + first), y = lanes_of(points->y + first);
        // Neighbours mostly belong to few triangles, and to fewer materials.
        for (int lane = 0; lane < LANES; ++lane) {
            if (!is_first_lane(points->triangles + first, triangles, lane)) continue;
            const surface_triangle surface = surface_triangle_of(scene, points->triangles[first + lane]);
            set_surface(&surface, x, y, triangles == points->triangles[first + lane], lanes);
        }
        ints materials;
        memcpy(&materials, lanes->materials, sizeof materials);
        for (int lane = 0; lane < LANES; ++lane) {
            if (!is_first_lane(lanes->materials, materials, lane)) continue;
            const int32_t material = lanes->materials[lane];
            apply_material(&scene->materials[material], materials == material, lanes);
        }
        const colors color = surface_colors(scene, lanes, x, y);
        memcpy(points->red + first, &color.r, sizeof color.r);
        memcpy(points->green + first, &color.g, sizeof color.g);
        memcpy(points->blue + first, &color.b, sizeof color.b);
        memcpy(points->alpha + first, &color.a, sizeof color.a);
    }
}
