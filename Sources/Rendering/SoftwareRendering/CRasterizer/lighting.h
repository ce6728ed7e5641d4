// Light on the surfaces of a scene, some at a time: Lambert's and Cook and Torrance's terms (GGX, Smith's shadowing as
// approximated by Hammon 2017, Schlick's Fresnel term), and an environment that is given by formulas: floor, sky, and
// two soft lamps. shaders/PropSurface.frag computes the same. Included by kernel.h.

// How far beyond the edge of the shadow light bleeds: a cosine.
static const float light_beyond_edge = 0.15f;

typedef struct vectors3 {
    point_floats x, y, z;
} vectors3;

INLINE point_floats dot(vectors3 a, vectors3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
INLINE vectors3 scaled(vectors3 a, point_floats s) { return (vectors3){a.x * s, a.y * s, a.z * s}; }

INLINE vectors3 unit(vectors3 a) {
    const point_floats square = larger(dot(a, a), 1e-20f);
    return scaled(a, 1.0f / __builtin_elementwise_sqrt(square));
}

INLINE point_floats fifth_power(point_floats x) {
    const point_floats square = x * x;
    return square * square * x;
}

INLINE point_floats clamped(point_floats x) { return larger(lesser(x, 1.0f), 0.0f); }

// Grows with the angle between what is reflected and a lamp.
INLINE point_floats beside_lamp(vectors3 reflected, float x, float y, float z, point_floats width) {
    return width + 1.0f - (reflected.x * x + reflected.y * y + reflected.z * z);
}

// What a surface reflects from a direction.
INLINE point_floats environment(const crasterizer_scene_light *light, vectors3 reflected, point_floats roughness) {
    const point_floats up = -reflected.y;
    const point_floats blur = 0.12f + 0.88f * roughness;
    const point_floats t = clamped(0.5f + 0.5f * up / blur);
    const point_floats sky = t * t * (3.0f - 2.0f * t);
    // Lamps are as wide as the surface is rough, and add (width / (width + 1 - cosine))². A weaker one is on the other side.
    // The sum of both over their common denominator: dividing takes longer than all else.
    const point_floats wide = 0.03f + 0.9f * roughness * roughness;
    const point_floats key = beside_lamp(reflected, light->direction[0], light->direction[1], light->direction[2], wide);
    const point_floats rim = beside_lamp(reflected, -0.8f, -0.33f, 0.5f, wide);
    const point_floats key2 = key * key, rim2 = rim * rim;
    const point_floats lamps = wide * wide * (2.2f * light->key * rim2 + 0.9f * light->ambient * key2)
        / ((1.0f + 5.0f * roughness) * (key2 * rim2));
    return light->ambient * (0.14f + 0.86f * sky) + lamps;
}

// How strongly a surface mirrors the colours of the room: polished metal and glass do.
INLINE point_floats mirroring(point_floats metallic, point_floats roughness) {
    return larger(metallic * clamped(1.3f * (1.0f - roughness)), clamped(1.0f - 2.2f * roughness));
}

typedef float floats8 __attribute__((ext_vector_type(8)));

INLINE floats8 room_texel(const float *room, int32_t index) {
    floats8 result;
    memcpy(&result, room + 8 * index, sizeof result);
    return result;
}

// The colours that the room has in a direction; 1 is the mean.
INLINE void room_colors(const float *room, vectors3 reflected, point_floats roughness, point_floats result[3]) {
    enum { SIDE = CRASTERIZER_ROOM_SIDE };
    const point_floats scale = (float)SIDE / (2.0f * __builtin_elementwise_sqrt(larger(2.0f + 2.0f * reflected.z, 0.002f)));
    const float limit = (float)(SIDE - 1) - 0.001f;
    const point_floats u = larger(lesser((float)SIDE / 2 - 0.5f + reflected.x * scale, limit), 0.0f);
    const point_floats v = larger(lesser((float)SIDE / 2 - 0.5f + reflected.y * scale, limit), 0.0f);
    const point_ints column = __builtin_convertvector(u, point_ints), row = __builtin_convertvector(v, point_ints);
    const point_floats right = u - __builtin_convertvector(column, point_floats), down = v - __builtin_convertvector(row, point_floats);
    const point_ints first = row * SIDE + column;
    const point_floats blurred = clamped(2.0f * roughness);
    // In memory: in registers, setting one lane of a vector moves it to memory and back.
    _Alignas(64) float lanes[3][POINTS];
    for (int lane = 0; lane < POINTS; ++lane) {
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
INLINE point_floats displayed(point_floats linear) {
    point_floats soft = linear;
    if (!__builtin_reduce_and(linear < 0.75f)) {
        const point_floats excess = larger(linear - 0.75f, 0.0f) * 4.0f;
        soft = linear < 0.75f ? linear : 0.75f + 0.25f * (excess / (1.0f + excess));
    }
    const point_floats s1 = __builtin_elementwise_sqrt(larger(soft, 0.0f));
    const point_floats s2 = __builtin_elementwise_sqrt(s1), s3 = __builtin_elementwise_sqrt(s2);
    return clamped(0.662002687f * s1 + 0.684122060f * s2 - 0.323583601f * s3 - 0.0225411470f * soft);
}

// What light does on a surface, apart from its colours.
typedef struct surface_light {
    point_floats received;   // by what scatters it
    point_floats highlight;  // of the directional light
    point_floats around;     // what is reflected of the environment
    point_floats grazing, edge;  // Schlick's factors for both
    vectors3 reflected;      // the direction that is mirrored
} surface_light;

// - normal: need not be of length 1.
// - x, y: pixels of the picture.
INLINE surface_light light_on(
    const crasterizer_scene *scene, vectors3 normal, point_floats rough, point_floats occlusion, point_floats x,
    point_floats y) {
    const crasterizer_scene_light *light = &scene->light;
    const vectors3 n = unit(normal);
    const float per_pixel = 1 / scene->focal_length;
    const vectors3 v = unit((vectors3){
        (scene->center_x - x) * per_pixel, (scene->center_y - y) * per_pixel, 1.0f});
    const vectors3 l = {light->direction[0], light->direction[1], light->direction[2]};
    // The square of the length of l + v, which points between both: n · h is (n · l + n · v) over the length, v · h half of it.
    const point_floats between = larger(2.0f + 2.0f * dot(l, v), 1e-6f);
    const point_floats towards_light = dot(n, l), facing = dot(n, v), both = larger(towards_light + facing, 0.0f);
    const point_floats nl = clamped(towards_light), nv = larger(facing, 0.001f);

    // The distribution of facets times their shadowing; both over `between` squared.
    const point_floats a = rough * rough, a2 = a * a;
    const point_floats bell = between - lesser(both * both, between) * (1.0f - a2);
    const point_floats shadowed = nl * (nv * (1.0f - a) + a) + nv * (nl * (1.0f - a) + a);
    const point_floats facets = 0.5f * a2 * (between * between) / (3.14159265f * (bell * bell) * shadowed);
    const point_floats vh = 0.5f * __builtin_elementwise_sqrt(between);
    const vectors3 reflected = {
        2.0f * facing * n.x - v.x, 2.0f * facing * n.y - v.y, 2.0f * facing * n.z - v.z};
    // Light bleeds a little around the edge of the shadow.
    const point_floats wrapped_light = clamped((towards_light + light_beyond_edge) * (1 / (1 + light_beyond_edge)));
    return (surface_light){
        .received = light->key * wrapped_light + light->ambient * (0.8f - 0.2f * n.y) * occlusion,
        .highlight = lesser(facets, 40.0f) * nl * light->key * 3.14159265f * 0.3f,
        .around = environment(light, reflected, rough) * occlusion,
        .grazing = fifth_power(1.0f - clamped(vh)),
        .edge = fifth_power(1.0f - clamped(nv)),
        .reflected = reflected};
}

// sRGB-encoded, premultiplied.
// - x, y: pixels of the picture.
INLINE point_colors surface_colors(const crasterizer_scene *scene, const surface_lanes *lanes, point_floats x, point_floats y) {
    const crasterizer_scene_light *light = &scene->light;
    const point_floats metallic = lanes_of(lanes->metallic), rough = larger(lanes_of(lanes->roughness), 0.12f);
    const vectors3 normal = {lanes_of(lanes->normal[0]), lanes_of(lanes->normal[1]), lanes_of(lanes->normal[2])};
    const surface_light lit = light_on(scene, normal, rough, lanes_of(lanes->occlusion), x, y);
    point_floats room[3] = {1.0f, 1.0f, 1.0f};
    const point_floats mirrors = light->room ? mirroring(metallic, rough) : 0.0f;
    const bool has_room = __builtin_reduce_or(mirrors > 0.0f);
    if (has_room) {
        room_colors(light->room, lit.reflected, rough, room);
        for (int i = 0; i < 3; ++i) room[i] = 1.0f + mirrors * (room[i] - 1.0f);
    }
    const point_floats alpha = lanes_of(lanes->blends) > 0.0f ? clamped(lanes_of(lanes->base[3])) : 1.0f;
    point_floats matt[3], shiny[3];
    for (int i = 0; i < 3; ++i) {
        const point_floats base = lanes_of(lanes->base[i]);
        const point_floats f0 = 0.04f + metallic * (base - 0.04f);
        const point_floats polished = larger(1.0f - rough, f0);
        shiny[i] = (lit.highlight * (f0 + (1.0f - f0) * lit.grazing) + lit.around * room[i] * (f0 + (polished - f0) * lit.edge))
                * light->exposure
            + lanes_of(lanes->emissive[i]);
        matt[i] = base * (1.0f - metallic) * lit.received * light->exposure;
    }
    if (__builtin_reduce_and(alpha >= 1.0f)) {
        return (point_colors){
            displayed(matt[0] + shiny[0]), displayed(matt[1] + shiny[1]), displayed(matt[2] + shiny[2]), alpha};
    }
    // What glass reflects hides what is behind it.
    const point_floats glare = clamped(0.2126f * shiny[0] + 0.7152f * shiny[1] + 0.0722f * shiny[2]);
    const point_floats opacity = alpha + (1.0f - alpha) * glare;
    const point_floats divisor = 1.0f / larger(opacity, 1.0f / 1024);
    return (point_colors){
        displayed((matt[0] * alpha + shiny[0]) * divisor) * opacity,
        displayed((matt[1] * alpha + shiny[1]) * divisor) * opacity,
        displayed((matt[2] * alpha + shiny[2]) * divisor) * opacity, opacity};
}
