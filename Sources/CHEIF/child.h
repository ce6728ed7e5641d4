// Running libheif in a child process.
#ifndef CHEIF_CHILD_H
#define CHEIF_CHILD_H

#include "CHEIF.h"

// Runs `body(context)` in a child behind the wall. False with a message if it does not return. No limits: NULL.
bool run_in_child(void (*body)(void *), void *context, const cheif_limits *limits, char *message);

#endif
