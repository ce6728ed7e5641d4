#include "camera.h"

int32_t ccamera_controls(ccamera *camera, ccamera_control *controls, int32_t limit) {
    int32_t count = 0;
    struct v4l2_queryctrl query = {.id = V4L2_CTRL_FLAG_NEXT_CTRL};
    while (count < 256 && ccamera_ioctl(camera->descriptor, VIDIOC_QUERYCTRL, &query) == 0) {
        const bool is_usable = !(query.flags & (V4L2_CTRL_FLAG_DISABLED | V4L2_CTRL_FLAG_READ_ONLY))
            && (query.type == V4L2_CTRL_TYPE_INTEGER || query.type == V4L2_CTRL_TYPE_BOOLEAN
                || query.type == V4L2_CTRL_TYPE_MENU);
        if (is_usable) {
            struct v4l2_control value = {.id = query.id};
            if (ccamera_ioctl(camera->descriptor, VIDIOC_G_CTRL, &value) < 0) value.value = query.default_value;
            if (count < limit) {
                ccamera_control *control = &controls[count];
                control->identifier = query.id;
                snprintf(control->name, sizeof control->name, "%.31s", (const char *)query.name);
                control->minimum = query.minimum;
                control->maximum = query.maximum;
                control->value = value.value;
            }
            count += 1;
        }
        query.id |= V4L2_CTRL_FLAG_NEXT_CTRL;
    }
    return count;
}

bool ccamera_set_control(ccamera *camera, uint32_t identifier, int32_t value, ccamera_error *error) {
    struct v4l2_control control = {.id = identifier, .value = value};
    if (ccamera_ioctl(camera->descriptor, VIDIOC_S_CTRL, &control) == 0) return true;
    ccamera_fail(error, "setting a control");
    return false;
}
