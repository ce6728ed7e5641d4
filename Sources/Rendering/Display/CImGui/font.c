#include "font.h"

#include <CDynamicLibrary.h>
#include <fontconfig/fontconfig.h>
#include <stdio.h>
#include <string.h>

#define FUNCTIONS(F) \
    F(FcConfigSubstitute) F(FcDefaultSubstitute) F(FcFontMatch) F(FcLangSetAdd) F(FcLangSetCreate) \
    F(FcLangSetDestroy) F(FcPatternAddBool) F(FcPatternAddLangSet) F(FcPatternAddString) F(FcPatternCreate) \
    F(FcPatternDestroy) F(FcPatternGetInteger) F(FcPatternGetString)

CDYNAMICLIBRARY(FUNCTIONS, "libfontconfig.so.1")

static const FcChar8 *bytes(const char *text) { return (const FcChar8 *)text; }

// Writes the path of the font that fits best, and frees the pattern. Returns false if there is none, or if it is not of
// that family.
static bool find(FcPattern *wanted, const char *family, char *path, size_t capacity) {
    library.FcConfigSubstitute(NULL, wanted, FcMatchPattern);
    library.FcDefaultSubstitute(wanted);
    FcResult result;
    FcPattern *found = library.FcFontMatch(NULL, wanted, &result);
    library.FcPatternDestroy(wanted);
    if (!found) return false;
    FcChar8 *file = NULL, *name = NULL;
    int index = 0;
    library.FcPatternGetInteger(found, FC_INDEX, 0, &index);
    bool is_found = true;
    if (family) {
        is_found = library.FcPatternGetString(found, FC_FAMILY, 0, &name) == FcResultMatch
            && strcmp((const char *)name, family) == 0;
    }
    // ImGui reads the first font of a file.
    if (is_found && library.FcPatternGetString(found, FC_FILE, 0, &file) == FcResultMatch && index == 0) {
        const int length = snprintf(path, capacity, "%s", (const char *)file);
        is_found = length > 0 && (size_t)length < capacity;
    } else {
        is_found = false;
    }
    library.FcPatternDestroy(found);
    return is_found;
}

bool cimgui_find_font(char *path, size_t capacity) {
    if (!is_available()) return false;
    FcPattern *wanted = library.FcPatternCreate();
    FcLangSet *languages = library.FcLangSetCreate();
    if (!wanted || !languages) return false;
    library.FcPatternAddString(wanted, FC_FAMILY, bytes("Inter"));
    library.FcPatternAddString(wanted, FC_FAMILY, bytes("sans-serif"));
    library.FcLangSetAdd(languages, bytes("en"));
    library.FcLangSetAdd(languages, bytes("el"));
    library.FcLangSetAdd(languages, bytes("ru"));
    library.FcPatternAddLangSet(wanted, FC_LANG, languages);
    library.FcPatternAddBool(wanted, FC_SCALABLE, FcTrue);
    library.FcPatternAddBool(wanted, FC_VARIABLE, FcFalse);
    const bool is_found = find(wanted, NULL, path, capacity);
    library.FcLangSetDestroy(languages);
    return is_found;
}

bool cimgui_find_icons(char *path, size_t capacity) {
    if (!is_available()) return false;
    FcPattern *wanted = library.FcPatternCreate();
    if (!wanted) return false;
    // The family of version 4, whose code points the windows use.
    library.FcPatternAddString(wanted, FC_FAMILY, bytes("FontAwesome"));
    return find(wanted, "FontAwesome", path, capacity);
}
