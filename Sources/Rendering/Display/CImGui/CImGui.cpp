#include "CImGui.h"

#include "focus.h"
#include "keyboard.h"
#include "letters.h"
#include "list.h"
#include "mouse.h"
#include "style.h"
#include "wrap.h"

#include <SDL2/SDL.h>
#include <imgui/backends/imgui_impl_opengl3.h>
#if __has_include(<imgui/backends/imgui_impl_sdl2.h>)
#include <imgui/backends/imgui_impl_sdl2.h>
#else
#include <imgui/backends/imgui_impl_sdl.h>
#endif
#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <cfloat>
#include <cmath>
#include <cstring>
#include <string>

namespace {

// The window's unit in the desktop's, and its length in pixels.
float unit = 1, unit_pixels = 1;

// From 1.87 on, Dear ImGui keeps events in a queue, and takes several frames for what it could not tell apart in one: how
// many it has left.
int events_left = 0;

const ImVec4 alarm_color(1, 0.45f, 0.4f, 1);

// The last frame with an area in front of all others: what lies behind it is disabled because of that.
int last_front_area = -2;

// The last frame with a tooltip, and the corner of the control that it speaks of.
int hint_frame = -2;
ImVec2 hint_place;

// How wide labels in front of controls are, in font heights: wider ones move their controls.
constexpr float usual_label_width = 5.6f;
float label_width = usual_label_width;

// Of the last label in front of a control: whether the mouse is over it, and where its control begins.
bool is_label_hovered = false;
ImVec2 labelled_place;

// Of the part that the mouse is over and that scrolls by itself, and when it last did.
ImGuiID wheeled_part = 0;
float wheeled_scroll = 0;
double wheeled_time = 0;

// Whether the section that is being declared has been opened by keyboard, and the upper edge of its heading.
bool is_section_new = false;
float opened_place = 0;

// Of the text of the previous row.
float row_width = 0;

// A symbol of the icons' font, with the space behind it; empty if there is no such font.
std::string symbol(uint32_t icon) {
    if (!icon || !cimgui_has_icons()) return "";
    // Icons lie in the private area, which has three bytes in UTF-8.
    const char bytes[] = {
        static_cast<char>(0xE0 | icon >> 12), static_cast<char>(0x80 | (icon >> 6 & 0x3F)),
        static_cast<char>(0x80 | (icon & 0x3F)), 0};
    return bytes;
}

void build_fonts() {
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui::GetIO().Fonts->Clear();
    cimgui_add_fonts(unit_pixels);
    ImGui_ImplOpenGL3_CreateFontsTexture();
}

// A label as it is shown, without what only tells it apart: it begins with a capital letter.
std::string shown(const char *label) {
    const char *end = strstr(label, "##");
    std::string text(label, end ? end - label : strlen(label));
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] += 'A' - 'a';
    return text;
}

float number_width(float value, const char *format) {
    char text[64];
    snprintf(text, sizeof text, format, value);
    return ImGui::CalcTextSize(text).x;
}

// The same as a label of a control that shows it.
std::string capitalised(const char *label) { return shown(label) + "###" + label; }

}  // namespace

std::string cimgui_label_before(const char *label) {
    const std::string text = shown(label);
    ImGui::AlignTextToFramePadding();
    is_label_hovered = false;
    if (text.empty()) return label;
    const float start = ImGui::GetCursorPosX(), room = ImGui::GetContentRegionAvail().x;
    ImGui::TextUnformatted(text.c_str());
    is_label_hovered = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled);
    const float needed = ImGui::CalcTextSize(text.c_str()).x + ImGui::GetStyle().ItemSpacing.x;
    // In a narrow panel the control has more than half of the width.
    const float column = fminf(label_width * ImGui::GetFontSize(), 0.075f * label_width * room);
    ImGui::SameLine(start + (needed > column ? needed : column));
    labelled_place = ImGui::GetCursorScreenPos();
    return std::string("##") + label;
}

