// Textures and colour tables, four pixels at a time. Included by kernel.h.

typedef uint8_t bytes32 __attribute__((ext_vector_type(32)));
typedef int16_t shorts32 __attribute__((ext_vector_type(32)));
typedef uint64_t longs4 __attribute__((ext_vector_type(4)));
typedef uint16_t halves4 __attribute__((ext_vector_type(4)));
typedef float floats4 __attribute__((ext_vector_type(4)));
typedef int32_t ints4 __attribute__((ext_vector_type(4)));
typedef int32_t ints8 __attribute__((ext_vector_type(8)));

// Bits of the fractions that weigh neighbours.
enum { FRACTION_BITS = 15, FRACTION = (1 << FRACTION_BITS) - 1 };
// Of neighbours in a row, the weights are bytes: this one in all.
enum { ROW_WEIGHTS = 127 };
// 255 as sampling returns it.
#define FULL_8_BITS (255.0f * ROW_WEIGHTS)
#define FULL_16_BITS 65535.0f

// Four components of 16 pixels.
typedef int16_t samples __attribute__((ext_vector_type(64)));

// Joins the components of four times four pixels. In registers: a vector that is loaded where shorter ones have just been
// stored waits for them.
INLINE samples joined(shorts a, shorts b, shorts c, shorts d) {
#define COUNT_TO_32                                                                                                  \
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, \
        31
    const shorts32 ab = __builtin_shufflevector(a, b, COUNT_TO_32), cd = __builtin_shufflevector(c, d, COUNT_TO_32);
    return __builtin_shufflevector(
        ab, cd, COUNT_TO_32, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54,
        55, 56, 57, 58, 59, 60, 61, 62, 63);
#undef COUNT_TO_32
}

// The four neighbours of 16 places: where the upper left one is, and the weights.
typedef struct neighbours {
    _Alignas(64) int32_t offsets[LANES];  // texels
    ints columns;                         // of the left and right ones, in bytes, twice
    ints down;                            // of the lower ones: 0…FRACTION, twice
} neighbours;

// From fractions of 0…FRACTION.
INLINE ints column_weights(ints right) {
    const ints weight = (right * ROW_WEIGHTS + (1 << (FRACTION_BITS - 1))) >> FRACTION_BITS;
    return ((ROW_WEIGHTS - weight) | weight << 8) * 0x10001;
}

INLINE ints row_weights(ints down) { return down * 0x10001; }

// The weights of pixels 4 · group …, each for four components.
INLINE ints8 weights_of(ints all, int group) {
    switch (group) {
    case 0: return __builtin_shufflevector(all, all, 0, 0, 1, 1, 2, 2, 3, 3);
    case 1: return __builtin_shufflevector(all, all, 4, 4, 5, 5, 6, 6, 7, 7);
    case 2: return __builtin_shufflevector(all, all, 8, 8, 9, 9, 10, 10, 11, 11);
    default: return __builtin_shufflevector(all, all, 12, 12, 13, 13, 14, 14, 15, 15);
    }
}

INLINE uint64_t two_texels(const uint8_t *texels, int32_t offset) {
    uint64_t result;
    memcpy(&result, texels + 4 * (ptrdiff_t)offset, sizeof result);
    return result;
}

// Of four pixels, the texel at an offset and the one on its right.
INLINE longs4 four_pairs(const uint8_t *texels, const int32_t *offsets) {
    return (longs4){
        two_texels(texels, offsets[0]), two_texels(texels, offsets[1]), two_texels(texels, offsets[2]),
        two_texels(texels, offsets[3])};
}

// The colours between both texels.
INLINE shorts between_pairs(longs4 texels, ints8 weights) {
    // The components of both beside each other.
    const bytes32 pairs = __builtin_shufflevector(
        (bytes32)texels, (bytes32)texels, 0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15, 16, 20, 17, 21, 18, 22,
        19, 23, 24, 28, 25, 29, 26, 30, 27, 31);
#ifdef KERNEL_HAS_AVX2
    return (shorts)_mm256_maddubs_epi16((__m256i)pairs, (__m256i)weights);
#else
    const shorts pair = (shorts)pairs, weight = (shorts)weights;
    return (pair & 255) * (weight & 255) + ((pair >> 8) & 255) * (weight >> 8);
#endif
}

INLINE shorts between_columns(const uint8_t *texels, const int32_t *offsets, ints8 weights) {
    return between_pairs(four_pairs(texels, offsets), weights);
}

INLINE shorts between_rows(shorts a, shorts b, ints8 weights) {
    const shorts difference = b - a;
#ifdef KERNEL_HAS_AVX2
    return a + (shorts)_mm256_mulhrs_epi16((__m256i)difference, (__m256i)weights);
#else
    const ints products = __builtin_convertvector(difference, ints) * __builtin_convertvector((shorts)weights, ints);
    return a + __builtin_convertvector((products + (1 << (FRACTION_BITS - 1))) >> FRACTION_BITS, shorts);
#endif
}

// NaN becomes 0.
INLINE floats limited(floats value, float limit) {
    value = value > 0.0f ? value : 0.0f;
    return value < limit ? value : limit;
}

INLINE neighbours neighbours_at(const crasterizer_texture *texture, floats u, floats v) {
    const float steps = 1 << FRACTION_BITS;
    const ints column = __builtin_convertvector(limited(u, (float)(texture->width - 1)) * steps, ints);
    const ints row = __builtin_convertvector(limited(v, (float)(texture->height - 1)) * steps, ints);
    neighbours result;
    const ints offsets = (row >> FRACTION_BITS) * texture->texels_per_row + (column >> FRACTION_BITS);
    memcpy(result.offsets, &offsets, sizeof offsets);
    result.columns = column_weights(column & FRACTION);
    result.down = row_weights(row & FRACTION);
    return result;
}

