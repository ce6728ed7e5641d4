// Texts over the picture, which do not react to the mouse.
#include "CImGui.h"

#include "letters.h"
#include "style.h"
#include "wrap.h"

#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <cmath>
#include <cstring>

namespace {

constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs
    | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoSavedSettings;

// Where texts of this frame are.
ImVector<ImRect> taken;
int taken_frame = -1;

// Notes the room of a text that was drawn in the last frame, too, and is to be at a place. Where another one is, it is moved
// towards the middle of the window: messages never cover each other, nor what they speak of.
ImVec2 free_place(const char *name, ImVec2 place, ImVec2 pivot, float height) {
    if (taken_frame != ImGui::GetFrameCount()) taken.clear();
    taken_frame = ImGui::GetFrameCount();
    const ImGuiWindow *window = ImGui::FindWindowByName(name);
    if (!window) return place;
    const ImVec2 size = window->Size;
    const bool goes_up = pivot.y > 0.5f;
    ImVec2 corner(place.x - pivot.x * size.x, place.y - pivot.y * size.y);
    for (int tries = 0; tries <= taken.Size; tries++) {
        const ImRect own(corner, ImVec2(corner.x + size.x, corner.y + size.y));
        const ImRect *other = nullptr;
        for (const ImRect &rect : taken) if (rect.Overlaps(own)) other = &rect;
        if (!other) break;
        corner.y = goes_up ? other->Min.y - size.y - 4 : other->Max.y + 4;
    }
    // Where there is no room, it stays where it was wanted.
    if (corner.y < 0 || corner.y + size.y > height) corner.y = place.y - pivot.y * size.y;
    taken.push_back(ImRect(corner, ImVec2(corner.x + size.x, corner.y + size.y)));
    return ImVec2(corner.x + pivot.x * size.x, corner.y + pivot.y * size.y);
}

// The size of texts, as a fraction of the usual one, at which lines in two columns fit into a width and a height.
float scale_of_columns(const char *text, float width, float height) {
    constexpr float least = 0.7f;
    float first = 0, second = 0;
    int lines = 0;
    for (const char *line = text; *line; lines++) {
        const char *end = line + strcspn(line, "\n");
        const char *tab = static_cast<const char *>(memchr(line, '\t', end - line));
        if (tab) {
            first = fmaxf(first, ImGui::CalcTextSize(line, tab).x);
            second = fmaxf(second, ImGui::CalcTextSize(tab + 1, end).x);
        }
        line = *end ? end + 1 : end;
    }
    const float font = ImGui::GetFontSize(), high = height / static_cast<float>(lines) - ImGui::GetStyle().ItemSpacing.y;
    return fmaxf(least, fminf(1, fminf(width / (first + font + second), high / font)));
}

// Writes lines in two columns, which a tab separates in the text.
void text_in_columns(const char *text) {
    const float left = ImGui::GetCursorPosX();
    float column = 0;
    for (const char *line = text; *line;) {
        const char *end = line + strcspn(line, "\n");
        const char *tab = static_cast<const char *>(memchr(line, '\t', end - line));
        if (tab) column = fmaxf(column, ImGui::CalcTextSize(line, tab).x);
        line = *end ? end + 1 : end;
    }
    for (const char *line = text; *line;) {
        const char *end = line + strcspn(line, "\n");
        const char *tab = static_cast<const char *>(memchr(line, '\t', end - line));
        ImGui::TextUnformatted(line, tab ? tab : end);
        if (tab) {
            ImGui::SameLine(left + column + ImGui::GetFontSize());
            ImGui::TextUnformatted(tab + 1, end);
        }
        line = *end ? end + 1 : end;
    }
}

}  // namespace