bool cimgui_start(void *window, void *context, float scale, float pixels) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    // No file of window positions in whatever folder the program was started from.
    ImGui::GetIO().IniFilename = nullptr;
    unit = scale > 0 ? scale : 1;
    events_left = 0;
    cimgui_set_style();
    unit_pixels = pixels > 1 ? pixels : 1;
    cimgui_add_fonts(unit_pixels);
    return ImGui_ImplSDL2_InitForOpenGL(static_cast<SDL_Window *>(window), context)
        && ImGui_ImplOpenGL3_Init("#version 330 core");
}

void cimgui_set_scale(float scale, float pixels) {
    if (!(scale > 0)) return;
    unit = scale;
    unit_pixels = pixels;
    build_fonts();
}

void cimgui_stop(void) {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplSDL2_Shutdown();
    ImGui::DestroyContext();
}

void cimgui_process_event(const void *event) {
    ImGui_ImplSDL2_ProcessEvent(static_cast<const SDL_Event *>(event));
    cimgui_follow_mouse(event, unit);
    cimgui_follow_keyboard(event);
}

void cimgui_begin_frame(void) {
    if (cimgui_has_new_letters()) build_fonts();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplSDL2_NewFrame();
    // The back end counts in the desktop's units, all else here in the window's.
    ImGuiIO &io = ImGui::GetIO();
    io.DisplaySize.x /= unit;
    io.DisplaySize.y /= unit;
    // A little more: the size in pixels is computed back from this, and rounded down.
    io.DisplayFramebufferScale.x *= unit * 1.00001f;
    io.DisplayFramebufferScale.y *= unit * 1.00001f;
    if (io.MousePos.x > -FLT_MAX) io.MousePos = ImVec2(io.MousePos.x / unit, io.MousePos.y / unit);
    cimgui_place_mouse();
    cimgui_begin_keyboard_frame();
#if IMGUI_VERSION_NUM >= 18700
    // Those that were left are in the window's units already.
    ImVector<ImGuiInputEvent> &events = GImGui->InputEventsQueue;
    for (int i = events_left; i < events.Size; i++) {
        if (events[i].Type != ImGuiInputEventType_MousePos || events[i].MousePos.PosX == -FLT_MAX) continue;
        events[i].MousePos.PosX /= unit;
        events[i].MousePos.PosY /= unit;
    }
    ImGui::NewFrame();
    events_left = events.Size;
#else
    ImGui::NewFrame();
#endif
}

bool cimgui_must_wait(const void *event) { return cimgui_mouse_must_wait(event, unit) || cimgui_keyboard_must_wait(event); }

bool cimgui_is_behind(void) { return events_left > 0; }

void cimgui_end_frame(void) {
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    cimgui_forget_mouse_path();
}

void cimgui_heading(uint32_t icon, const char *text) {
    cimgui_note_letters(text);
    cimgui_note_section();
    ImGui::Spacing();
    const std::string before = symbol(icon);
    if (!before.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyle().Colors[ImGuiCol_CheckMark]);
        ImGui::TextUnformatted(before.c_str());
        ImGui::PopStyleColor();
        ImGui::SameLine();
    }
    ImGui::TextUnformatted(text);
    ImGui::Separator();
}

void cimgui_text(const char *text) {
    cimgui_note_letters(text);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(cimgui_wrapped(text, ImGui::GetContentRegionAvail().x).c_str());
    ImGui::PopTextWrapPos();
}

bool cimgui_text_in_lines(const char *text, const char *shorter, int lines) {
    const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeight();
    const auto count = [&](const char *some) {
        const std::string wrapped = cimgui_wrapped(some, width);
        return static_cast<int>(ImGui::CalcTextSize(wrapped.c_str(), nullptr, false, width).y / height + 0.5f);
    };
    const bool is_whole = count(text) <= lines;
    std::string shown = is_whole ? text : shorter;
    for (int used = count(shown.c_str()); used < lines; used++) shown += "\n ";
    cimgui_text(shown.c_str());
    return is_whole;
}

void cimgui_value(const char *label, const char *text) {
    cimgui_label_before(label);
    cimgui_text(text);
}

bool cimgui_checkbox(const char *label, bool *value) { return ImGui::Checkbox(capitalised(label).c_str(), value); }

