#include <algorithm>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>

#include "CVision.h"
#include "status.hpp"

struct cvision_cascade_detector {
    cv::CascadeClassifier classifier;
};

namespace {

cv::Mat picture(const cvision_image &image) {
    const int type = image.channels == 1 ? CV_8UC1 : CV_8UC4;
    return cv::Mat(image.height, image.width, type, const_cast<uint8_t *>(image.pixels), image.bytes_per_row);
}

/// Most confident first.
int32_t report(std::vector<cvision_detection> &found, cvision_detection *detections, int32_t capacity) {
    std::sort(found.begin(), found.end(), [](const auto &a, const auto &b) {
        return a.confidence > b.confidence;
    });
    std::copy_n(found.begin(), std::min<size_t>(found.size(), static_cast<size_t>(std::max(capacity, 0))), detections);
    return static_cast<int32_t>(found.size());
}

/// OpenCV's own error messages go to its log, in the middle of ours.
struct quiet {
    quiet() { cv::redirectError([](int, const char *, const char *, const char *, int, void *) { return 0; }); }
    ~quiet() { cv::redirectError(nullptr); }
};

}  // namespace

cvision_cascade_detector *cvision_cascade_detector_load(const char *path, cvision_status *status) {
    return cvision::guarded<cvision_cascade_detector *>(status, nullptr, [&]() -> cvision_cascade_detector * {
        const quiet silence;
        auto detector = std::make_unique<cvision_cascade_detector>();
        try {
            if (detector->classifier.load(path)) return detector.release();
            cvision::set_status(status, CVISION_BAD_MODEL, "it holds no cascade of classifiers");
        } catch (const cv::Exception &error) {
            cvision::set_status(status, CVISION_BAD_MODEL, error.err.c_str());
        }
        return nullptr;
    });
}

void cvision_cascade_detector_destroy(cvision_cascade_detector *detector) { delete detector; }

int32_t cvision_cascade_detector_find(
    cvision_cascade_detector *detector, const cvision_image *image, int32_t smallest,
    cvision_detection *detections, int32_t capacity, cvision_status *status) {
    return cvision::guarded<int32_t>(status, -1, [&] {
        if (image->channels != 1) throw std::invalid_argument("the picture must be grey");
        const quiet silence;
        std::vector<cv::Rect> boxes;
        std::vector<int> neighbours;
        detector->classifier.detectMultiScale(
            picture(*image), boxes, neighbours, 1.1, 4, 0, cv::Size(smallest, smallest));
        std::vector<cvision_detection> found;
        for (size_t i = 0; i < boxes.size(); ++i) {
            const cv::Rect &box = boxes[i];
            found.push_back({{box.x, box.y, box.width, box.height}, static_cast<double>(neighbours[i])});
        }
        return report(found, detections, capacity);
    });
}