void cimgui_overlay(const char *name, const char *text, float x, float y, float width, float alpha, bool is_alarm) {
    cimgui_note_letters(text);
    constexpr float margin = 8;
    const ImVec2 size = ImGui::GetIO().DisplaySize, padding = ImGui::GetStyle().WindowPadding;
    const bool has_columns = strchr(text, '\t');
    // A page of text has all of a small window: nobody reads it with one letter in each line.
    const float left = has_columns && size.x < CIMGUI_SMALL_WIDTH ? 0 : cimgui_room_left(), room = size.x - left;
    const ImVec2 wanted(left + x * room, y * size.y), pivot(x, y);
    // In the middle are questions, which come first.
    ImVec2 place = y == 0.5f ? wanted : free_place(name, wanted, pivot, size.y);
    if (const ImGuiWindow *window = ImGui::FindWindowByName(name)) {
        const float furthest = size.x - margin - (1 - x) * window->Size.x;
        place.x = fmaxf(left + margin + x * window->Size.x, fminf(furthest, place.x));
    }
    ImGui::SetNextWindowPos(place, ImGuiCond_Always, pivot);
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, alpha);
    ImGui::PushStyleColor(
        ImGuiCol_WindowBg, is_alarm ? ImVec4(0.45f, 0.05f, 0.05f, 0.95f) : ImVec4(0.06f, 0.06f, 0.06f, 0.93f));
    // A page of text has an edge, also over what is as dark.
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, has_columns ? 1 : 0);
    ImGui::Begin(name, nullptr, flags);
    ImGui::PopStyleVar();
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    if (has_columns) {
        ImGui::SetWindowFontScale(1);
        ImGui::SetWindowFontScale(
            scale_of_columns(text, room - 2 * (margin + padding.x), size.y - margin - 2 * padding.y));
        text_in_columns(text);
    } else {
        const float widest = fminf(room * 0.9f, width);
        ImGui::PushTextWrapPos(widest);
        ImGui::TextUnformatted(cimgui_wrapped(text, widest - padding.x).c_str());
        ImGui::PopTextWrapPos();
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
}

float cimgui_overlay_width(const char *name) {
    const ImGuiWindow *window = ImGui::FindWindowByName(name);
    return window && window->LastFrameActive >= ImGui::GetFrameCount() - 1 ? window->Size.x : 0;
}

static void begin_page(const char *name, ImVec2 place, ImVec2 pivot, float wide, float highest) {
    free_place(name, place, pivot, ImGui::GetIO().DisplaySize.y);
    ImGui::SetNextWindowPos(place, ImGuiCond_Always, pivot);
    ImGui::SetNextWindowSizeConstraints(ImVec2(wide, 0), ImVec2(wide, highest));
    ImGui::SetNextWindowBgAlpha(0.96f);
    ImGui::Begin(
        name, nullptr,
        ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse
            | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNavInputs | ImGuiWindowFlags_AlwaysAutoResize
            | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus);
}

void cimgui_begin_page(const char *name, float width) {
    // Messages have the rows above and below.
    constexpr float margin = 8, row = 46;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float left = cimgui_room_left(), room = size.x - left, wide = fminf(width, fmaxf(room - 2 * margin, 120));
    begin_page(
        name, ImVec2(left + 0.5f * room, 0.5f * size.y), ImVec2(0.5f, 0.5f), wide, fmaxf(size.y - 2 * row, 100));
}

void cimgui_begin_strip(const char *name) {
    constexpr float margin = 8;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float left = cimgui_room_left(), wide = fmaxf(size.x - left - 2 * margin, 120);
    begin_page(name, ImVec2(left + margin, size.y - margin), ImVec2(0, 1), wide, fmaxf(0.5f * size.y, 100));
}

void cimgui_title(const char *text) {
    ImGui::SetWindowFontScale(1.4f);
    cimgui_text(text);
    ImGui::SetWindowFontScale(1);
}

