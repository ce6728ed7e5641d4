// SDL is loaded when it is first called: with sound, Wayland and X11 it brings some forty libraries, which photographs
// and videos do not need. These functions stand in its place for all that is linked with them, Dear ImGui's backend
// included, and hand each call on. Without the library they fail as SDL does. A function of SDL that is missing here is
// an undefined symbol for the linker: add its line.
#include "CGraphics.h"

#include <CDynamicLibrary.h>
#include <SDL2/SDL_syswm.h>

#define LIBRARY "libSDL2-2.0.so.0"

// Name, result, result on failure, parameters, arguments.
#define FUNCTIONS(F) \
    F(SDL_CaptureMouse, int, -1, (SDL_bool enabled), (enabled)) \
    F(SDL_CreateSystemCursor, SDL_Cursor *, NULL, (SDL_SystemCursor cursor), (cursor)) \
    F(SDL_CreateWindow, SDL_Window *, NULL, (const char *title, int x, int y, int w, int h, Uint32 flags), \
        (title, x, y, w, h, flags)) \
    F(SDL_DestroyWindow, void, (void)0, (SDL_Window *window), (window)) \
    F(SDL_FreeCursor, void, (void)0, (SDL_Cursor *cursor), (cursor)) \
    F(SDL_GL_CreateContext, SDL_GLContext, NULL, (SDL_Window *window), (window)) \
    F(SDL_GL_DeleteContext, void, (void)0, (SDL_GLContext context), (context)) \
    F(SDL_GL_GetDrawableSize, void, (void)0, (SDL_Window *window, int *w, int *h), (window, w, h)) \
    F(SDL_GL_MakeCurrent, int, -1, (SDL_Window *window, SDL_GLContext context), (window, context)) \
    F(SDL_GL_SetAttribute, int, -1, (SDL_GLattr attribute, int value), (attribute, value)) \
    F(SDL_GL_SetSwapInterval, int, -1, (int interval), (interval)) \
    F(SDL_GL_SwapWindow, void, (void)0, (SDL_Window *window), (window)) \
    F(SDL_GameControllerGetAxis, Sint16, 0, (SDL_GameController *controller, SDL_GameControllerAxis axis), \
        (controller, axis)) \
    F(SDL_GameControllerGetButton, Uint8, 0, (SDL_GameController *controller, SDL_GameControllerButton button), \
        (controller, button)) \
    F(SDL_GameControllerOpen, SDL_GameController *, NULL, (int index), (index)) \
    F(SDL_GetClipboardText, char *, NULL, (void), ()) \
    F(SDL_GetCurrentVideoDriver, const char *, NULL, (void), ()) \
    F(SDL_GetDisplayDPI, int, -1, (int display, float *diagonal, float *across, float *down), \
        (display, diagonal, across, down)) \
    F(SDL_GetDisplayUsableBounds, int, -1, (int display, SDL_Rect *bounds), (display, bounds)) \
    F(SDL_GetError, const char *, LIBRARY " cannot be loaded", (void), ()) \
    F(SDL_GetGlobalMouseState, Uint32, 0, (int *x, int *y), (x, y)) \
    F(SDL_GetKeyboardFocus, SDL_Window *, NULL, (void), ()) \
    F(SDL_GetModState, SDL_Keymod, KMOD_NONE, (void), ()) \
    F(SDL_GetMouseFocus, SDL_Window *, NULL, (void), ()) \
    F(SDL_GetMouseState, Uint32, 0, (int *x, int *y), (x, y)) \
    F(SDL_GetPerformanceCounter, Uint64, 0, (void), ()) \
    F(SDL_GetPerformanceFrequency, Uint64, 1, (void), ()) \
    F(SDL_GetRendererOutputSize, int, -1, (SDL_Renderer *renderer, int *w, int *h), (renderer, w, h)) \
    F(SDL_GetVersion, void, (void)0, (SDL_version *version), (version)) \
    F(SDL_GetWindowDisplayIndex, int, -1, (SDL_Window *window), (window)) \
    F(SDL_GetWindowFlags, Uint32, 0, (SDL_Window *window), (window)) \
    F(SDL_GetWindowPosition, void, (void)0, (SDL_Window *window, int *x, int *y), (window, x, y)) \
    F(SDL_GetWindowSize, void, (void)0, (SDL_Window *window, int *w, int *h), (window, w, h)) \
    F(SDL_GetWindowWMInfo, SDL_bool, SDL_FALSE, (SDL_Window *window, SDL_SysWMinfo *system), (window, system)) \
    F(SDL_InitSubSystem, int, -1, (Uint32 flags), (flags)) \
    F(SDL_PollEvent, int, 0, (SDL_Event *event), (event)) \
    F(SDL_QuitSubSystem, void, (void)0, (Uint32 flags), (flags)) \
    F(SDL_SetClipboardText, int, -1, (const char *text), (text)) \
    F(SDL_SetCursor, void, (void)0, (SDL_Cursor *cursor), (cursor)) \
    F(SDL_SetHint, SDL_bool, SDL_FALSE, (const char *name, const char *value), (name, value)) \
    F(SDL_SetHintWithPriority, SDL_bool, SDL_FALSE, (const char *name, const char *value, SDL_HintPriority priority), \
        (name, value, priority)) \
    F(SDL_SetMainReady, void, (void)0, (void), ()) \
    F(SDL_SetTextInputRect, void, (void)0, (const SDL_Rect *place), (place)) \
    F(SDL_SetWindowFullscreen, int, -1, (SDL_Window *window, Uint32 flags), (window, flags)) \
    F(SDL_SetWindowPosition, void, (void)0, (SDL_Window *window, int x, int y), (window, x, y)) \
    F(SDL_SetWindowSize, void, (void)0, (SDL_Window *window, int w, int h), (window, w, h)) \
    F(SDL_SetWindowTitle, void, (void)0, (SDL_Window *window, const char *title), (window, title)) \
    F(SDL_ShowCursor, int, -1, (int toggle), (toggle)) \
    F(SDL_WarpMouseInWindow, void, (void)0, (SDL_Window *window, int x, int y), (window, x, y)) \
    F(SDL_free, void, (void)0, (void *memory), (memory))

CDYNAMICLIBRARY(FUNCTIONS, LIBRARY)

#define DEFINE(name, result, failure, parameters, arguments) \
    result name parameters { \
        if (!is_available()) return failure; \
        return library.name arguments; \
    }
FUNCTIONS(DEFINE)
