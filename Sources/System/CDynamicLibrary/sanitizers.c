// What sanitizers have to be told of libraries that are not built with them. Empty in other builds.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#if defined(__has_feature)

#if __has_feature(address_sanitizer)
// What a library has leaked has no names once it is unloaded, so that scripts/sanitizers/address.txt could not tell it from
// our own. Libraries stay.
int dlclose(void *library) {
    (void)library;
    return 0;
}
#endif

#if __has_feature(thread_sanitizer)
// Swift's Mutex is taken and given back by code that is compiled with ours, but where another thread holds it or waits for
// it, in Swift's library. ThreadSanitizer would take what the mutex protects for a race then. These functions come in
// place of the library's, call them, and tell.
void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SLOW_LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define SLOW_UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void lock_function(uint32_t thread, __attribute__((swift_context)) void *mutex);
typedef __attribute__((swiftcall)) void unlock_function(__attribute__((swift_context)) void *mutex);

__attribute__((swiftcall)) void slow_lock(uint32_t thread, __attribute__((swift_context)) void *mutex)
    __asm__(SLOW_LOCK);
__attribute__((swiftcall)) void slow_lock(uint32_t thread, __attribute__((swift_context)) void *mutex) {
    ((lock_function *)dlsym(RTLD_NEXT, SLOW_LOCK))(thread, mutex);
    __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void slow_unlock(__attribute__((swift_context)) void *mutex) __asm__(SLOW_UNLOCK);
__attribute__((swiftcall)) void slow_unlock(__attribute__((swift_context)) void *mutex) {
    __tsan_release(mutex);
    ((unlock_function *)dlsym(RTLD_NEXT, SLOW_UNLOCK))(mutex);
}
#endif

#endif