void cimgui_banner(const char *name, const char *title, const char *text) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float edge = cimgui_room_left();
    const bool is_narrow = size.x - edge < 300;
    const ImVec2 padding = is_narrow ? ImVec2(10, 8) : ImVec2(24, 14);
    const float room = size.x - edge - 2 * padding.x - (is_narrow ? 12 : 32);
    ImGui::SetNextWindowPos(ImVec2(0.5f * (edge + size.x), 0.25f * size.y), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4(0.45f, 0.05f, 0.05f, 0.9f));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    ImGui::Begin(name, nullptr, flags);
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    const std::string lines = cimgui_wrapped(text, room);
    const float usual = ImGui::CalcTextSize(title).x, scale = fmaxf(1, fminf(2.5f, room / usual));
    ImFont *large = scale == 2.5f ? cimgui_large_font(title) : nullptr;
    if (large) ImGui::PushFont(large);
    else ImGui::SetWindowFontScale(scale);
    const float title_width = ImGui::CalcTextSize(title).x;
    if (large) ImGui::PopFont();
    else ImGui::SetWindowFontScale(1);
    const float widths[] = {title_width, ImGui::CalcTextSize(lines.c_str(), nullptr, false, room).x};
    const float widest = fmaxf(widths[0], widths[1]), left = ImGui::GetCursorPosX();
    if (large) ImGui::PushFont(large);
    else ImGui::SetWindowFontScale(scale);
    ImGui::SetCursorPosX(left + 0.5f * (widest - widths[0]));
    ImGui::TextUnformatted(title);
    if (large) ImGui::PopFont();
    else ImGui::SetWindowFontScale(1);
    ImGui::SetCursorPosX(left + 0.5f * (widest - widths[1]));
    ImGui::PushTextWrapPos(left + 0.5f * (widest - widths[1]) + widths[1] + 1);
    ImGui::TextUnformatted(lines.c_str());
    ImGui::PopTextWrapPos();
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
}

void cimgui_dial(const char *name, const char *title, const char *text, float fraction, bool is_alarm) {
    constexpr float radius = 24, thickness = 7;
    const ImVec2 size = ImGui::GetIO().DisplaySize, pivot(0.5f, 0);
    const ImVec2 wanted(0.5f * (cimgui_room_left() + size.x), 0.04f * size.y);
    ImGui::SetNextWindowPos(free_place(name, wanted, pivot, size.y), ImGuiCond_Always, pivot);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4(0.06f, 0.06f, 0.06f, 0.85f));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(16, 12));
    ImGui::Begin(name, nullptr, flags);
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 center(corner.x + radius, corner.y + radius);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddCircle(center, radius - thickness / 2, IM_COL32(255, 255, 255, 50), 48, thickness);
    // From the top, clockwise. The accent is the gold of the style.
    const float start = -0.5f * IM_PI, filled = fminf(1, fmaxf(0, fraction));
    list->PathArcTo(center, radius - thickness / 2, start, start + 2 * IM_PI * filled, 48);
    list->PathStroke(is_alarm ? IM_COL32(235, 70, 50, 255) : IM_COL32(217, 168, 71, 255), 0, thickness);
    ImGui::Dummy(ImVec2(2 * radius + 6, 2 * radius));
    ImGui::SameLine();
    ImGui::BeginGroup();
    // In a small window the lines are broken.
    const float width = fmaxf(120, size.x - cimgui_room_left() - 16 - ImGui::GetCursorPosX() - 16);
    ImGui::SetWindowFontScale(1.4f);
    ImGui::TextUnformatted(cimgui_wrapped(title, width).c_str());
    ImGui::SetWindowFontScale(1);
    ImGui::TextUnformatted(cimgui_wrapped(text, width).c_str());
    ImGui::EndGroup();
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
}

void cimgui_ring(float x, float y, float fraction, bool is_waiting) {
    const int share = is_waiting ? 3 : 1;
    constexpr float radius = 16, thickness = 5;
    const ImVec2 size = ImGui::GetIO().DisplaySize, center(x * size.x, y * size.y);
    ImDrawList *list = ImGui::GetForegroundDrawList();
    list->AddCircleFilled(center, 4, IM_COL32(255, 255, 255, 230 / share));
    list->AddCircle(center, radius, IM_COL32(0, 0, 0, 110 / share), 48, thickness + 2);
    list->AddCircle(center, radius, IM_COL32(255, 255, 255, 150 / share), 48, 2);
    if (is_waiting) return;
    const float start = -0.5f * IM_PI, filled = fminf(1, fmaxf(0, fraction));
    list->PathArcTo(center, radius, start, start + 2 * IM_PI * filled, 48);
    list->PathStroke(IM_COL32(217, 168, 71, 255), 0, thickness);
}
