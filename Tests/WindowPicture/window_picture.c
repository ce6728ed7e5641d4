// Writes what is in a window to a file: window_picture WINDOW FILE.ppm
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Of the last request that failed; 0: none did.
static int error;

static int note(Display *display, XErrorEvent *event) {
    (void)display;
    error = event->error_code;
    return 0;
}

// What is shown; NULL where the window is not on the screen.
static XImage *read_window(Display *display, Window window, XWindowAttributes *found) {
    XWindowAttributes shape = {0};
    error = 0;
    const int is_there = XGetWindowAttributes(display, window, &shape);
    *found = shape;
    if (!is_there || shape.map_state != IsViewable) return NULL;
    return XGetImage(display, window, 0, 0, (unsigned)shape.width, (unsigned)shape.height, AllPlanes, ZPixmap);
}

int main(int count, char **words) {
    Display *display = count == 3 ? XOpenDisplay(NULL) : NULL;
    if (!display) {
        fputs("window_picture WINDOW FILE.ppm, with a display\n", stderr);
        return 64;
    }
    // A window that has just been restored comes and goes once more.
    XSetErrorHandler(note);
    const Window window = strtoul(words[1], NULL, 0);
    XWindowAttributes shape;
    XImage *image = read_window(display, window, &shape);
    for (int looks = 0; !image && looks < 1000; looks++) {
        usleep(10000);
        image = read_window(display, window, &shape);
    }
    if (!image) {
        fprintf(stderr, "window_picture: no picture of window %s: X error %d, map state %d, %d x %d at %d, %d\n", words[1],
                error, shape.map_state, shape.width, shape.height, shape.x, shape.y);
        return 1;
    }
    if (image->bits_per_pixel != 32 || image->byte_order != LSBFirst) {
        fputs("window_picture: the window's pixels are not of 32 bits, blue first\n", stderr);
        return 1;
    }
    FILE *file = fopen(words[2], "wb");
    unsigned char *line = malloc(3 * (size_t)image->width);
    if (!file || !line) return 1;
    fprintf(file, "P6 %d %d 255\n", image->width, image->height);
    for (int y = 0; y < image->height; y++) {
        const unsigned char *pixels = (unsigned char *)image->data + (size_t)y * (size_t)image->bytes_per_line;
        for (int x = 0; x < image->width; x++)
            for (int channel = 0; channel < 3; channel++) line[3 * x + channel] = pixels[4 * x + 2 - channel];
        fwrite(line, 3, (size_t)image->width, file);
    }
    return ferror(file) || fclose(file) ? 1 : 0;
}
