// What becomes of a window whose display server ends.
#include "CGraphics.h"

#include <SDL2/SDL_syswm.h>
#include <dlfcn.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_bool is_lost;

void cgraphics_lose_display(void) {
    if (!atomic_exchange(&is_lost, true)) fputs("bauta: the display server has ended\n", stderr);
}

bool cgraphics_display_is_lost(void) { return is_lost; }

// Where this thread goes on when the server ends while SDL looks for events; NULL: nowhere.
static _Thread_local jmp_buf *way_out;

// SDL uses names that a server which has ended no longer gives. Once another thread has noticed that, Xlib's calls return
// nothing here without a word: SDL is not asked again. Only what it is in the middle of then is not covered.
int cgraphics_poll_event(SDL_Event *event) {
    if (is_lost) return 0;
    jmp_buf here;
    if (setjmp(here)) {
        way_out = NULL;
        return 0;
    }
    way_out = &here;
    const int has_event = SDL_PollEvent(event);
    way_out = NULL;
    return has_event;
}

#ifdef SDL_VIDEO_DRIVER_X11
// Xlib's own handlers end the process, from whatever thread and in the middle of its work. After these, its calls for this
// display do nothing.
static int handle_error(Display *display) {
    (void)display;
    cgraphics_lose_display();
    return 0;
}

static void go_on(Display *display, void *data) {
    (void)display, (void)data;
    if (way_out) longjmp(*way_out, 1);
}

typedef void set_error_handler(int (*)(Display *));
typedef void set_exit_handler(Display *, void (*)(Display *, void *), void *);

void cgraphics_watch_display(SDL_Window *window) {
    SDL_SysWMinfo system;
    SDL_VERSION(&system.version);
    if (!SDL_GetWindowWMInfo(window, &system) || system.subsystem != SDL_SYSWM_X11) return;
    // SDL has loaded the library.
    void *library = dlopen("libX11.so.6", RTLD_NOW | RTLD_NOLOAD);
    if (!library) return;
    set_error_handler *set_error = (set_error_handler *)dlsym(library, "XSetIOErrorHandler");
    // Since libX11 1.7.
    set_exit_handler *set_exit = (set_exit_handler *)dlsym(library, "XSetIOErrorExitHandler");
    if (!set_error || !set_exit) return;
    set_error(handle_error);
    set_exit(system.info.x11.display, go_on, NULL);
}
#else
void cgraphics_watch_display(SDL_Window *window) { (void)window; }
#endif
