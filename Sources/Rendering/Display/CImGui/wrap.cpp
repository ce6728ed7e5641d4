#include "wrap.h"

#include <imgui/imgui.h>

#include <cstring>

std::string cimgui_wrapped(const char *text, float width) {
    std::string result;
    float used = 0;
    for (const char *place = text; *place;) {
        if (*place == '\n') {
            result += *place++;
            used = 0;
            continue;
        }
        const char *word = place + strspn(place, " "), *end = word + strcspn(word, " \n");
        const float needed = ImGui::CalcTextSize(place, end).x;
        if (used > 0 && used + needed > width) {
            result += '\n';
            used = ImGui::CalcTextSize(word, end).x;
            result.append(word, end);
        } else {
            used += needed;
            result.append(place, end);
        }
        place = end;
    }
    return result;
}
