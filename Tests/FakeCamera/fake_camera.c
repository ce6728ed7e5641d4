// A camera for machines without one: preloaded into the program (LD_PRELOAD), it answers the calls that go to /dev/video42.
// YUYV frames are grey; frame n has luma 16 + n % 200. NV12 frames are of one colour: Y 100, U 90, V 180. Bayer frames
// (RGGB) have red 200, green 100, blue 50.
//
// FAKE_CAMERA_JPEG     a JPEG of 1280 × 720, which MJPG frames are
// FAKE_CAMERA_NAME     what it is called
// FAKE_CAMERA_RATE     frames a second (30)
// FAKE_CAMERA_FAIL     an errno that opening fails with
// FAKE_CAMERA_BUSY     an errno that starting fails with, as when another program has it
// FAKE_CAMERA_UNPLUG   after N and 2 N frames ENODEV, and ENOENT for a second; then it is back
// FAKE_CAMERA_STALL    after N frames none come, once
// FAKE_CAMERA_GARBAGE  every Nth frame is damaged
// FAKE_CAMERA_ONLY     the only format that it offers: "YUYV", "MJPG", "NV12", "RGGB" or "H264"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 1280, HEIGHT = 720, COUNT = 4, LENGTH = WIDTH * HEIGHT * 2 };
static const char *path = "/dev/video42";

static int descriptor = -1;
static struct v4l2_pix_format format;
static uint8_t *memory[COUNT];
static int queue[COUNT], queued;
static int number, has_stalled, unplugged, is_gone;
static struct timespec gone_since;
static uint8_t *jpeg;
static size_t jpeg_size;

static int setting(const char *name, int otherwise) {
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}

static int offers(uint32_t pixel_format) {
    const char *only = getenv("FAKE_CAMERA_ONLY");
    if (only && strlen(only) == 4 && memcmp(only, &pixel_format, 4) == 0
        && (pixel_format == V4L2_PIX_FMT_NV12 || pixel_format == V4L2_PIX_FMT_SRGGB8 || pixel_format == V4L2_PIX_FMT_H264))
        return 1;
    if (pixel_format == V4L2_PIX_FMT_YUYV) return !only || strcmp(only, "YUYV") == 0;
    if (pixel_format == V4L2_PIX_FMT_MJPEG) return getenv("FAKE_CAMERA_JPEG") && (!only || strcmp(only, "MJPG") == 0);
    return 0;
}

static int rate(uint32_t pixel_format, uint32_t width) {
    // As with many webcams: 720 lines uncompressed do not fit through USB 2 at full rate.
    const int full = setting("FAKE_CAMERA_RATE", 30);
    return pixel_format == V4L2_PIX_FMT_YUYV && width >= 1280 && !getenv("FAKE_CAMERA_ONLY") ? 10 : full;
}

static int open_fake(void) {
    const int failure = setting("FAKE_CAMERA_FAIL", 0);
    if (failure) {
        errno = failure;
        return -1;
    }
    if (is_gone) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec - gone_since.tv_sec + (now.tv_nsec - gone_since.tv_nsec) / 1e9 < 1) {
            errno = ENOENT;
            return -1;
        }
        is_gone = 0;
    }
    const int result = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    descriptor = result;
    queued = 0;
    return result;
}

static int opened(const char *name) { return strcmp(name, path) == 0; }

int open(const char *name, int flags, ...) {
    if (opened(name)) return open_fake();
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = va_arg(arguments, mode_t);
    va_end(arguments);
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    return real(name, flags, mode);
}

int open64(const char *name, int flags, ...) {
    if (opened(name)) return open_fake();
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = va_arg(arguments, mode_t);
    va_end(arguments);
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open64");
    return real(name, flags, mode);
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
    if (file >= 0 && file == descriptor) return memory[offset / LENGTH];
    void *(*real)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap");
    return real(address, length, protection, flags, file, offset);
}

int munmap(void *address, size_t length) {
    for (int index = 0; index < COUNT; index += 1) {
        if (memory[index] && address == memory[index]) return 0;
    }
    int (*real)(void *, size_t) = dlsym(RTLD_NEXT, "munmap");
    return real(address, length);
}

int close(int file) {
    if (file >= 0 && file == descriptor) descriptor = -1;
    int (*real)(int) = dlsym(RTLD_NEXT, "close");
    return real(file);
}

#include "fake_frames.h"