INLINE shorts four_texels(const crasterizer_texture *texture, const neighbours *near, int group) {
    const uint8_t *upper = texture->texels, *lower = upper + 4 * (ptrdiff_t)texture->texels_per_row;
    const int32_t *offsets = near->offsets + 4 * group;
    const ints8 columns = weights_of(near->columns, group);
    return between_rows(
        between_columns(upper, offsets, columns), between_columns(lower, offsets, columns),
        weights_of(near->down, group));
}

INLINE samples sample_8_bits(const crasterizer_texture *texture, floats u, floats v) {
    const neighbours near = neighbours_at(texture, u, v);
    return joined(
        four_texels(texture, &near, 0), four_texels(texture, &near, 1), four_texels(texture, &near, 2),
        four_texels(texture, &near, 3));
}

INLINE floats4 texel_16(const uint16_t *texels, int32_t offset) {
    halves4 result;
    memcpy(&result, texels + 4 * (ptrdiff_t)offset, sizeof result);
    return __builtin_convertvector(result, floats4);
}

INLINE samples sample_16_bits(const crasterizer_texture *texture, floats u, floats v) {
    _Alignas(64) uint16_t result[4 * LANES];
    const floats column = limited(u, (float)(texture->width - 1)), row = limited(v, (float)(texture->height - 1));
    const uint16_t *upper = texture->texels, *lower = upper + 4 * (ptrdiff_t)texture->texels_per_row;
    for (int lane = 0; lane < LANES; ++lane) {
        const int32_t x = (int32_t)column[lane], y = (int32_t)row[lane], offset = y * texture->texels_per_row + x;
        const float right = column[lane] - (float)x, down = row[lane] - (float)y;
        const floats4 a = texel_16(upper, offset), b = texel_16(lower, offset);
        const floats4 above = a + right * (texel_16(upper, offset + 1) - a);
        const floats4 below = b + right * (texel_16(lower, offset + 1) - b);
        const floats4 color = above + down * (below - above) + 0.5f;
        const halves4 components = __builtin_convertvector(__builtin_convertvector(color, ints4), halves4);
        memcpy(result + 4 * lane, &components, sizeof components);
    }
    samples all;
    memcpy(&all, result, sizeof all);
    return all;
}

// Red, green, blue and alpha of 16 pixels.
typedef struct colors {
    floats r, g, b, a;
} colors;

INLINE colors colors_of(samples samples, float scale) {
    typedef uint32_t words32 __attribute__((ext_vector_type(32)));
    const words32 all = (words32)samples;
    const words red_green = __builtin_shufflevector(
        all, all, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const words blue_alpha = __builtin_shufflevector(
        all, all, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    return (colors){
        scale * __builtin_convertvector((ints)(red_green & 0xffff), floats),
        scale * __builtin_convertvector((ints)(red_green >> 16), floats),
        scale * __builtin_convertvector((ints)(blue_alpha & 0xffff), floats),
        scale * __builtin_convertvector((ints)(blue_alpha >> 16), floats)};
}

// The eight nearest entries of 16 colours in a table.
typedef struct entries {
    _Alignas(64) int32_t offsets[LANES];  // of the first
    ints red, green, blue;                // weights
} entries;

INLINE shorts four_entries(const uint8_t *table, const entries *entries, int group) {
    enum { ROW_SIZE = 4 * CRASTERIZER_TABLE_SIDE, SLICE_SIZE = ROW_SIZE * CRASTERIZER_TABLE_SIDE };
    const int32_t *near = entries->offsets + 4 * group;
    const ints8 columns = weights_of(entries->red, group), rows = weights_of(entries->green, group);
    const shorts front =
        between_rows(between_columns(table, near, columns), between_columns(table + ROW_SIZE, near, columns), rows);
    const uint8_t *slice = table + SLICE_SIZE;
    const shorts back =
        between_rows(between_columns(slice, near, columns), between_columns(slice + ROW_SIZE, near, columns), rows);
    return between_rows(front, back, weights_of(entries->blue, group));
}

// Looks colours of 0…1 up in a table.
INLINE colors table_colors(const uint8_t *table, floats r, floats g, floats b) {
    enum { SIDE = CRASTERIZER_TABLE_SIDE };
    const float steps = 1 << FRACTION_BITS;
    // A step less than the last entry, so that there is one on the right.
    const float limit = (float)(SIDE - 1) - 1.0f / (FRACTION + 1);
    const ints red = __builtin_convertvector(limited((SIDE - 1) * r, limit) * steps, ints);
    const ints green = __builtin_convertvector(limited((SIDE - 1) * g, limit) * steps, ints);
    const ints blue = __builtin_convertvector(limited((SIDE - 1) * b, limit) * steps, ints);
    entries entries;
    const ints offsets = ((blue >> FRACTION_BITS) * SIDE + (green >> FRACTION_BITS)) * SIDE + (red >> FRACTION_BITS);
    memcpy(entries.offsets, &offsets, sizeof offsets);
    entries.red = column_weights(red & FRACTION);
    entries.green = row_weights(green & FRACTION);
    entries.blue = row_weights(blue & FRACTION);
    return colors_of(
        joined(
            four_entries(table, &entries, 0), four_entries(table, &entries, 1), four_entries(table, &entries, 2),
            four_entries(table, &entries, 3)),
        1 / FULL_8_BITS);
}
