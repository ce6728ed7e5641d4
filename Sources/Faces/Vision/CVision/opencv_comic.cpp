// A picture as a comic: Winnemöller, Olsen & Gooch, "Real-Time Video Abstraction" (SIGGRAPH 2006). Lines are differences of
// Gaussians, smoothed along the edges (Kang, Lee & Chui, "Flow-Based Image Abstraction", 2009).
//
// It is computed at a size that depends on the face's. What is enlarged are smooth colours and how far each place is a line;
// both are quantised in pixels of the picture, so edges are sharp at any size.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <stdexcept>
#include <vector>

#include "CVision.h"
#include "status.hpp"

// Without fused multiplications, which not all processors have, all compute the same.
#pragma clang fp contract(off)

namespace {

// No function with vectors as arguments is ever called: all are inlined.
#pragma clang diagnostic ignored "-Wpsabi"
#define INLINE inline __attribute__((always_inline))

constexpr int lanes = 16;
typedef float float4 __attribute__((vector_size(16)));
typedef float floats __attribute__((ext_vector_type(lanes)));
typedef int32_t ints __attribute__((ext_vector_type(lanes)));
typedef uint32_t words __attribute__((ext_vector_type(lanes)));

// Of a face in the reduced picture, in pixels: what lengths refer to.
constexpr float usual_width = 200;
// At most so much of the picture is computed at once, in reduced pixels, with so many rows beside it.
constexpr int band_area = 1 << 20, margin = 32;
// Of the brightness, 0…1.
constexpr int steps = 1024;
// Where a line begins, and where it is all ink: differences relative to the brightness.
constexpr float line_begin = 0.010F, line_full = 0.023F;
// What is darker becomes ink: all of it, none.
constexpr float ink_full = 0.03F, ink_none = 0.08F;
// How far the skin is above the boundary of two levels, and how soft that is, in levels.
constexpr float skin_place = 0.3F, softness = 0.35F;
constexpr float saturation = 1.2F;

float smooth_step(float value) {
    const float share = value < 0 ? 0 : value > 1 ? 1 : value;
    return share * share * (3 - 2 * share);
}

}  // namespace

struct cvision_comic {
    // On the way to the reduced size, and there: the whole picture, RGB.
    cv::Mat larger, smaller, reduced, small;
    // Of a band: smoothed colours, and the brightness, 0…1, blurred less and more.
    cv::Mat once, smooth, grey, luma, narrow, wide;
    // How much darker each place is than what is around it, and which way edges run.
    cv::Mat darker, across, down, products, tensor;
    // Red, green, blue, 0…1, and how far it is a line.
    cv::Mat cells;
    // By the brightness: what colours are multiplied by.
    std::array<float, steps + 1> factors;
};

