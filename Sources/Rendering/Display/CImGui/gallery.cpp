// Pictures that are buttons.
#include "CImGui.h"

#include "letters.h"

#include <imgui/imgui.h>

#include <cmath>
#include <initializer_list>

namespace {

// Five points, as triangles around the centre.
void draw_star(ImVec2 center, float radius, ImU32 color) {
    ImVec2 corners[10];
    for (int corner = 0; corner < 10; corner++) {
        const float angle = 0.314159265f * 2 * corner - 1.57079633f, length = corner % 2 ? 0.45f * radius : radius;
        corners[corner] = ImVec2(center.x + length * cosf(angle), center.y + length * sinf(angle));
    }
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (int corner = 0; corner < 10; corner++) {
        list->AddTriangleFilled(center, corners[corner], corners[(corner + 1) % 10], color);
    }
}

// Draws the star of the previous control, at the right, so far below its upper edge. Returns whether the mouse is over it.
bool show_star(cimgui_star star, bool is_hovered, float radius, float y) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax(), mouse = ImGui::GetIO().MousePos;
    const ImVec2 center(high.x - 1.5f * radius, low.y + y);
    const bool is_over_star =
        star != cimgui_star_none && is_hovered && mouse.x > center.x - 1.5f * radius && mouse.y < center.y + 1.5f * radius;
    if (star == cimgui_star_full || (star == cimgui_star_empty && is_hovered)) {
        draw_star(center, 1.25f * radius, IM_COL32(0, 0, 0, 150));
        draw_star(
            center, radius, star == cimgui_star_full ? IM_COL32(230, 178, 72, 255) : IM_COL32(255, 255, 255, is_over_star ? 230 : 120));
    }
    if (is_over_star && cimgui_mouse_rest() > 0.5f) {
        ImGui::SetTooltip("%s", star == cimgui_star_full ? "Favourite. A click on the star ends that." : "Make it a favourite: it comes first, with the keys 1 to 9");
    }
    return is_over_star;
}

}  // namespace

bool cimgui_next_in_row(float width) {
    const float right = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width;
    if (right >= ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x) return false;
    ImGui::SameLine();
    return true;
}

float cimgui_text_width(const char *text) { return ImGui::CalcTextSize(text, nullptr, true).x; }

cimgui_picture cimgui_picture_button(const char *label, uint32_t texture, float side, bool is_on, cimgui_star star) {
    cimgui_note_letters(label);
    ImGui::PushID(label);
    // The frame of the chosen one stays under the mouse, too.
    for (const ImGuiCol color : {ImGuiCol_Button, ImGuiCol_ButtonHovered}) {
        ImGui::PushStyleColor(color, is_on ? ImVec4(0.85f, 0.65f, 0.2f, 1) : ImGui::GetStyle().Colors[color]);
    }
    ImGui::BeginGroup();
    const bool is_pressed =
        ImGui::ImageButton(
            reinterpret_cast<void *>(static_cast<uintptr_t>(texture)), ImVec2(side, side), ImVec2(0, 0), ImVec2(1, 1), 3);
    const bool is_hovered = ImGui::IsItemHovered();
    const bool is_over_star = show_star(star, is_hovered, 0.11f * side, 1.5f * 0.11f * side);
    // The frame of what Enter takes goes around the name: it has room at the sides and below.
    const ImVec2 place = ImGui::GetCursorPos();
    ImGui::SetCursorPos(ImVec2(place.x + 5, place.y - 2));
    ImGui::TextUnformatted(label);
    ImGui::SetCursorPos(place);
    ImGui::Dummy(ImVec2(ImGui::CalcTextSize(label).x + 10, ImGui::GetFontSize()));
    ImGui::EndGroup();
    ImGui::PopStyleColor(2);
    ImGui::PopID();
    return !is_pressed ? cimgui_picture_nothing : is_over_star ? cimgui_picture_star : cimgui_picture_clicked;
}

bool cimgui_is_in_sight(void) { return ImGui::IsItemVisible(); }

cimgui_picture cimgui_picture_row(
    const char *label, const char *detail, uint32_t texture, float side, bool is_on, cimgui_star star) {
    cimgui_note_letters(label);
    cimgui_note_letters(detail);
    ImGui::PushID(label);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float right = corner.x + ImGui::GetContentRegionAvail().x, size = ImGui::GetFontSize();
    ImGui::BeginGroup();
    const bool is_pressed = ImGui::Selectable("##row", is_on, 0, ImVec2(0, side));
    const bool is_hovered = ImGui::IsItemHovered();
    const bool is_over_star = show_star(star, is_hovered, 9, 0.5f * side);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddImage(
        reinterpret_cast<void *>(static_cast<uintptr_t>(texture)), corner, ImVec2(corner.x + side, corner.y + side));
    list->PushClipRect(corner, ImVec2(right - 30, corner.y + side), true);
    const float x = corner.x + side + 8;
    list->AddText(ImVec2(x, corner.y + 0.5f * side - size), ImGui::GetColorU32(ImGuiCol_Text), label);
    list->AddText(
        nullptr, 0.85f * size, ImVec2(x, corner.y + 0.5f * side + 1), ImGui::GetColorU32(ImGuiCol_Text, 0.7f), detail);
    list->PopClipRect();
    ImGui::EndGroup();
    ImGui::PopID();
    return !is_pressed ? cimgui_picture_nothing : is_over_star ? cimgui_picture_star : cimgui_picture_clicked;
}

bool cimgui_is_hovered(void) { return ImGui::IsItemHovered(); }

void cimgui_bring_in_sight(void) {
    if (ImGui::GetItemRectMin().y < ImGui::GetWindowPos().y + ImGui::GetFrameHeight()) ImGui::SetScrollHereY(0);
    if (ImGui::GetItemRectMax().y > ImGui::GetWindowPos().y + ImGui::GetWindowHeight()) ImGui::SetScrollHereY(1);
}
