// The keyboard's place among the controls of the panel.
#ifndef CIMGUI_FOCUS_H
#define CIMGUI_FOCUS_H

#include <imgui/imgui.h>

// To be called at the beginning and at the end of the panel.
void cimgui_begin_focus(void);
void cimgui_end_focus(void);
// Whether a field, which is declared next, is to take the keyboard.
bool cimgui_takes_keyboard(ImGuiID id);
// The control, an open list, goes on to have the keyboard if it has it.
void cimgui_keep_focus(ImGuiID id);

#endif
