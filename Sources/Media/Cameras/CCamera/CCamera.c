#include "camera.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

int ccamera_ioctl(int descriptor, unsigned long request, void *argument) {
    int result;
    do {
        result = ioctl(descriptor, request, argument);
    } while (result < 0 && errno == EINTR);
    return result;
}

void ccamera_fail(ccamera_error *error, const char *what) {
    error->code = errno;
    snprintf(error->message, sizeof error->message, "%s", what);
}

static uint32_t capabilities(int descriptor, struct v4l2_capability *capability) {
    if (ccamera_ioctl(descriptor, VIDIOC_QUERYCAP, capability) != 0) return 0;
    return capability->capabilities & V4L2_CAP_DEVICE_CAPS ? capability->device_caps : capability->capabilities;
}

bool ccamera_takes_frames(const char *path, char name[33]) {
    const int descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return false;
    struct v4l2_capability capability = {0};
    const uint32_t can = capabilities(descriptor, &capability);
    close(descriptor);
    if (!(can & V4L2_CAP_VIDEO_OUTPUT)) return false;
    snprintf(name, 33, "%.32s", (const char *)capability.card);
    return true;
}

ccamera *ccamera_open(const char *path, ccamera_error *error) {
    // A blocking driver would hold the thread when it is asked to stop.
    const int descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        ccamera_fail(error, "opening it");
        return NULL;
    }
    struct v4l2_capability capability = {0};
    const uint32_t can = capabilities(descriptor, &capability);
    if (!(can & V4L2_CAP_VIDEO_CAPTURE) || !(can & V4L2_CAP_STREAMING)) {
        close(descriptor);
        errno = ENOTTY;
        ccamera_fail(error, "asking what it is");
        return NULL;
    }
    ccamera *camera = calloc(1, sizeof *camera);
    if (!camera) {
        close(descriptor);
        ccamera_fail(error, "making room for it");
        return NULL;
    }
    camera->descriptor = descriptor;
    snprintf(camera->name, sizeof camera->name, "%.32s", (const char *)capability.card);
    return camera;
}

void ccamera_close(ccamera *camera) {
    if (!camera) return;
    if (camera->is_streaming) {
        int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
        ccamera_ioctl(camera->descriptor, VIDIOC_STREAMOFF, &type);
    }
    for (int index = 0; index < camera->count; index += 1) {
        munmap(camera->buffers[index].start, camera->buffers[index].length);
    }
    ccamera_converter_free(camera->converter);
    close(camera->descriptor);
    free(camera);
}

const char *ccamera_name(const ccamera *camera) { return camera->name; }
