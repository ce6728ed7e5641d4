// The part of Dear ImGui that the windows use, with its SDL2 and OpenGL3 back ends, behind plain C.
//
// All functions must be called on the thread of the window's OpenGL context. Texts are UTF-8 and are not kept.
#ifndef CIMGUI_H
#define CIMGUI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// `window` is an SDL_Window, `context` its SDL_GLContext. A unit of the window, in which all functions here count, has the
// length of `scale` units of the desktop, or of `pixels` pixels.
bool cimgui_start(void *window, void *context, float scale, float pixels);
void cimgui_stop(void);
// Gives the window's unit another length, as in `cimgui_start`. Not to be called within a frame.
void cimgui_set_scale(float scale, float pixels);

// The desktop's scale of texts and controls for an SDL_Window on X11, 1 to 4: as the user has set it, otherwise by the
// density of the screen. 1 where the desktop scales windows itself.
float cimgui_desktop_scale(void *window);

// Passes on an SDL_Event.
void cimgui_process_event(const void *event);
// Whether an SDL_Event is to be passed on only after the next frame, with all that follow it: it would hide an earlier one.
bool cimgui_must_wait(const void *event);
// Keys wait for the next frame: one that came before them may give the keyboard to another control.
void cimgui_hold_keys(void);
// Whether the user is typing into a field.
bool cimgui_wants_text(void);

// Whether mouse (by more than a trembling) or keyboard have been used within the last three seconds, or the left button is down.
bool cimgui_is_hand_used(void);

// Puts the mouse at fractions of the window, with its left button down or not, in the frame that begins next; does nothing
// while a hand is used.
void cimgui_point(float x, float y, bool is_down);
void cimgui_begin_frame(void);
void cimgui_end_frame(void);

// A panel at a corner of the window, which the user may move and, unless is_open is null, close.
bool cimgui_begin_panel(const char *title, bool *is_open, float x, float y, float width, float height);
void cimgui_end_panel(void);
// The next frame shows the panel so many pages further down.
void cimgui_scroll_panel(int pages);
// In narrower windows the panel takes less than half of the width, and what the window shows has the rest.
#define CIMGUI_SMALL_WIDTH 800
// How long the mouse rests before a tooltip comes, in seconds.
#define CIMGUI_HINT_DELAY 0.7f
// The fraction of the window's width that the panel has taken at its left edge in the last frame; 0: none.
float cimgui_panel_share(void);
// Where the room beside the panel begins; 0 if there is no panel, if it is folded, or if it leaves no room.
float cimgui_room_left(void);

// A text over the picture, at most so wide, that ignores the mouse. A tab separates a line into two columns. x and y are
// fractions of the window; alpha is 0 to 1.
void cimgui_overlay(const char *name, const char *text, float x, float y, float width, float alpha, bool is_alarm);
// The width of that text in the last frame; 0: it was not there.
float cimgui_overlay_width(const char *name);

// A large line over the upper half of the picture, with a smaller one below it. It ignores the mouse.
void cimgui_banner(const char *name, const char *title, const char *text);

// Two lines at the top of the picture, with a ring before them of which the fraction 0 to 1 is filled. It ignores the mouse.
void cimgui_dial(const char *name, const char *title, const char *text, float fraction, bool is_alarm);

// A ring around a place, given in fractions of the window, in front of everything; the fraction 0 to 1 of it is filled. A
// paler one waits.
void cimgui_ring(float x, float y, float fraction, bool is_waiting);

// Labels are shown with a capital letter, and before the values that they name. What follows "##" tells controls of the
// same label apart and is not shown.
//
// An icon is a code point of the font Font Awesome 4, in its private area; 0: none. Without that font it is left out.
void cimgui_heading(uint32_t icon, const char *text);
void cimgui_text(const char *text);
// The text, or the shorter one where it takes more lines than that; both have the room of so many lines. Returns whether it is
// the first one.
bool cimgui_text_in_lines(const char *text, const char *shorter, int lines);
// A text behind its label.
void cimgui_value(const char *label, const char *text);
bool cimgui_checkbox(const char *label, bool *value);
bool cimgui_slider(const char *label, float *value, float low, float high, const char *format);
bool cimgui_radio(const char *label, bool is_on);
bool cimgui_button(uint32_t icon, const char *label);
// Frames the previous control as the one that Enter presses while no other one has the keyboard.
void cimgui_frame_default(void);
// Frames the previous control, likewise, wherever the keyboard is.
void cimgui_frame_entered(void);
// Whether Ctrl is held.
bool cimgui_is_control_down(void);
bool cimgui_is_shift_down(void);
// The icon alone; without the icons' font, the label.
bool cimgui_icon_button(uint32_t icon, const char *label);
// A bar from 0 to 1, with a text on it.
void cimgui_level(const char *label, float level, const char *text);
void cimgui_same_line(void);
void cimgui_same_line_at(float x);
// The next control, which is so wide, comes into the row of this one if there is room. Returns whether there is.
bool cimgui_next_in_row(float width);
// Of a text as labels show it.
float cimgui_text_width(const char *text);
// Of a text whose lines are broken at a width; 0: they are not.
float cimgui_text_height(const char *text, float width);

