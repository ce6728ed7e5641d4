#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "CVision.h"
#include "status.hpp"

bool cvision_resize_to_grey(
    const cvision_image *image, uint8_t *grey, int32_t width, int32_t height, size_t bytes_per_row,
    cvision_status *status) {
    return cvision::guarded(status, false, [&] {
        if (image->channels != 4) throw std::invalid_argument("the picture must have four channels");
        const cv::Mat colour(
            image->height, image->width, CV_8UC4, const_cast<uint8_t *>(image->pixels), image->bytes_per_row);
        cv::Mat result(height, width, CV_8UC1, grey, bytes_per_row);
        if (width == image->width && height == image->height) {
            cv::cvtColor(colour, result, cv::COLOR_RGBA2GRAY);
            return true;
        }
        // Grey first: resizing one channel costs a quarter of resizing four.
        cv::Mat full;
        cv::cvtColor(colour, full, cv::COLOR_RGBA2GRAY);
        const bool smaller = width < image->width || height < image->height;
        cv::resize(full, result, result.size(), 0, 0, smaller ? cv::INTER_AREA : cv::INTER_LINEAR);
        return true;
    });
}

bool cvision_resize(
    const cvision_image *image, uint8_t *result, int32_t width, int32_t height, size_t bytes_per_row,
    cvision_status *status) {
    return cvision::guarded(status, false, [&] {
        const int type = image->channels == 1 ? CV_8UC1 : CV_8UC4;
        const cv::Mat from(
            image->height, image->width, type, const_cast<uint8_t *>(image->pixels), image->bytes_per_row);
        cv::Mat to(height, width, type, result, bytes_per_row);
        const bool smaller = width < image->width || height < image->height;
        cv::resize(from, to, to.size(), 0, 0, smaller ? cv::INTER_AREA : cv::INTER_LINEAR);
        return true;
    });
}
