// A font with the letters of all scripts would take seconds to build: of Chinese and Japanese alone there are 20,000.
#include "letters.h"

#include "font.h"
#include "style.h"

#include <imgui/imgui_internal.h>

#include <algorithm>
#include <deque>
#include <vector>

namespace {

// Latin with its extensions, Greek, Cyrillic, punctuation, currencies and arrows.
const ImWchar usual[] = {
    0x0020, 0x024F, 0x0370, 0x03FF, 0x0400, 0x052F, 0x1E00, 0x1EFF, 0x2010, 0x205E, 0x20A0, 0x20BF, 0x2190, 0x2193, 0};

// Those of the texts so far, each once. More than the limit are in no list of names.
std::vector<uint32_t> noted;
constexpr size_t limit = 3000;
bool is_new;

// The ranges of each font that has been added: they must be there until the fonts are built.
std::deque<std::vector<ImWchar>> ranges;

bool is_usual(uint32_t letter) {
    for (const ImWchar *range = usual; *range; range += 2) if (letter >= range[0] && letter <= range[1]) return true;
    return letter < 0x20;
}

}  // namespace

const ImWchar *cimgui_usual_letters(void) { return usual; }

void cimgui_note_letters(const char *text) {
    while (*text) {
        if (static_cast<unsigned char>(*text) < 0x80) {
            text++;
            continue;
        }
        unsigned int letter = 0;
        const int length = ImTextCharFromUtf8(&letter, text, nullptr);
        if (length <= 0) return;
        text += length;
        // Icons have a font of their own.
        const bool is_private = letter >= 0xE000 && letter <= 0xF8FF;
        if (letter > IM_UNICODE_CODEPOINT_MAX || letter == IM_UNICODE_CODEPOINT_INVALID || is_private || is_usual(letter)) continue;
        if (noted.size() >= limit || std::find(noted.begin(), noted.end(), letter) != noted.end()) continue;
        noted.push_back(letter);
        is_new = true;
    }
}

bool cimgui_has_new_letters(void) { return is_new; }

void cimgui_add_letters(float pixels) {
    is_new = false;
    ranges.clear();
    std::vector<uint32_t> missing = noted;
    // Each font has some of them.
    for (int fonts = 0; fonts < 4 && !missing.empty(); fonts++) {
        char path[4096];
        ImFontConfig font;
        const size_t count = cimgui_find_letters(missing.data(), missing.size(), path, sizeof path, &font.FontNo);
        if (count == 0 || !cimgui_is_font(path)) return;
        ranges.emplace_back();
        for (size_t i = 0; i < count; i++)
            for (int end = 0; end < 2; end++) ranges.back().push_back(static_cast<ImWchar>(missing[i]));
        ranges.back().push_back(0);
        missing.erase(missing.begin(), missing.begin() + static_cast<ptrdiff_t>(count));
        font.MergeMode = true;
        ImGui::GetIO().Fonts->AddFontFromFileTTF(path, 16 * pixels, &font, ranges.back().data());
    }
}