static int dequeue(struct v4l2_buffer *buffer) {
    const int unplug = setting("FAKE_CAMERA_UNPLUG", 0);
    if (unplug && unplugged < 2 && number >= unplug * (unplugged + 1)) {
        unplugged += 1;
        is_gone = 1;
        clock_gettime(CLOCK_MONOTONIC, &gone_since);
        errno = ENODEV;
        return -1;
    }
    const int stall = setting("FAKE_CAMERA_STALL", 0);
    if (stall && number >= stall && !has_stalled) {
        has_stalled = 1;
        const struct itimerspec never = {0};
        timerfd_settime(descriptor, 0, &never, NULL);
        errno = EAGAIN;
        return -1;
    }
    uint64_t ticks;
    if (read(descriptor, &ticks, sizeof ticks) < 0 || queued == 0) {
        errno = EAGAIN;
        return -1;
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    buffer->index = (uint32_t)queue[0];
    queued -= 1;
    memmove(queue, queue + 1, sizeof *queue * (size_t)queued);
    buffer->bytesused = fill(memory[buffer->index]);
    buffer->flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
    buffer->timestamp.tv_sec = now.tv_sec;
    buffer->timestamp.tv_usec = now.tv_nsec / 1000;
    number += 1;
    return 0;
}

static int answer(unsigned long request, void *argument) {
    static const uint32_t sizes[][2] = {{640, 480}, {1280, 720}};
    const uint32_t formats[] = {
        V4L2_PIX_FMT_YUYV, V4L2_PIX_FMT_MJPEG, V4L2_PIX_FMT_NV12, V4L2_PIX_FMT_SRGGB8, V4L2_PIX_FMT_H264};
    switch (request) {
        case VIDIOC_QUERYCAP: {
            struct v4l2_capability *capability = argument;
            memset(capability, 0, sizeof *capability);
            const char *name = getenv("FAKE_CAMERA_NAME");
            strncpy((char *)capability->card, name ? name : "Fake Camera: é", sizeof capability->card - 1);
            capability->capabilities = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
            return 0;
        }
        case VIDIOC_ENUM_FMT: {
            struct v4l2_fmtdesc *description = argument;
            uint32_t index = description->index;
            for (int each = 0; each < 5; each += 1) {
                if (!offers(formats[each])) continue;
                if (index == 0) {
                    description->pixelformat = formats[each];
                    return 0;
                }
                index -= 1;
            }
            break;
        }
        case VIDIOC_ENUM_FRAMESIZES: {
            struct v4l2_frmsizeenum *size = argument;
            if (size->index > 1) break;
            size->type = V4L2_FRMSIZE_TYPE_DISCRETE;
            size->discrete.width = sizes[size->index][0];
            size->discrete.height = sizes[size->index][1];
            return 0;
        }
        case VIDIOC_ENUM_FRAMEINTERVALS: {
            struct v4l2_frmivalenum *interval = argument;
            if (interval->index > 0) break;
            interval->type = V4L2_FRMIVAL_TYPE_DISCRETE;
            interval->discrete.numerator = 1;
            interval->discrete.denominator = (uint32_t)rate(interval->pixel_format, interval->width);
            return 0;
        }
        case VIDIOC_QUERYCTRL: {
            struct v4l2_queryctrl *query = argument;
            if (query->id != V4L2_CTRL_FLAG_NEXT_CTRL) break;
            query->id = V4L2_CID_BRIGHTNESS;
            query->type = V4L2_CTRL_TYPE_INTEGER;
            strcpy((char *)query->name, "Brightness, Fake");
            query->minimum = -10;
            query->maximum = 10;
            query->flags = 0;
            return 0;
        }
        case VIDIOC_G_CTRL: ((struct v4l2_control *)argument)->value = 3; return 0;
        case VIDIOC_S_CTRL: {
            const struct v4l2_control *control = argument;
            if (control->value < -10 || control->value > 10) {
                errno = ERANGE;
                return -1;
            }
            return 0;
        }
        case VIDIOC_S_FMT: {
            struct v4l2_format *wanted = argument;
            if (!offers(wanted->fmt.pix.pixelformat)) break;
            format = wanted->fmt.pix;
            if (format.width < 1280) {
                format.width = 640;
                format.height = 480;
            } else {
                format.width = WIDTH;
                format.height = HEIGHT;
            }
            format.bytesperline = (format.pixelformat == V4L2_PIX_FMT_YUYV ? 2 : 1) * format.width;
            format.sizeimage = LENGTH;
            wanted->fmt.pix = format;
            return 0;
        }
        case VIDIOC_S_PARM: return 0;
        case VIDIOC_G_PARM: {
            struct v4l2_streamparm *parameters = argument;
            parameters->parm.capture.timeperframe.numerator = 1;
            parameters->parm.capture.timeperframe.denominator = (uint32_t)rate(format.pixelformat, format.width);
            return 0;
        }
        case VIDIOC_REQBUFS: {
            struct v4l2_requestbuffers *wanted = argument;
            wanted->count = COUNT;
            for (int index = 0; index < COUNT; index += 1) {
                if (!memory[index]) memory[index] = malloc(LENGTH);
            }
            return 0;
        }
        case VIDIOC_QUERYBUF: {
            struct v4l2_buffer *buffer = argument;
            buffer->length = LENGTH;
            buffer->m.offset = buffer->index * LENGTH;
            return 0;
        }
        case VIDIOC_QBUF: queue[queued++] = (int)((struct v4l2_buffer *)argument)->index; return 0;
        case VIDIOC_DQBUF: return dequeue(argument);
        case VIDIOC_STREAMON: {
            const int failure = setting("FAKE_CAMERA_BUSY", 0);
            if (failure) {
                errno = failure;
                return -1;
            }
            const long nanoseconds = 1000000000L / rate(format.pixelformat, format.width);
            const struct itimerspec timer = {{0, nanoseconds}, {0, nanoseconds}};
            return timerfd_settime(descriptor, 0, &timer, NULL);
        }
        case VIDIOC_STREAMOFF: return 0;
        default: break;
    }
    errno = EINVAL;
    return -1;
}

int ioctl(int file, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    // Requests come sign-extended from some callers.
    if (file >= 0 && file == descriptor) return answer(request & 0xFFFFFFFFUL, argument);
    int (*real)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
    return real(file, request, argument);
}