namespace {

// Whole factors are much faster than others, and halving most of all. What is left over at the right and below is that beside it.
void reduce(cvision_comic &state, const cv::Mat &picture, cv::Size size, int factor) {
    cv::Mat from = picture(cv::Rect(0, 0, size.width * factor, size.height * factor));
    for (int rest = factor; rest > 1;) {
        const int step = rest % 2 == 0 ? 2 : rest;
        rest /= step;
        cv::resize(from, state.smaller, cv::Size(from.cols / step, from.rows / step), 0, 0, cv::INTER_AREA);
        cv::swap(state.smaller, state.larger);
        from = state.larger;
    }
    if (from.depth() == CV_16U) {
        from.convertTo(state.reduced, CV_8U, 1 / 257.0);
        from = state.reduced;
    }
    cv::cvtColor(from, state.small, cv::COLOR_RGBA2RGB);
}

// Makes the face as bright as in good light.
void expose(cv::Mat &picture, const cvision_comic_style &style) {
    std::array<uint8_t, 256> table;
    const float range = std::max(0.05F, style.white - style.black);
    for (int index = 0; index < 256; ++index) {
        const float share = std::clamp((index / 255.0F - style.black) / range, 0.0F, 1.0F);
        table[static_cast<size_t>(index)] = static_cast<uint8_t>(255 * std::pow(share, style.gamma) + 0.5F);
    }
    cv::LUT(picture, cv::Mat(1, 256, CV_8U, table.data()), picture);
}

void find_tones(cvision_comic &state, const cvision_comic_style &style) {
    const float levels = style.levels;
    float phase = 0.5F + skin_place - style.skin * levels;
    phase -= std::floor(phase);
    for (int index = 0; index <= steps; ++index) {
        const float value = static_cast<float>(index) / steps;
        const float place = value * levels + phase;
        const float level = std::floor(place);
        const float above = smooth_step((place - level - 0.5F) / softness + 0.5F);
        // What is dark keeps its colour.
        const float quantised = std::clamp((level + above - phase) / levels, 0.8F * value, 1.0F);
        const float ratio = (quantised + 0.02F) / (value + 0.02F);
        state.factors[static_cast<size_t>(index)] = 255 * ratio * saturation;
    }
}

// How much darker a place is than what is around it, relative to that.
void find_lines(cvision_comic &state, float unit) {
    cv::cvtColor(state.smooth, state.grey, cv::COLOR_RGB2GRAY);
    state.grey.convertTo(state.luma, CV_32F, 1 / 255.0);
    const float deviation = std::max(0.6F, 1.15F * unit);
    cv::GaussianBlur(state.luma, state.narrow, cv::Size(), deviation);
    cv::GaussianBlur(state.luma, state.wide, cv::Size(), 1.6 * deviation);
    state.darker.create(state.luma.size(), CV_32FC1);
    for (int y = 0; y < state.luma.rows; ++y) {
        const float *narrow = state.narrow.ptr<float>(y), *wide = state.wide.ptr<float>(y);
        float *out = state.darker.ptr<float>(y);
        for (int x = 0; x < state.luma.cols; ++x) out[x] = (wide[x] - narrow[x]) / (wide[x] + 0.08F);
    }
}

// The structure tensor: products of the derivatives, and their mean.
void find_edges(cvision_comic &state, float unit) {
    cv::Sobel(state.narrow, state.across, CV_32F, 1, 0);
    cv::Sobel(state.narrow, state.down, CV_32F, 0, 1);
    state.products.create(state.narrow.size(), CV_32FC3);
    for (int y = 0; y < state.narrow.rows; ++y) {
        const float *across = state.across.ptr<float>(y), *down = state.down.ptr<float>(y);
        float *out = state.products.ptr<float>(y);
        for (int x = 0; x < state.narrow.cols; ++x, out += 3) {
            out[0] = across[x] * across[x];
            out[1] = across[x] * down[x];
            out[2] = down[x] * down[x];
        }
    }
    const int side = 2 * std::max(1, cvRound(2 * unit)) + 1;
    cv::boxFilter(state.products, state.tensor, -1, cv::Size(side, side));
}

// The mean along the edge through a place, so that lines do not break.
float along_edge(const cvision_comic &state, int x, int y, int length) {
    float sum = state.darker.at<float>(y, x), weights = 1;
    for (float sign : {-1.0F, 1.0F}) {
        float u = x + 0.5F, v = y + 0.5F, last_u = 0, last_v = 0;
        for (int step = 0; step < length; ++step) {
            const float *tensor = state.tensor.ptr<float>(static_cast<int>(v)) + 3 * static_cast<int>(u);
            const float difference = tensor[0] - tensor[2];
            const float root = std::sqrt(difference * difference + 4 * tensor[1] * tensor[1]);
            // The eigenvector along which brightness changes least.
            float du = difference > 0 ? -2 * tensor[1] : root - difference;
            float dv = difference > 0 ? difference + root : -2 * tensor[1];
            const float norm = std::sqrt(du * du + dv * dv);
            if (!(norm > 1e-9F)) break;
            const float turn = (step == 0 ? sign : du * last_u + dv * last_v < 0 ? -1.0F : 1.0F) / norm;
            du *= turn;
            dv *= turn;
            u += du;
            v += dv;
            if (u < 0 || v < 0 || u >= state.darker.cols || v >= state.darker.rows) break;
            last_u = du;
            last_v = dv;
            const float weight = 1 - (step + 1.0F) / (length + 1);
            sum += weight * state.darker.at<float>(static_cast<int>(v), static_cast<int>(u));
            weights += weight;
        }
    }
    return sum / weights;
}

// Computes rows of the reduced picture: all but `margin` rows at the top and bottom hold.
void analyse(cvision_comic &state, const cv::Mat &band, const cvision_comic_style &style, float unit) {
    const bool is_large = unit > 0.6F;
    const double colours = 4 + 24 * static_cast<double>(style.smoothing), reach = 2.2 * unit;
    cv::bilateralFilter(band, state.once, is_large ? 5 : 3, colours, reach);
    cv::bilateralFilter(state.once, state.smooth, is_large ? 5 : 3, colours, reach);
    find_lines(state, unit);
    find_edges(state, unit);
    cv::medianBlur(state.smooth, state.once, is_large ? 5 : 3);
    const int length = std::max(2, cvRound(4 * unit));
    state.cells.create(band.size(), CV_32FC4);
    for (int y = 0; y < band.rows; ++y) {
        const uint8_t *colour = state.once.ptr<uint8_t>(y);
        const float *darker = state.darker.ptr<float>(y);
        float *out = state.cells.ptr<float>(y);
        for (int x = 0; x < band.cols; ++x, colour += 3, out += 4) {
            for (int channel = 0; channel < 3; ++channel) out[channel] = colour[channel] * (1 / 255.0F);
            // What is far from a line stays so.
            out[3] = darker[x] > line_begin / 3 ? along_edge(state, x, y, length) : darker[x];
        }
    }
}

// Without enlargement, cells are the picture's pixels.
constexpr std::array<float, 4> unblended = {0, 1, 0, 0};

// Of a cubic B-spline, for a place between the second and the third of four values: smooth, without overshoot.
std::array<float, 4> weights(float share) {
    const float rest = 1 - share;
    return {
        rest * rest * rest / 6, (4 - 6 * share * share + 3 * share * share * share) / 6,
        (4 - 6 * rest * rest + 3 * rest * rest * rest) / 6, share * share * share / 6};
}

struct row_memory {
    std::array<std::vector<float4>, 4> rows;
    // A row of cells with copies of its ends beyond them.
    std::vector<float4> padded;
};

// Rows of cells, as wide as the picture and up to the next 16 pixels.
class wide_rows {
public:
    wide_rows(const cv::Mat &cells, int width, int factor, row_memory &memory)
        : cells(cells), width(width), factor(factor), rows(memory.rows), padded(memory.padded) {
        numbers.fill(-1);
        padded.resize(static_cast<size_t>(cells.cols) + 3 + 2);
        for (std::vector<float4> &row : rows) row.resize((static_cast<size_t>(width) + lanes - 1) / lanes * lanes);
    }

