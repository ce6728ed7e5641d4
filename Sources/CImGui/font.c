#include "font.h"

#include <CDynamicLibrary.h>
#include <fontconfig/fontconfig.h>
#include <stdio.h>

#define FUNCTIONS(F) \
    F(FcConfigSubstitute) F(FcDefaultSubstitute) F(FcFontMatch) F(FcLangSetAdd) F(FcLangSetCreate) \
    F(FcLangSetDestroy) F(FcPatternAddBool) F(FcPatternAddLangSet) F(FcPatternAddString) F(FcPatternCreate) \
    F(FcPatternDestroy) F(FcPatternGetInteger) F(FcPatternGetString)

CDYNAMICLIBRARY("libfontconfig.so.1", FUNCTIONS)

static const FcChar8 *bytes(const char *text) { return (const FcChar8 *)text; }

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
    library.FcConfigSubstitute(NULL, wanted, FcMatchPattern);
    library.FcDefaultSubstitute(wanted);
    FcResult result;
    FcPattern *found = library.FcFontMatch(NULL, wanted, &result);
    bool is_found = false;
    if (found) {
        FcChar8 *file = NULL;
        int index = 0;
        library.FcPatternGetInteger(found, FC_INDEX, 0, &index);
        // ImGui reads the first font of a file.
        if (library.FcPatternGetString(found, FC_FILE, 0, &file) == FcResultMatch && index == 0) {
            const int length = snprintf(path, capacity, "%s", (const char *)file);
            is_found = length > 0 && (size_t)length < capacity;
        }
        library.FcPatternDestroy(found);
    }
    library.FcLangSetDestroy(languages);
    library.FcPatternDestroy(wanted);
    return is_found;
}
