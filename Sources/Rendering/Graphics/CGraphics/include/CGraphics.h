// SDL2 and the core profile of OpenGL, for Swift to import.
//
// libOpenGL is glvnd's library of plain OpenGL: it serves contexts of EGL (off screen, Wayland) and of GLX (X11) alike.
#ifndef CGRAPHICS_H
#define CGRAPHICS_H

#define SDL_MAIN_HANDLED
#include <SDL2/SDL.h>

#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>

#include <stdbool.h>

// Without it, the end of an X server ends the process at once, from inside Xlib.
void cgraphics_watch_display(SDL_Window *window);

// Whether the display server has ended: no window can be used any more, nor closed. It stays so.
bool cgraphics_display_is_lost(void);

// As SDL_PollEvent; 0 also when the display server ends meanwhile.
int cgraphics_poll_event(SDL_Event *event);

// Notes that it has ended, as SDL tells of Wayland, and says so on standard error.
void cgraphics_lose_display(void);

#endif