    // The last four rows that were asked for stay as they are.
    const float *row(int number) {
        number = std::clamp(number, 0, cells.rows - 1);
        const size_t slot = static_cast<size_t>(number) % rows.size();
        if (numbers[slot] != number) {
            numbers[slot] = number;
            widen(cells.ptr<float>(number), rows[slot]);
        }
        return reinterpret_cast<const float *>(rows[slot].data());
    }

private:
    const cv::Mat &cells;
    const int width, factor;
    std::array<std::vector<float4>, 4> &rows;
    std::vector<float4> &padded;
    std::array<int, 4> numbers;

    void widen(const float *line, std::vector<float4> &out) {
        const int count = cells.cols;
        std::memcpy(&padded[2], line, sizeof(float4) * static_cast<size_t>(count));
        padded[0] = padded[1] = padded[2];
        std::fill(padded.begin() + 2 + count, padded.end(), padded[static_cast<size_t>(count) + 1]);
        for (int phase = 0; phase < factor; ++phase) {
            const float place = (phase + 0.5F) / factor - 0.5F;
            const std::array<float, 4> weight =
                factor == 1 ? unblended : weights(place < 0 ? place + 1 : place);
            const float4 *cell = &padded[place < 0 ? 0 : 1];
            // What is left over at the right is beside the last cell.
            const float4 *const last = &padded[padded.size() - 4];
            for (int x = phase; x < width; x += factor, cell = std::min(cell + 1, last)) {
                out[static_cast<size_t>(x)] =
                    weight[0] * cell[0] + weight[1] * cell[1] + weight[2] * cell[2] + weight[3] * cell[3];
            }
        }
    }
};

// What all pixels of a picture have in common.
struct pen {
    // Of the brightness, in steps of 1/`steps`: what colours are multiplied by.
    const float *factors;
    float line_scale, line_offset;
    std::array<float, 3> ink;
    float opacity;
};

pen pen_of(const cvision_comic &state, const cvision_comic_style &style, int factor) {
    // In an enlarged picture lines end within a pixel or two.
    const float half = (line_full - line_begin) / 2 / style.lines / std::clamp(0.7F * factor, 1.0F, 3.0F);
    const float scale = style.lines > 0 ? 0.5F / half : 0;
    const float middle = (line_begin + line_full) / 2 / style.lines;
    return {
        state.factors.data(), scale, style.lines > 0 ? 0.5F - middle * scale : 0,
        {static_cast<float>(style.line_color[0]), static_cast<float>(style.line_color[1]),
         static_cast<float>(style.line_color[2])},
        style.opacity};
}

// Four rows of cells that are as wide as the picture, and their weights.
struct blended_rows {
    std::array<const float *, 4> rows;
    std::array<float, 4> weights;
};

INLINE floats limited(floats value, float most) {
    value = value > 0 ? value : 0;
    return value < most ? value : most;
}

INLINE floats smooth_step(floats value) {
    const floats share = limited(value, 1);
    return share * share * (3 - 2 * share);
}

// 16 pixels of cells, by their components.
struct cell_planes {
    floats red, green, blue, line;
};

INLINE cell_planes between_rows(const blended_rows &from, int x) {
    floats mixed[4];
    for (int part = 0; part < 4; ++part) {
        floats sum = 0;
        for (size_t row = 0; row < 4; ++row) {
            floats values;
            std::memcpy(&values, from.rows[row] + 4 * x + lanes * part, sizeof values);
            sum += from.weights[row] * values;
        }
        mixed[part] = sum;
    }
#define EVEN_PAIRS(a, b) \
    __builtin_shufflevector(a, b, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29)
#define ODD_PAIRS(a, b) \
    __builtin_shufflevector(a, b, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31)
#define LOWER_HALVES(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)
#define UPPER_HALVES(a, b) __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31)
    const floats red_green[2] = {EVEN_PAIRS(mixed[0], mixed[1]), EVEN_PAIRS(mixed[2], mixed[3])};
    const floats blue_line[2] = {ODD_PAIRS(mixed[0], mixed[1]), ODD_PAIRS(mixed[2], mixed[3])};
    return {
        LOWER_HALVES(red_green[0], red_green[1]), UPPER_HALVES(red_green[0], red_green[1]),
        LOWER_HALVES(blue_line[0], blue_line[1]), UPPER_HALVES(blue_line[0], blue_line[1])};
#undef EVEN_PAIRS
#undef ODD_PAIRS
#undef LOWER_HALVES
#undef UPPER_HALVES
}

// 16 pixels of a picture.
struct pixel_planes {
    words red, green, blue, alpha;
};

INLINE pixel_planes load(const uint8_t *pixels) {
    words all;
    std::memcpy(&all, pixels, sizeof all);
    return {all & 255, all >> 8 & 255, all >> 16 & 255, all >> 24};
}

INLINE void store(uint8_t *pixels, const pixel_planes &planes) {
    const words all = planes.red | planes.green << 8 | planes.blue << 16 | planes.alpha << 24;
    std::memcpy(pixels, &all, sizeof all);
}

INLINE pixel_planes load(const uint16_t *pixels) {
    words first, second;
    std::memcpy(&first, pixels, sizeof first);
    std::memcpy(&second, pixels + 2 * lanes, sizeof second);
    const words red_green =
        __builtin_shufflevector(first, second, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const words blue_alpha =
        __builtin_shufflevector(first, second, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    return {red_green & 0xffff, red_green >> 16, blue_alpha & 0xffff, blue_alpha >> 16};
}

INLINE void store(uint16_t *pixels, const pixel_planes &planes) {
    const words red_green = planes.red | planes.green << 16, blue_alpha = planes.blue | planes.alpha << 16;
    const words first = __builtin_shufflevector(
        red_green, blue_alpha, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const words second = __builtin_shufflevector(
        red_green, blue_alpha, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    std::memcpy(pixels, &first, sizeof first);
    std::memcpy(pixels + 2 * lanes, &second, sizeof second);
}

// Draws 16 pixels of 8 or 16 bits per component.
template <typename Component>
INLINE void draw_pixels(const pen &pen, const cell_planes &cells, Component *pixels) {
    constexpr float scale = sizeof(Component) == 2 ? 257 : 1;
    const floats brightness = 0.299F * cells.red + 0.587F * cells.green + 0.114F * cells.blue;
    const ints step = __builtin_convertvector(brightness * static_cast<float>(steps), ints);
    alignas(64) std::array<int32_t, lanes> places;
    std::memcpy(places.data(), &step, sizeof step);
    alignas(64) std::array<float, lanes> found;
    for (size_t lane = 0; lane < lanes; ++lane) found[lane] = pen.factors[places[lane]];
    floats factor;
    std::memcpy(&factor, found.data(), sizeof factor);
    const floats value = __builtin_convertvector(step, floats) * (1.0F / steps);
    const floats grey = factor * (1 / saturation - 1) * value;
    const floats dark = smooth_step((ink_none - value) * (1 / (ink_none - ink_full)));
    const floats drawn = smooth_step(cells.line * pen.line_scale + pen.line_offset);
    const floats line = dark > drawn ? dark : drawn;
    pixel_planes planes = load(pixels);
    words *const components[3] = {&planes.red, &planes.green, &planes.blue};
    const floats colours[3] = {cells.red, cells.green, cells.blue};
    for (size_t channel = 0; channel < 3; ++channel) {
        floats colour = limited((colours[channel] * factor + grey) * scale, 255 * scale);
        colour += line * (pen.ink[channel] * scale - colour);
        const floats old = __builtin_convertvector(reinterpret_cast<const ints &>(*components[channel]), floats);
        const ints all = __builtin_convertvector(old + pen.opacity * (colour - old) + 0.5F, ints);
        *components[channel] = reinterpret_cast<const words &>(all);
    }
    store(pixels, planes);
}

template <typename Component>
INLINE void draw_row(const pen &pen, const blended_rows &from, Component *pixels, int width) {
    int x = 0;
    for (; x + lanes <= width; x += lanes) draw_pixels(pen, between_rows(from, x), pixels + 4 * x);
    if (x == width) return;
    std::array<Component, 4 * lanes> rest = {};
    const size_t size = sizeof(Component) * 4 * static_cast<size_t>(width - x);
    std::memcpy(rest.data(), pixels + 4 * x, size);
    draw_pixels(pen, between_rows(from, x), rest.data());
    std::memcpy(pixels + 4 * x, rest.data(), size);
}

#ifdef __x86_64__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))), apply_to = function)
template <typename Component>
void draw_row_avx2(const pen &pen, const blended_rows &from, Component *pixels, int width) {
    draw_row(pen, from, pixels, width);
}
#pragma clang attribute pop

#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,bmi,bmi2,lzcnt,popcnt"), min_vector_width(512))), \
    apply_to = function)
template <typename Component>
void draw_row_avx512(const pen &pen, const blended_rows &from, Component *pixels, int width) {
    draw_row(pen, from, pixels, width);
}
#pragma clang attribute pop
#endif

template <typename Component>
void draw_row_baseline(const pen &pen, const blended_rows &from, Component *pixels, int width) {
    draw_row(pen, from, pixels, width);
}

// For this processor; all of them compute the same.
template <typename Component>
auto row_drawing() {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("bmi2")) {
        return draw_row_avx512<Component>;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return draw_row_avx2<Component>;
#endif
    return draw_row_baseline<Component>;
}

// Draws rows of the picture. `first`: the row of the picture at the top of the cells.
template <typename Component>
void draw(
    const cvision_comic &state, cv::Mat &picture, const cvision_comic_style &style, int factor, int first, int begin,
    int end) {
    const pen pen = pen_of(state, style, factor);
    const auto draw_row = row_drawing<Component>();
    // Each of OpenCV's threads uses it again from stripe to stripe.
    static thread_local row_memory memory;
    wide_rows wide(state.cells, picture.cols, factor, memory);
    for (int y = begin; y < end; ++y) {
        const float place = (y - first + 0.5F) / factor - 0.5F;
        const int above = static_cast<int>(std::floor(place));
        blended_rows from = {{}, factor == 1 ? unblended : weights(place - above)};
        for (int index = 0; index < 4; ++index) from.rows[static_cast<size_t>(index)] = wide.row(above - 1 + index);
        draw_row(pen, from, picture.ptr<Component>(y), picture.cols);
    }
}

template <typename Component>
void draw(cvision_comic &state, cv::Mat &picture, const cvision_comic_style &style, int factor) {
    const cv::Size size(picture.cols / factor, picture.rows / factor);
    reduce(state, picture, size, factor);
    expose(state.small, style);
    find_tones(state, style);
    const float unit = std::clamp(style.face_width / factor / usual_width, 0.1F, 2.0F);
    const int height = std::max(4 * margin, band_area / size.width);
    for (int top = 0; top < size.height; top += height) {
        const int bottom = std::min(size.height, top + height);
        const int first = std::max(0, top - margin), last = std::min(size.height, bottom + margin);
        analyse(state, state.small.rowRange(first, last), style, unit);
        const int begin = top * factor, end = bottom == size.height ? picture.rows : bottom * factor;
        cv::parallel_for_(cv::Range(begin, end), [&](const cv::Range &rows) {
            draw<Component>(state, picture, style, factor, first * factor, rows.start, rows.end);
        }, cv::getNumThreads());
    }
}

}  // namespace

cvision_comic *cvision_comic_create(cvision_status *status) {
    return cvision::guarded<cvision_comic *>(status, nullptr, [] { return new cvision_comic(); });
}

void cvision_comic_destroy(cvision_comic *comic) { delete comic; }

bool cvision_comic_draw(
    cvision_comic *state, void *pixels, int32_t width, int32_t height, size_t bytes_per_row, bool is_deep,
    const cvision_comic_style *style, cvision_status *status) {
    return cvision::guarded(status, false, [&] {
        if (width < 1 || height < 1) throw std::invalid_argument("the picture is empty");
        const bool is_right = style->face_width > 0 && style->reduction >= 1 && style->levels >= 1 && style->levels <= 256
            && style->lines >= 0 && style->lines <= 16 && style->white > style->black
            && style->gamma > 0 && style->skin >= 0 && style->skin <= 1 && style->opacity >= 0 && style->opacity <= 1
            && style->smoothing >= 0 && style->smoothing <= 1;
        if (!is_right) throw std::invalid_argument("a number of the style is out of its range");
        cv::Mat picture(height, width, is_deep ? CV_16UC4 : CV_8UC4, pixels, bytes_per_row);
        const int largest = std::max(1, std::min(width, height) / 16);
        const int factor = static_cast<int>(std::min(std::round(style->reduction), static_cast<float>(largest)));
        if (is_deep) {
            draw<uint16_t>(*state, picture, *style, factor);
        } else {
            draw<uint8_t>(*state, picture, *style, factor);
        }
        return true;
    });
}
