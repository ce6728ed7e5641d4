// Blurs what was drawn on a picture. Included by kernel.h once for each COMPONENT of pixels, with
//   SUM          holds 256 times a component
//   DIFFERENCE   holds a difference between components times 128, with its sign
//   FULL         the largest component
//   TYPE_OF      makes the names of its types and functions

typedef COMPONENT TYPE_OF(components) __attribute__((ext_vector_type(64)));
typedef SUM TYPE_OF(sums) __attribute__((ext_vector_type(64)));
typedef DIFFERENCE TYPE_OF(differences) __attribute__((ext_vector_type(64)));

// The components at some places of each of 16 pixels.
#ifndef EACH_PIXEL
#define EACH_PIXEL(v, r, g, b, a)                                                                                     \
    __builtin_shufflevector(                                                                                          \
        v, v, r, g, b, a, 4 + r, 4 + g, 4 + b, 4 + a, 8 + r, 8 + g, 8 + b, 8 + a, 12 + r, 12 + g, 12 + b, 12 + a,     \
        16 + r, 16 + g, 16 + b, 16 + a, 20 + r, 20 + g, 20 + b, 20 + a, 24 + r, 24 + g, 24 + b, 24 + a, 28 + r,       \
        28 + g, 28 + b, 28 + a, 32 + r, 32 + g, 32 + b, 32 + a, 36 + r, 36 + g, 36 + b, 36 + a, 40 + r, 40 + g,       \
        40 + b, 40 + a, 44 + r, 44 + g, 44 + b, 44 + a, 48 + r, 48 + g, 48 + b, 48 + a, 52 + r, 52 + g, 52 + b,       \
        52 + a, 56 + r, 56 + g, 56 + b, 56 + a, 60 + r, 60 + g, 60 + b, 60 + a)
#endif

// -1 for alpha, 0 for colours.
INLINE TYPE_OF(differences) TYPE_OF(alphas)(void) {
    TYPE_OF(differences) result = 0;
    for (int pixel = 0; pixel < 16; ++pixel) result[4 * pixel + 3] = -1;
    return result;
}

INLINE TYPE_OF(components) TYPE_OF(load)(const COMPONENT *from) {
    TYPE_OF(components) result;
    memcpy(&result, from, sizeof result);
    return result;
}

// 16 pixels with, in place of alpha, how much was drawn on them: a small difference is a transparent layer, whose details are
// the picture's own.
INLINE TYPE_OF(components) TYPE_OF(covered)(TYPE_OF(components) after, TYPE_OF(components) before) {
    const TYPE_OF(components) higher = after > before ? after - before : before - after;
    const TYPE_OF(components) r = EACH_PIXEL(higher, 0, 0, 0, 0), g = EACH_PIXEL(higher, 1, 1, 1, 1);
    const TYPE_OF(components) b = EACH_PIXEL(higher, 2, 2, 2, 2);
    TYPE_OF(components) most = r > g ? r : g;
    most = most > b ? most : b;
    const COMPONENT limit = FULL / 17;
    const TYPE_OF(components) coverage = (most > limit ? limit : most) * (COMPONENT)17;
    return __builtin_convertvector(TYPE_OF(alphas)(), TYPE_OF(components)) ? coverage : after;
}

// The weighted mean of neighbours, one of which is `step` components from the next.
INLINE TYPE_OF(components) TYPE_OF(mean)(const crasterizer_blur *blur, const COMPONENT *const *lines, size_t place) {
    TYPE_OF(sums) sum = (SUM)128 + (SUM)blur->weights[0] * __builtin_convertvector(
        TYPE_OF(load)(lines[blur->reach] + place), TYPE_OF(sums));
    for (int32_t distance = 1; distance <= blur->reach; ++distance) {
        const TYPE_OF(sums) low = __builtin_convertvector(
            TYPE_OF(load)(lines[blur->reach - distance] + place), TYPE_OF(sums));
        const TYPE_OF(sums) high = __builtin_convertvector(
            TYPE_OF(load)(lines[blur->reach + distance] + place), TYPE_OF(sums));
        sum += (SUM)blur->weights[distance] * (low + high);
    }
    return __builtin_convertvector(sum >> 8, TYPE_OF(components));
}

INLINE size_t TYPE_OF(row_size)(const crasterizer_blur *blur) { return 4 * (size_t)(blur->right - blur->left); }

INLINE COMPONENT *TYPE_OF(drawn_row)(const crasterizer_blur *blur, int32_t y) {
    return (COMPONENT *)((char *)blur->picture.pixels + (size_t)(blur->top + y) * blur->picture.bytes_per_row)
        + 4 * (size_t)blur->left;
}

