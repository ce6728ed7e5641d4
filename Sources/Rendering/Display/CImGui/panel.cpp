// The panel at the left edge of a window.
#include "panel.h"

#include "CImGui.h"
#include "focus.h"

#include <imgui/imgui.h>

namespace {

// The last frame with the panel, and where the panel ended in it.
int last_frame = -1;
float right_edge;

// The window's size in that frame: in a window of another size, the panel has its own size again.
ImVec2 last_size;

}  // namespace

bool cimgui_begin_panel(const char *title, bool *is_open, float x, float y, float width, float height) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const bool has_changed = size.x != last_size.x || size.y != last_size.y;
    last_size = size;
    ImGui::SetNextWindowPos(ImVec2(x, y), ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowSize(ImVec2(width, height), has_changed ? ImGuiCond_Always : ImGuiCond_FirstUseEver);
    // Never larger than the window, so that all of it can be reached by scrolling.
    ImVec2 largest(size.x > 2 * x + 120 ? size.x - 2 * x : 120, size.y > 2 * y + 80 ? size.y - 2 * y : 80);
    // In a small window most of the picture, and the face in its middle, stay in sight.
    if (size.x < CIMGUI_SMALL_WIDTH && largest.x > 240) largest.x = size.x > 534 ? 0.45f * size.x : 240;
    ImGui::SetNextWindowSizeConstraints(ImVec2(120, 80), largest);
    ImGui::SetNextWindowBgAlpha(0.85f);
    const bool is_shown =
        ImGui::Begin(title, is_open, ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNavInputs);
    last_frame = ImGui::GetFrameCount();
    right_edge = ImGui::GetWindowPos().x + ImGui::GetWindowWidth();
    ImGui::PushItemWidth(-1);
    cimgui_begin_controls();
    return is_shown;
}

void cimgui_end_panel(void) {
    cimgui_end_controls();
    ImGui::PopItemWidth();
    ImGui::End();
}

float cimgui_panel_edge(void) { return last_frame == ImGui::GetFrameCount() ? right_edge : 0; }

float cimgui_panel_share(bool in_large_windows) {
    const float width = ImGui::GetIO().DisplaySize.x, edge = cimgui_panel_edge();
    // A minimised window has no width, and the panel may have been moved out of sight.
    const bool is_beside = in_large_windows || width < CIMGUI_SMALL_WIDTH;
    return edge > 0 && edge < 0.7f * width && is_beside ? edge / width : 0;
}
