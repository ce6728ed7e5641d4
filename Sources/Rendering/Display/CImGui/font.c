#include "font.h"

#include <CDynamicLibrary.h>
#include <fontconfig/fontconfig.h>
#include <stdio.h>
#include <string.h>

#define FUNCTIONS(F) \
    F(FcCharSetAddChar) F(FcCharSetCreate) F(FcCharSetDestroy) F(FcCharSetHasChar) F(FcConfigSubstitute) \
    F(FcDefaultSubstitute) F(FcFontMatch) F(FcLangSetAdd) F(FcLangSetCreate) F(FcLangSetDestroy) F(FcPatternAddBool) \
    F(FcPatternAddCharSet) F(FcPatternAddLangSet) F(FcPatternAddString) F(FcPatternCreate) F(FcPatternDestroy) \
    F(FcPatternGetCharSet) F(FcPatternGetInteger) F(FcPatternGetString)

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

size_t cimgui_find_letters(uint32_t *letters, size_t count, char *path, size_t capacity, int *index) {
    if (!is_available()) return 0;
    FcPattern *wanted = library.FcPatternCreate();
    FcCharSet *characters = library.FcCharSetCreate();
    if (!wanted || !characters) return 0;
    for (size_t i = 0; i < count; i++) library.FcCharSetAddChar(characters, letters[i]);
    library.FcPatternAddString(wanted, FC_FAMILY, bytes("sans-serif"));
    library.FcPatternAddCharSet(wanted, FC_CHARSET, characters);
    library.FcPatternAddBool(wanted, FC_SCALABLE, FcTrue);
    // ImGui reads neither of these two.
    library.FcPatternAddBool(wanted, FC_VARIABLE, FcFalse);
    library.FcPatternAddBool(wanted, FC_COLOR, FcFalse);
    library.FcConfigSubstitute(NULL, wanted, FcMatchPattern);
    library.FcDefaultSubstitute(wanted);
    FcResult result;
    FcPattern *found = library.FcFontMatch(NULL, wanted, &result);
    library.FcPatternDestroy(wanted);
    library.FcCharSetDestroy(characters);
    if (!found) return 0;
    FcCharSet *all = NULL;
    FcChar8 *file = NULL;
    size_t covered = 0;
    *index = 0;
    library.FcPatternGetInteger(found, FC_INDEX, 0, index);
    // Beyond 16 bits it names an instance of a variable font.
    const bool is_usable = *index >= 0 && *index <= 0xFFFF
        && library.FcPatternGetCharSet(found, FC_CHARSET, 0, &all) == FcResultMatch
        && library.FcPatternGetString(found, FC_FILE, 0, &file) == FcResultMatch;
    const int length = is_usable ? snprintf(path, capacity, "%s", (const char *)file) : 0;
    if (length > 0 && (size_t)length < capacity) {
        for (size_t i = 0; i < count; i++) {
            if (!library.FcCharSetHasChar(all, letters[i])) continue;
            const uint32_t letter = letters[i];
            letters[i] = letters[covered];
            letters[covered++] = letter;
        }
    }
    library.FcPatternDestroy(found);
    return covered;
}