typedef enum { cimgui_star_none, cimgui_star_empty, cimgui_star_full } cimgui_star;
typedef enum { cimgui_picture_nothing, cimgui_picture_clicked, cimgui_picture_star } cimgui_picture;

// A picture over its label, with a star in a corner. An empty star is shown only while the mouse is over the picture.
cimgui_picture cimgui_picture_button(const char *label, uint32_t texture, float side, bool is_on, cimgui_star star);

// A row of a list: the picture, and beside it two lines of text. The star is at the right.
cimgui_picture cimgui_picture_row(
    const char *label, const char *detail, uint32_t texture, float side, bool is_on, cimgui_star star);
// Whether the mouse is over the previous control.
bool cimgui_is_hovered(void);
// Scrolls the previous control into the part of the panel that is in sight.
void cimgui_bring_in_sight(void);

// Whether the previous control lies in the part of the panel that is in sight.
bool cimgui_is_in_sight(void);

// The window's size in its own units, as in every other function here.
void cimgui_display_size(float *width, float *height);
// Whether the user is dragging a control or typing into a field.
bool cimgui_is_editing(void);

// How long the mouse has rested, in seconds; infinite before it has moved, and while it is not over the window.
float cimgui_mouse_rest(void);
// The next control takes the keyboard. Keys that are pressed meanwhile are for it.
void cimgui_focus_next(void);
// The keyboard's place among the controls of the panel: a key moves it to the next control or the one before, or is for the
// control that has it.
typedef enum {
    cimgui_key_none, cimgui_key_next, cimgui_key_before, cimgui_key_press, cimgui_key_left, cimgui_key_right, cimgui_key_up,
    cimgui_key_down, cimgui_key_next_section, cimgui_key_section_before
} cimgui_key;
// Controls between the two calls have such a place, in areas as in a panel, which calls them itself. While an area is in front,
// only its controls have.
void cimgui_begin_controls(void);
void cimgui_end_controls(void);
// Returns false: no control takes this key.
bool cimgui_press_key(cimgui_key key);
// Whether a control has the keyboard that the user does not type into.
bool cimgui_has_control(void);
// Whether controls take this key, which is no step: one has the keyboard, or the arrows move between buttons in front.
bool cimgui_is_led_by(cimgui_key key);
// Takes the keyboard from the control that has it. Returns whether there was one.
bool cimgui_leave_control(void);
// The key for the previous control, which the keyboard can reach because this is called for it.
cimgui_key cimgui_key_of_control(void);
// The same for a button. In an area in front, the arrows move between buttons.
cimgui_key cimgui_key_of_button(void);
// The same for all pictures of a gallery together, which take Up and Down, too. `cimgui_note_chosen` is called after the one
// that is framed.
cimgui_key cimgui_key_of_gallery(void);
void cimgui_note_chosen(void);
// Whether a gallery has the keyboard.
bool cimgui_is_in_gallery(void);
// Gives a key to an open list. Returns whether there was one: then no other control takes the key.
bool cimgui_press_key_of_list(cimgui_key key);
// Closes an open list. Returns whether there was one.
bool cimgui_close_lists(void);

// A fixed area of the window, behind or in front of all others.
void cimgui_begin_area(const char *name, float x, float y, float width, float height, bool is_in_front);
void cimgui_end_area(void);
// Controls over the picture, with nothing behind them. Ends with cimgui_end_area.
void cimgui_begin_floating(const char *name, float x, float y);

// A page in the middle of the room beside the panel, as high as its content. Ends with cimgui_end_area.
void cimgui_begin_page(const char *name, float width);
// The same at the lower edge of that room, as wide as it.
void cimgui_begin_strip(const char *name);
// A large line.
void cimgui_title(const char *text);
// As wide as its area, with a key at the right. The label is shown as it is.
bool cimgui_wide_button(uint32_t icon, const char *label, const char *key, bool has_keyboard);

