// SVG pictures through librsvg, which draws them with Cairo. Both are loaded when they are first needed. Nothing outside
// the document is read: without a base address, librsvg follows only references within the document.
//
// Functions that can fail write a message of at most CVECTORGRAPHICS_MESSAGE bytes, with its NUL.
#ifndef CVECTORGRAPHICS_H
#define CVECTORGRAPHICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CVECTORGRAPHICS_MESSAGE = 256 };

typedef struct cvectorgraphics_document cvectorgraphics_document;

// Whether librsvg is installed.
bool cvectorgraphics_is_available(void);
// NULL if it is not an SVG document.
cvectorgraphics_document *cvectorgraphics_open(const void *data, size_t size, char *message);
void cvectorgraphics_close(cvectorgraphics_document *document);

// The size in pixels that the document states, or that of its view box; false if it has neither.
bool cvectorgraphics_size(cvectorgraphics_document *document, double *width, double *height);
// Whether an element has this identifier ("#paint").
bool cvectorgraphics_has(cvectorgraphics_document *document, const char *identifier);
// Draws the document, or only one of its elements (`identifier` is not NULL), on a transparent background: width × height
// pixels of RGBA, straight alpha, in rows of 4 × width bytes.
bool cvectorgraphics_draw(
    cvectorgraphics_document *document, const char *identifier, uint8_t *pixels, int width, int height,
    size_t bytes_per_row, char *message);

#endif
