#include "mouse.h"

#include "CImGui.h"

#include <SDL2/SDL.h>
#include <imgui/imgui.h>

#include <cfloat>
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

namespace {

// Where the mouse has been since the last frame, in the window's units.
std::vector<ImVec2> path;

// Whether it has been moved with the left button down.
bool is_dragged;

// Where the left button was pressed or released since the last frame. A click is there, and not where the mouse has come
// to until a slow frame is drawn.
bool has_press, has_release;
ImVec2 press, release;

// Where the last frame had the mouse, and whether the left button is down by the events that were passed on.
ImVec2 shown;
bool is_down;

// Whether a release or a press waits for the next frame: the back end, which asks for the button itself, has it already.
bool is_release_held, is_press_held;

// What takes the place of the mouse in the next frame.
bool is_pointed, is_pressed;
ImVec2 pointer;

// Where the mouse is in the window, by its events: what the back end asks the desktop for is older by one movement with
// some desktops, and unknown while the window does not have the keyboard.
bool is_inside, has_left;
ImVec2 last_place;
// That it is there when the window opens is no movement.
bool has_moved;
std::chrono::steady_clock::time_point last_motion;

// When a hand last did something; before that, the epoch.
std::chrono::steady_clock::time_point last_use;

// Where a movement of the mouse began. A shorter one than `trembling`, in the window's units, is of the desk.
ImVec2 motion_start;
constexpr float trembling = 4;

// Whether an event is of a hand on mouse or keyboard. The desktop itself says where the mouse is when a window opens.
bool is_of_hand(const SDL_Event *event) {
    switch (event->type) {
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
    case SDL_MOUSEWHEEL:
    case SDL_KEYDOWN: return true;
    default: return false;
    }
}

}  // namespace

// Dear ImGui looks once a frame at where the mouse is and whether its button is down. A drag that ends within a slow frame would
// end where the frame before has seen it: the release waits until a frame has shown its place.
bool cimgui_mouse_must_wait(const void *event, float unit) {
    const SDL_Event *sdl = static_cast<const SDL_Event *>(event);
    const bool is_button = sdl->type == SDL_MOUSEBUTTONDOWN || sdl->type == SDL_MOUSEBUTTONUP;
    if (!is_button || sdl->button.button != SDL_BUTTON_LEFT) return false;
    if (sdl->type == SDL_MOUSEBUTTONDOWN) {
        is_press_held = has_release;
        return is_press_held;
    }
    if (!is_down) return false;
    const ImVec2 here(sdl->button.x / unit, sdl->button.y / unit);
    is_release_held = has_press || here.x != shown.x || here.y != shown.y;
    if (is_release_held && !has_press) {
        last_place = here;
        is_inside = true;
        has_left = false;
    }
    return is_release_held;
}

void cimgui_follow_mouse(const void *event, float unit) {
    const SDL_Event *sdl = static_cast<const SDL_Event *>(event);
    if (is_of_hand(sdl)) last_use = std::chrono::steady_clock::now();
    if (sdl->type == SDL_MOUSEBUTTONDOWN && sdl->button.button == SDL_BUTTON_LEFT) {
        has_press = is_down = true;
        has_left = false;
        press = ImVec2(sdl->button.x / unit, sdl->button.y / unit);
    }
    if (sdl->type == SDL_MOUSEBUTTONUP && sdl->button.button == SDL_BUTTON_LEFT) {
        is_dragged = is_down = false;
        has_release = true;
        release = ImVec2(sdl->button.x / unit, sdl->button.y / unit);
    }
    if (sdl->type == SDL_WINDOWEVENT && sdl->window.event == SDL_WINDOWEVENT_LEAVE) {
        is_inside = false;
        has_left = true;
    }
    if (sdl->type == SDL_MOUSEMOTION) {
        const ImVec2 here(sdl->motion.x / unit, sdl->motion.y / unit);
        if (is_inside && (here.x != last_place.x || here.y != last_place.y)) {
            const std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now();
            if (now - last_motion > std::chrono::milliseconds(500)) motion_start = last_place;
            has_moved = true;
            last_motion = now;
            if (std::hypot(here.x - motion_start.x, here.y - motion_start.y) > trembling) last_use = now;
        }
        is_inside = true;
        has_left = false;
        last_place = here;
    }
    if (sdl->type != SDL_MOUSEMOTION || !(sdl->motion.state & SDL_BUTTON_LMASK)) return;
    if (path.size() == CIMGUI_PATH_LENGTH) path.erase(path.begin());
    is_dragged = true;
    path.push_back(last_place);
}

bool cimgui_is_hand_used(void) { return is_down || std::chrono::steady_clock::now() - last_use < std::chrono::seconds(3); }

void cimgui_point(float x, float y, bool is_down) {
    if (cimgui_is_hand_used()) return;
    is_pointed = true;
    pointer = ImVec2(x, y);
    is_pressed = is_down;
}

static void place_mouse(void) {
    if (is_pointed) {
        ImGuiIO &io = ImGui::GetIO();
        io.MousePos = ImVec2(pointer.x * io.DisplaySize.x, pointer.y * io.DisplaySize.y);
        io.MouseDown[0] = is_pressed;
        is_pointed = has_press = has_release = false;
        return;
    }
    if (has_press) {
        // The back end keeps a press for one frame: if the button is up again, that is for the next one.
        has_press = false;
        ImGui::GetIO().MousePos = press;
        return;
    }
    if (has_release) {
        has_release = false;
        ImGui::GetIO().MousePos = release;
        return;
    }
    if (has_left && !is_down) {
        ImGui::GetIO().MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
        return;
    }
    // The back end asks the desktop for the place, which some desktops do not know while a button is down.
    if (is_dragged || is_inside) ImGui::GetIO().MousePos = last_place;
}

void cimgui_place_mouse(void) {
    // Another pointer shows nothing of the mouse, whose events do not wait for it.
    const bool is_other = is_pointed;
    place_mouse();
    ImGuiIO &io = ImGui::GetIO();
    shown = is_other ? last_place : io.MousePos;
#if IMGUI_VERSION_NUM < 18700
    if (is_release_held && !is_other) io.MouseDown[0] = true;
    if (is_press_held && !is_other) io.MouseDown[0] = false;
#endif
    is_release_held = is_press_held = false;
}

void cimgui_forget_mouse_path(void) { path.clear(); }

int cimgui_mouse_path(float *places) {
    for (size_t i = 0; i < path.size(); i++) {
        places[2 * i] = path[i].x;
        places[2 * i + 1] = path[i].y;
    }
    return static_cast<int>(path.size());
}

float cimgui_mouse_rest(void) {
    if (!is_inside || !has_moved) return std::numeric_limits<float>::infinity();
    return std::chrono::duration<float>(std::chrono::steady_clock::now() - last_motion).count();
}
