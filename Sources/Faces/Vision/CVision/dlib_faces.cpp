// The only file that includes dlib's headers: they cost about ten seconds to compile each time.
#include <cerrno>
#include <cstring>
#include <dlib/image_processing.h>
#include <dlib/image_processing/frontal_face_detector.h>
#include <fstream>

#include "CVision.h"
#include "status.hpp"

namespace {

constexpr long landmark_count = 68;

/// dlib's reduction of longer pictures writes past their last row (simulated: from 22,668 columns on).
constexpr long longest_side = 16384;

/// The caller's memory as an image in dlib's sense, without a copy.
template <typename Pixel>
struct caller_image {
    const uint8_t *pixels;
    long width;
    long height;
    long bytes_per_row;

    explicit caller_image(const cvision_image &image)
        : pixels(image.pixels), width(image.width), height(image.height),
          bytes_per_row(static_cast<long>(image.bytes_per_row)) {}
};

template <typename Pixel> long num_rows(const caller_image<Pixel> &view) { return view.height; }
template <typename Pixel> long num_columns(const caller_image<Pixel> &view) { return view.width; }
template <typename Pixel> long width_step(const caller_image<Pixel> &view) { return view.bytes_per_row; }
template <typename Pixel> const void *image_data(const caller_image<Pixel> &view) { return view.pixels; }

}  // namespace

namespace dlib {
template <typename Pixel>
struct image_traits<::caller_image<Pixel>> {
    using pixel_type = Pixel;
};
template <typename Pixel>
struct image_traits<const ::caller_image<Pixel>> {
    using pixel_type = Pixel;
};
}  // namespace dlib

struct cvision_face_detector {
    dlib::frontal_face_detector detector;
};

struct cvision_landmark_predictor {
    dlib::shape_predictor predictor;
};

namespace {

void check(const cvision_image &image) {
    const bool whole = image.pixels && image.width > 0 && image.height > 0
        && image.bytes_per_row >= static_cast<size_t>(image.width) * static_cast<size_t>(image.channels);
    if (!whole || (image.channels != 1 && image.channels != 4))
        throw std::invalid_argument("the image description makes no sense");
}

/// Calls `body` with a view whose pixel type is known at compile time.
template <typename Body>
auto with_view(const cvision_image &image, Body body) {
    check(image);
    if (image.channels == 1) return body(caller_image<unsigned char>(image));
    return body(caller_image<dlib::rgb_alpha_pixel>(image));
}

bool open_model(const char *path, std::ifstream &in, cvision_status *status) {
    errno = 0;
    in.open(path, std::ios::binary);
    if (in) return true;
    cvision::set_status(status, CVISION_CANNOT_READ, std::strerror(errno ? errno : EIO));
    return false;
}

}  // namespace

cvision_face_detector *cvision_face_detector_create(cvision_status *status) {
    return cvision::guarded<cvision_face_detector *>(
        status, nullptr, [] {
            // dlib unpacks the detector from text each time, in a quarter of a second; copies cost nothing.
            static const dlib::frontal_face_detector prototype = dlib::get_frontal_face_detector();
            return new cvision_face_detector{prototype};
        });
}

void cvision_face_detector_destroy(cvision_face_detector *detector) { delete detector; }

int32_t cvision_face_detector_find(
    cvision_face_detector *detector, const cvision_image *image, double threshold,
    cvision_detection *detections, int32_t capacity, cvision_status *status) {
    return cvision::guarded<int32_t>(status, -1, [&] {
        std::vector<dlib::rect_detection> found;
        check(*image);
        if (image->channels != 1) throw std::invalid_argument("the detector takes grey pictures");
        if (image->width > longest_side || image->height > longest_side)
            throw std::invalid_argument("the picture is too long for the detector");
        detector->detector(caller_image<unsigned char>(*image), found, threshold);
        const int32_t count = static_cast<int32_t>(found.size());
        for (int32_t i = 0; i < count && i < capacity; ++i) {
            const dlib::rectangle &box = found[i].rect;
            detections[i].box = {
                static_cast<int32_t>(box.left()), static_cast<int32_t>(box.top()),
                static_cast<int32_t>(box.width()), static_cast<int32_t>(box.height())};
            detections[i].confidence = found[i].detection_confidence;
        }
        return count;
    });
}

cvision_landmark_predictor *cvision_landmark_predictor_load(const char *path, cvision_status *status) {
    return cvision::guarded<cvision_landmark_predictor *>(
        status, nullptr, [&]() -> cvision_landmark_predictor * {
            std::ifstream in;
            if (!open_model(path, in, status)) return nullptr;
            auto loaded = std::make_unique<cvision_landmark_predictor>();
            try {
                dlib::deserialize(loaded->predictor, in);
            } catch (const dlib::serialization_error &error) {
                cvision::set_status(status, CVISION_BAD_MODEL, error.what());
                return nullptr;
            }
            if (loaded->predictor.num_parts() != landmark_count) {
                const std::string message = "it has " + std::to_string(loaded->predictor.num_parts())
                    + " landmarks where 68 are needed";
                cvision::set_status(status, CVISION_BAD_MODEL, message.c_str());
                return nullptr;
            }
            return loaded.release();
        });
}

void cvision_landmark_predictor_destroy(cvision_landmark_predictor *predictor) { delete predictor; }

bool cvision_landmark_predictor_predict(
    const cvision_landmark_predictor *predictor, const cvision_image *image, cvision_box box,
    float *landmarks, cvision_status *status) {
    return cvision::guarded(status, false, [&] {
        const dlib::rectangle rectangle(
            box.left, box.top, static_cast<long>(box.left) + box.width - 1,
            static_cast<long>(box.top) + box.height - 1);
        const dlib::full_object_detection shape =
            with_view(*image, [&](const auto &view) { return predictor->predictor(view, rectangle); });
        for (long i = 0; i < landmark_count; ++i) {
            landmarks[2 * i] = static_cast<float>(shape.part(i).x());
            landmarks[2 * i + 1] = static_cast<float>(shape.part(i).y());
        }
        return true;
    });
}
