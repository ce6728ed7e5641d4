// Writes what is in a window to a file: window_picture WINDOW FILE.ppm
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char **words) {
    Display *display = count == 3 ? XOpenDisplay(NULL) : NULL;
    if (!display) {
        fputs("window_picture WINDOW FILE.ppm, with a display\n", stderr);
        return 64;
    }
    // Xlib ends the program with a message where there is no such window.
    const Window window = strtoul(words[1], NULL, 0);
    XWindowAttributes shape;
    if (!XGetWindowAttributes(display, window, &shape)) return 1;
    // A window that has just been restored is not there yet.
    for (int looks = 0; shape.map_state != IsViewable && looks < 1000; looks++) {
        usleep(10000);
        if (!XGetWindowAttributes(display, window, &shape)) return 1;
    }
    XImage *image = XGetImage(
        display, window, 0, 0, (unsigned)shape.width, (unsigned)shape.height, AllPlanes, ZPixmap);
    if (!image || image->bits_per_pixel != 32 || image->byte_order != LSBFirst) {
        fputs("window_picture: pixels of 32 bits are needed, blue first\n", stderr);
        return 1;
    }
    FILE *file = fopen(words[2], "wb");
    unsigned char *line = malloc(3 * (size_t)shape.width);
    if (!file || !line) return 1;
    fprintf(file, "P6 %d %d 255\n", shape.width, shape.height);
    for (int y = 0; y < shape.height; y++) {
        const unsigned char *pixels = (unsigned char *)image->data + (size_t)y * (size_t)image->bytes_per_line;
        for (int x = 0; x < shape.width; x++)
            for (int channel = 0; channel < 3; channel++) line[3 * x + channel] = pixels[4 * x + 2 - channel];
        fwrite(line, 3, (size_t)shape.width, file);
    }
    return ferror(file) || fclose(file) ? 1 : 0;
}
