// The keyboard's place among the controls of the panel.
#ifndef CIMGUI_FOCUS_H
#define CIMGUI_FOCUS_H

#include <imgui/imgui.h>

// To be called in each area in front of all others, before its controls.
void cimgui_focus_in_front(void);
// A section of the panel begins: its first control is reached with one key.
void cimgui_note_section(void);
// Notes the previous control as the one that Enter presses. Returns whether it does: no other control has the keyboard.
bool cimgui_note_default(void);
// Whether a field, which is declared next, is to take the keyboard.
bool cimgui_takes_keyboard(ImGuiID id);
// The control, an open list, goes on to have the keyboard if it has it.
void cimgui_keep_focus(ImGuiID id);

#endif
