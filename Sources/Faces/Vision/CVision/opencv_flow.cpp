#include <algorithm>
#include <cmath>
#include <limits>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/tracking.hpp>
#include <vector>

#include "CVision.h"
#include "status.hpp"

namespace {

cv::Mat grey(const cvision_image &image) {
    if (image.channels != 1) throw std::invalid_argument("the picture must be grey");
    return cv::Mat(image.height, image.width, CV_8UC1, const_cast<uint8_t *>(image.pixels), image.bytes_per_row);
}

std::vector<cv::Point> corners_of(const cvision_polygon &polygon, cv::Point origin = {0, 0}) {
    std::vector<cv::Point> corners;
    for (int32_t i = 0; i < polygon.count; ++i)
        corners.push_back(
            cv::Point(cvRound(polygon.points[2 * i]), cvRound(polygon.points[2 * i + 1])) - origin);
    return corners;
}

/// A line along the rim is as wide on both of its sides.
int line_width(const cvision_polygon &polygon) { return std::max(1, cvRound(2 * polygon.margin)); }

/// The part of a picture that matters for points: their box, and half as much again on each side for what they may move.
cv::Rect neighbourhood(const float *points, int32_t count, cv::Size picture) {
    cv::Rect2f box(points[0], points[1], 0, 0);
    for (int32_t i = 1; i < count; ++i) box |= cv::Rect2f(points[2 * i], points[2 * i + 1], 1e-3f, 1e-3f);
    const float margin = 64 + std::max(box.width, box.height) / 2;
    const cv::Rect wide(
        cv::Point(cvFloor(box.x - margin), cvFloor(box.y - margin)),
        cv::Point(cvCeil(box.x + box.width + margin), cvCeil(box.y + box.height + margin)));
    return wide & cv::Rect(cv::Point(), picture);
}

}  // namespace

int32_t cvision_corners(
    const cvision_image *image, const cvision_polygon *inside, const cvision_polygon *holes, int32_t hole_count,
    double distance, float *corners, int32_t capacity, cvision_status *status) {
    return cvision::guarded(status, int32_t(-1), [&] {
        std::vector<std::vector<cv::Point>> hull(1);
        cv::convexHull(corners_of(*inside), hull[0]);
        const cv::Rect box = cv::boundingRect(hull[0]) & cv::Rect(0, 0, image->width, image->height);
        if (box.empty()) return int32_t(0);
        for (cv::Point &corner : hull[0]) corner -= box.tl();
        const cv::Mat picture = grey(*image)(box);
        cv::Mat mask(picture.size(), CV_8UC1, cv::Scalar(0));
        cv::fillPoly(mask, hull, cv::Scalar(255));
        cv::polylines(mask, hull, true, cv::Scalar(0), line_width(*inside));
        for (int32_t i = 0; i < hole_count; ++i) {
            const std::vector<std::vector<cv::Point>> hole = {corners_of(holes[i], box.tl())};
            cv::fillPoly(mask, hole, cv::Scalar(0));
            cv::polylines(mask, hole, true, cv::Scalar(0), line_width(holes[i]));
        }
        std::vector<cv::Point2f> found;
        cv::goodFeaturesToTrack(picture, found, capacity, 0.01, distance, mask);
        for (size_t i = 0; i < found.size(); ++i) {
            corners[2 * i] = found[i].x + float(box.x);
            corners[2 * i + 1] = found[i].y + float(box.y);
        }
        return int32_t(found.size());
    });
}

bool cvision_follow_points(
    const cvision_image *from, const cvision_image *to, const float *points, int32_t count, float *moved,
    float *returned, cvision_status *status) {
    return cvision::guarded(status, false, [&] {
        if (count == 0) return true;
        const cv::Rect part = neighbourhood(points, count, cv::Size(from->width, from->height));
        if (part.empty()) {
            std::fill_n(returned, count, std::numeric_limits<float>::infinity());
            return true;
        }
        const cv::Mat before = grey(*from)(part), after = grey(*to)(part);
        const cv::Scalar origin(part.x, part.y);
        const cv::Size window(21, 21);
        const int levels = 3;
        const cv::TermCriteria end(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 30, 0.01);
        const cv::Mat start = cv::Mat(count, 1, CV_32FC2, const_cast<float *>(points)) - origin;
        cv::Mat there, back;
        std::vector<uint8_t> found_there, found_back;
        std::vector<cv::Mat> pyramid_before, pyramid_after;
        cv::buildOpticalFlowPyramid(before, pyramid_before, window, levels);
        cv::buildOpticalFlowPyramid(after, pyramid_after, window, levels);
        cv::calcOpticalFlowPyrLK(
            pyramid_before, pyramid_after, start, there, found_there, cv::noArray(), window, levels, end);
        cv::calcOpticalFlowPyrLK(
            pyramid_after, pyramid_before, there, back, found_back, cv::noArray(), window, levels, end);
        for (int32_t i = 0; i < count; ++i) {
            const cv::Point2f away = back.at<cv::Point2f>(i) - start.at<cv::Point2f>(i);
            const bool found = found_there[size_t(i)] && found_back[size_t(i)];
            moved[2 * i] = there.at<cv::Point2f>(i).x + float(part.x);
            moved[2 * i + 1] = there.at<cv::Point2f>(i).y + float(part.y);
            returned[i] = found ? std::hypot(away.x, away.y) : std::numeric_limits<float>::infinity();
        }
        return true;
    });
}

bool cvision_shift(
    const cvision_image *from, const cvision_image *to, float *x, float *y, float *response, cvision_status *status) {
    return cvision::guarded(status, false, [&] {
        if (from->width != to->width || from->height != to->height)
            throw std::invalid_argument("the pictures must have the same size");
        cv::Mat before, after, window;
        grey(*from).convertTo(before, CV_32F);
        grey(*to).convertTo(after, CV_32F);
        cv::createHanningWindow(window, before.size(), CV_32F);
        double certainty = 0;
        const cv::Point2d shift = cv::phaseCorrelate(before, after, window, &certainty);
        const bool is_known = std::isfinite(shift.x) && std::isfinite(shift.y) && std::isfinite(certainty);
        *x = is_known ? float(shift.x) : 0;
        *y = is_known ? float(shift.y) : 0;
        *response = is_known ? float(certainty) : 0;
        return true;
    });
}
