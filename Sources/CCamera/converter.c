#include "camera.h"

#include <CDynamicLibrary.h>
#include <libv4l-plugin.h>
#include <libv4lconvert.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(F) F(v4lconvert_convert) F(v4lconvert_create_with_dev_ops) F(v4lconvert_destroy)

CDYNAMICLIBRARY("libv4lconvert.so.0", FUNCTIONS)

// What libv4lconvert 1.22 reads, besides YUYV and Motion JPEG; no function of the library lists it. H.264 is not among them.
static const uint32_t readable_formats[] = {
    V4L2_PIX_FMT_NV12, V4L2_PIX_FMT_YUV420, V4L2_PIX_FMT_YVU420, V4L2_PIX_FMT_UYVY, V4L2_PIX_FMT_YVYU,
    V4L2_PIX_FMT_NV16, V4L2_PIX_FMT_NV61, V4L2_PIX_FMT_M420, V4L2_PIX_FMT_HM12, V4L2_PIX_FMT_RGB24,
    V4L2_PIX_FMT_BGR24, V4L2_PIX_FMT_RGB565, V4L2_PIX_FMT_BGR32, V4L2_PIX_FMT_RGB32, V4L2_PIX_FMT_XBGR32,
    V4L2_PIX_FMT_XRGB32, V4L2_PIX_FMT_JPEG, V4L2_PIX_FMT_PJPG, V4L2_PIX_FMT_JPGL, V4L2_PIX_FMT_SBGGR8,
    V4L2_PIX_FMT_SGBRG8, V4L2_PIX_FMT_SGRBG8, V4L2_PIX_FMT_SRGGB8, V4L2_PIX_FMT_SBGGR10P, V4L2_PIX_FMT_SGBRG10P,
    V4L2_PIX_FMT_SGRBG10P, V4L2_PIX_FMT_SRGGB10P, V4L2_PIX_FMT_SBGGR10, V4L2_PIX_FMT_SGBRG10, V4L2_PIX_FMT_SGRBG10,
    V4L2_PIX_FMT_SRGGB10, V4L2_PIX_FMT_SBGGR16, V4L2_PIX_FMT_SGBRG16, V4L2_PIX_FMT_SGRBG16, V4L2_PIX_FMT_SRGGB16,
    V4L2_PIX_FMT_SPCA501, V4L2_PIX_FMT_SPCA505, V4L2_PIX_FMT_SPCA508, V4L2_PIX_FMT_SPCA561, V4L2_PIX_FMT_CIT_YYVYUY,
    V4L2_PIX_FMT_KONICA420, V4L2_PIX_FMT_SN9C10X, V4L2_PIX_FMT_SN9C20X_I420, V4L2_PIX_FMT_SN9C2028,
    V4L2_PIX_FMT_PAC207, V4L2_PIX_FMT_MR97310A, V4L2_PIX_FMT_SQ905C, V4L2_PIX_FMT_SE401, V4L2_PIX_FMT_STV0680,
    V4L2_PIX_FMT_GREY, V4L2_PIX_FMT_Y16,
};

bool ccamera_can_read(uint32_t format) {
    if (format == CCAMERA_YUYV || format == CCAMERA_MJPG) return true;
    for (size_t index = 0; index < sizeof readable_formats / sizeof *readable_formats; index += 1)
        if (readable_formats[index] == format) return is_available();
    return false;
}

struct converter {
    struct v4lconvert_data *library;
    struct v4l2_format from, to;
    uint8_t *rgb;
};

static void *begin(int descriptor) {
    (void)descriptor;
    return NULL;
}

static void end(void *nothing) { (void)nothing; }

// The calls that the library makes to the driver.
static int control(void *nothing, int descriptor, unsigned long request, void *argument) {
    (void)nothing;
    struct v4l2_fmtdesc *description = argument;
    switch ((uint32_t)request) {
        case (uint32_t)VIDIOC_ENUM_FMT:
            // Cameras without a common format get white balance and gamma in software, kept in shared memory.
            if (description->index > 0) break;
            description->pixelformat = CCAMERA_YUYV;
            return 0;
        case (uint32_t)VIDIOC_QUERYCAP:
            memset(argument, 0, sizeof(struct v4l2_capability));
            ccamera_ioctl(descriptor, request, argument);
            return 0;
        default: return ccamera_ioctl(descriptor, request, argument);
    }
    errno = EINVAL;
    return -1;
}

static const struct libv4l_dev_ops operations = {.init = begin, .close = end, .ioctl = control};

converter *ccamera_converter_new(int descriptor, const struct v4l2_format *format) {
    if (!is_available()) return NULL;
    converter *result = calloc(1, sizeof *result);
    if (!result) return NULL;
    const struct v4l2_pix_format *from = &format->fmt.pix;
    result->from = *format;
    result->to.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    result->to.fmt.pix.width = from->width;
    result->to.fmt.pix.height = from->height;
    result->to.fmt.pix.field = V4L2_FIELD_NONE;
    result->to.fmt.pix.pixelformat = V4L2_PIX_FMT_RGB24;
    result->to.fmt.pix.bytesperline = 3 * from->width;
    result->to.fmt.pix.sizeimage = 3 * from->width * from->height;
    result->rgb = malloc(result->to.fmt.pix.sizeimage);
    result->library = result->rgb ? library.v4lconvert_create_with_dev_ops(descriptor, NULL, &operations) : NULL;
    if (result->library) return result;
    ccamera_converter_free(result);
    return NULL;
}

void ccamera_converter_free(converter *converter) {
    if (!converter) return;
    if (converter->library) library.v4lconvert_destroy(converter->library);
    free(converter->rgb);
    free(converter);
}

bool ccamera_converter_convert(
    converter *converter, const uint8_t *data, size_t size, uint8_t *rgba, size_t rgba_bytes_per_row) {
    const struct v4l2_pix_format *to = &converter->to.fmt.pix;
    if (size > INT32_MAX) return false;
    // The source is not const in the library's declaration; some formats are unpacked in place.
    const int count = library.v4lconvert_convert(
        converter->library, &converter->from, &converter->to, (unsigned char *)data, (int)size, converter->rgb,
        (int)to->sizeimage);
    if (count < (int)to->sizeimage) return false;
    for (uint32_t y = 0; y < to->height; y += 1) {
        const uint8_t *from = converter->rgb + (size_t)y * to->bytesperline;
        uint8_t *row = rgba + (size_t)y * rgba_bytes_per_row;
        for (uint32_t x = 0; x < to->width; x += 1) {
            memcpy(row + 4 * x, from + 3 * x, 3);
            row[4 * x + 3] = 255;
        }
    }
    return true;
}
