// Drop-down lists. Dear ImGui's own keyboard control would also move between all other controls.
#include "list.h"

#include "CImGui.h"
#include "focus.h"
#include "letters.h"

#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <algorithm>
#include <vector>

namespace {

// What the list shows that is being declared.
std::string preview;

// Of the open list: its number and the row that Enter chooses, -1 for none; and the frame in which it was last declared.
ImGuiID open_list;
int place = -1, last_frame = -2;
// Whether the keyboard has got that row, which is framed then, and whether it has just moved.
bool has_keyboard, has_moved;
// Whether the rows are being declared, and which of them was chosen with Enter.
bool is_declaring;
int chosen = -1;

// The keys that no frame has taken yet.
std::vector<cimgui_key> keys;

// The list that is to be opened, because Enter was pressed on it; 0: none.
ImGuiID asked_list;

// As it is: names may contain "##".
void draw_preview() {
    const ImGuiStyle &style = ImGui::GetStyle();
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->PushClipRect(low, ImVec2(high.x - ImGui::GetFrameHeight(), high.y), true);
    list->AddText(
        ImVec2(low.x + style.FramePadding.x, low.y + style.FramePadding.y), ImGui::GetColorU32(ImGuiCol_Text),
        preview.c_str());
    list->PopClipRect();
}

void begin_list(ImGuiID id, int current, int count) {
    const int frame = ImGui::GetFrameCount();
    if (open_list != id || frame > last_frame + 1) {
        has_keyboard = asked_list == id;
        has_moved = has_keyboard;
        place = has_keyboard && current < 0 ? 0 : current;
        keys.clear();
    }
    asked_list = 0;
    open_list = id;
    last_frame = frame;
    chosen = -1;
    for (const cimgui_key key : keys) {
        if (key == cimgui_key_press) {
            if (has_keyboard && place >= 0 && place < count) chosen = place;
            break;
        }
        const int step = key == cimgui_key_up ? -1 : key == cimgui_key_down ? 1 : 0;
        if (step == 0) continue;
        place = std::max(0, std::min(count - 1, place < 0 ? 0 : place + step));
        has_keyboard = has_moved = true;
    }
    keys.clear();
    is_declaring = true;
}

}  // namespace

bool cimgui_begin_choice(const char *label, const char *current, int current_place, int count) {
    cimgui_note_letters(current);
    preview = current;
    const std::string name = cimgui_label_before(label);
    const ImGuiID id = ImGui::GetID(name.c_str());
    // The number that BeginCombo gives its popup.
    if (asked_list == id) ImGui::OpenPopupEx(ImHashStr("##ComboPopup", 0, id), ImGuiPopupFlags_None);
    const bool is_open = ImGui::BeginCombo(name.c_str(), nullptr, ImGuiComboFlags_HeightLarge);
    if (is_open) {
        cimgui_keep_focus(id);
        begin_list(id, current_place, count);
    } else {
        draw_preview();
    }
    return is_open;
}

void cimgui_open_list(void) { asked_list = GImGui->LastItemData.ID; }

void cimgui_frame_row_of_list(int id) {
    if (!is_declaring || !has_keyboard || id != place) return;
    ImGui::GetWindowDrawList()->AddRect(
        ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), ImGui::GetColorU32(ImGuiCol_NavHighlight), 4, 0, 2);
    if (has_moved && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5f);
    has_moved = false;
}

int cimgui_end_choice(void) {
    is_declaring = false;
    if (chosen >= 0) ImGui::CloseCurrentPopup();
    ImGui::EndCombo();
    draw_preview();
    return chosen;
}

bool cimgui_press_key_of_list(cimgui_key key) {
    if (GImGui->OpenPopupStack.Size == 0 || ImGui::GetFrameCount() > last_frame + 1) return false;
    keys.push_back(key);
    return true;
}

bool cimgui_close_lists(void) {
    if (GImGui->OpenPopupStack.Size == 0) return false;
    ImGui::ClosePopupToLevel(0, true);
    return true;
}
