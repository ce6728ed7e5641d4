// Lets a file go over a window, as a file manager does (XDND, version 5): drag_source WINDOW URI
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Display *display;

static Atom atom(const char *name) { return XInternAtom(display, name, False); }

static void tell(Window source, Window target, const char *what, long b, long c, long d, long e) {
    XEvent event = {0};
    event.xclient.type = ClientMessage;
    event.xclient.display = display;
    event.xclient.window = target;
    event.xclient.message_type = atom(what);
    event.xclient.format = 32;
    const long data[] = {(long)source, b, c, d, e};
    memcpy(event.xclient.data.l, data, sizeof data);
    XSendEvent(display, target, False, NoEventMask, &event);
    XFlush(display);
}

int main(int count, char **words) {
    if (count != 3 || !(display = XOpenDisplay(NULL))) {
        fputs("drag_source WINDOW URI, with a display\n", stderr);
        return 64;
    }
    const Window target = strtoul(words[1], NULL, 0);
    char text[4096];
    snprintf(text, sizeof text, "%s\r\n", words[2]);
    const Window source = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
    const Atom uris = atom("text/uri-list"), copy = atom("XdndActionCopy");
    XSetSelectionOwner(display, atom("XdndSelection"), source, CurrentTime);
    tell(source, target, "XdndEnter", 5L << 24, (long)uris, 0, 0);
    tell(source, target, "XdndPosition", 0, 200L << 16 | 200, CurrentTime, (long)copy);
    for (;;) {
        XEvent event;
        XNextEvent(display, &event);
        if (event.type == SelectionRequest) {
            const XSelectionRequestEvent *asked = &event.xselectionrequest;
            XChangeProperty(display, asked->requestor, asked->property, uris, 8, PropModeReplace,
                            (unsigned char *)text, (int)strlen(text));
            XEvent answer = {0};
            answer.xselection = (XSelectionEvent){
                .type = SelectionNotify, .display = display, .requestor = asked->requestor,
                .selection = asked->selection, .target = asked->target, .property = asked->property,
                .time = asked->time};
            XSendEvent(display, asked->requestor, False, NoEventMask, &answer);
            XFlush(display);
        } else if (event.type == ClientMessage && event.xclient.message_type == atom("XdndStatus")) {
            if (!(event.xclient.data.l[1] & 1)) {
                fputs("the window does not take it\n", stderr);
                return 1;
            }
            tell(source, target, "XdndDrop", 0, CurrentTime, 0, 0);
        } else if (event.type == ClientMessage && event.xclient.message_type == atom("XdndFinished")) {
            return 0;
        }
    }
}
