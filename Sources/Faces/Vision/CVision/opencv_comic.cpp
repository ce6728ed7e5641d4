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

namespace {

typedef float float4 __attribute__((vector_size(16)));
typedef int32_t int4 __attribute__((vector_size(16)));

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

// What becomes of colours by their brightness: each is multiplied by the first, and the second is added; how far it is ink.
struct tone {
    float factor, grey, ink;
};

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
    // Four rows of these, as wide as the picture, and which rows they are.
    std::array<std::vector<float4>, 4> wide_rows;
    std::array<int, 4> wide_numbers;
    std::array<tone, steps + 1> tones;
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
        state.tones[static_cast<size_t>(index)] = {
            255 * ratio * saturation, 255 * ratio * (1 - saturation) * value,
            smooth_step((ink_none - value) / (ink_none - ink_full))};
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

// Of a cubic B-spline, for a place between the second and the third of four values: smooth, without overshoot.
std::array<float, 4> weights(float share) {
    const float rest = 1 - share;
    return {
        rest * rest * rest / 6, (4 - 6 * share * share + 3 * share * share * share) / 6,
        (4 - 6 * rest * rest + 3 * rest * rest * rest) / 6, share * share * share / 6};
}

// A row of cells, as wide as the picture.
const float4 *wide_row(cvision_comic &state, int row, int width, int factor) {
    const int cells = state.cells.cols;
    row = std::clamp(row, 0, state.cells.rows - 1);
    const size_t slot = static_cast<size_t>(row) % 4;
    std::vector<float4> &out = state.wide_rows[slot];
    if (state.wide_numbers[slot] == row) return out.data();
    state.wide_numbers[slot] = row;
    const float *line = state.cells.ptr<float>(row);
    auto cell = [&](int x) {
        float4 value;
        std::memcpy(&value, line + 4 * static_cast<size_t>(std::clamp(x, 0, cells - 1)), sizeof value);
        return value;
    };
    for (int phase = 0; phase < factor; ++phase) {
        const float place = (phase + 0.5F) / factor - 0.5F;
        const int first = place < 0 ? -1 : 0;
        const std::array<float, 4> weight = weights(place - first);
        for (int x = phase, at = first - 1; x < width; x += factor, ++at) {
            out[static_cast<size_t>(x)] = weight[0] * cell(at) + weight[1] * cell(at + 1) + weight[2] * cell(at + 2)
                                          + weight[3] * cell(at + 3);
        }
    }
    return out.data();
}

// Draws rows of the picture. `first`: the row of the picture at the top of the cells.
template <typename Component>
void draw(
    cvision_comic &state, cv::Mat &picture, const cvision_comic_style &style, int factor, int first, int begin, int end) {
    constexpr float scale = sizeof(Component) == 2 ? 257 : 1;
    constexpr float largest = 255 * scale;
    state.wide_numbers.fill(-1);
    for (std::vector<float4> &row : state.wide_rows) row.resize(static_cast<size_t>(picture.cols));
    // In an enlarged picture lines end within a pixel or two.
    const float middle = (line_begin + line_full) / 2 / style.lines;
    const float half = (line_full - line_begin) / 2 / style.lines / std::clamp(0.7F * factor, 1.0F, 3.0F);
    const float line_scale = style.lines > 0 ? 0.5F / half : 0;
    const float line_offset = style.lines > 0 ? 0.5F - middle * line_scale : 0;
    const float4 ink = {
        scale * style.line_color[0], scale * style.line_color[1], scale * style.line_color[2], 0};
    typedef Component pixel __attribute__((vector_size(4 * sizeof(Component))));
    // Alpha stays.
    const float4 opacity = {style.opacity, style.opacity, style.opacity, 0};
    const float4 none = {}, most = {largest, largest, largest, largest};
    for (int y = begin; y < end; ++y) {
        const float place = (y - first + 0.5F) / factor - 0.5F;
        const int above = static_cast<int>(std::floor(place));
        const std::array<float, 4> weight = weights(place - above);
        std::array<const float4 *, 4> rows;
        // Without enlargement, cells are the picture's pixels.
        if (factor == 1) {
            rows.fill(reinterpret_cast<const float4 *>(state.cells.ptr<float>(std::min(y - first, state.cells.rows - 1))));
        } else {
            for (int index = 0; index < 4; ++index) {
                rows[static_cast<size_t>(index)] = wide_row(state, above - 1 + index, picture.cols, factor);
            }
        }
        Component *out = picture.ptr<Component>(y);
        for (int x = 0; x < picture.cols; ++x, out += 4) {
            float4 value = factor == 1 ? rows[0][x]
                                       : weight[0] * rows[0][x] + weight[1] * rows[1][x] + weight[2] * rows[2][x]
                                             + weight[3] * rows[3][x];
            const float brightness = 0.299F * value[0] + 0.587F * value[1] + 0.114F * value[2];
            const tone &tone = state.tones[static_cast<size_t>(brightness * steps)];
            const float line = std::max(tone.ink, smooth_step(value[3] * line_scale + line_offset));
            value = (value * tone.factor + tone.grey) * scale;
            value = value < none ? none : value;
            value = value > most ? most : value;
            value += line * (ink - value);
            pixel before;
            std::memcpy(&before, out, sizeof before);
            const float4 old = __builtin_convertvector(before, float4);
            value = old + opacity * (value - old) + 0.5F;
            const pixel after = __builtin_convertvector(__builtin_convertvector(value, int4), pixel);
            std::memcpy(out, &after, sizeof after);
        }
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
        draw<Component>(
            state, picture, style, factor, first * factor, top * factor,
            bottom == size.height ? picture.rows : bottom * factor);
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
