// The part of Dear ImGui that the live window uses, with its SDL2 and OpenGL3 back ends, behind plain C.
//
// Everything belongs to the thread of the window's OpenGL context. Texts are UTF-8 and copied or used at once.
#ifndef CIMGUI_H
#define CIMGUI_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// `window` is an SDL_Window, `context` its SDL_GLContext. `scale` is 2 where a unit is two pixels.
bool cimgui_start(void *window, void *context, float scale);
void cimgui_stop(void);

// Passes on an SDL_Event.
void cimgui_process_event(const void *event);
bool cimgui_wants_text(void);

void cimgui_begin_frame(void);
void cimgui_end_frame(void);

// A panel at a corner of the window, which the user may move and close.
bool cimgui_begin_panel(const char *title, bool *is_open, float x, float y, float width, float height);
void cimgui_end_panel(void);

// A text over the picture that takes no clicks. (x, y) in shares of the window; alpha 0…1.
void cimgui_overlay(const char *name, const char *text, float x, float y, float alpha, bool is_alarm);

void cimgui_heading(const char *text);
void cimgui_text(const char *text);
bool cimgui_checkbox(const char *label, bool *value);
bool cimgui_slider(const char *label, float *value, float low, float high, const char *format);
bool cimgui_radio(const char *label, bool is_on);
bool cimgui_button(const char *label);
void cimgui_same_line(void);
void cimgui_next_in_row(float width);
bool cimgui_picture_button(const char *label, uint32_t texture, float side, bool is_on);

#ifdef __cplusplus
}
#endif

#endif
