// Keys and typed text, frame by frame.
#ifndef CIMGUI_KEYBOARD_H
#define CIMGUI_KEYBOARD_H

// Whether an SDL_Event of the keyboard is to wait for the next frame, with all that follow it.
bool cimgui_keyboard_must_wait(const void *event);
// Notes an SDL_Event that the back end has taken.
void cimgui_follow_keyboard(const void *event);
// To be called at the beginning of a frame.
void cimgui_begin_keyboard_frame(void);
// Whether Dear ImGui has left events of the last frame for the next one.
bool cimgui_is_behind(void);
// Whether Escape has been pressed since the last frame.
bool cimgui_is_escape_pressed(void);

#endif
