#include "CImGui.h"

#include "style.h"

#include <SDL2/SDL.h>
#include <imgui/backends/imgui_impl_opengl3.h>
#include <imgui/backends/imgui_impl_sdl.h>
#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <cmath>
#include <cstring>
#include <string>

namespace {

// A label as it is shown, without what only tells it apart: it begins with a capital letter.
std::string shown(const char *label) {
    const char *end = strstr(label, "##");
    std::string text(label, end ? end - label : strlen(label));
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] += 'A' - 'a';
    return text;
}

// The same as a label of a control that shows it.
std::string capitalised(const char *label) { return shown(label) + "###" + label; }

// Writes the label of a value in a column before it. Returns the identifier of the control that follows.
std::string label_before(const char *label) {
    const std::string text = shown(label);
    ImGui::AlignTextToFramePadding();
    const float start = ImGui::GetCursorPosX();
    ImGui::TextUnformatted(text.c_str());
    const float needed = ImGui::CalcTextSize(text.c_str()).x + ImGui::GetStyle().ItemSpacing.x;
    const float column = 5.6f * ImGui::GetFontSize();
    ImGui::SameLine(start + (needed > column ? needed : column));
    return std::string("##") + label;
}

}  // namespace

bool cimgui_start(void *window, void *context, float scale) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    // No file of window positions in whatever folder the program was started from.
    ImGui::GetIO().IniFilename = nullptr;
    cimgui_set_style(scale);
    cimgui_add_font(scale);
    return ImGui_ImplSDL2_InitForOpenGL(static_cast<SDL_Window *>(window), context)
        && ImGui_ImplOpenGL3_Init("#version 330 core");
}

void cimgui_stop(void) {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplSDL2_Shutdown();
    ImGui::DestroyContext();
}

void cimgui_process_event(const void *event) { ImGui_ImplSDL2_ProcessEvent(static_cast<const SDL_Event *>(event)); }
bool cimgui_wants_text(void) { return ImGui::GetIO().WantTextInput; }

void cimgui_begin_frame(void) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplSDL2_NewFrame();
    ImGui::NewFrame();
}

void cimgui_end_frame(void) {
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool cimgui_begin_panel(const char *title, bool *is_open, float x, float y, float width, float height) {
    ImGui::SetNextWindowPos(ImVec2(x, y), ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowSize(ImVec2(width, height), ImGuiCond_FirstUseEver);
    // Never larger than the window, so that all of it can be reached by scrolling.
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const ImVec2 largest(size.x > 2 * x + 120 ? size.x - 2 * x : 120, size.y > 2 * y + 80 ? size.y - 2 * y : 80);
    ImGui::SetNextWindowSizeConstraints(ImVec2(120, 80), largest);
    ImGui::SetNextWindowBgAlpha(0.85f);
    const bool is_shown =
        ImGui::Begin(title, is_open, ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNavInputs);
    ImGui::PushItemWidth(-1);
    return is_shown;
}

void cimgui_end_panel(void) {
    ImGui::PopItemWidth();
    ImGui::End();
}

void cimgui_heading(const char *text) {
    ImGui::Spacing();
    ImGui::TextDisabled("%s", text);
    ImGui::Separator();
}

void cimgui_text(const char *text) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
}

bool cimgui_checkbox(const char *label, bool *value) { return ImGui::Checkbox(capitalised(label).c_str(), value); }

bool cimgui_slider(const char *label, float *value, float low, float high, const char *format) {
    return ImGui::SliderFloat(label_before(label).c_str(), value, low, high, format);
}

bool cimgui_radio(const char *label, bool is_on) { return ImGui::RadioButton(capitalised(label).c_str(), is_on); }
bool cimgui_button(const char *label) { return ImGui::Button(capitalised(label).c_str()); }
void cimgui_same_line(void) { ImGui::SameLine(); }
void cimgui_same_line_at(float x) { ImGui::SameLine(x); }

void cimgui_display_size(float *width, float *height) {
    *width = ImGui::GetIO().DisplaySize.x;
    *height = ImGui::GetIO().DisplaySize.y;
}

bool cimgui_is_editing(void) { return ImGui::IsAnyItemActive(); }

void cimgui_begin_area(const char *name, float x, float y, float width, float height, bool is_in_front) {
    ImGui::SetNextWindowPos(ImVec2(x, y));
    ImGui::SetNextWindowSize(ImVec2(width, height));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, is_in_front ? 6 : 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, is_in_front ? 1 : 0);
    if (is_in_front) {
        ImGui::SetNextWindowFocus();
        ImGui::SetNextWindowBgAlpha(1);
    }
    ImGui::Begin(
        name, nullptr,
        ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove
            | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNavInputs
            | (is_in_front ? 0 : ImGuiWindowFlags_NoBringToFrontOnFocus));
    ImGui::PopStyleVar(2);
}

void cimgui_end_area(void) { ImGui::End(); }

void cimgui_alarm(const char *text) {
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(1, 0.45f, 0.4f, 1));
    cimgui_text(text);
    ImGui::PopStyleColor();
}

void cimgui_hint(const char *text) {
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", text);
}

void cimgui_item_width(float width) { ImGui::PushItemWidth(width); }

void cimgui_indent(float width) {
    if (width < 0) ImGui::Unindent(-width);
    else ImGui::Indent(width);
}

