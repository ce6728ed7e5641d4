// The mouse, and its way while the left button is down.
#ifndef CIMGUI_MOUSE_H
#define CIMGUI_MOUSE_H

// Whether an SDL_Event of the mouse is to wait for the next frame, with all that follow it. `unit` is as below.
bool cimgui_mouse_must_wait(const void *event, float unit);
// Notes an SDL_Event. `unit` is the window's unit in the desktop's.
void cimgui_follow_mouse(const void *event, float unit);
// Tells Dear ImGui where the mouse is. To be called at the beginning of a frame.
void cimgui_place_mouse(void);
// To be called at the end of a frame.
void cimgui_forget_mouse_path(void);

#endif