bool cimgui_slider(const char *label, float *value, float low, float high, const char *format) {
    const ImGuiStyle &style = ImGui::GetStyle();
    const std::string text = shown(label);
    const float left = ImGui::GetCursorPosX();
    const float column = fminf(8 * ImGui::GetFontSize(), 0.58f * ImGui::GetContentRegionAvail().x);
    const std::string name = cimgui_label_before(label);
    const float end = ImGui::GetCursorPosX() + ImGui::CalcItemWidth();
    // The number has its own place, where the handle does not lie over it.
    char number[64];
    snprintf(number, sizeof number, format, *value);
    const float room = fmaxf(number_width(low, format), number_width(high, format)) + style.ItemInnerSpacing.x;
    const float labelled = text.empty() ? 0 : ImGui::CalcTextSize(text.c_str()).x + style.ItemSpacing.x;
    // Sliders with short labels begin below each other.
    const float start = left + fmaxf(text.empty() ? 0 : column, labelled + room);
    ImGui::SetCursorPosX(start - style.ItemInnerSpacing.x - ImGui::CalcTextSize(number).x);
    ImGui::TextUnformatted(number);
    ImGui::SameLine(start);
    labelled_place = ImGui::GetCursorScreenPos();
    ImGui::SetNextItemWidth(fmaxf(24, end - start));
    // What is typed after a click with Ctrl is seen.
    const bool is_typed = ImGui::TempInputIsActive(ImGui::GetID(name.c_str()));
    if (!is_typed) ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32_BLACK_TRANS);
    const bool has_changed = ImGui::SliderFloat(name.c_str(), value, low, high, format);
    if (!is_typed) ImGui::PopStyleColor();
    return has_changed;
}

bool cimgui_radio(const char *label, bool is_on) { return ImGui::RadioButton(capitalised(label).c_str(), is_on); }

bool cimgui_button(uint32_t icon, const char *label) {
    const std::string before = symbol(icon), text = (before.empty() ? "" : before + "  ").append(shown(label));
    // In a small window a long label has two lines. What is as large as its content always has room.
    const bool has_room = ImGui::GetCurrentWindow()->Flags & ImGuiWindowFlags_AlwaysAutoResize;
    const float room = ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().FramePadding.x;
    const std::string lines = has_room ? text : cimgui_wrapped(text.c_str(), fmaxf(room, 60));
    return ImGui::Button((lines + "###" + label).c_str());
}

// So far outside the previous control.
static void frame(float distance, ImU32 color, float thickness) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddRect(
        ImVec2(low.x - distance, low.y - distance), ImVec2(high.x + distance, high.y + distance), color, 4, 0, thickness);
}

void cimgui_frame_default(void) {
    if (cimgui_note_default()) frame(2, ImGui::GetColorU32(ImGuiCol_NavHighlight), 2);
}

// Outside there is no room at the edges of a gallery. Gold is what is worn.
void cimgui_frame_entered(void) { frame(-1, IM_COL32(255, 255, 255, 220), 1.5f); }

bool cimgui_is_control_down(void) { return ImGui::GetIO().KeyCtrl; }
bool cimgui_is_shift_down(void) { return ImGui::GetIO().KeyShift; }

bool cimgui_wide_button(uint32_t icon, const char *label, const char *key, bool has_keyboard) {
    cimgui_note_letters(label);
    const ImGuiStyle &style = ImGui::GetStyle();
    ImGui::PushStyleColor(ImGuiCol_Button, style.Colors[has_keyboard ? ImGuiCol_HeaderHovered : ImGuiCol_Button]);
    ImGui::PushID(label);
    const float height = ImGui::GetFontSize() + 14;
    const bool is_clicked = ImGui::Button("##button", ImVec2(ImGui::GetContentRegionAvail().x, height));
    ImGui::PopID();
    ImGui::PopStyleColor();
    // In a small window the page scrolls.
    if (has_keyboard && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5f);
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float key_width = ImGui::CalcTextSize(key).x, y = low.y + 7;
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddText(ImVec2(high.x - 10 - key_width, y), ImGui::GetColorU32(has_keyboard ? ImGuiCol_Text : ImGuiCol_CheckMark), key);
    list->PushClipRect(low, ImVec2(high.x - 20 - key_width, high.y), true);
    const std::string before = symbol(icon);
    list->AddText(
        ImVec2(low.x + 10, y), ImGui::GetColorU32(ImGuiCol_Text), (before.empty() ? "" : before + "  ").append(label).c_str());
    list->PopClipRect();
    return is_clicked;
}

