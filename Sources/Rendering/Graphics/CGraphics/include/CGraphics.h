// SDL2 and the core profile of OpenGL, for Swift to import.
//
// libOpenGL is glvnd's library of plain OpenGL: it serves contexts of EGL (off screen, Wayland) and of GLX (X11) alike.
#ifndef CGRAPHICS_H
#define CGRAPHICS_H

#define SDL_MAIN_HANDLED
#include <SDL2/SDL.h>

#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>

#endif
