// Rectangles to draw on.
#include "CImGui.h"

#include "letters.h"
#include "wrap.h"

#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <cmath>

void cimgui_begin_canvas(const char *name, float width, float height, cimgui_canvas *canvas) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const ImVec2 size(fmaxf(1, fminf(width, room.x)), fmaxf(1, fminf(height, room.y)));
    ImGui::InvisibleButton(
        name, size,
        ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle | ImGuiButtonFlags_MouseButtonRight);
    // The wheel zooms, and does not scroll what is around the canvas.
    ImGui::SetItemUsingMouseWheel();
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
    canvas->is_double_clicked = canvas->is_hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
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

void cimgui_draw_area(const float *corners, int count, uint32_t color) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->PathClear();
    for (int index = 0; index < count; index++) list->PathLineTo(ImVec2(corners[2 * index], corners[2 * index + 1]));
    list->PathFillConvex(color);
}

void cimgui_draw_disc(float x, float y, float radius, uint32_t color) {
    ImGui::GetWindowDrawList()->AddCircleFilled(ImVec2(x, y), radius, color, 12);
}

void cimgui_draw_circle(float x, float y, float radius, float thickness, uint32_t color) {
    ImGui::GetWindowDrawList()->AddCircle(ImVec2(x, y), radius, color, 0, thickness);
}

void cimgui_draw_text(float x, float y, float width, uint32_t color, const char *text) {
    cimgui_note_letters(text);
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float size = ImGui::GetFontSize();
    const std::string lines = width > 0 ? cimgui_wrapped(text, width) : text;
    list->AddText(nullptr, size, ImVec2(x + 1, y + 1), IM_COL32(0, 0, 0, 200), lines.c_str(), nullptr, width);
    list->AddText(nullptr, size, ImVec2(x, y), color, lines.c_str(), nullptr, width);
}

float cimgui_text_height(const char *text, float width) {
    const std::string lines = width > 0 ? cimgui_wrapped(text, width) : text;
    return ImGui::CalcTextSize(lines.c_str(), nullptr, false, width > 0 ? width : -1).y;
}

void cimgui_draw_note(float x, float bottom, float width, float alpha, bool is_alarm, const char *text) {
    cimgui_note_letters(text);
    const float margin = 8, wrap = fmaxf(40, width - 4 * margin);
    const std::string lines = cimgui_wrapped(text, wrap);
    const ImVec2 size = ImGui::CalcTextSize(lines.c_str(), nullptr, false, wrap);
    const ImVec2 low(x + margin, bottom - size.y - 3 * margin);
    const ImVec2 high(low.x + size.x + 2 * margin, bottom - margin);
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImU32 color = is_alarm ? IM_COL32(255, 115, 102, 255) : IM_COL32(240, 240, 240, 255);
    const auto faded = [alpha](ImU32 value) {
        const ImU32 opacity = static_cast<ImU32>(static_cast<float>(value >> 24) * alpha);
        return (value & 0x00FFFFFF) | opacity << 24;
    };
    list->AddRectFilled(low, high, faded(IM_COL32(20, 20, 22, 235)), 6);
    list->AddRect(low, high, faded(IM_COL32(90, 90, 95, 255)), 6);
    list->AddText(
        nullptr, ImGui::GetFontSize(), ImVec2(low.x + margin, low.y + margin), faded(color), lines.c_str(), nullptr, wrap);
}
