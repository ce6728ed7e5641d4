// The keyboard's place among the controls of the panel. Dear ImGui's own keyboard control reaches only some controls in some
// of its versions.
#include "focus.h"

#include "CImGui.h"

#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <algorithm>
#include <deque>
#include <vector>

namespace {

// Of the last frame with a panel, and of this one.
std::vector<ImGuiID> last_controls, controls;
// Those of them that are buttons.
std::vector<ImGuiID> last_buttons, buttons;
// How many controls come before each section of the panel, of both frames.
std::vector<int> last_sections, sections;
int last_frame = -1;

// The control that has the keyboard; 0: none. Whether it has just got it, and whether Up and Down are for it.
ImGuiID focused;
bool is_new, takes_rows;

// The last frame with an area in front of all others, and what had the keyboard when it came; 0: nothing.
int front_frame = -2;
ImGuiID behind;

// The control that Enter presses while none has the keyboard, of the last frame and of this one; 0: none.
ImGuiID last_default, default_control;

// The keys that no frame has taken yet, one for each frame, and the one of this frame.
std::deque<cimgui_key> keys;
cimgui_key key;

bool is_in_panel;

// How many of `cimgui_begin_controls` have not ended: the outermost begins and ends the controls.
int depth;

// The last picture that `cimgui_note_chosen` was called for.
ImRect chosen;

// The field that the user types into; 0: none.
ImGuiID typed_field() {
    const ImGuiContext &context = *GImGui;
    return context.ActiveId && context.ActiveId == context.InputTextState.ID ? context.ActiveId : 0;
}

// The place of the first control of the next section, or of this one if the control is another one of it, or else of the one
// before; in a circle.
int section_place(int from, int step, int count) {
    int first = -1, last = -1, before = -1, next = -1;
    for (const int place : last_sections) {
        if (place >= count) continue;
        if (first < 0) first = place;
        last = place;
        if (place < from) before = place;
        if (place > from && next < 0) next = place;
    }
    return step > 0 ? (next < 0 ? first : next) : before < 0 ? last : before;
}

void move(int step, bool by_section) {
    const int count = static_cast<int>(last_controls.size());
    if (count == 0) return;
    const ImGuiID from = typed_field() ? typed_field() : focused ? focused : last_default;
    const auto found = std::find(last_controls.begin(), last_controls.end(), from);
    const int place = found == last_controls.end() ? (step > 0 ? -1 : count) : static_cast<int>(found - last_controls.begin());
    const int wanted = by_section ? section_place(place, step, count) : ((place + step) % count + count) % count;
    if (wanted < 0) return;
    if (typed_field()) ImGui::ClearActiveID();
    focused = last_controls[wanted];
    is_new = true;
    takes_rows = false;
}

// Whether all arrows move between the buttons in front of everything else: where there are only buttons, and where one has the
// keyboard.
bool arrows_step() {
    if (front_frame != last_frame || typed_field()) return false;
    if (!focused) return !last_buttons.empty() && last_buttons.size() == last_controls.size();
    return std::find(last_buttons.begin(), last_buttons.end(), focused) != last_buttons.end();
}

void forget_controls() {
    controls.clear();
    buttons.clear();
    sections.clear();
    default_control = 0;
}

// Controls with the same label in the same place of the panel have the same number. Returns one of their own.
ImGuiID note(ImGuiID id) {
    // What is hashed is not the number itself: with itself as the seed, every number gives the same one.
    for (int count = 1; std::find(controls.begin(), controls.end(), id) != controls.end(); count++)
        id = ImHashData(&count, sizeof count, id);
    controls.push_back(id);
    return id;
}

cimgui_key take_key(ImGuiID id, const ImRect &place, bool has_rows) {
    id = note(id);
    if (id != focused) return cimgui_key_none;
    takes_rows = has_rows;
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRect(
        ImVec2(place.Min.x - 2, place.Min.y - 2), ImVec2(place.Max.x + 2, place.Max.y + 2),
        ImGui::GetColorU32(ImGuiCol_NavHighlight), 4, 0, 2);
    const ImGuiWindow *window = ImGui::GetCurrentWindow();
    if (is_new && id == last_controls.back()) {
        // What is below the last control is reached with it.
        const float most = window->Scroll.y + place.Min.y - 4 - window->InnerRect.Min.y;
        ImGui::SetScrollY(std::max(window->Scroll.y, std::min(window->ScrollMax.y, most)));
    } else if (is_new && !window->ClipRect.Contains(place)) {
        const float y = 0.5f * (place.Min.y + place.Max.y) - ImGui::GetWindowPos().y;
        ImGui::SetScrollFromPosY(y, 0.5f);
    }
    is_new = false;
    const cimgui_key taken = key;
    key = cimgui_key_none;
    return taken;
}

}  // namespace