bool cimgui_icon_button(uint32_t icon, const char *label) {
    const std::string picture = symbol(icon);
    return picture.empty() ? cimgui_button(0, label) : ImGui::Button((picture + "###" + label).c_str());
}

void cimgui_level(const char *label, float level, const char *text) {
    cimgui_label_before(label);
    const ImVec4 color = level > 0.97f ? ImVec4(0.8f, 0.2f, 0.15f, 1) : ImGui::GetStyle().Colors[ImGuiCol_SliderGrab];
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, color);
    ImGui::ProgressBar(level, ImVec2(-1, 0), text);
    ImGui::PopStyleColor();
}

void cimgui_same_line(void) { ImGui::SameLine(); }
void cimgui_same_line_at(float x) { ImGui::SameLine(x); }

void cimgui_display_size(float *width, float *height) {
    *width = ImGui::GetIO().DisplaySize.x;
    *height = ImGui::GetIO().DisplaySize.y;
}

void cimgui_begin_area(const char *name, float x, float y, float width, float height, bool is_in_front) {
    ImGui::SetNextWindowPos(ImVec2(x, y));
    ImGui::SetNextWindowSize(ImVec2(width, height));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, is_in_front ? 6 : 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, is_in_front ? 1 : 0);
    if (is_in_front) {
        last_front_area = ImGui::GetFrameCount();
        ImGui::SetNextWindowFocus();
        ImGui::SetNextWindowBgAlpha(1);
    }
    ImGui::Begin(
        name, nullptr,
        ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove
            | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNavInputs
            | (is_in_front ? 0 : ImGuiWindowFlags_NoBringToFrontOnFocus));
    ImGui::PopStyleVar(2);
    if (is_in_front) cimgui_focus_in_front();
}

void cimgui_begin_floating(const char *name, float x, float y) {
    ImGui::SetNextWindowPos(ImVec2(x, y));
    ImGui::Begin(
        name, nullptr,
        ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_AlwaysAutoResize
            | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNavInputs
            | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus);
}

void cimgui_end_area(void) { ImGui::End(); }

void cimgui_alarm(const char *text) {
    ImGui::PushStyleColor(ImGuiCol_Text, alarm_color);
    cimgui_text(text);
    ImGui::PopStyleColor();
}

