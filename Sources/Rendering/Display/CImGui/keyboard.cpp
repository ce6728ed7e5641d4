// Dear ImGui looks once a frame at which keys are down. What is pressed and released, or pressed and typed, within one slow
// frame is therefore spread over several: an event that would hide an earlier one waits for the next frame.
#include "keyboard.h"

#include "CImGui.h"

#include <SDL2/SDL.h>
#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <bitset>

namespace {

// Since the last frame: the keys that went down or up, whether one that writes nothing went down, and whether text came.
std::bitset<SDL_NUM_SCANCODES> changed_keys;
bool has_command, has_text;

// For how many frames keys wait: until a click, or a request, has given the keyboard to a field.
int waiting_frames;

bool is_modifier(const SDL_KeyboardEvent &key) {
    return key.keysym.scancode >= SDL_SCANCODE_LCTRL && key.keysym.scancode <= SDL_SCANCODE_RGUI;
}

bool is_shift(const SDL_KeyboardEvent &key) {
    return key.keysym.scancode == SDL_SCANCODE_LSHIFT || key.keysym.scancode == SDL_SCANCODE_RSHIFT;
}

// Whether a key only writes: fields take the text, and do not look at the key.
bool is_writing(const SDL_KeyboardEvent &key) {
    const SDL_Scancode code = key.keysym.scancode;
    const bool is_character = code <= SDL_SCANCODE_0 || (code >= SDL_SCANCODE_SPACE && code <= SDL_SCANCODE_SLASH)
        || (code >= SDL_SCANCODE_KP_DIVIDE && code <= SDL_SCANCODE_KP_PERIOD && code != SDL_SCANCODE_KP_ENTER);
    return is_character && !(key.keysym.mod & (KMOD_CTRL | KMOD_ALT | KMOD_GUI));
}

}  // namespace

bool cimgui_keyboard_must_wait(const void *event) {
    const SDL_Event *sdl = static_cast<const SDL_Event *>(event);
    if (sdl->type != SDL_KEYDOWN && sdl->type != SDL_KEYUP && sdl->type != SDL_TEXTINPUT) return false;
    if (waiting_frames > 0 || cimgui_is_behind()) return true;
    if (!cimgui_wants_text()) return false;
    // Fields take text before keys, and one key in a frame.
    if (sdl->type == SDL_TEXTINPUT) return has_command;
    if (sdl->key.repeat) return false;
    if (is_modifier(sdl->key)) return has_command || (has_text && !is_shift(sdl->key));
    if (sdl->type == SDL_KEYUP) return changed_keys[sdl->key.keysym.scancode] && !is_writing(sdl->key);
    // The program itself takes keys like Enter: what has been written before them must be in the field then.
    return has_command || has_text;
}

void cimgui_hold_keys(void) { waiting_frames = waiting_frames > 1 ? waiting_frames : 1; }

void cimgui_follow_keyboard(const void *event) {
    const SDL_Event *sdl = static_cast<const SDL_Event *>(event);
    switch (sdl->type) {
    case SDL_MOUSEBUTTONDOWN: waiting_frames = waiting_frames > 1 ? waiting_frames : 1; break;
    // The back end keeps a press for one frame.
    case SDL_MOUSEBUTTONUP: waiting_frames = waiting_frames > 0 ? 2 : 1; break;
    case SDL_TEXTINPUT: has_text = true; break;
    case SDL_KEYDOWN:
    case SDL_KEYUP: {
        changed_keys[sdl->key.keysym.scancode] = true;
        if (sdl->type == SDL_KEYDOWN && !is_modifier(sdl->key) && !is_writing(sdl->key)) has_command = true;
        // The back end takes what is held now, and not what was held with this key.
        ImGuiIO &io = ImGui::GetIO();
        const int held = sdl->key.keysym.mod;
        io.KeyCtrl = (held & KMOD_CTRL) != 0;
        io.KeyShift = (held & KMOD_SHIFT) != 0;
        io.KeyAlt = (held & KMOD_ALT) != 0;
        io.KeySuper = (held & KMOD_GUI) != 0;
        break;
    }
    default: break;
    }
}

void cimgui_begin_keyboard_frame(void) {
    changed_keys.reset();
    has_command = has_text = false;
    if (waiting_frames > 0) waiting_frames--;
}

// As the last frame has left it: what the back end is told is older by a frame.
bool cimgui_wants_text(void) { return GImGui->WantTextInputNextFrame == 1; }

bool cimgui_is_escape_pressed(void) {
#if IMGUI_VERSION_NUM < 18700
    return ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false);
#else
    return ImGui::IsKeyPressed(ImGuiKey_Escape, false);
#endif
}

bool cimgui_is_editing(void) { return ImGui::IsAnyItemActive(); }

void cimgui_focus_next(void) {
    // Dear ImGui 1.90.1 looks only in the window that has the focus, and in its part.
    ImGui::SetWindowFocus();
    ImGui::SetKeyboardFocusHere();
    // It takes effect in the next frame.
    waiting_frames = 1;
}
