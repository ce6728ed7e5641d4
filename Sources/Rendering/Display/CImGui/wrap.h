// Lines of texts.
#ifndef WRAP_H
#define WRAP_H

#include <string>

// The text with line breaks at spaces, so that no line is wider. Dear ImGui also breaks after full stops and quotation marks,
// in the middle of files' names; it is left to break words that are wider than a line.
std::string cimgui_wrapped(const char *text, float width);

#endif
