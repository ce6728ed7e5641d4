#include <dlib/revision.h>

#include <opencv2/core/utility.hpp>
#include <string>

#include "CVision.h"

const char *cvision_versions(void) {
    static const std::string text = "dlib " + std::to_string(DLIB_MAJOR_VERSION) + "." +
                                    std::to_string(DLIB_MINOR_VERSION) + "." + std::to_string(DLIB_PATCH_VERSION) +
                                    ", OpenCV " + cv::getVersionString();
    return text.c_str();
}
