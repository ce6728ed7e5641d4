// The part of Dear ImGui that the windows use, with its SDL2 and OpenGL3 back ends, behind plain C.
//
// Everything belongs to the thread of the window's OpenGL context. Texts are UTF-8 and copied or used at once.
#ifndef CIMGUI_H
#define CIMGUI_H

#include <stdbool.h>
#include <stddef.h>
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
bool cimgui_small_button(const char *label);
void cimgui_same_line(void);
void cimgui_same_line_at(float x);
void cimgui_next_in_row(float width);
bool cimgui_picture_button(const char *label, uint32_t texture, float side, bool is_on);


// The window's size, in the units of everything here.
void cimgui_display_size(float *width, float *height);
// Whether something is being dragged or written in.
bool cimgui_is_editing(void);

// A part of the window that stays where it is; behind all others, or before them.
void cimgui_begin_area(const char *name, float x, float y, float width, float height, bool is_in_front);
void cimgui_end_area(void);

void cimgui_alarm(const char *text);
void cimgui_hint(const char *text);  // shown while the mouse rests on what was drawn last
void cimgui_item_width(float width);  // of what takes values, from here on in this area; negative: up to the right edge
void cimgui_indent(float width);  // negative: back
void cimgui_push_id(int id);
void cimgui_pop_id(void);
void cimgui_begin_disabled(bool is_disabled);
void cimgui_end_disabled(void);
// A heading that opens and closes; what belongs to it follows only while it is open.
bool cimgui_section(const char *label, bool opens_at_first);
bool cimgui_selectable(const char *label, bool is_on);
// `text` has room for `capacity` bytes, its NUL included.
bool cimgui_input_text(const char *label, char *text, size_t capacity);
bool cimgui_drag_pair(const char *label, float *values, float speed, float low, float high, const char *format);
// A list that opens; only when it returns true, items follow and then the end.
bool cimgui_begin_choice(const char *label, const char *current);
void cimgui_end_choice(void);

// A surface to draw on, with what the mouse does there.
typedef struct {
    float x, y, width, height;  // in the window
    float mouse_x, mouse_y;     // from its corner
    float delta_x, delta_y;     // since the frame before
    float wheel;                // notches; up is positive
    bool is_hovered;
    bool is_pressed, is_held, is_released;  // the left button
    bool is_panned;                         // the middle or the right button is held
    bool alt, shift;
} cimgui_canvas;

void cimgui_begin_canvas(const char *name, float width, float height, cimgui_canvas *canvas);
void cimgui_end_canvas(void);
// All in the window's units; colours 0xAABBGGRR.
void cimgui_draw_checkers(float x, float y, float width, float height, float side);
void cimgui_draw_picture(uint32_t texture, float x, float y, float width, float height);
void cimgui_draw_line(float x0, float y0, float x1, float y1, float thickness, uint32_t color);
void cimgui_draw_disc(float x, float y, float radius, uint32_t color);
void cimgui_draw_text(float x, float y, uint32_t color, const char *text);

#ifdef __cplusplus
}
#endif

#endif
