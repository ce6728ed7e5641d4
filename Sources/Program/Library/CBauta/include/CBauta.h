// What Swift cannot do of the library `libbauta`: a text for each thread, and the path of the library's file.
#ifndef CBAUTA_H
#define CBAUTA_H

#include "bauta.h"

// Sets what `bauta_error_text` returns on the calling thread; a text that is too long is cut off. Copied.
void cbauta_set_error_text(const char *text);

// The path of the file that this function lies in, as the loader has it; NULL if it does not say. Static.
const char *cbauta_library_path(void);

#endif
