// Cameras through PipeWire: one that other programs see, and those that this program sees. Its library is loaded when it is
// needed.
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

// MARK: A camera for other programs

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

// MARK: Cameras of others

// In pixels: cameras have no larger pictures.
enum { CPIPEWIRE_LARGEST_SIDE = 8192 };

typedef struct {
    uint32_t format;  // V4L2_PIX_FMT_…, a FourCC: one that can be read
    uint32_t width;
    uint32_t height;
    double rate;  // frames per second; 0: unknown
} cpipewire_mode;

// The cameras that were there at one time.
typedef struct cpipewire_nodes cpipewire_nodes;

typedef struct {
    uint64_t serial;        // no other object ever has it; 0: it is gone
    const char *name;       // for programs; may be NULL
    const char *title;      // for the user; may be NULL
    const char *device;     // the device of Video4Linux2: "/dev/video0"; NULL: none
    const cpipewire_mode *modes;
    int mode_count;
} cpipewire_node;

// In place of the path of a socket: through the desktop's portal, for programs in a sandbox.
#define CPIPEWIRE_PORTAL "portal"

// Asks the desktop's portal for the permission to use cameras. It waits until the user has answered. Any thread may call it.
//
// Returns 0, or the system's number of the error. EACCES: it has been refused. ENOENT: there is no portal.
int cpipewire_portal_ask(void);

// Asks PipeWire for the cameras. It waits up to a second. Any thread may call it.
//
// socket: see cpipewire_check(); or CPIPEWIRE_PORTAL.
// error: receives 0 or the system's number of the error, as from cpipewire_check().
//
// Returns NULL if there is an error.
cpipewire_nodes *cpipewire_nodes_new(const char *socket, int *error);
void cpipewire_nodes_free(cpipewire_nodes *nodes);
int cpipewire_nodes_count(const cpipewire_nodes *nodes);
// The texts live as long as `nodes`.
cpipewire_node cpipewire_node_at(const cpipewire_nodes *nodes, int index);

// Receives the pictures of a camera, on a thread of its own.
typedef struct cpipewire_stream cpipewire_stream;

// Begins to connect.
//
// serial: of the camera.
// mode: what it is asked for. It may have another one, because another program uses it.
// socket: as for cpipewire_nodes_new(), which has told the serial.
// error: receives 0 or the system's number of the error, as from cpipewire_check().
//
// Returns NULL if there is an error.
cpipewire_stream *cpipewire_stream_new(uint64_t serial, cpipewire_mode mode, const char *socket, int *error);

typedef struct {
    // See cpipewire_mode.
    uint32_t format;
    uint32_t width;
    uint32_t height;
    bool is_bt709;  // ITU-R BT.709; otherwise ITU-R BT.601. Of YUV.
    bool is_full;   // whether Y, U and V have the range 0...255. Of YUV.
    double seconds;  // CLOCK_MONOTONIC: when it came
    // Without padding between rows; it belongs to the stream, until the next call. NULL: it is damaged.
    const uint8_t *data;
    size_t size;
} cpipewire_frame;

// Waits for the newest picture that has not been taken. One thread calls it.
//
// Returns 1: there is one. 0: none within that time. Otherwise the negative number of the error, after which no picture
// comes: -ENODEV: the camera is gone. -EPIPE: PipeWire has ended or does not connect with the camera.
int cpipewire_stream_next(cpipewire_stream *stream, int timeout_milliseconds, cpipewire_frame *frame);

// Ends it and frees it.
void cpipewire_stream_free(cpipewire_stream *stream);

// Converts a picture that is neither damaged nor Motion JPEG to opaque RGBA.
//
// stride: from one row of rgba to the next, in bytes.
void cpipewire_frame_to_rgba(const cpipewire_frame *frame, uint8_t *rgba, size_t stride);

// Reads a picture from a block of memory as from that of another program, and converts it. For tests.
//
// frame: its format and size.
// capacity: of the block, in bytes.
// offset, size, stride: what the other program says of its content.
//
// Returns false if it is damaged.
bool cpipewire_read_alone(
    const cpipewire_frame *frame, const uint8_t *block, uint32_t capacity, uint32_t offset, uint32_t size, int32_t stride,
    uint8_t *rgba, size_t rgba_stride);

#endif
