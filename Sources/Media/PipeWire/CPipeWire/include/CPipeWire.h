// A camera that other programs see through PipeWire. Its library is loaded when it is needed.
#ifndef CPIPEWIRE_H
#define CPIPEWIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether the library is there.
bool cpipewire_is_available(void);

// Connects to PipeWire and disconnects. Returns 0, or the system's number of the error: ENOENT, EHOSTDOWN and ECONNREFUSED
// mean that it does not run. The library must be there.
//
// socket: the path of its socket; NULL: that of the session.
int cpipewire_check(const char *socket);

// MARK: Pictures

// Formats of pixels, without padding between rows.
typedef enum {
    CPIPEWIRE_I420,
    CPIPEWIRE_NV12,
    CPIPEWIRE_YUY2,
    CPIPEWIRE_RGBA,
} cpipewire_format;

// The size in bytes of a picture. Its width and height are even.
size_t cpipewire_size(cpipewire_format format, uint32_t width, uint32_t height);

// Converts RGBA. YUV has limited range and the matrix of ITU-R BT.601, as Chromium takes pictures of cameras of any size to
// have; colours between pixels are averages. The result is the exact value, rounded.
//
// width, height: even, in pixels.
// stride: from one row to the next, in bytes.
// pixels: cpipewire_size() bytes.
void cpipewire_convert(
    cpipewire_format format, uint32_t width, uint32_t height, const uint8_t *rgba, size_t stride, uint8_t *pixels);

// MARK: Cameras

// It works on a thread of its own, connects by itself, and connects again when PipeWire has been started anew.
typedef struct cpipewire_camera cpipewire_camera;

typedef struct {
    // What failed when it connected, as from cpipewire_check(); 0: it is connected; -1: it has not tried yet.
    int error;
    // Whether a program takes pictures.
    bool is_watched;
    // Whether a program takes pictures and has got none yet.
    bool awaits_picture;
    // How many pictures have been converted and given to programs.
    uint64_t sent;
} cpipewire_status;

// name: what programs show.
// width, height: of its pictures, in pixels, even, up to 16384.
// rate, rate_seconds: so many pictures are expected in so many seconds.
//
// socket: see cpipewire_check().
//
// Returns NULL without memory or thread. The library must be there.
cpipewire_camera *cpipewire_camera_new(
    const char *name, uint32_t width, uint32_t height, uint32_t rate, uint32_t rate_seconds, const char *socket);

// Any thread may ask.
cpipewire_status cpipewire_camera_status(cpipewire_camera *camera);

// Copies a picture of the camera's size for the programs that take pictures; without such a program, it does nothing. A
// picture that has not been sent yet is replaced. A picture is sent again where none follows. It does not wait for programs.
// Any thread may call it.
void cpipewire_camera_offer(cpipewire_camera *camera, const uint8_t *rgba, size_t stride);

// Ends it and frees it.
void cpipewire_camera_free(cpipewire_camera *camera);

#endif
