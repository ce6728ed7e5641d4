// What lies in front of a face: the picture as it was before the first layer, wherever a matte says so. Included by
// kernel.h.

// The memory for uncovering a tile.
typedef struct uncovered_scratch {
    // The tile's pixels before the first layer; rows are as long as the tile's.
    _Alignas(64) uint8_t pixels[HEIGHT * WIDTH * 8];
    // Of each column: the texel of the matte on its left, and the weight of the one on its right.
    _Alignas(64) int32_t texels[WIDTH];
    _Alignas(64) float weights[WIDTH];
} uncovered_scratch;

// Columns from a tile's left; none: both are equal.
typedef struct columns_of_tile {
    int32_t from, to;
} columns_of_tile;

INLINE int32_t column_between(float value, int32_t least, int32_t greatest) {
    return value > (float)least ? (value < (float)greatest ? (int32_t)value : greatest) : least;
}

// The first column whose centre is not before a place.
INLINE int32_t first_center_after(float place, int32_t least, int32_t greatest) {
    const int32_t column = column_between(place - 0.5f, least, greatest);
    return (float)column + 0.5f < place && column < greatest ? column + 1 : column;
}

// Where a matte has something. Hair lies around a face, so that most tiles have nothing.
static columns_of_tile matte_columns(const crasterizer_layer *layer, int32_t left, int32_t top) {
    const columns_of_tile none = {0, 0};
    const crasterizer_matte *matte = &layer->matte;
    const int32_t start = layer->left > left ? layer->left : left, first_row = layer->top > top ? layer->top : top;
    const int32_t end = layer->right < left + WIDTH ? layer->right : left + WIDTH;
    const int32_t end_row = layer->bottom < top + HEIGHT ? layer->bottom : top + HEIGHT;
    const float above = matte->y + matte->down * ((float)first_row + 0.5f);
    const float below = matte->y + matte->down * ((float)end_row - 0.5f) + 1.0f;
    if (start >= end || !(above < (float)matte->height && below >= 0.0f)) return none;
    const int32_t last = column_between(below, 0, matte->height - 1);
    int32_t lowest = matte->width, highest = -1;
    for (int32_t row = column_between(above, 0, matte->height - 1); row <= last; ++row) {
        const uint8_t *alphas = matte->alphas + (size_t)row * (size_t)matte->texels_per_row;
        int32_t from = 0, to = matte->width - 1;
        while (from < lowest && alphas[from] == 0) ++from;
        while (to > highest && alphas[to] == 0) --to;
        lowest = from;
        highest = to;
    }
    if (highest < lowest) return none;
    // Between texels it is interpolated; half a texel around the outermost ones belongs to them.
    const float from = lowest > 0 ? (float)lowest - 1.0f : -0.5f;
    const float to = highest < matte->width - 1 ? (float)highest + 1.0f : (float)matte->width - 0.5f;
    return (columns_of_tile){
        first_center_after((from - matte->x) / matte->across, start, end) - left,
        first_center_after((to - matte->x) / matte->across, start, end) - left};
}

// Before the first layer is drawn.
static void keep_pixels(
    const crasterizer_picture *picture, int32_t left, int32_t top, columns_of_tile columns,
    uncovered_scratch *scratch) {
    const size_t pixel_size = picture->has_16_bits ? 8 : 4;
    const int32_t first = columns.from & ~(LANES - 1);
    const int32_t end = picture->height - top < HEIGHT ? picture->height - top : HEIGHT;
    for (int32_t row = 0; row < end; ++row) {
        const char *pixels = (const char *)picture->pixels + (size_t)(top + row) * picture->bytes_per_row;
        memcpy(
            scratch->pixels + ((size_t)row * WIDTH + (size_t)first) * pixel_size,
            pixels + (size_t)(left + first) * pixel_size, (size_t)(columns.to - first) * pixel_size);
    }
}

// One row of pixels between two rows of the matte.
typedef struct matte_row {
    const uint8_t *upper, *lower;
    float down;  // the weight of the lower one
} matte_row;

// - returns: false if the row lies outside of the matte.
INLINE bool find_matte_row(const crasterizer_matte *matte, int32_t y, matte_row *result) {
    const float v = matte->y + matte->down * ((float)y + 0.5f);
    // Half a texel around the outermost ones belongs to them.
    if (!(v >= -0.5f && v < (float)matte->height - 0.5f)) return false;
    const float place = v > 0 ? (v < (float)(matte->height - 1) ? v : (float)(matte->height - 1)) : 0;
    const int32_t above = (int32_t)place, below = above + 1 < matte->height ? above + 1 : above;
    result->upper = matte->alphas + (size_t)above * (size_t)matte->texels_per_row;
    result->lower = matte->alphas + (size_t)below * (size_t)matte->texels_per_row;
    result->down = place - (float)above;
    return true;
}

// The least and the greatest value of the matte at 16 pixels.
INLINE void find_extremes(const matte_row *row, const int32_t *texels, uint8_t *least, uint8_t *greatest) {
    uint8_t low = 255, high = 0;
    for (int32_t texel = texels[0]; texel <= texels[LANES - 1] + 1; ++texel) {
        const uint8_t a = row->upper[texel], b = row->lower[texel];
        low = a < low ? a : low;
        low = b < low ? b : low;
        high = a > high ? a : high;
        high = b > high ? b : high;
    }
    *least = low;
    *greatest = high;
}