void cimgui_begin_controls(void) {
    if (depth++ > 0) return;
    if (ImGui::GetFrameCount() > last_frame + 1) {
        focused = behind = last_default = 0;
        keys.clear();
    }
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) focused = behind = 0;
    key = cimgui_key_none;
    if (!keys.empty()) {
        key = keys.front();
        keys.pop_front();
    }
    const bool is_sideways = (key == cimgui_key_left || key == cimgui_key_right) && arrows_step();
    const bool is_step = key == cimgui_key_next || key == cimgui_key_before || is_sideways
        || (!takes_rows && (key == cimgui_key_up || key == cimgui_key_down));
    const bool is_section = key == cimgui_key_next_section || key == cimgui_key_section_before;
    if (is_step || is_section) {
        const bool is_forwards = key == cimgui_key_next || key == cimgui_key_down || key == cimgui_key_right
            || key == cimgui_key_next_section;
        move(is_forwards ? 1 : -1, is_section);
        key = cimgui_key_none;
    }
    forget_controls();
    is_in_panel = true;
}

void cimgui_focus_in_front(void) {
    if (!is_in_panel) return;
    if (ImGui::GetFrameCount() > front_frame + 1) {
        // No key is for a control of it that the user has not seen.
        behind = focused;
        focused = last_default = 0;
        takes_rows = is_new = false;
        keys.clear();
        key = cimgui_key_none;
    }
    front_frame = ImGui::GetFrameCount();
    forget_controls();
}

void cimgui_note_section(void) {
    if (is_in_panel) sections.push_back(static_cast<int>(controls.size()));
}

bool cimgui_note_default(void) {
    if (!is_in_panel) return true;
    const bool is_disabled = GImGui->LastItemData.InFlags & ImGuiItemFlags_Disabled;
    if (!is_disabled && !controls.empty()) default_control = controls.back();
    return !is_disabled && (!focused || typed_field() || focused == default_control);
}

void cimgui_end_controls(void) {
    if (--depth > 0) return;
    last_frame = ImGui::GetFrameCount();
    last_default = default_control;
    if (front_frame == last_frame - 1) {
        // The area in front has gone.
        const bool is_there = std::find(controls.begin(), controls.end(), behind) != controls.end();
        focused = is_there ? behind : 0;
        behind = 0;
    }
    // One with another name has taken the place of the one that had the keyboard.
    if (focused && std::find(controls.begin(), controls.end(), focused) == controls.end()) {
        const size_t place = std::find(last_controls.begin(), last_controls.end(), focused) - last_controls.begin();
        focused = controls.empty() ? 0 : controls[std::min(place, controls.size() - 1)];
    }
    last_controls = controls;
    last_buttons = buttons;
    last_sections = sections;
    is_in_panel = false;
}

bool cimgui_press_key(cimgui_key pressed) {
    const bool is_step = pressed == cimgui_key_next || pressed == cimgui_key_before
        || pressed == cimgui_key_next_section || pressed == cimgui_key_section_before;
    if (is_step) cimgui_close_lists();
    if (cimgui_press_key_of_list(pressed)) return true;
    if (!is_step && !cimgui_is_led_by(pressed)) return false;
    keys.push_back(pressed);
    return true;
}

bool cimgui_has_control(void) { return focused && !typed_field(); }

bool cimgui_is_led_by(cimgui_key pressed) { return cimgui_has_control() || (pressed != cimgui_key_press && arrows_step()); }

bool cimgui_is_in_gallery(void) { return cimgui_has_control() && takes_rows; }

bool cimgui_leave_control(void) {
    const bool has_control = cimgui_has_control();
    focused = 0;
    return has_control;
}

void cimgui_keep_focus(ImGuiID id) {
    if (is_in_panel) note(id);
}

bool cimgui_takes_keyboard(ImGuiID id) { return is_in_panel && is_new && id == focused; }

cimgui_key cimgui_key_of_control(void) {
    const ImGuiLastItemData &item = GImGui->LastItemData;
    if (!is_in_panel || !item.ID || (item.InFlags & ImGuiItemFlags_Disabled)) return cimgui_key_none;
    return take_key(item.ID, item.Rect, false);
}

cimgui_key cimgui_key_of_button(void) {
    const size_t count = controls.size();
    const cimgui_key taken = cimgui_key_of_control();
    if (controls.size() > count) buttons.push_back(controls.back());
    return taken;
}

void cimgui_note_chosen(void) { chosen = ImRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax()); }

cimgui_key cimgui_key_of_gallery(void) {
    return is_in_panel ? take_key(ImGui::GetID("##gallery"), chosen, true) : cimgui_key_none;
}
