#include "CFrameFormats.h"

#include <CProcessor.h>
#include <string.h>

// Fixed-point numbers in units of 2^-FRACTION: what is computed from RGB, and RGB.
enum { FRACTION = 20, RGB_FRACTION = 16 };

typedef struct {
    int32_t red, green, blue;
} weights;

// What a matrix and a range make of values.
typedef struct {
    weights y, u, v;
    int32_t black;  // of Y
    // RGB from Y - black, and from U and V - 128.
    int32_t from_y, red_from_v, green_from_u, green_from_v, blue_from_u;
} coding;

static int32_t scaled(double value, int bits) { return (int32_t)(value * (1 << bits) + (value < 0 ? -0.5 : 0.5)); }

static coding coding_of(const cframe_picture *picture) {
    const double red = picture->is_bt709 ? 0.2126 : 0.299, blue = picture->is_bt709 ? 0.0722 : 0.114;
    const double y = picture->is_full ? 1 : 219.0 / 255, uv = picture->is_full ? 0.5 : 112.0 / 255;
    coding coding = {.black = picture->is_full ? 0 : 16};
    coding.y.red = scaled(y * red, FRACTION);
    coding.y.blue = scaled(y * blue, FRACTION);
    coding.y.green = scaled(y, FRACTION) - coding.y.red - coding.y.blue;
    // The sums of the following are exactly 0, so that grey stays grey.
    coding.u.red = scaled(uv * -red / (1 - blue), FRACTION);
    coding.u.blue = scaled(uv, FRACTION);
    coding.u.green = -coding.u.red - coding.u.blue;
    coding.v.red = scaled(uv, FRACTION);
    coding.v.blue = scaled(uv * -blue / (1 - red), FRACTION);
    coding.v.green = -coding.v.red - coding.v.blue;
    const double green = 1 - red - blue;
    coding.from_y = scaled(1 / y, RGB_FRACTION);
    coding.red_from_v = scaled((1 - red) / uv, RGB_FRACTION);
    coding.blue_from_u = scaled((1 - blue) / uv, RGB_FRACTION);
    coding.green_from_u = -scaled((1 - blue) * blue / (uv * green), RGB_FRACTION);
    coding.green_from_v = -scaled((1 - red) * red / (uv * green), RGB_FRACTION);
    return coding;
}

static inline uint32_t clamped(int32_t value) { return value < 0 ? 0 : value > 255 ? 255 : (uint32_t)value; }

// MARK: Layouts

int cframe_planes(cframe_format format) { return format == CFRAME_I420 ? 3 : format == CFRAME_NV12 ? 2 : 1; }

size_t cframe_row_bytes(cframe_format format, int plane, uint32_t width) {
    const size_t half = ((size_t)width + 1) / 2;
    switch (format) {
    case CFRAME_RGBA:
    case CFRAME_BGRA: return 4 * (size_t)width;
    case CFRAME_I420: return plane ? half : width;
    case CFRAME_NV12: return plane ? 2 * half : width;
    case CFRAME_YUY2: return 2 * (size_t)width;
    }
    return 0;
}

uint32_t cframe_rows(cframe_format format, int plane, uint32_t height) {
    return plane && (format == CFRAME_I420 || format == CFRAME_NV12) ? height / 2 + height % 2 : height;
}

void cframe_copy(const cframe_picture *from, const cframe_picture *to) {
    for (int plane = 0; plane < cframe_planes(from->format); ++plane) {
        const size_t count = cframe_row_bytes(from->format, plane, from->width);
        for (uint32_t y = 0; y < cframe_rows(from->format, plane, from->height); ++y)
            memcpy(to->planes[plane] + y * to->strides[plane], from->planes[plane] + y * from->strides[plane], count);
    }
}

void cframe_fill(const cframe_picture *picture, uint8_t level) {
    const uint8_t grey = picture->is_full ? level : (uint8_t)(16 + (219 * level + 127) / 255);
    for (int plane = 0; plane < cframe_planes(picture->format); ++plane) {
        const size_t count = cframe_row_bytes(picture->format, plane, picture->width);
        for (uint32_t y = 0; y < cframe_rows(picture->format, plane, picture->height); ++y) {
            uint8_t *row = picture->planes[plane] + y * picture->strides[plane];
            switch (picture->format) {
            case CFRAME_RGBA:
            case CFRAME_BGRA:
                for (size_t x = 0; x < count; ++x) row[x] = x % 4 == 3 ? 255 : level;
                break;
            case CFRAME_I420:
            case CFRAME_NV12: memset(row, plane ? 128 : grey, count); break;
            case CFRAME_YUY2:
                for (size_t x = 0; x < count; ++x) row[x] = x % 2 ? 128 : grey;
                break;
            }
        }
    }
}

