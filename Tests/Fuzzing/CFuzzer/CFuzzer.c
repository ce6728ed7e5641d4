#include "CFuzzer.h"

// Swift keeps the record of weak references to an object in the object's reference count, not as a plain pointer, so
// that LeakSanitizer does not find it.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:formWeakReference\n"; }
