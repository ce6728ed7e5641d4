// The font of the windows, found with fontconfig.
#ifndef CIMGUI_FONT_H
#define CIMGUI_FONT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Writes the path of an upright sans-serif font with Latin, Greek and Cyrillic letters: Inter if it is installed.
// Returns false if there is none, or no fontconfig.
bool cimgui_find_font(char *path, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
