// How the windows look.
#ifndef CIMGUI_STYLE_H
#define CIMGUI_STYLE_H

// In the window's units.
void cimgui_set_style(void);
// Adds the font of all texts, with icons if there is a font of icons. `pixels` is the length of a unit of the window.
void cimgui_add_fonts(float pixels);
bool cimgui_has_icons(void);
struct ImFont;
// A font of 2.5 times the size, drawn for that, with the letters of a text; nullptr: there is none.
ImFont *cimgui_large_font(const char *text);
// Whether a file is TrueType or OpenType, or a collection of such fonts.
bool cimgui_is_font(const char *path);

#endif