void cimgui_push_id(int id) { ImGui::PushID(id); }
void cimgui_pop_id(void) { ImGui::PopID(); }
void cimgui_begin_disabled(bool is_disabled) { ImGui::BeginDisabled(is_disabled); }
void cimgui_end_disabled(void) { ImGui::EndDisabled(); }
bool cimgui_section(const char *label, bool opens_at_first) {
    const ImVec4 *colors = ImGui::GetStyle().Colors;
    ImGui::PushStyleColor(ImGuiCol_Header, colors[ImGuiCol_FrameBg]);
    ImGui::PushStyleColor(ImGuiCol_HeaderHovered, colors[ImGuiCol_FrameBgHovered]);
    ImGui::PushStyleColor(ImGuiCol_HeaderActive, colors[ImGuiCol_FrameBgActive]);
    const bool is_open = ImGui::CollapsingHeader(label, opens_at_first ? ImGuiTreeNodeFlags_DefaultOpen : 0);
    ImGui::PopStyleColor(3);
    return is_open;
}

bool cimgui_row(int id, const char *text, bool is_on) {
    ImGui::PushID(id);
    // Beside a taller control, texts are lower.
    ImVec2 place = ImGui::GetCursorScreenPos();
    place.y += ImGui::GetCurrentWindow()->DC.CurrLineTextBaseOffset;
    const float width = ImGui::CalcTextSize(text).x;
    const ImVec2 size(width > ImGui::GetContentRegionAvail().x ? width : 0, 0);
    const bool is_clicked = ImGui::Selectable("##row", is_on, 0, size);
    ImGui::PopID();
    ImGui::GetWindowDrawList()->AddText(place, ImGui::GetColorU32(ImGuiCol_Text), text);
    return is_clicked;
}

void cimgui_begin_scrolled(const char *name, float width, float height) {
    ImGui::BeginChild(name, ImVec2(width, height), true);
}

void cimgui_end_scrolled(void) { ImGui::EndChild(); }

bool cimgui_input_text(const char *label, char *text, size_t capacity) {
    return ImGui::InputText(label_before(label).c_str(), text, capacity);
}

bool cimgui_drag_pair(const char *label, float *values, float speed, float low, float high, const char *format) {
    return ImGui::DragFloat2(label_before(label).c_str(), values, speed, low, high, format, ImGuiSliderFlags_AlwaysClamp);
}

bool cimgui_begin_choice(const char *label, const char *current) {
    return ImGui::BeginCombo(label_before(label).c_str(), current, ImGuiComboFlags_HeightLarge);
}

void cimgui_end_choice(void) { ImGui::EndCombo(); }

void cimgui_begin_canvas(const char *name, float width, float height, cimgui_canvas *canvas) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const ImVec2 size(fmaxf(1, fminf(width, room.x)), fmaxf(1, fminf(height, room.y)));
    ImGui::InvisibleButton(
        name, size,
        ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle | ImGuiButtonFlags_MouseButtonRight);
    const ImGuiIO &io = ImGui::GetIO();
    const bool is_active = ImGui::IsItemActive();
    canvas->x = corner.x;
    canvas->y = corner.y;
    canvas->width = size.x;
    canvas->height = size.y;
    canvas->mouse_x = io.MousePos.x - corner.x;
    canvas->mouse_y = io.MousePos.y - corner.y;
    canvas->delta_x = io.MouseDelta.x;
    canvas->delta_y = io.MouseDelta.y;
    canvas->is_hovered = ImGui::IsItemHovered();
    canvas->wheel = canvas->is_hovered ? io.MouseWheel : 0;
    canvas->is_pressed = canvas->is_hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    canvas->is_held = is_active && ImGui::IsMouseDown(ImGuiMouseButton_Left);
    canvas->is_released = ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    canvas->is_panned =
        is_active && (ImGui::IsMouseDown(ImGuiMouseButton_Middle) || ImGui::IsMouseDown(ImGuiMouseButton_Right));
    canvas->alt = io.KeyAlt;
    canvas->shift = io.KeyShift;
    ImGui::GetWindowDrawList()->PushClipRect(corner, ImVec2(corner.x + size.x, corner.y + size.y), true);
}

void cimgui_end_canvas(void) { ImGui::GetWindowDrawList()->PopClipRect(); }

void cimgui_draw_checkers(float x, float y, float width, float height, float side) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(ImVec2(x, y), ImVec2(x + width, y + height), IM_COL32(110, 110, 112, 255));
    for (int row = 0; row * side < height; row++) {
        for (int column = row % 2; column * side < width; column += 2) {
            const float left = x + column * side, top = y + row * side;
            const float right = left + side < x + width ? left + side : x + width;
            const float bottom = top + side < y + height ? top + side : y + height;
            list->AddRectFilled(ImVec2(left, top), ImVec2(right, bottom), IM_COL32(140, 140, 142, 255));
        }
    }
}

void cimgui_draw_picture(uint32_t texture, float x, float y, float width, float height) {
    ImGui::GetWindowDrawList()->AddImage(
        reinterpret_cast<void *>(static_cast<uintptr_t>(texture)), ImVec2(x, y), ImVec2(x + width, y + height));
}

void cimgui_draw_line(float x0, float y0, float x1, float y1, float thickness, uint32_t color) {
    ImGui::GetWindowDrawList()->AddLine(ImVec2(x0, y0), ImVec2(x1, y1), color, thickness);
}

void cimgui_draw_disc(float x, float y, float radius, uint32_t color) {
    ImGui::GetWindowDrawList()->AddCircleFilled(ImVec2(x, y), radius, color, 12);
}

void cimgui_draw_text(float x, float y, uint32_t color, const char *text) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddText(ImVec2(x + 1, y + 1), IM_COL32(0, 0, 0, 200), text);
    list->AddText(ImVec2(x, y), color, text);
}
