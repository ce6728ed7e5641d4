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

// The code points of Font Awesome 4.7.
enum { CIMGUI_FIRST_ICON = 0xF000, CIMGUI_LAST_ICON = 0xF2E0 };

// Writes the path of Font Awesome 4. Returns false if it is not installed, or no fontconfig.
bool cimgui_find_icons(char *path, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
