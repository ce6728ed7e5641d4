// The font of the windows, found with fontconfig.
#ifndef CIMGUI_FONT_H
#define CIMGUI_FONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

// Writes the path of a font with some of the letters, and its index in that file, and puts these letters first. Returns how
// many they are: 0 if no font has any, or there is no fontconfig.
size_t cimgui_find_letters(uint32_t *letters, size_t count, char *path, size_t capacity, int *index);

#ifdef __cplusplus
}
#endif

#endif
