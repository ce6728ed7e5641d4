#include "CDynamicLibrary.h"

#include <dlfcn.h>
#include <string.h>

static bool load(const char *file, const char *const names[], size_t count, void *table) {
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return false;
    for (size_t index = 0; index < count; ++index) {
        void *symbol = dlsym(handle, names[index]);
        if (!symbol) {
            dlclose(handle);
            return false;
        }
        memcpy((char *)table + index * sizeof symbol, &symbol, sizeof symbol);
    }
    return true;
}

bool cdynamiclibrary_load(
    const char *const files[], size_t file_count, const char *const names[], size_t count, void *table) {
    for (size_t index = 0; index < file_count; ++index) {
        if (load(files[index], names, count, table)) return true;
    }
    return false;
}
