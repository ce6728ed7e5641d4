#include "CPipeWire.h"

#include <CProcessor.h>
#include <string.h>

// ITU-R BT.601, limited range: what a value of 0...255 adds, in units of 2^-FRACTION.
enum { FRACTION = 20 };

typedef struct {
    int32_t red, green, blue;
} weights;

#define SCALED(value) ((int32_t)((value) * (1 << FRACTION) + ((value) < 0 ? -0.5 : 0.5)))
#define RED 0.299
#define BLUE 0.114
#define BRIGHTNESS(share) SCALED(219.0 / 255 * (share))
#define COLOUR(share, own) SCALED(112.0 / 255 * (share) / (1 - (own)))

static const weights to_y = {BRIGHTNESS(RED), SCALED(219.0 / 255) - BRIGHTNESS(RED) - BRIGHTNESS(BLUE), BRIGHTNESS(BLUE)};
// The sums of the following are exactly 0, so that grey stays grey.
static const weights to_u = {
    COLOUR(-RED, BLUE), -COLOUR(-RED, BLUE) - COLOUR(1 - BLUE, BLUE), COLOUR(1 - BLUE, BLUE)};
static const weights to_v = {COLOUR(1 - RED, RED), -COLOUR(1 - RED, RED) - COLOUR(-BLUE, RED), COLOUR(-BLUE, RED)};

static inline int32_t sum(weights weights, int32_t red, int32_t green, int32_t blue) {
    return weights.red * red + weights.green * green + weights.blue * blue;
}

static inline int32_t red(uint32_t pixel) { return pixel & 255; }
static inline int32_t green(uint32_t pixel) { return pixel >> 8 & 255; }
static inline int32_t blue(uint32_t pixel) { return pixel >> 16 & 255; }

static inline uint8_t brightness(uint32_t pixel) {
    return (sum(to_y, red(pixel), green(pixel), blue(pixel)) + (16 << FRACTION) + (1 << (FRACTION - 1))) >> FRACTION;
}

// Of the sum of 1 << bits pixels.
static inline uint8_t colour(weights weights, int32_t red, int32_t green, int32_t blue, int bits) {
    return ((sum(weights, red, green, blue) + (1 << (FRACTION + bits - 1))) >> (FRACTION + bits)) + 128;
}

FOR_EACH_PROCESSOR
static void convert_brightness(const uint32_t *row, uint32_t width, uint8_t *y) {
    for (uint32_t x = 0; x < width; ++x) y[x] = brightness(row[x]);
}

FOR_EACH_PROCESSOR
static void average_planes(
    const uint32_t *upper, const uint32_t *lower, uint32_t pairs, uint8_t *u, uint8_t *v) {
    for (uint32_t x = 0; x < pairs; ++x) {
        uint32_t a = upper[2 * x], b = upper[2 * x + 1], c = lower[2 * x], d = lower[2 * x + 1];
        int32_t r = red(a) + red(b) + red(c) + red(d), g = green(a) + green(b) + green(c) + green(d);
        int32_t bl = blue(a) + blue(b) + blue(c) + blue(d);
        u[x] = colour(to_u, r, g, bl, 2);
        v[x] = colour(to_v, r, g, bl, 2);
    }
}

FOR_EACH_PROCESSOR
static void average_pairs(
    const uint32_t *upper, const uint32_t *lower, uint32_t pairs, uint8_t *uv) {
    for (uint32_t x = 0; x < pairs; ++x) {
        uint32_t a = upper[2 * x], b = upper[2 * x + 1], c = lower[2 * x], d = lower[2 * x + 1];
        int32_t r = red(a) + red(b) + red(c) + red(d), g = green(a) + green(b) + green(c) + green(d);
        int32_t bl = blue(a) + blue(b) + blue(c) + blue(d);
        uv[2 * x] = colour(to_u, r, g, bl, 2);
        uv[2 * x + 1] = colour(to_v, r, g, bl, 2);
    }
}

FOR_EACH_PROCESSOR
static void convert_packed(const uint32_t *row, uint32_t pairs, uint8_t *yuyv) {
    for (uint32_t x = 0; x < pairs; ++x) {
        uint32_t a = row[2 * x], b = row[2 * x + 1];
        int32_t r = red(a) + red(b), g = green(a) + green(b), bl = blue(a) + blue(b);
        yuyv[4 * x] = brightness(a);
        yuyv[4 * x + 1] = colour(to_u, r, g, bl, 1);
        yuyv[4 * x + 2] = brightness(b);
        yuyv[4 * x + 3] = colour(to_v, r, g, bl, 1);
    }
}

size_t cpipewire_size(cpipewire_format format, uint32_t width, uint32_t height) {
    size_t pixels = (size_t)width * height;
    switch (format) {
    case CPIPEWIRE_I420:
    case CPIPEWIRE_NV12: return pixels * 3 / 2;
    case CPIPEWIRE_YUY2: return pixels * 2;
    case CPIPEWIRE_RGBA: return pixels * 4;
    }
    return 0;
}

void cpipewire_convert(
    cpipewire_format format, uint32_t width, uint32_t height, const uint8_t *rgba, size_t stride, uint8_t *pixels) {
    uint32_t pairs = width / 2;
    uint8_t *u = pixels + (size_t)width * height, *v = u + (size_t)pairs * (height / 2);
    for (uint32_t y = 0; y < height; ++y) {
        const uint32_t *row = (const void *)(rgba + y * stride), *above = y ? (const void *)(rgba + (y - 1) * stride) : row;
        switch (format) {
        case CPIPEWIRE_RGBA: memcpy(pixels + 4 * (size_t)width * y, row, 4 * (size_t)width); break;
        case CPIPEWIRE_YUY2: convert_packed(row, pairs, pixels + 2 * (size_t)width * y); break;
        case CPIPEWIRE_I420:
            convert_brightness(row, width, pixels + (size_t)width * y);
            if (y % 2) average_planes(above, row, pairs, u + y / 2 * (size_t)pairs, v + y / 2 * (size_t)pairs);
            break;
        case CPIPEWIRE_NV12:
            convert_brightness(row, width, pixels + (size_t)width * y);
            if (y % 2) average_pairs(above, row, pairs, u + y / 2 * (size_t)width);
            break;
        }
    }
}
