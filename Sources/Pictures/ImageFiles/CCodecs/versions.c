#include <lcms2.h>
#include <png.h>
#include <stdio.h>
#include <zlib.h>
// After stdio.h, which it needs.
#include <jpeglib.h>

#include "CCodecs.h"

// LIBJPEG_TURBO_VERSION is written without quotation marks.
#define TEXT(token) #token
#define TEXT_OF(macro) TEXT(macro)

size_t ccodecs_versions(char *text, size_t capacity) {
    const int colours = cmsGetEncodedCMMversion();
    const int length = snprintf(
        text, capacity, "libjpeg-turbo " TEXT_OF(LIBJPEG_TURBO_VERSION) ", libpng %s, zlib %s, Little CMS %d.%d",
        png_get_libpng_ver(NULL), zlibVersion(), colours / 1000, colours % 1000 / 10);
    return length < 0 ? 0 : (size_t)length;
}