// MARK: To RGBA

static inline uint32_t pixel(coding c, int32_t y, int32_t u, int32_t v) {
    const int32_t brightness = c.from_y * (y - c.black) + (1 << (RGB_FRACTION - 1));
    const uint32_t red = clamped((brightness + c.red_from_v * v) >> RGB_FRACTION);
    const uint32_t green = clamped((brightness + c.green_from_u * u + c.green_from_v * v) >> RGB_FRACTION);
    const uint32_t blue = clamped((brightness + c.blue_from_u * u) >> RGB_FRACTION);
    return red | green << 8 | blue << 16 | 255u << 24;
}

// The steps are from one value to the next, in bytes.
static inline __attribute__((always_inline)) void row_of_steps(
    coding c, const uint8_t *y, const uint8_t *u, const uint8_t *v, uint32_t width, size_t y_step, size_t uv_step,
    uint32_t *restrict rgba) {
    const uint32_t pairs = width / 2;
    for (uint32_t x = 0; x < pairs; ++x) {
        const int32_t blue = u[x * uv_step] - 128, red = v[x * uv_step] - 128;
        rgba[2 * x] = pixel(c, y[2 * x * y_step], blue, red);
        rgba[2 * x + 1] = pixel(c, y[(2 * x + 1) * y_step], blue, red);
    }
    if (width % 2) rgba[width - 1] = pixel(c, y[(width - 1) * y_step], u[pairs * uv_step] - 128, v[pairs * uv_step] - 128);
}

FOR_EACH_PROCESSOR
static void row_of_i420(
    coding c, const uint8_t *y, const uint8_t *u, const uint8_t *v, uint32_t width, uint32_t *restrict rgba) {
    row_of_steps(c, y, u, v, width, 1, 1, rgba);
}

FOR_EACH_PROCESSOR
static void row_of_nv12(coding c, const uint8_t *y, const uint8_t *uv, uint32_t width, uint32_t *restrict rgba) {
    row_of_steps(c, y, uv, uv + 1, width, 1, 2, rgba);
}

FOR_EACH_PROCESSOR
static void row_of_yuy2(coding c, const uint8_t *yuyv, uint32_t width, uint32_t *restrict rgba) {
    row_of_steps(c, yuyv, yuyv + 1, yuyv + 3, width, 2, 4, rgba);
}

FOR_EACH_PROCESSOR
static void swap_row(const uint8_t *from, uint32_t width, uint8_t *restrict to) {
    for (uint32_t x = 0; x < width; ++x) {
        to[4 * x] = from[4 * x + 2];
        to[4 * x + 1] = from[4 * x + 1];
        to[4 * x + 2] = from[4 * x];
        to[4 * x + 3] = from[4 * x + 3];
    }
}

static void row_to_rgba(const cframe_picture *picture, coding c, uint32_t row, uint8_t *rgba) {
    const uint8_t *first = picture->planes[0] + row * picture->strides[0];
    switch (picture->format) {
    case CFRAME_RGBA: memcpy(rgba, first, 4 * (size_t)picture->width); break;
    case CFRAME_BGRA: swap_row(first, picture->width, rgba); break;
    case CFRAME_I420:
        row_of_i420(
            c, first, picture->planes[1] + row / 2 * picture->strides[1], picture->planes[2] + row / 2 * picture->strides[2],
            picture->width, (uint32_t *)(void *)rgba);
        break;
    case CFRAME_NV12:
        row_of_nv12(
            c, first, picture->planes[1] + row / 2 * picture->strides[1], picture->width, (uint32_t *)(void *)rgba);
        break;
    case CFRAME_YUY2: row_of_yuy2(c, first, picture->width, (uint32_t *)(void *)rgba); break;
    }
}

void cframe_to_rgba(const cframe_picture *picture, uint8_t *rgba, size_t stride) {
    const coding c = coding_of(picture);
    for (uint32_t y = 0; y < picture->height; ++y) row_to_rgba(picture, c, y, rgba + y * stride);
}

// MARK: From RGBA

static inline int32_t red(uint32_t pixel) { return pixel & 255; }
static inline int32_t green(uint32_t pixel) { return pixel >> 8 & 255; }
static inline int32_t blue(uint32_t pixel) { return pixel >> 16 & 255; }

static inline int32_t sum(weights weights, int32_t red, int32_t green, int32_t blue) {
    return weights.red * red + weights.green * green + weights.blue * blue;
}

