// Drop-down lists.
#ifndef CIMGUI_LIST_H
#define CIMGUI_LIST_H

#include <string>

// Writes the label of a value in a column before it. Returns the identifier of the control that follows.
std::string cimgui_label_before(const char *label);
// Frames the row that has just been declared if it is the one of an open list that Enter chooses.
void cimgui_frame_row_of_list(int id);

#endif
