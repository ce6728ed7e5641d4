#include "CSkinColors.h"

#include <CProcessor.h>
#include <string.h>

enum { LANES = 8, MOST_SAMPLES = 3 };

// No function with vectors as arguments is ever called: all are inlined.
#pragma clang diagnostic ignored "-Wpsabi"
#define INLINE static inline __attribute__((always_inline))

typedef float floats __attribute__((ext_vector_type(8)));
typedef int32_t ints __attribute__((ext_vector_type(8)));
typedef uint32_t words __attribute__((ext_vector_type(8)));

// NaN becomes 0.
INLINE ints limited(floats value, float limit) {
    value = value > 0.0f ? value : 0.0f;
    return __builtin_convertvector(value < limit ? value : limit, ints);
}

// Eight pixels.
INLINE words pixels_at(const char *pixels, ints offsets) {
    _Alignas(32) int32_t at[LANES];
    _Alignas(32) uint32_t values[LANES];
    memcpy(at, &offsets, sizeof at);
    for (int lane = 0; lane < LANES; ++lane) memcpy(&values[lane], pixels + at[lane], sizeof values[lane]);
    words result;
    memcpy(&result, values, sizeof result);
    return result;
}

// The logarithms of eight values of 0…255.
INLINE floats logarithms_of(words sums, float scale, const float *logarithms) {
    const ints steps = __builtin_convertvector(__builtin_convertvector(sums, floats) * scale + 0.5f, ints);
    floats result;
    for (int lane = 0; lane < LANES; ++lane) result[lane] = logarithms[steps[lane]];
    return result;
}

// Of eight places.
INLINE void read_places(
    const cskincolors_picture *picture, const float *places, int32_t side, float step, const float *logarithms,
    float *result) {
    floats x, y;
    for (int lane = 0; lane < LANES; ++lane) {
        x[lane] = places[2 * lane];
        y[lane] = places[2 * lane + 1];
    }
    const float to_first = step * (float)(side - 1) / 2;
    ints columns[MOST_SAMPLES], rows[MOST_SAMPLES];
    for (int32_t i = 0; i < side; ++i) {
        columns[i] = 4 * limited(x - to_first + step * (float)i, (float)picture->width - 1);
        rows[i] = (int32_t)picture->bytes_per_row * limited(y - to_first + step * (float)i, (float)picture->height - 1);
    }
    // Two components are added at a time.
    words even = 0, odd = 0;
    for (int32_t j = 0; j < side; ++j) {
        for (int32_t i = 0; i < side; ++i) {
            const words pixels = pixels_at(picture->pixels, rows[j] + columns[i]);
            even += pixels & 0xff00ff;
            odd += (pixels >> 8) & 0xff00ff;
        }
    }
    const float scale = 16 / (float)(side * side);
    const floats r = logarithms_of(even & 0xffff, scale, logarithms);
    const floats g = logarithms_of(odd & 0xffff, scale, logarithms);
    const floats b = logarithms_of(even >> 16, scale, logarithms);
    // Infinite numbers have no difference, either.
    const ints is_number = x - x == 0.0f & y - y == 0.0f;
    const floats luminance = is_number ? (r + g + b) / 3.0f : 0.0f;
    const floats red = is_number ? r - g : 0.0f, blue = is_number ? b - g : 0.0f;
    for (int lane = 0; lane < LANES; ++lane) {
        const float color[4] = {luminance[lane], red[lane], blue[lane], 0};
        memcpy(result + 4 * lane, color, sizeof color);
    }
}

INLINE void read_all(
    const cskincolors_picture *picture, const float *places, ptrdiff_t count, int32_t side, float step,
    const float *logarithms, float *result) {
    ptrdiff_t index = 0;
    for (; index + LANES <= count; index += LANES)
        read_places(picture, places + 2 * index, side, step, logarithms, result + 4 * index);
    if (index == count) return;
    float rest[2 * LANES] = {0}, colors[4 * LANES];
    memcpy(rest, places + 2 * index, sizeof(float) * 2 * (size_t)(count - index));
    read_places(picture, rest, side, step, logarithms, colors);
    memcpy(result + 4 * index, colors, sizeof(float) * 4 * (size_t)(count - index));
}

FOR_EACH_PROCESSOR
void cskincolors_read(
    const cskincolors_picture *picture, const float *places, ptrdiff_t count, cskincolors_square square,
    const float *logarithms, float *result) {
    if (square.side == 2) read_all(picture, places, count, 2, square.step, logarithms, result);
    else read_all(picture, places, count, 3, square.step, logarithms, result);
}
