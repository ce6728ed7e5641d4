// Libraries that are loaded when they are first needed, so that the program's start does not wait for them.
//
//     #define FUNCTIONS(F) F(xnn_initialize) F(xnn_deinitialize)
//     CDYNAMICLIBRARY(FUNCTIONS, "libXNNPACK.so.0", "libXNNPACK.so.0.20241108")
//
// after the functions' declarations defines the table `library` with a pointer to each function, and `is_available()`,
// which loads the library on the first call and returns whether it has all the functions. Its names on the systems that have
// it are tried in turn; a library that lacks a function is passed over. The table must not be used
// before `is_available()` has returned true. Any thread may call it. The list may have more arguments after each name, for
// uses of its own.
#ifndef CDYNAMICLIBRARY_H
#define CDYNAMICLIBRARY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

// Loads the first of `file_count` libraries that is there with all symbols, and stores the addresses of the `count` symbols
// at `table`, an array of function pointers. A symbol is also found in what the library itself depends on. Returns false
// when there is no such library.
bool cdynamiclibrary_load(
    const char *const files[], size_t file_count, const char *const names[], size_t count, void *table);

#define CDYNAMICLIBRARY_MEMBER(name, ...) __typeof__(name) *name;
#define CDYNAMICLIBRARY_NAME(name, ...) #name,

#define CDYNAMICLIBRARY(FUNCTIONS, ...) \
    static struct { FUNCTIONS(CDYNAMICLIBRARY_MEMBER) } library; \
    static bool is_library_loaded; \
    static void load_library(void) { \
        static const char *const files[] = {__VA_ARGS__}; \
        static const char *const names[] = {FUNCTIONS(CDYNAMICLIBRARY_NAME)}; \
        is_library_loaded = cdynamiclibrary_load( \
            files, sizeof files / sizeof *files, names, sizeof names / sizeof *names, &library); \
    } \
    static bool is_available(void) { \
        static pthread_once_t once = PTHREAD_ONCE_INIT; \
        pthread_once(&once, load_library); \
        return is_library_loaded; \
    }

#endif
