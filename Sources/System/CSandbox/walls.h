// The parts of a wall: made before the child exists, since that allocates and opens files, and put up in the child.
#ifndef CSANDBOX_WALLS_H
#define CSANDBOX_WALLS_H

#include "CSandbox.h"

typedef struct {
    csandbox_limits limits;
    int ruleset;  // of Landlock; -1 for none
} csandbox_wall;

csandbox_wall csandbox_prepare(const csandbox_limits *limits);
void csandbox_discard(csandbox_wall *wall);

// Calls only functions that are safe after fork in a process with threads. `memory_before`: address space that is not
// counted, in bytes. Returns false when a limit that the kernel offers cannot be set.
bool csandbox_put_up(const csandbox_wall *wall, uint64_t memory_before);

#endif
