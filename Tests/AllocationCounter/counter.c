#include "AllocationCounter.h"

#include <errno.h>
#include <stddef.h>

// glibc's own, under the names that stay when a program brings others.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static __thread uint64_t count __attribute__((tls_model("initial-exec")));

uint64_t allocation_count(void) { return count; }

// Sanitizers bring allocation functions of their own, which must see every allocation.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

void *malloc(size_t size) {
    ++count;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    ++count;
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    ++count;
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    ++count;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    void *memory = memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}

#endif
