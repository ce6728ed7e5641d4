#include "PreciseOpenGL.h"

#include <stdlib.h>

// Before any thread reads the environment.
__attribute__((constructor)) static void ask_for_precision(void) { setenv("GALLIVM_PERF", "no_aos_sampling", 0); }