// Of the matte at 16 pixels: 0…1.
INLINE floats matte_alpha(const matte_row *row, const int32_t *texels, const float *weights) {
    typedef uint16_t pairs __attribute__((ext_vector_type(16)));
    _Alignas(32) uint16_t upper[LANES], lower[LANES];
    for (int lane = 0; lane < LANES; ++lane) {
        memcpy(&upper[lane], row->upper + texels[lane], 2);
        memcpy(&lower[lane], row->lower + texels[lane], 2);
    }
    pairs above, below;
    memcpy(&above, upper, sizeof above);
    memcpy(&below, lower, sizeof below);
    floats right;
    memcpy(&right, weights, sizeof right);
    const floats a = __builtin_convertvector(above & 255, floats), b = __builtin_convertvector(above >> 8, floats);
    const floats c = __builtin_convertvector(below & 255, floats), d = __builtin_convertvector(below >> 8, floats);
    const floats first = a + right * (b - a), second = c + right * (d - c);
    return (1.0f / 255) * (first + row->down * (second - first));
}

// 16 pixels of a row.
INLINE void uncover_pixels(
    const crasterizer_layer *layer, const crasterizer_encoding *encoding, floats alpha, const void *kept,
    bool has_16_bits, void *pixels, int32_t count) {
    const ints is_changed = alpha >= 1.0f / 1024;
    if (!__builtin_reduce_or(is_changed)) return;
    const colors old = has_16_bits ? load_16_bits(kept, count) : load_8_bits(kept);
    const colors below = has_16_bits ? load_16_bits(pixels, count) : load_8_bits(pixels);
    const colors result = layer->restores
        ? restored(old, below, alpha)
        : composited(layer, encoding, (colors){old.r * alpha, old.g * alpha, old.b * alpha, alpha}, below);
    if (has_16_bits) store_16_bits(pixels, count, result, is_changed);
    else store_8_bits(pixels, result, is_changed);
}

// - columns: with the tile's own texels and weights in `scratch`.
INLINE void uncover_rows(
    const crasterizer_picture *picture, const crasterizer_encoding *encoding, const crasterizer_layer *layer,
    int32_t left, int32_t top, columns_of_tile columns, const uncovered_scratch *scratch, bool has_16_bits) {
    const size_t pixel_size = has_16_bits ? 8 : 4;
    const int32_t end = layer->bottom - top < HEIGHT ? layer->bottom - top : HEIGHT;
    // There, what was drawn is as opaque as what comes back.
    const bool is_copied = !has_16_bits && encoding->is_opaque;
    for (int32_t y = layer->top > top ? layer->top - top : 0; y < end; ++y) {
        matte_row row;
        if (!find_matte_row(&layer->matte, top + y, &row)) continue;
        char *pixels = (char *)picture->pixels + (size_t)(top + y) * picture->bytes_per_row;
        const uint8_t *old = scratch->pixels + (size_t)y * WIDTH * pixel_size;
        for (int32_t x = columns.from & ~(LANES - 1); x < columns.to; x += LANES) {
            uint8_t least, greatest;
            find_extremes(&row, scratch->texels + x, &least, &greatest);
            if (greatest == 0) continue;
            const bool is_whole = x >= columns.from && x + LANES <= columns.to;
            char *to = pixels + (size_t)(left + x) * pixel_size;
            if (least == 255 && is_whole && is_copied) {
                memcpy(to, old + (size_t)x * pixel_size, LANES * 4);
                continue;
            }
            const floats alpha = matte_alpha(&row, scratch->texels + x, scratch->weights + x);
            const floats lanes = lane_numbers() + (float)x;
            const ints is_inside = lanes >= (float)columns.from && lanes < (float)columns.to;
            const int32_t rest = picture->width - left - x;
            uncover_pixels(
                layer, encoding, is_inside ? alpha : 0.0f, old + (size_t)x * pixel_size, has_16_bits, to,
                rest < LANES ? rest : LANES);
        }
    }
}

static void uncover(
    const crasterizer_picture *picture, const crasterizer_encoding *encoding, const crasterizer_layer *layer,
    int32_t left, int32_t top, uncovered_scratch *scratch) {
    const crasterizer_matte *matte = &layer->matte;
    const columns_of_tile columns = matte_columns(layer, left, top);
    for (int32_t x = columns.from & ~(LANES - 1); x < columns.to; x += LANES) {
        const floats u = matte->x + matte->across * (lane_numbers() + ((float)(left + x) + 0.5f));
        const floats place = limited(u, (float)(matte->width - 1));
        const ints texels = __builtin_convertvector(place, ints);
        const floats weights = place - __builtin_convertvector(texels, floats);
        memcpy(scratch->texels + x, &texels, sizeof texels);
        memcpy(scratch->weights + x, &weights, sizeof weights);
    }
    if (picture->has_16_bits) uncover_rows(picture, encoding, layer, left, top, columns, scratch, true);
    else uncover_rows(picture, encoding, layer, left, top, columns, scratch, false);
}
