#include <algorithm>
#include <cmath>
#include <cstring>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "CVision.h"
#include "status.hpp"

// Where a column of the picture lies between two of a smaller one.
struct column {
    int left, right;
    // Of the right one, 0…1.
    float share;
};

struct cvision_background {
    // On the way to the reduced size.
    cv::Mat larger, smaller;
    // At the reduced size: the picture, its brightness, the matte, and what the filter says.
    cv::Mat small, grey, brightness, matte, slope, offset, alpha;
    cv::Mat products, means, squares, mixed, bytes, least, greatest;
    // At half of that: the picture, what counts of it, and colours of people near their edge.
    cv::Mat half, half_alpha, weight, colours, people;
    // Of the picture's size.
    cv::Mat blurred;
    // Of the picture's columns: between which two of a smaller picture they lie.
    std::vector<struct column> columns, half_columns;
    // Of a row of the picture, at the columns of smaller ones: the filter's slopes and offsets, and colours of people.
    std::vector<float> slopes, offsets, people_row;
};

namespace {

// The longer side of the reduced picture.
constexpr int reduced_side = 320;
// Of the guided filter, in reduced pixels.
constexpr int radius = 4;
// The variance of brightness, 0…1, that is noise.
constexpr float noise = 4e-4F;
// A filtered matte below the first is background, above the second a person: a rim of the old background is worse than a
// narrow rim of the new one.
constexpr float background_below = 0.3F, person_above = 0.9F;
// Of the blur, in parts of the picture's width.
constexpr double blur = 1 / 45.0;

// Bytes do not tell it from 1.
constexpr float nearly_one = 0.996F;
// The same before the smooth step.
constexpr float surely_background = 0.0366F, surely_person = 1 - surely_background;

// From 0 for background to 1 for a person.
float smooth_step(float value) {
    const float share = std::clamp(value, 0.0F, 1.0F);
    return share * share * (3 - 2 * share);
}

// Those of a picture's columns in a smaller one.
void find_columns(std::vector<column> &columns, int width, int smaller) {
    columns.resize(static_cast<size_t>(width));
    const float step = static_cast<float>(smaller) / static_cast<float>(width);
    for (int x = 0; x < width; ++x) {
        const float u = std::clamp((static_cast<float>(x) + 0.5F) * step - 0.5F, 0.0F, static_cast<float>(smaller - 1));
        const int left = std::min(static_cast<int>(u), std::max(0, smaller - 2));
        columns[static_cast<size_t>(x)] = {left, std::min(left + 1, smaller - 1), u - static_cast<float>(left)};
    }
}

// The row of a smaller picture at a height between two of its own.
void find_row(std::vector<float> &row, const cv::Mat &from, float v) {
    v = std::clamp(v, 0.0F, static_cast<float>(from.rows - 1));
    const int top = std::min(static_cast<int>(v), std::max(0, from.rows - 2));
    const float share = v - static_cast<float>(top);
    const float *above = from.ptr<float>(top), *below = from.ptr<float>(std::min(top + 1, from.rows - 1));
    row.resize(static_cast<size_t>(from.cols) * static_cast<size_t>(from.channels()));
    for (size_t index = 0; index < row.size(); ++index) row[index] = above[index] + share * (below[index] - above[index]);
}

// Halves the picture as long as that makes it no smaller than wanted: halving is much faster than other factors.
void reduce(cvision_background &state, const cv::Mat &picture, cv::Size size) {
    cv::Mat from = picture;
    while (from.cols % 2 == 0 && from.rows % 2 == 0 && from.cols / 2 > size.width && from.rows / 2 > size.height) {
        cv::resize(from, state.smaller, cv::Size(from.cols / 2, from.rows / 2), 0, 0, cv::INTER_AREA);
        cv::swap(state.smaller, state.larger);
        from = state.larger;
    }
    cv::resize(from, state.small, size, 0, 0, cv::INTER_AREA);
}

void mean(const cv::Mat &from, cv::Mat &to, int around) {
    cv::boxFilter(from, to, -1, cv::Size(2 * around + 1, 2 * around + 1), {-1, -1}, true, cv::BORDER_REPLICATE);
}

// He & Sun, "Fast Guided Filter" (arXiv:1505.00996): the matte is a linear function of the brightness around each place.
void filter(cvision_background &state) {
    mean(state.brightness, state.means, radius);
    mean(state.matte, state.mixed, radius);
    cv::multiply(state.brightness, state.brightness, state.products);
    mean(state.products, state.squares, radius);
    cv::multiply(state.brightness, state.matte, state.products);
    mean(state.products, state.slope, radius);
    for (int y = 0; y < state.slope.rows; ++y) {
        float *slope = state.slope.ptr<float>(y);
        float *offset = state.mixed.ptr<float>(y);
        const float *means = state.means.ptr<float>(y), *squares = state.squares.ptr<float>(y);
        for (int x = 0; x < state.slope.cols; ++x) {
            slope[x] = (slope[x] - means[x] * offset[x]) / (squares[x] - means[x] * means[x] + noise);
            offset[x] -= slope[x] * means[x];
        }
    }
    mean(state.mixed, state.offset, radius);
    cv::swap(state.slope, state.products);
    mean(state.products, state.slope, radius);
    // From what is surely background, 0, to what is surely a person, 1.
    constexpr float scale = 1 / (person_above - background_below);
    state.slope *= scale;
    state.offset.convertTo(state.offset, CV_32F, scale, -background_below * scale);
    state.alpha.create(state.slope.size(), CV_32FC1);
    for (int y = 0; y < state.slope.rows; ++y) {
        const float *slope = state.slope.ptr<float>(y), *offset = state.offset.ptr<float>(y);
        const float *brightness = state.brightness.ptr<float>(y);
        float *alpha = state.alpha.ptr<float>(y);
        for (int x = 0; x < state.slope.cols; ++x) alpha[x] = smooth_step(slope[x] * brightness[x] + offset[x]);
    }
}

// The mean colour around each place of what `weight` counts. `to` has four channels of 32 bits.
template <typename Smooth> void spread(cvision_background &state, cv::Mat &to, Smooth smooth) {
    to.create(state.half.size(), CV_32FC4);
    for (int y = 0; y < to.rows; ++y) {
        const uint8_t *from = state.half.ptr<uint8_t>(y);
        const float *weight = state.weight.ptr<float>(y);
        float *out = to.ptr<float>(y);
        for (int x = 0; x < to.cols; ++x, from += 4, out += 4) {
            for (int channel = 0; channel < 3; ++channel) out[channel] = weight[x] * from[channel];
            out[3] = weight[x];
        }
    }
    smooth(to);
    for (int y = 0; y < to.rows; ++y) {
        float *out = to.ptr<float>(y);
        for (int x = 0; x < to.cols; ++x, out += 4) {
            const float share = 1 / std::max(out[3], 1e-9F);
            for (int channel = 0; channel < 3; ++channel) out[channel] *= share;
            out[3] = 255;
        }
    }
}

// The picture without people, blurred: what is behind a person is taken from beside them.
const cv::Mat &blur_background(cvision_background &state, cv::Size size) {
    for (int y = 0; y < state.half.rows; ++y) {
        const float *alpha = state.half_alpha.ptr<float>(y);
        float *weight = state.weight.ptr<float>(y);
        for (int x = 0; x < state.half.cols; ++x) {
            const float free = 1 - alpha[x];
            weight[x] = free * free * free * free + 1e-5F;
        }
    }
    const double deviation = blur * state.half.cols;
    // Three means are nearly Gaussian.
    const int around = std::max(1, static_cast<int>(std::lround(deviation)));
    spread(state, state.colours, [&](cv::Mat &colours) {
        for (int pass = 0; pass < 3; ++pass) {
            mean(colours, state.people, around);
            cv::swap(colours, state.people);
        }
    });
    state.colours.convertTo(state.bytes, CV_8UC4);
    cv::resize(state.bytes, state.blurred, size, 0, 0, cv::INTER_LINEAR);
    return state.blurred;
}

void find_people_colours(cvision_background &state) {
    for (int y = 0; y < state.half.rows; ++y) {
        const float *alpha = state.half_alpha.ptr<float>(y);
        float *weight = state.weight.ptr<float>(y);
        for (int x = 0; x < state.half.cols; ++x) weight[x] = std::max(0.0F, (alpha[x] - 0.7F) / 0.3F) + 1e-5F;
    }
    spread(state, state.people, [&](cv::Mat &colours) {
        mean(colours, state.colours, radius / 2);
        cv::swap(colours, state.colours);
    });
}

}  // namespace