// Blurs rows along themselves into `blur->rows`, and finds from where to where anything was drawn on them.
// - line: memory for a row, with neighbours beyond both ends.
static void TYPE_OF(blur_along)(const crasterizer_blur *blur, int32_t start, int32_t end, COMPONENT *line) {
    enum { BLOCK_SIZE = 4 * CRASTERIZER_BLUR_COLUMNS };
    const int32_t reach = blur->reach;
    const size_t count = TYPE_OF(row_size)(blur);
    // Of the columns, those in the picture.
    const int32_t columns =
        (blur->right < blur->picture.width ? blur->right : blur->picture.width) - blur->left;
    COMPONENT *first = line + 4 * (size_t)reach;
    const COMPONENT *lines[2 * CRASTERIZER_MOST_BLUR + 1];
    for (int32_t x = 0; x <= 2 * reach; ++x) lines[x] = line + 4 * (size_t)x;
    for (int32_t y = start; y < end; ++y) {
        const COMPONENT *after = TYPE_OF(drawn_row)(blur, y);
        const COMPONENT *before = (const COMPONENT *)blur->before + (size_t)y * count;
        size_t lowest = count, highest = 0;
        for (size_t place = 0; place < count; place += BLOCK_SIZE) {
            const TYPE_OF(components) block =
                TYPE_OF(covered)(TYPE_OF(load)(after + place), TYPE_OF(load)(before + place));
            memcpy(first + place, &block, sizeof block);
            const TYPE_OF(components) coverage =
                __builtin_convertvector(TYPE_OF(alphas)(), TYPE_OF(components)) & block;
            if (!__builtin_reduce_or(coverage)) continue;
            if (place < lowest) lowest = place;
            highest = place + BLOCK_SIZE;
        }
        // Coverage spreads by `reach`, of which whole blocks are blurred.
        const size_t spread = ((size_t)reach + CRASTERIZER_BLUR_COLUMNS - 1) / CRASTERIZER_BLUR_COLUMNS * BLOCK_SIZE;
        blur->spans[2 * y] = (int32_t)(lowest > spread ? lowest - spread : 0);
        blur->spans[2 * y + 1] =
            (int32_t)(highest == 0 ? 0 : (highest + spread < count ? highest + spread : count));
        for (int32_t x = 1; x <= reach; ++x) memcpy(first - 4 * x, first, 4 * sizeof *first);
        COMPONENT *last = first + 4 * (size_t)(columns - 1);
        for (COMPONENT *next = last + 4; next < first + count + 4 * reach; next += 4) {
            memcpy(next, last, 4 * sizeof *last);
        }
        for (size_t place = 0; place < count; place += BLOCK_SIZE) {
            const TYPE_OF(components) block = TYPE_OF(mean)(blur, lines, place);
            memcpy((COMPONENT *)blur->rows + (size_t)y * count + place, &block, sizeof block);
        }
    }
}

// The same for a block of a row of the picture.
INLINE void TYPE_OF(blur_block)(
    const crasterizer_blur *blur, const COMPONENT *const *lines, size_t place, COMPONENT *pixels) {
    const TYPE_OF(components) mean = TYPE_OF(mean)(blur, lines, place);
    const TYPE_OF(components) coverage = EACH_PIXEL(mean, 3, 3, 3, 3);
    const TYPE_OF(components) half = FULL / 2;
    // Also a little outside: edges become soft. 0…128.
    TYPE_OF(differences) weight = __builtin_convertvector(
        (coverage > half ? half : coverage) / (COMPONENT)(FULL / 256 + 1), TYPE_OF(differences)) + 1;
    weight = TYPE_OF(alphas)() ? (DIFFERENCE)0 : weight & ~(DIFFERENCE)1;
    const TYPE_OF(differences) old = __builtin_convertvector(TYPE_OF(load)(pixels + place), TYPE_OF(differences));
    const TYPE_OF(differences) change = __builtin_convertvector(mean, TYPE_OF(differences)) - old;
    const TYPE_OF(components) result = __builtin_convertvector(
        old + ((change * weight + 64) >> 7), TYPE_OF(components));
    memcpy(pixels + place, &result, sizeof result);
}

// Blurs rows of the picture across, from `blur->rows`.
static void TYPE_OF(blur_across)(const crasterizer_blur *blur, int32_t start, int32_t end) {
    const int32_t reach = blur->reach, height = blur->bottom - blur->top;
    const size_t count = TYPE_OF(row_size)(blur);
    const COMPONENT *lines[2 * CRASTERIZER_MOST_BLUR + 1];
    for (int32_t y = start; y < end; ++y) {
        int32_t lowest = INT32_MAX, highest = 0;
        for (int32_t row = -reach; row <= reach; ++row) {
            const int32_t clamped = y + row < 0 ? 0 : (y + row < height ? y + row : height - 1);
            lines[row + reach] = (const COMPONENT *)blur->rows + (size_t)clamped * count;
            const int32_t *span = blur->spans + 2 * clamped;
            if (span[0] < lowest) lowest = span[0];
            if (span[1] > highest) highest = span[1];
        }
        COMPONENT *pixels = TYPE_OF(drawn_row)(blur, y);
        for (int32_t place = lowest; place < highest; place += 4 * CRASTERIZER_BLUR_COLUMNS) {
            TYPE_OF(blur_block)(blur, lines, (size_t)place, pixels);
        }
    }
}
