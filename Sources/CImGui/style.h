// How the windows look.
#ifndef CIMGUI_STYLE_H
#define CIMGUI_STYLE_H

// `scale` is the number of pixels in a unit of the window.
void cimgui_set_style(float scale);
// Adds the font of all texts.
void cimgui_add_font(float scale);

#endif
