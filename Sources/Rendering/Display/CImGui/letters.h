// Letters of other scripts, which the font of the windows gets once a text has them.
#ifndef CIMGUI_LETTERS_H
#define CIMGUI_LETTERS_H

#include <imgui/imgui.h>

// The ranges of letters that the font has from the start, each by its first and its last one; 0 ends them.
const ImWchar *cimgui_usual_letters(void);
// Notes the letters of a text that is shown.
void cimgui_note_letters(const char *text);
// Whether letters have been noted that were not added yet: then the fonts are to be built again.
bool cimgui_has_new_letters(void);
// Adds the noted letters to the font that has been added last, as far as fonts are installed that have them.
void cimgui_add_letters(float pixels);

#endif
