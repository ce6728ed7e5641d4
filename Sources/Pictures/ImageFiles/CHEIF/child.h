// Running libheif in a child process.
#ifndef CHEIF_CHILD_H
#define CHEIF_CHILD_H

#include <libheif/heif.h>
#include <stdio.h>

#include "CHEIF.h"

// Leaves a message, which has room for CHEIF_MESSAGE bytes. Returns false.
static inline bool fail(char *message, const char *text) {
    snprintf(message, CHEIF_MESSAGE, "%s", text);
    return false;
}

// Whether libheif says that all is well; leaves a message otherwise.
static inline bool succeeded(char *message, struct heif_error error) {
    return error.code == heif_error_Ok || fail(message, error.message ? error.message : "no reason is given");
}

// Takes over the message that a child has left, CHEIF_MESSAGE bytes of anything.
static inline void take_message(char *message, const char *left) {
    snprintf(message, CHEIF_MESSAGE, "%.*s", CHEIF_MESSAGE - 1, left[0] ? left : "not enough memory");
}

// Runs `body(context)` in a child behind the wall. False with a message if it does not return. No limits: NULL.
bool run_in_child(void (*body)(void *), void *context, const cheif_limits *limits, char *message);

#endif
