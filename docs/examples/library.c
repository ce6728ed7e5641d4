// Masks the faces of a video: reads raw pictures from standard input and writes them, masked, to standard output.
//
//   cc library.c $(pkg-config --cflags --libs bauta) -o mask-faces
//   ffmpeg -v error -i film.mp4 -f rawvideo -pix_fmt yuv420p - | ./mask-faces 1280 720 25 tiger |
//       ffmpeg -f rawvideo -pix_fmt yuv420p -s 1280x720 -r 25 -i - masked.mp4
#define _POSIX_C_SOURCE 200809L
#include <bauta.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int failed(const char *what) {
    fprintf(stderr, "%s: %s\n", what, bauta_error_text());
    return EXIT_FAILURE;
}

int main(int count, char **words) {
    if (count != 5) {
        fprintf(stderr, "usage: mask-faces WIDTH HEIGHT FRAMES-PER-SECOND MASK\n");
        return EXIT_FAILURE;
    }
    const uint32_t width = (uint32_t)atoi(words[1]), height = (uint32_t)atoi(words[2]);
    const double rate = atof(words[3]);
    const size_t half = (width + 1) / 2, rows = (height + 1) / 2;
    const size_t brightness = (size_t)width * height, size = brightness + 2 * half * rows;
    uint8_t *pixels = malloc(size);
    if (!pixels) return EXIT_FAILURE;

    bauta_engine *engine;
    if (bauta_open(NULL, &engine) != BAUTA_OK) return failed("bauta_open");
    // The same video always has the same result.
    if (bauta_set_option(engine, "wait", "on") != BAUTA_OK) return failed("wait");
    bauta_set_mask(engine, words[4]);
    bauta_result status;
    while ((status = bauta_status(engine)) == BAUTA_PENDING)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    if (status != BAUTA_OK) return failed(words[4]);

    bauta_picture picture = {
        .size = sizeof picture, .format = BAUTA_I420, .width = width, .height = height,
        .planes = {pixels, pixels + brightness, pixels + brightness + half * rows},
        .strides = {(ptrdiff_t)width, (ptrdiff_t)half, (ptrdiff_t)half},
    };
    for (int frame = 0; fread(pixels, 1, size, stdin) == size; ++frame) {
        if (bauta_process(engine, &picture, frame / rate) != BAUTA_OK) return failed("bauta_process");
        if (fwrite(pixels, 1, size, stdout) != size) return EXIT_FAILURE;
    }
    bauta_close(engine);
    free(pixels);
    return EXIT_SUCCESS;
}