static inline uint8_t brightness(weights to_y, int32_t black, uint32_t pixel) {
    return (uint8_t)(
        (sum(to_y, red(pixel), green(pixel), blue(pixel)) + (black << FRACTION) + (1 << (FRACTION - 1))) >> FRACTION);
}

// Of the sum of 1 << bits pixels.
static inline uint8_t colour(weights weights, int32_t red, int32_t green, int32_t blue, int bits) {
    const int32_t value = ((sum(weights, red, green, blue) + (1 << (FRACTION + bits - 1))) >> (FRACTION + bits)) + 128;
    // Full range: 127.5 is rounded up.
    return value > 255 ? 255 : (uint8_t)value;
}

FOR_EACH_PROCESSOR
static void brightness_of_row(weights to_y, int32_t black, const uint32_t *row, uint32_t width, uint8_t *restrict y) {
    for (uint32_t x = 0; x < width; ++x) y[x] = brightness(to_y, black, row[x]);
}

static inline __attribute__((always_inline)) void average_of_steps(
    weights to_u, weights to_v, const uint32_t *upper, const uint32_t *lower, uint32_t width, size_t step, uint8_t *u,
    uint8_t *v) {
    const uint32_t pairs = width / 2;
    for (uint32_t x = 0; x < pairs; ++x) {
        const uint32_t a = upper[2 * x], b = upper[2 * x + 1], c = lower[2 * x], d = lower[2 * x + 1];
        const int32_t r = red(a) + red(b) + red(c) + red(d), g = green(a) + green(b) + green(c) + green(d);
        const int32_t bl = blue(a) + blue(b) + blue(c) + blue(d);
        u[x * step] = colour(to_u, r, g, bl, 2);
        v[x * step] = colour(to_v, r, g, bl, 2);
    }
    if (width % 2) {
        const uint32_t a = upper[width - 1], c = lower[width - 1];
        u[pairs * step] = colour(to_u, red(a) + red(c), green(a) + green(c), blue(a) + blue(c), 1);
        v[pairs * step] = colour(to_v, red(a) + red(c), green(a) + green(c), blue(a) + blue(c), 1);
    }
}

FOR_EACH_PROCESSOR
static void average_planes(
    weights to_u, weights to_v, const uint32_t *upper, const uint32_t *lower, uint32_t width, uint8_t *restrict u,
    uint8_t *restrict v) {
    average_of_steps(to_u, to_v, upper, lower, width, 1, u, v);
}

FOR_EACH_PROCESSOR
static void average_pairs(
    weights to_u, weights to_v, const uint32_t *upper, const uint32_t *lower, uint32_t width, uint8_t *restrict uv) {
    average_of_steps(to_u, to_v, upper, lower, width, 2, uv, uv + 1);
}

FOR_EACH_PROCESSOR
static void pack_row(coding c, const uint32_t *row, uint32_t pairs, uint8_t *restrict yuyv) {
    for (uint32_t x = 0; x < pairs; ++x) {
        const uint32_t a = row[2 * x], b = row[2 * x + 1];
        const int32_t r = red(a) + red(b), g = green(a) + green(b), bl = blue(a) + blue(b);
        yuyv[4 * x] = brightness(c.y, c.black, a);
        yuyv[4 * x + 1] = colour(c.u, r, g, bl, 1);
        yuyv[4 * x + 2] = brightness(c.y, c.black, b);
        yuyv[4 * x + 3] = colour(c.v, r, g, bl, 1);
    }
}

// From the pixel `start` on, which is even, up to `end`. Of a last row without a second one, `lower` is `upper`.
static void rows_from_rgba(
    const cframe_picture *picture, coding c, uint32_t row, const uint8_t *upper, const uint8_t *lower, uint32_t start,
    uint32_t end) {
    const uint32_t *first = (const uint32_t *)(const void *)upper + start;
    const uint32_t *second = (const uint32_t *)(const void *)lower + start;
    const uint32_t count = end - start;
    uint8_t *to = picture->planes[0] + row * picture->strides[0];
    switch (picture->format) {
    case CFRAME_RGBA: memcpy(to + 4 * (size_t)start, first, 4 * (size_t)count); break;
    case CFRAME_BGRA: swap_row((const uint8_t *)first, count, to + 4 * (size_t)start); break;
    case CFRAME_YUY2: pack_row(c, first, count / 2, to + 2 * (size_t)start); break;
    case CFRAME_I420:
    case CFRAME_NV12: {
        brightness_of_row(c.y, c.black, first, count, to + start);
        if (lower != upper) brightness_of_row(c.y, c.black, second, count, to + picture->strides[0] + start);
        uint8_t *u = picture->planes[1] + row / 2 * picture->strides[1];
        if (picture->format == CFRAME_NV12) {
            average_pairs(c.u, c.v, first, second, count, u + start);
        } else {
            uint8_t *v = picture->planes[2] + row / 2 * picture->strides[2];
            average_planes(c.u, c.v, first, second, count, u + start / 2, v + start / 2);
        }
    }
    }
}

