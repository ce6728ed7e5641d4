#include "camera.h"

#include <CDynamicLibrary.h>
#include <libv4l-plugin.h>
#include <libv4lconvert.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(F) F(v4lconvert_convert) F(v4lconvert_create_with_dev_ops) F(v4lconvert_destroy)

CDYNAMICLIBRARY(FUNCTIONS, "libv4lconvert.so.0")

// A format that libv4lconvert 1.22 reads, besides YUYV and Motion JPEG; no function of the library lists them. H.264 is
// not among them.
typedef struct {
    uint32_t code;
    // Of a pixel in the first plane; 0 for compressed formats.
    uint32_t bits;
    // Size of all planes, in halves of the first.
    uint32_t halves;
} readable_format;

static const readable_format readable_formats[] = {
    // Planes of brightness and colour, 4:2:0 and 4:2:2.
    {V4L2_PIX_FMT_NV12, 8, 3}, {V4L2_PIX_FMT_YUV420, 8, 3}, {V4L2_PIX_FMT_YVU420, 8, 3}, {V4L2_PIX_FMT_M420, 8, 3},
    {V4L2_PIX_FMT_HM12, 8, 3}, {V4L2_PIX_FMT_NV16, 8, 4}, {V4L2_PIX_FMT_NV61, 8, 4},
    // Whole pixels.
    {V4L2_PIX_FMT_UYVY, 16, 2}, {V4L2_PIX_FMT_YVYU, 16, 2}, {V4L2_PIX_FMT_RGB24, 24, 2}, {V4L2_PIX_FMT_BGR24, 24, 2},
    {V4L2_PIX_FMT_RGB565, 16, 2}, {V4L2_PIX_FMT_BGR32, 32, 2}, {V4L2_PIX_FMT_RGB32, 32, 2},
    {V4L2_PIX_FMT_XBGR32, 32, 2}, {V4L2_PIX_FMT_XRGB32, 32, 2}, {V4L2_PIX_FMT_GREY, 8, 2}, {V4L2_PIX_FMT_Y16, 16, 2},
    // Bayer patterns.
    {V4L2_PIX_FMT_SBGGR8, 8, 2}, {V4L2_PIX_FMT_SGBRG8, 8, 2}, {V4L2_PIX_FMT_SGRBG8, 8, 2}, {V4L2_PIX_FMT_SRGGB8, 8, 2},
    {V4L2_PIX_FMT_SBGGR10P, 10, 2}, {V4L2_PIX_FMT_SGBRG10P, 10, 2}, {V4L2_PIX_FMT_SGRBG10P, 10, 2},
    {V4L2_PIX_FMT_SRGGB10P, 10, 2}, {V4L2_PIX_FMT_SBGGR10, 16, 2}, {V4L2_PIX_FMT_SGBRG10, 16, 2},
    {V4L2_PIX_FMT_SGRBG10, 16, 2}, {V4L2_PIX_FMT_SRGGB10, 16, 2}, {V4L2_PIX_FMT_SBGGR16, 16, 2},
    {V4L2_PIX_FMT_SGBRG16, 16, 2}, {V4L2_PIX_FMT_SGRBG16, 16, 2}, {V4L2_PIX_FMT_SRGGB16, 16, 2},
    // Compressed; libv4lconvert checks these itself.
    {V4L2_PIX_FMT_JPEG, 0, 0}, {V4L2_PIX_FMT_PJPG, 0, 0}, {V4L2_PIX_FMT_JPGL, 0, 0},
};

static const readable_format *find(uint32_t code) {
    for (size_t index = 0; index < sizeof readable_formats / sizeof *readable_formats; index += 1)
        if (readable_formats[index].code == code) return &readable_formats[index];
    return NULL;
}

// libv4lconvert 1.22 reads beyond the end of short frames of some formats.
static size_t least_size(const struct v4l2_pix_format *format) {
    const readable_format *found = find(format->pixelformat);
    if (!found) return 0;
    const size_t row = found->bits > 0 ? format->bytesperline : 0;
    return row * format->height * found->halves / 2;
}

bool ccamera_can_read(uint32_t format) {
    if (format == CCAMERA_YUYV || format == CCAMERA_MJPG) return true;
    return find(format) && is_available();
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
    // libv4lconvert 1.22 reads beyond very small Bayer frames, and works on squares of 2 × 2 pixels.
    const uint32_t width = format->fmt.pix.width, height = format->fmt.pix.height;
    if (width < 16 || height < 16 || width % 2 || height % 2) return NULL;
    converter *result = calloc(1, sizeof *result);
    if (!result) return NULL;
    const struct v4l2_pix_format *from = &format->fmt.pix;
    result->from = *format;
    // Some drivers leave the length of a row out, and libv4lconvert trusts it.
    const readable_format *found = find(from->pixelformat);
    const uint32_t row = found ? (width * found->bits + 7) / 8 : 0;
    if (from->bytesperline < row) result->from.fmt.pix.bytesperline = row;
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
    if (size > INT32_MAX || size < least_size(&converter->from.fmt.pix)) return false;
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
