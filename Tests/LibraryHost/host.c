// A program that uses the library, and ends with 0 if that has kept its promises. It writes only what went wrong.
//
// usage: host promises|again LIBRARY
#define _GNU_SOURCE
#include <bauta.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int report = 2;

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            dprintf(report, "host.c:%d: not %s\n", __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

enum { WIDTH = 320, HEIGHT = 240 };

static void use(void *library) {
    bauta_result (*open)(const char *, bauta_engine **) = (bauta_result(*)(const char *, bauta_engine **))dlsym(library, "bauta_open");
    void (*close)(bauta_engine *) = (void (*)(bauta_engine *))dlsym(library, "bauta_close");
    bauta_result (*set_mask)(bauta_engine *, const char *) = (bauta_result(*)(bauta_engine *, const char *))dlsym(library, "bauta_set_mask");
    bauta_result (*set_option)(bauta_engine *, const char *, const char *) =
        (bauta_result(*)(bauta_engine *, const char *, const char *))dlsym(library, "bauta_set_option");
    bauta_result (*status)(bauta_engine *) = (bauta_result(*)(bauta_engine *))dlsym(library, "bauta_status");
    bauta_result (*process)(bauta_engine *, bauta_picture *, double) =
        (bauta_result(*)(bauta_engine *, bauta_picture *, double))dlsym(library, "bauta_process");
    const char *(*error_text)(void) = (const char *(*)(void))dlsym(library, "bauta_error_text");
    CHECK(error_text && open && close && set_mask && set_option && status && process);

    static uint8_t pixels[4 * WIDTH * HEIGHT];
    bauta_engine *engine;
    CHECK(open(NULL, &engine) == BAUTA_OK);
    CHECK(set_option(engine, "landmarks", "auto") == BAUTA_OK);
    CHECK(set_option(engine, "no such", "1") == BAUTA_INVALID && strstr(error_text(), "no such"));
    CHECK(set_mask(engine, "no such") == BAUTA_PENDING);
    CHECK(set_mask(engine, "tiger") == BAUTA_PENDING);
    bauta_result result;
    while ((result = status(engine)) == BAUTA_PENDING) usleep(1000);
    CHECK(result == BAUTA_OK);
    for (int number = 0; number < 10; ++number) {
        bauta_picture picture = {
            .size = sizeof picture, .format = BAUTA_RGBA, .width = WIDTH, .height = HEIGHT, .planes = {pixels},
            .strides = {4 * WIDTH}};
        CHECK(process(engine, &picture, number / 25.0) == BAUTA_OK);
    }
    close(engine);
}

static long resident_pages(void) {
    long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%ld %ld", &size, &resident) == 2);
    fclose(file);
    return resident;
}

// How many threads there are; one that has done its work may still be leaving.
static long threads_now(void) {
    char line[256];
    long count = -1;
    FILE *file = fopen("/proc/self/status", "r");
    CHECK(file);
    while (fgets(line, sizeof line, file)) sscanf(line, "Threads: %ld", &count);
    fclose(file);
    return count;
}

static bool is_alone(void) {
    for (int look = 0; look < 6000 && threads_now() != 1; ++look) usleep(10000);
    return threads_now() == 1;
}

// A thread with a small stack, which is not the main thread.
static void *use_on_thread(void *library) {
    use(library);
    return NULL;
}

static void promises(const char *path) {
    struct sigaction before[65], after;
    sigset_t mask_before, mask_after;
    struct sigaction own = {.sa_handler = SIG_DFL};
    sigaction(SIGPIPE, &own, NULL);
    for (int number = 1; number < 65; ++number) sigaction(number, NULL, &before[number]);
    pthread_sigmask(SIG_SETMASK, NULL, &mask_before);
    const mode_t creation = umask(022);
    umask(creation);
    char *folder = getcwd(NULL, 0), *language = strdup(setlocale(LC_ALL, NULL));
    const int output = open("output", O_RDWR | O_CREAT | O_TRUNC, 0600);
    report = dup(2);
    CHECK(output >= 0 && report >= 0 && dup2(output, 1) == 1 && dup2(output, 2) == 2);

    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(library);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    pthread_t thread;
    CHECK(pthread_create(&thread, &attributes, use_on_thread, library) == 0 && pthread_join(thread, NULL) == 0);

    for (int number = 1; number < 65; ++number) {
        if (number == 32 || number == 33) continue;  // of the C library
        sigaction(number, NULL, &after);
        CHECK(before[number].sa_handler == after.sa_handler && before[number].sa_flags == after.sa_flags);
    }
    pthread_sigmask(SIG_SETMASK, NULL, &mask_after);
    for (int number = 1; number < 65; ++number) CHECK(sigismember(&mask_before, number) == sigismember(&mask_after, number));
    const mode_t creation_after = umask(creation);
    CHECK(creation == creation_after);
    CHECK(strcmp(folder, getcwd(NULL, 0)) == 0 && strcmp(language, setlocale(LC_ALL, NULL)) == 0);
    fflush(NULL);
    CHECK(lseek(output, 0, SEEK_END) == 0);
    CHECK(is_alone());
}

static void again(const char *path) {
    long pages = 0;
    for (int number = 0; number < 20; ++number) {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        CHECK(library);
        use(library);
        CHECK(dlclose(library) == 0);
        CHECK(is_alone());
        if (number == 9) pages = resident_pages();
    }
    // 32 MiB, far less than ten engines have.
    CHECK(resident_pages() - pages < 32 << 20 >> 12);
}

int main(int count, char **words) {
    CHECK(count == 3);
    if (strcmp(words[1], "again") == 0) again(words[2]);
    else promises(words[2]);
    return 0;
}
