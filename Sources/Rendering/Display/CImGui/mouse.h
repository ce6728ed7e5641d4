// The way of the mouse while the left button is down.
#ifndef CIMGUI_MOUSE_H
#define CIMGUI_MOUSE_H

// Notes an SDL_Event. `unit` is the window's unit in the desktop's.
void cimgui_follow_mouse(const void *event, float unit);
// Tells Dear ImGui where the mouse is. To be called at the beginning of a frame.
void cimgui_place_mouse(void);
// To be called at the end of a frame.
void cimgui_forget_mouse_path(void);

#endif