// How many rows share their colours.
static uint32_t rows_together(cframe_format format) {
    return format == CFRAME_I420 || format == CFRAME_NV12 ? 2 : 1;
}

void cframe_from_rgba(const cframe_picture *picture, const uint8_t *rgba, size_t stride) {
    const coding c = coding_of(picture);
    const uint32_t step = rows_together(picture->format);
    for (uint32_t y = 0; y < picture->height; y += step) {
        const uint8_t *upper = rgba + y * stride;
        const bool has_second = step == 2 && y + 1 < picture->height;
        rows_from_rgba(picture, c, y, upper, has_second ? upper + stride : upper, 0, picture->width);
    }
}

// Converts the pixels of two rows, or of one, that differ from what they were.
static void update_rows(
    const cframe_picture *picture, coding c, uint32_t row, const uint8_t *upper, const uint8_t *lower,
    const uint32_t *old_upper, const uint32_t *old_lower) {
    const uint32_t *first = (const void *)upper, *second = (const void *)lower;
    const uint32_t width = picture->width;
    uint8_t *y[2] = {picture->planes[0] + row * picture->strides[0], NULL};
    if (lower != upper) y[1] = y[0] + picture->strides[0];
    const size_t y_step = picture->format == CFRAME_YUY2 ? 2 : 1;
    for (uint32_t x = 0; x < width; x += 2) {
        const uint32_t end = x + 1 < width ? x + 1 : x;
        if (first[x] == old_upper[x] && first[end] == old_upper[end] && second[x] == old_lower[x]
            && second[end] == old_lower[end])
            continue;
        // The brightness of a pixel that has not changed stays, although it shares its colours.
        for (uint32_t place = x; place <= end; ++place) {
            if (first[place] != old_upper[place]) y[0][place * y_step] = brightness(c.y, c.black, first[place]);
            if (y[1] && second[place] != old_lower[place]) y[1][place * y_step] = brightness(c.y, c.black, second[place]);
        }
        const int32_t r = red(first[x]) + red(first[end]) + red(second[x]) + red(second[end]);
        const int32_t g = green(first[x]) + green(first[end]) + green(second[x]) + green(second[end]);
        const int32_t b = blue(first[x]) + blue(first[end]) + blue(second[x]) + blue(second[end]);
        const uint8_t u = colour(c.u, r, g, b, 2), v = colour(c.v, r, g, b, 2);
        switch (picture->format) {
        case CFRAME_I420:
            picture->planes[1][row / 2 * picture->strides[1] + x / 2] = u;
            picture->planes[2][row / 2 * picture->strides[2] + x / 2] = v;
            break;
        case CFRAME_NV12:
            picture->planes[1][row / 2 * picture->strides[1] + x] = u;
            picture->planes[1][row / 2 * picture->strides[1] + x + 1] = v;
            break;
        case CFRAME_YUY2:
            y[0][2 * x + 1] = u;
            y[0][2 * x + 3] = v;
            break;
        case CFRAME_RGBA:
        case CFRAME_BGRA: break;
        }
    }
}

void cframe_update(const cframe_picture *picture, const uint8_t *rgba, size_t stride, uint8_t *rows) {
    if (picture->format == CFRAME_RGBA || picture->format == CFRAME_BGRA) {
        cframe_from_rgba(picture, rgba, stride);
        return;
    }
    const coding c = coding_of(picture);
    const size_t count = 4 * (size_t)picture->width;
    const uint32_t step = rows_together(picture->format);
    for (uint32_t y = 0; y < picture->height; y += step) {
        const bool has_second = step == 2 && y + 1 < picture->height;
        const uint8_t *upper = rgba + y * stride, *lower = has_second ? upper + stride : upper;
        uint8_t *old_lower = has_second ? rows + count : rows;
        row_to_rgba(picture, c, y, rows);
        if (has_second) row_to_rgba(picture, c, y + 1, old_lower);
        if (memcmp(upper, rows, count) == 0 && memcmp(lower, old_lower, count) == 0) continue;
        update_rows(picture, c, y, upper, lower, (const void *)rows, (const void *)old_lower);
    }
}
