// SVG pictures through librsvg, which draws them with Cairo. Both are loaded when they are first needed. A document is
// read and drawn in a child process behind a wall (CSandbox): it may ask for filters and repetitions without end.
// Nothing outside the document is read: without a base address, librsvg follows only references within the document.
#ifndef CVECTORGRAPHICS_H
#define CVECTORGRAPHICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    CVECTORGRAPHICS_DRAWN = 0,
    CVECTORGRAPHICS_NOT_SVG = 1,     // `message` says why
    CVECTORGRAPHICS_NO_SIZE = 2,     // it says neither its size in pixels nor a view box
    CVECTORGRAPHICS_TOO_LARGE = 3,   // `stated_width` and `stated_height` say how large
    CVECTORGRAPHICS_NO_ELEMENT = 4,  // no element has the identifier asked for
    CVECTORGRAPHICS_NOT_DRAWN = 5,   // `message` says why
    CVECTORGRAPHICS_TOO_SLOW = 6,    // the time was not enough
    CVECTORGRAPHICS_CRASHED = 7,     // the memory was not enough, or the library crashed
    CVECTORGRAPHICS_NO_LIBRARY = 8,  // librsvg is not installed
    CVECTORGRAPHICS_NO_PROCESS = 9,  // the system gives no more processes or memory; `message` says why
    CVECTORGRAPHICS_CANCELLED = 10,  // `is_cancelled` said so
} cvectorgraphics_outcome;

// What a drawing may use.
typedef struct cvectorgraphics_limits {
    int32_t largest_side;  // in pixels
    int32_t seconds;       // of processor time; three times as many of the clock, since others may use the processor
    uint64_t memory_bytes;  // beside the picture itself
    bool (*is_cancelled)(void);  // asked several times a second whether to give up; NULL: never
} cvectorgraphics_limits;

typedef struct cvectorgraphics_picture {
    cvectorgraphics_outcome outcome;
    double stated_width, stated_height;
    // The pixels: RGBA, straight alpha, rows of 4 × width bytes, top first. Valid until the picture is closed.
    int32_t width, height;
    const uint8_t *pixels;
    char message[256];  // UTF-8, always terminated
} cvectorgraphics_picture;

// Whether librsvg is installed.
bool cvectorgraphics_is_available(void);

// Draws the element with the identifier `element` ("#paint") on a transparent background; without such an element, and
// if it is NULL, the whole document, unless `needs_element`. NULL when there is no memory at all. To be closed.
cvectorgraphics_picture *cvectorgraphics_draw(
    const void *data, size_t size, const char *element, bool needs_element, const cvectorgraphics_limits *limits);
void cvectorgraphics_close(cvectorgraphics_picture *picture);

#endif
