// What the files of this target share.
#ifndef CPIPEWIRE_CONNECTION_H
#define CPIPEWIRE_CONNECTION_H

#include "CPipeWire.h"

#include <pipewire/pipewire.h>
#include <spa/param/video/raw.h>

// Prepares the library, which must be there. Any thread may call it, any number of times.
void cpipewire_initialise(void);

// socket: see cpipewire_check(); or CPIPEWIRE_PORTAL.
//
// Returns NULL with errno.
struct pw_core *cpipewire_connect(struct pw_context *context, const char *socket);

// A connection to PipeWire that shows only cameras. Returns its descriptor, or -1 with errno.
int cpipewire_portal_open(void);

// Whether an object of PipeWire's registry is a camera. If so, stores its number, which no other one ever has.
bool cpipewire_is_camera(const char *type, const struct spa_dict *properties, uint64_t *serial);

// MARK: Formats that cameras have

enum { CPIPEWIRE_FORMATS = 10 };

// The names of a format of pixels. Motion JPEG, which is the first, has none of PipeWire's.
typedef struct {
    uint32_t code;
    enum spa_video_format name;
} cpipewire_format_names;

extern const cpipewire_format_names cpipewire_formats[CPIPEWIRE_FORMATS];

// The code of PipeWire's format; 0: it cannot be read.
uint32_t cpipewire_code(enum spa_video_format name);

// Copies what the first block of memory has; only tells its size if `copy` is NULL. At most `*size` bytes are copied, which
// then becomes their number.
//
// Returns false if it is damaged or empty.
bool cpipewire_copy_block(const struct spa_buffer *buffer, size_t *size, uint8_t *copy);

// Copies a picture in the memory of another program without what is between its rows, to cpipewire_frame_size() bytes.
//
// Returns false if it is damaged.
bool cpipewire_copy_frame(const cpipewire_frame *frame, const struct spa_buffer *buffer, uint8_t *copy);

// The size in bytes of a picture without padding between its rows. Not of Motion JPEG.
size_t cpipewire_frame_size(const cpipewire_frame *frame);

#endif