void cimgui_hint(const char *text) {
    // Also why something is disabled. The label in front of a control belongs to it, and to no other control of the row.
    const ImVec2 start = ImGui::GetItemRectMin();
    const bool is_over_label = is_label_hovered && fabsf(labelled_place.x - start.x) < 1
        && fabsf(labelled_place.y - start.y) < ImGui::GetFontSize();
    if (!is_over_label && !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
    // Who types somewhere else does not ask for it.
    if (ImGui::GetIO().WantTextInput && !ImGui::IsItemActive()) return;
    const bool is_disabled = GImGui->LastItemData.InFlags & ImGuiItemFlags_Disabled;
    if (is_disabled && ImGui::GetFrameCount() - last_front_area <= 1) return;
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    // It comes to a mouse that rests, and stays while that is over the same control.
    const bool is_there = ImGui::GetFrameCount() - hint_frame <= 1 && hint_place.x == low.x && hint_place.y == low.y;
    if (!is_there && cimgui_mouse_rest() < CIMGUI_HINT_DELAY) return;
    hint_frame = ImGui::GetFrameCount();
    hint_place = low;
    cimgui_note_letters(text);
    // Above the control, where what has been read lies; in a panel not wider than that, so that no face is hidden. Where there
    // is no room above, beside all controls, or else below the control.
    const ImGuiWindow *root = ImGui::GetCurrentWindow()->RootWindow;
    const bool is_panel = root->Size.x < 0.5f * ImGui::GetIO().DisplaySize.x;
    const float usual = 26 * ImGui::GetFontSize(), width = is_panel ? fmaxf(200, fminf(usual, root->Size.x - 8)) : usual;
    const ImVec2 padding = ImGui::GetStyle().WindowPadding, window = ImGui::GetIO().DisplaySize;
    const ImVec2 text_size = ImGui::CalcTextSize(text, nullptr, false, width - padding.x);
    const ImVec2 size(text_size.x + 2 * padding.x, text_size.y + 2 * padding.y);
    const float furthest = is_panel ? root->Pos.x + root->Size.x - size.x - 4 : window.x - size.x - 4;
    ImVec2 place(fmaxf(4, fminf(low.x, furthest)), low.y - 5 - size.y);
    if (place.y < 4) {
        const float right = root->Pos.x + root->Size.x + 5, left = root->Pos.x - 5 - size.x;
        const bool is_beside = right + size.x <= window.x - 4 || left >= 4;
        if (is_beside) place.x = right + size.x <= window.x - 4 ? right : left;
        place.y = fmaxf(4, fminf(is_beside ? low.y : high.y + 5, window.y - size.y - 4));
    }
    ImGui::SetNextWindowPos(place, ImGuiCond_Always);
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(width);
    ImGui::TextUnformatted(cimgui_wrapped(text, width - ImGui::GetCursorPosX()).c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void cimgui_label_width(float width) { label_width = width > 0 ? width : usual_label_width; }

void cimgui_item_width(float width) { ImGui::PushItemWidth(width); }

void cimgui_indent(float width) {
    if (width < 0) ImGui::Unindent(-width);
    else ImGui::Indent(width);
}

void cimgui_push_id(int id) { ImGui::PushID(id); }
void cimgui_pop_id(void) { ImGui::PopID(); }
// What cannot be used anyway is paler than what a dialog in front disables.
void cimgui_begin_disabled(bool is_disabled) {
    const bool is_second = is_disabled && GImGui->CurrentItemFlags & ImGuiItemFlags_Disabled;
    ImGui::BeginDisabled(is_disabled);
    const ImGuiStyle &style = ImGui::GetStyle();
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, is_second ? style.Alpha * style.DisabledAlpha : style.Alpha);
}

void cimgui_end_disabled(void) {
    ImGui::PopStyleVar();
    ImGui::EndDisabled();
}

bool cimgui_section(const char *label, bool opens_at_first) {
    cimgui_note_section();
    const ImVec4 *colors = ImGui::GetStyle().Colors;
    ImGui::PushStyleColor(ImGuiCol_Header, colors[ImGuiCol_FrameBg]);
    ImGui::PushStyleColor(ImGuiCol_HeaderHovered, colors[ImGuiCol_FrameBgHovered]);
    ImGui::PushStyleColor(ImGuiCol_HeaderActive, colors[ImGuiCol_FrameBgActive]);
    const bool is_open = ImGui::CollapsingHeader(label, opens_at_first ? ImGuiTreeNodeFlags_DefaultOpen : 0);
    ImGui::PopStyleColor(3);
    if (cimgui_key_of_control() != cimgui_key_press) return is_open;
    ImGui::GetStateStorage()->SetInt(GImGui->LastItemData.ID, !is_open);
    is_section_new = !is_open;
    opened_place = ImGui::GetItemRectMin().y;
    return !is_open;
}

void cimgui_end_section(void) {
    if (!is_section_new) return;
    is_section_new = false;
    const ImGuiWindow *window = ImGui::GetCurrentWindow();
    const float hidden = ImGui::GetCursorScreenPos().y - window->InnerRect.Max.y;
    const float room = opened_place - 4 - window->InnerRect.Min.y;
    // Its heading stays in sight.
    if (hidden > 0) ImGui::SetScrollY(window->Scroll.y + fminf(hidden, room));
}

bool cimgui_row(int id, const char *text, bool is_on, bool is_alarm) {
    cimgui_note_letters(text);
    ImGui::PushID(id);
    // Beside a taller control, texts are lower.
    ImVec2 place = ImGui::GetCursorScreenPos();
    place.y += ImGui::GetCurrentWindow()->DC.CurrLineTextBaseOffset;
    const float width = row_width = ImGui::CalcTextSize(text).x;
    const ImVec2 size(width > ImGui::GetContentRegionAvail().x ? width : 0, 0);
    // The row under the mouse does not look like the chosen one.
    ImVec4 hovered = ImGui::GetStyle().Colors[ImGuiCol_HeaderHovered];
    if (!is_on) hovered.w *= 0.4f;
    ImGui::PushStyleColor(ImGuiCol_HeaderHovered, hovered);
    const bool is_clicked = ImGui::Selectable("##row", is_on, 0, size);
    ImGui::PopStyleColor();
    ImGui::PopID();
    const ImVec4 color = is_alarm ? alarm_color : ImGui::GetStyle().Colors[ImGuiCol_Text];
    ImGui::GetWindowDrawList()->AddText(place, ImGui::GetColorU32(color), text);
    cimgui_frame_row_of_list(id);
    return is_clicked;
}

void cimgui_row_detail(const char *text) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float x = high.x - ImGui::CalcTextSize(text).x - 6;
    if (x < low.x + row_width + ImGui::GetFontSize()) return;
    ImGui::GetWindowDrawList()->AddText(
        ImVec2(x, low.y + 0.5f * (high.y - low.y - ImGui::GetFontSize())), ImGui::GetColorU32(ImGuiCol_Text, 0.6f), text);
}

void cimgui_begin_scrolled(const char *name, float width, float height, bool has_edge) {
    ImGui::BeginChild(name, ImVec2(width, height), has_edge);
    // A control that is wider than the part would move all of it to the left when it takes the keyboard.
    ImGui::PushItemWidth(-1);
}

void cimgui_end_scrolled(void) {
    constexpr float pause = 0.4f;
    const ImGuiWindow *part = ImGui::GetCurrentWindow();
    const ImGuiIO &io = ImGui::GetIO();
    const bool is_hovered = ImGui::IsWindowHovered();
    const double now = ImGui::GetTime();
    if (is_hovered && (part->ID != wheeled_part || part->Scroll.y != wheeled_scroll)) {
        wheeled_part = part->ID;
        wheeled_scroll = part->Scroll.y;
        wheeled_time = now;
    }
    const bool is_at_end = io.MouseWheel < 0 ? part->Scroll.y >= part->ScrollMax.y : part->Scroll.y <= 0;
    // Dear ImGui does so itself where there is nothing to scroll.
    const bool can_scroll = part->ScrollMax.y > 0;
    ImGui::EndChild();
    // At its end, after a pause, the wheel scrolls what is around it.
    if (is_hovered && can_scroll && io.MouseWheel != 0 && is_at_end && !io.KeyCtrl && now - wheeled_time > pause) {
        ImGui::SetScrollY(ImGui::GetScrollY() - 5 * ImGui::GetFontSize() * io.MouseWheel);
    }
}

float cimgui_cursor_y(void) { return ImGui::GetCursorScreenPos().y; }

bool cimgui_is_mouse_below(float y) {
    const float mouse = ImGui::GetIO().MousePos.y;
    return ImGui::IsWindowHovered() && mouse >= y && mouse < ImGui::GetCursorScreenPos().y;
}

float cimgui_room_beside(void) { return ImGui::GetContentRegionAvail().x; }
float cimgui_room_below(void) { return ImGui::GetContentRegionAvail().y; }

bool cimgui_input_text(const char *label, char *text, size_t capacity, bool selects_all) {
    cimgui_note_letters(text);
    const ImGuiInputTextFlags flags = selects_all ? ImGuiInputTextFlags_AutoSelectAll : ImGuiInputTextFlags_None;
    const std::string name = cimgui_label_before(label);
    if (cimgui_takes_keyboard(ImGui::GetID(name.c_str()))) cimgui_focus_next();
    return ImGui::InputText(name.c_str(), text, capacity, flags);
}

bool cimgui_search_field(const char *label, char *text, size_t capacity) {
    cimgui_note_letters(text);
    const std::string name = cimgui_label_before(label);
    const ImGuiID id = ImGui::GetID(name.c_str());
    if (cimgui_takes_keyboard(id)) cimgui_focus_next();
    // Dear ImGui would bring back what the field had when it took the keyboard.
    const bool is_left = GImGui->ActiveId == id && cimgui_is_escape_pressed();
    if (is_left) {
        text[0] = 0;
        ImGui::ClearActiveID();
    }
    // A cross that empties it has room beside it.
    const ImGuiStyle &style = ImGui::GetStyle();
    if (text[0]) ImGui::SetNextItemWidth(-ImGui::GetFontSize() - 2 * style.FramePadding.x - style.ItemSpacing.x);
    return ImGui::InputText(name.c_str(), text, capacity, ImGuiInputTextFlags_AutoSelectAll) || is_left;
}

bool cimgui_is_entered(void) {
#if IMGUI_VERSION_NUM < 18700
    const int keys[] = {ImGui::GetKeyIndex(ImGuiKey_Enter), ImGui::GetKeyIndex(ImGuiKey_KeyPadEnter)};
#else
    const ImGuiKey keys[] = {ImGuiKey_Enter, ImGuiKey_KeypadEnter};
#endif
    return ImGui::IsItemDeactivated() &&
           (ImGui::IsKeyPressed(keys[0], false) || ImGui::IsKeyPressed(keys[1], false));
}

bool cimgui_color_patch(const char *label, uint32_t *color) {
    const std::string name = std::string("##patch") + label;
    const uint32_t old = *color;
    float parts[3];
    for (int part = 0; part < 3; part++) parts[part] = static_cast<float>(old >> (16 - 8 * part) & 0xFF) / 255;
    const bool has_changed = ImGui::ColorEdit3(
        name.c_str(), parts, ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoLabel | ImGuiColorEditFlags_NoTooltip);
    if (!has_changed) return false;
    uint32_t result = 0;
    for (const float part : parts) result = result << 8 | static_cast<uint32_t>(255 * ImSaturate(part) + 0.5f);
    *color = result;
    return true;
}

bool cimgui_swatch(const char *label, uint32_t color, bool is_on) {
    const ImVec4 shown(
        static_cast<float>(color >> 16 & 0xFF) / 255, static_cast<float>(color >> 8 & 0xFF) / 255,
        static_cast<float>(color & 0xFF) / 255, 1);
    const float side = ImGui::GetFrameHeight();
    const bool is_clicked = ImGui::ColorButton(
        label, shown, ImGuiColorEditFlags_NoTooltip | ImGuiColorEditFlags_NoDragDrop, ImVec2(side, side));
    if (is_on) {
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        ImGui::GetWindowDrawList()->AddRect(
            ImVec2(low.x - 2, low.y - 2), ImVec2(high.x + 2, high.y + 2), ImGui::GetColorU32(ImGuiCol_CheckMark), 4, 0, 2);
    }
    return is_clicked;
}

bool cimgui_drag_pair(
    const char *label, float *values, float speed, float low, float high, const char *format, cimgui_key *keys) {
    const std::string name = cimgui_label_before(label);
    bool has_changed = false;
    ImGui::PushID(name.c_str());
    // As DragFloat2 does, but the keyboard reaches each of the two.
    ImGui::BeginGroup();
    ImGui::PushMultiItemsWidths(2, ImGui::CalcItemWidth());
    for (int index = 0; index < 2; index++) {
        ImGui::PushID(index);
        if (index > 0) ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
        if (ImGui::DragFloat("", &values[index], speed, low, high, format, ImGuiSliderFlags_AlwaysClamp)) has_changed = true;
        keys[index] = cimgui_key_of_control();
        ImGui::PopID();
        ImGui::PopItemWidth();
    }
    ImGui::EndGroup();
    ImGui::PopID();
    return has_changed;
}