void cimgui_alarm(const char *text);
void cimgui_hint(const char *text);  // tooltip of the previous control
// The width of labels in front of the controls that follow, in font heights; 0: as usual.
void cimgui_label_width(float width);
void cimgui_item_width(float width);  // of the following controls; negative: space left at the right edge
void cimgui_indent(float width);  // negative: to the left
void cimgui_push_id(int id);
void cimgui_pop_id(void);
void cimgui_begin_disabled(bool is_disabled);
void cimgui_end_disabled(void);
// A collapsible heading. Returns whether it is open, so that its content is to be declared.
bool cimgui_section(const char *label, bool opens_at_first);
// After the content of an open section: what has been opened by keyboard is scrolled into sight.
void cimgui_end_section(void);
// A row of a list. The text is shown as it is, also if it contains "##" or equals another one: `id` tells rows apart.
bool cimgui_row(int id, const char *text, bool is_on, bool is_alarm);
// A text at the right of the previous row, if there is room for it.
void cimgui_row_detail(const char *text);
// A part of an area that scrolls by itself, perhaps with an edge around it.
void cimgui_begin_scrolled(const char *name, float width, float height, bool has_edge);
void cimgui_end_scrolled(void);
// Where the next control begins, and whether the mouse is between such a place and that of the next control.
float cimgui_cursor_y(void);
bool cimgui_is_mouse_below(float y);
// How much room there is for a control, and below the controls so far.
float cimgui_room_beside(void);
float cimgui_room_below(void);
// `text` is a buffer of `capacity` bytes, including the terminating NUL. A field that selects all does so when it takes the
// keyboard.
bool cimgui_input_text(const char *label, char *text, size_t capacity, bool selects_all);
// A field for searching: it selects all, and Escape empties it and takes the keyboard from it.
bool cimgui_search_field(const char *label, char *text, size_t capacity);
// Whether Enter has just ended the typing in the previous field.
bool cimgui_is_entered(void);
// A patch of a colour, 0xRRGGBB, without its label, which opens a picker.
bool cimgui_color_patch(const char *label, uint32_t *color);

// A patch of a colour, 0xRRGGBB, that is a button. Returns whether it was clicked.
bool cimgui_swatch(const char *label, uint32_t color, bool is_on);
// `keys` gets the keys for each of the two numbers.
bool cimgui_drag_pair(
    const char *label, float *values, float speed, float low, float high, const char *format, cimgui_key *keys);
// A drop-down list of `count` rows, the chosen one `place`; -1: none. If it returns true, declare the rows, with their places as
// `id`, and then call cimgui_end_choice, which returns the row that was chosen with Enter, or -1. Up and Down go from row to
// row, and Enter opens the list if it has the keyboard.
bool cimgui_begin_choice(const char *label, const char *current, int place, int count);
int cimgui_end_choice(void);
// The next frame opens the previous control, a closed list.
void cimgui_open_list(void);

// A rectangle to draw on, with the state of the mouse.
typedef struct {
    float x, y, width, height;  // position and size in the window
    float mouse_x, mouse_y;     // relative to its top left corner
    float delta_x, delta_y;     // movement since the last frame
    float wheel;                // notches; up is positive
    bool is_hovered;
    bool is_pressed, is_held, is_released, is_double_clicked;  // the left button
    bool is_panned;                         // the middle or the right button is held
    bool alt, shift;
} cimgui_canvas;

// Writes where the mouse has been in the window since the last frame while the left button was down: x and y of each place,
// oldest first. Returns how many there are, at most CIMGUI_PATH_LENGTH; the first of more are left out.
#define CIMGUI_PATH_LENGTH 256
int cimgui_mouse_path(float *places);

void cimgui_begin_canvas(const char *name, float width, float height, cimgui_canvas *canvas);
void cimgui_end_canvas(void);
// Coordinates are in the window's units; colours are 0xAABBGGRR.
void cimgui_draw_checkers(float x, float y, float width, float height, float side);
void cimgui_draw_picture(uint32_t texture, float x, float y, float width, float height);
void cimgui_draw_line(float x0, float y0, float x1, float y1, float thickness, uint32_t color);
// A filled convex area: x and y of each corner, in order around it.
void cimgui_draw_area(const float *corners, int count, uint32_t color);
void cimgui_draw_disc(float x, float y, float radius, uint32_t color);
void cimgui_draw_circle(float x, float y, float radius, float thickness, uint32_t color);
// Lines are broken at `width`; 0: they are not.
void cimgui_draw_text(float x, float y, float width, uint32_t color, const char *text);
// A message in a frame above `bottom`, at most as wide as `width`; alpha is 0 to 1.
void cimgui_draw_note(float x, float bottom, float width, float alpha, bool is_alarm, const char *text);

#ifdef __cplusplus
}
#endif

#endif
