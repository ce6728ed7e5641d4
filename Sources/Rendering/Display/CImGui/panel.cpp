// The panel at the left edge of a window.
#include "CImGui.h"

#include "focus.h"

#include <imgui/imgui.h>

namespace {

// The last frame with the panel, and where the panel began and ended in it; both 0: it is folded, and only its title is there.
int last_frame = -1;
float left_edge, right_edge;

// By how many pages the user scrolls the panel in the next frame; down is positive.
int pages = 0;

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
    // Grey controls stay in sight over a bright picture.
    ImGui::SetNextWindowBgAlpha(0.95f);
    const bool is_shown =
        ImGui::Begin(title, is_open, ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNavInputs);
    last_frame = ImGui::GetFrameCount();
    left_edge = is_shown ? ImGui::GetWindowPos().x : 0;
    right_edge = is_shown ? ImGui::GetWindowPos().x + ImGui::GetWindowWidth() : 0;
    ImGui::PushItemWidth(-1);
    cimgui_begin_controls();
    return is_shown;
}

void cimgui_scroll_panel(int more) { pages += more; }

void cimgui_end_panel(void) {
    cimgui_end_controls();
    // A little of the page before stays in sight.
    if (pages != 0) ImGui::SetScrollY(ImGui::GetScrollY() + 0.85f * ImGui::GetWindowHeight() * static_cast<float>(pages));
    pages = 0;
    ImGui::PopItemWidth();
    ImGui::End();
}

static float panel_edge(void) { return last_frame == ImGui::GetFrameCount() ? right_edge : 0; }

float cimgui_room_left(void) {
    const float width = ImGui::GetIO().DisplaySize.x, edge = panel_edge();
    return width - edge > 150 ? edge : 0;
}

float cimgui_panel_share(void) {
    const float width = ImGui::GetIO().DisplaySize.x, edge = panel_edge();
    // A minimised window has no width. A panel that was moved away from the edge lies over the picture.
    return edge > 0 && edge < 0.7f * width && left_edge < 0.1f * width ? edge / width : 0;
}