cvision_background *cvision_background_create(cvision_status *status) {
    return cvision::guarded<cvision_background *>(status, nullptr, [] { return new cvision_background(); });
}

void cvision_background_destroy(cvision_background *background) { delete background; }

bool cvision_background_replace(
    cvision_background *state, uint8_t *pixels, const cvision_image *image, const float *matte, int32_t matte_width,
    int32_t matte_height, const cvision_image *backdrop, bool cuts_out, cvision_status *status) {
    return cvision::guarded(status, false, [&] {
        if (image->channels != 4) throw std::invalid_argument("the picture must have four channels");
        const cv::Size size(image->width, image->height);
        cv::Mat picture(size, CV_8UC4, pixels, image->bytes_per_row);
        const double scale = std::min(1.0, static_cast<double>(reduced_side) / std::max(size.width, size.height));
        const cv::Size reduced(
            std::max(1, cvRound(scale * size.width)), std::max(1, cvRound(scale * size.height)));
        reduce(*state, picture, reduced);
        cv::cvtColor(state->small, state->grey, cv::COLOR_RGBA2GRAY);
        state->grey.convertTo(state->brightness, CV_32F, 1.0 / 255);
        const cv::Mat coarse(matte_height, matte_width, CV_32FC1, const_cast<float *>(matte));
        cv::resize(coarse, state->matte, reduced, 0, 0, cv::INTER_LINEAR);
        filter(*state);
        const cv::Size halved(std::max(1, reduced.width / 2), std::max(1, reduced.height / 2));
        cv::resize(state->small, state->half, halved, 0, 0, cv::INTER_AREA);
        cv::resize(state->alpha, state->half_alpha, halved, 0, 0, cv::INTER_AREA);
        state->weight.create(halved, CV_32FC1);
        if (cuts_out) {
            state->blurred.create(size, CV_8UC4);
            state->blurred.setTo(cv::Scalar::all(0));
        }
        const cv::Mat behind =
            cuts_out ? state->blurred
            : backdrop
            ? cv::Mat(
                  backdrop->height, backdrop->width, CV_8UC4, const_cast<uint8_t *>(backdrop->pixels),
                  backdrop->bytes_per_row)
            : blur_background(*state, size);
        if (behind.size() != size) throw std::invalid_argument("the background must be as large as the picture");
        find_people_colours(*state);

        // Most of a picture is one or the other, and not computed pixel by pixel.
        cv::erode(state->alpha, state->least, cv::Mat());
        cv::dilate(state->alpha, state->greatest, cv::Mat());
        const float step_x = static_cast<float>(reduced.width) / size.width;
        const float step_y = static_cast<float>(reduced.height) / size.height;
        const float half_y = static_cast<float>(halved.height) / size.height;
        find_columns(state->columns, size.width, reduced.width);
        find_columns(state->half_columns, size.width, halved.width);
        for (int y = 0; y < size.height; ++y) {
            const int row = std::min(reduced.height - 1, static_cast<int>(y * step_y));
            const float *least = state->least.ptr<float>(row), *greatest = state->greatest.ptr<float>(row);
            find_row(state->slopes, state->slope, (y + 0.5F) * step_y - 0.5F);
            find_row(state->offsets, state->offset, (y + 0.5F) * step_y - 0.5F);
            find_row(state->people_row, state->people, (y + 0.5F) * half_y - 0.5F);
            const float *slopes = state->slopes.data(), *offsets = state->offsets.data();
            uint8_t *out = picture.ptr<uint8_t>(y);
            const uint8_t *back = behind.ptr<uint8_t>(y);
            int x = 0;
            for (int column = 0; column < reduced.width; ++column) {
                const int end =
                    column + 1 == reduced.width
                        ? size.width
                        : std::min(size.width, static_cast<int>(std::ceil((column + 1) / step_x)));
                if (end <= x) continue;
                if (least[column] >= nearly_one) {
                    x = end;
                    continue;
                }
                if (greatest[column] <= 1 - nearly_one) {
                    const size_t start = 4 * static_cast<size_t>(x);
                    std::memcpy(out + start, back + start, 4 * static_cast<size_t>(end - x));
                    x = end;
                    continue;
                }
                for (; x < end; ++x) {
                    uint8_t *pixel = out + 4 * static_cast<size_t>(x);
                    const uint8_t *behind_it = back + 4 * static_cast<size_t>(x);
                    const struct column at = state->columns[static_cast<size_t>(x)];
                    const float brightness =
                        0.299F / 255 * pixel[0] + 0.587F / 255 * pixel[1] + 0.114F / 255 * pixel[2];
                    const float slope = slopes[at.left] + at.share * (slopes[at.right] - slopes[at.left]);
                    const float offset = offsets[at.left] + at.share * (offsets[at.right] - offsets[at.left]);
                    const float share = slope * brightness + offset;
                    if (share >= surely_person) continue;
                    const bool is_behind = share <= surely_background;
                    if (is_behind && !cuts_out) {
                        std::memcpy(pixel, behind_it, 4);
                        continue;
                    }
                    // Encoders mix the colours of neighbours: in what is cut out, those of the person go on a little.
                    const float alpha = is_behind ? 0 : smooth_step(share);
                    const struct column half = state->half_columns[static_cast<size_t>(x)];
                    const float *left = state->people_row.data() + 4 * static_cast<size_t>(half.left);
                    const float *right = state->people_row.data() + 4 * static_cast<size_t>(half.right);
                    for (int channel = 0; channel < 3; ++channel) {
                        // A pixel of the edge has the old background's colour in it: the person's is that of inside.
                        const float inside = left[channel] + half.share * (right[channel] - left[channel]);
                        const float person = alpha * pixel[channel] + (1 - alpha) * inside;
                        const float mixed = cuts_out ? person : alpha * person + (1 - alpha) * behind_it[channel];
                        pixel[channel] = static_cast<uint8_t>(std::clamp(mixed + 0.5F, 0.0F, 255.0F));
                    }
                    if (cuts_out) pixel[3] = static_cast<uint8_t>(alpha * pixel[3] + 0.5F);
                }
            }
        }
        return true;
    });
}
