#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "CVision.h"
#include "status.hpp"

bool cvision_grab_cut(
    const cvision_image *image, uint8_t *labels, size_t labels_per_row, int32_t iterations, cvision_status *status) {
    return cvision::guarded(status, false, [&] {
        if (image->channels != 4) throw std::invalid_argument("the picture must have four channels");
        const cv::Mat colour(
            image->height, image->width, CV_8UC4, const_cast<uint8_t *>(image->pixels), image->bytes_per_row);
        cv::Mat bgr;
        cv::cvtColor(colour, bgr, cv::COLOR_RGBA2BGR);
        cv::Mat mask(image->height, image->width, CV_8UC1, labels, labels_per_row);
        cv::Mat background, foreground;
        // k-means starts at random: the same picture always gives the same result.
        cv::theRNG().state = 1;
        cv::grabCut(bgr, mask, cv::Rect(), background, foreground, iterations, cv::GC_INIT_WITH_MASK);
        return true;
    });
}
