#include "CImGui.h"

#include <CDynamicLibrary.h>
#include <SDL2/SDL.h>
#include <SDL2/SDL_syswm.h>
#include <X11/Xlib.h>
#include <math.h>
#include <stdlib.h>

#define FUNCTIONS(F) F(XGetDefault)

CDYNAMICLIBRARY(FUNCTIONS, "libX11.so.6")

static float limited(float scale) { return fminf(fmaxf(scale, 1), 4); }

float cimgui_desktop_scale(void *window) {
    SDL_SysWMinfo system;
    SDL_VERSION(&system.version);
    // Wayland has units of its own, which SDL takes over.
    if (!SDL_GetWindowWMInfo(window, &system) || system.subsystem != SDL_SYSWM_X11) return 1;
    // Where desktops keep what the user has chosen.
    const char *text = is_available() ? library.XGetDefault(system.info.x11.display, "Xft", "dpi") : NULL;
    const float chosen = text ? strtof(text, NULL) : 0;
    if (chosen >= 24 && chosen <= 960) return limited(chosen / 96);
    // Screens tell sizes that are only roughly right. What is only somewhat dense is used as it is by most.
    float density = 0;
    if (SDL_GetDisplayDPI(SDL_GetWindowDisplayIndex(window), &density, NULL, NULL) != 0) return 1;
    return density >= 168 && density <= 960 ? limited(roundf(density / 48) / 2) : 1;
}
