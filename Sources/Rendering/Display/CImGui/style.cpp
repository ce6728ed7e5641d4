#include "style.h"

#include <imgui/imgui.h>

#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "font.h"
#include "letters.h"

namespace {

bool has_icons = false;
ImFont *large = nullptr;

// Adds the icons to the font that has been added last.
void add_icons(float pixels) {
    static const ImWchar range[] = {CIMGUI_FIRST_ICON, CIMGUI_LAST_ICON, 0};
    char path[4096];
    if (!cimgui_find_icons(path, sizeof path) || !cimgui_is_font(path)) return;
    ImFontConfig icons;
    icons.MergeMode = true;
    // All of one width, so that labels behind them are aligned.
    icons.GlyphMinAdvanceX = icons.GlyphMaxAdvanceX = 16 * pixels;
    icons.GlyphOffset = ImVec2(0, 1 * pixels);
    has_icons = ImGui::GetIO().Fonts->AddFontFromFileTTF(path, 14 * pixels, &icons, range) != nullptr;
}

}  // namespace

bool cimgui_is_font(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    char magic[4] = {};
    const bool is_read = fread(magic, 1, sizeof magic, file) == sizeof magic;
    fclose(file);
    if (!is_read) return false;
    for (const char *known : {"\0\1\0\0", "OTTO", "true", "ttcf"}) if (!memcmp(magic, known, 4)) return true;
    return false;
}

void cimgui_add_fonts(float pixels) {
    ImFontAtlas *fonts = ImGui::GetIO().Fonts;
    // Glyphs are drawn at the size that they have on the screen, texts are laid out in the window's units.
    ImGui::GetIO().FontGlobalScale = 1 / pixels;
    large = nullptr;
    char path[4096];
    // ImGui ends the program if it cannot read a file or its format: look first.
    if (cimgui_find_font(path, sizeof path) && cimgui_is_font(path)) {
        // A font of other letters that ImGui does not understand takes none of the usual ones.
        for (const bool has_others : {true, false}) {
            has_icons = false;
            if (fonts->AddFontFromFileTTF(path, 16 * pixels, nullptr, cimgui_usual_letters())) {
                add_icons(pixels);
                if (has_others) cimgui_add_letters(pixels);
                static const ImWchar letters[] = {0x20, 0x7E, 0};
                large = fonts->AddFontFromFileTTF(path, 40 * pixels, nullptr, letters);
                if (fonts->Build()) return;
            }
            fonts->Clear();
            large = nullptr;
        }
    }
    // The built-in font has 13 pixels and Latin letters.
    ImFontConfig font;
    font.SizePixels = 13 * pixels;
    fonts->AddFontDefault(&font);
    add_icons(pixels);
}

ImFont *cimgui_large_font(const char *text) {
    for (; *text; text++) if (*text < 0x20 || *text > 0x7E) return nullptr;
    return large;
}

bool cimgui_has_icons(void) { return has_icons; }

// Calm and dark, with one accent: the gold of a bauta.
void cimgui_set_style(void) {
    ImGui::StyleColorsDark();
    ImGuiStyle &style = ImGui::GetStyle();
    style.WindowRounding = 6;
    style.FrameRounding = style.GrabRounding = style.PopupRounding = 4;
    style.WindowPadding = ImVec2(10, 10);
    style.FramePadding = ImVec2(7, 3);
    style.ItemSpacing = ImVec2(8, 6);
    style.WindowBorderSize = 0;
    style.DisabledAlpha = 0.4f;
    const auto grey = [](float value) { return ImVec4(value, value, value * 1.05f, 1); };
    const auto gold = [](float strength) {
        return ImVec4(0.85f * strength, 0.66f * strength, 0.28f * strength, 1);
    };
    ImVec4 *colors = style.Colors;
    colors[ImGuiCol_FrameBg] = grey(0.17f);
    colors[ImGuiCol_FrameBgHovered] = grey(0.22f);
    colors[ImGuiCol_FrameBgActive] = grey(0.25f);
    colors[ImGuiCol_Button] = grey(0.23f);
    colors[ImGuiCol_ButtonHovered] = grey(0.31f);
    colors[ImGuiCol_ButtonActive] = gold(0.7f);
    colors[ImGuiCol_Header] = gold(0.45f);
    colors[ImGuiCol_HeaderHovered] = gold(0.55f);
    colors[ImGuiCol_HeaderActive] = gold(0.65f);
    // The value is written on the grab.
    colors[ImGuiCol_SliderGrab] = gold(0.5f);
    colors[ImGuiCol_SliderGrabActive] = gold(0.65f);
    colors[ImGuiCol_CheckMark] = gold(1);
    colors[ImGuiCol_TitleBg] = colors[ImGuiCol_TitleBgActive] = grey(0.1f);
    colors[ImGuiCol_Separator] = grey(0.25f);
    colors[ImGuiCol_PopupBg] = grey(0.12f);
    colors[ImGuiCol_TextSelectedBg] = gold(0.5f);
    colors[ImGuiCol_NavHighlight] = gold(0.8f);
    colors[ImGuiCol_ResizeGrip] = grey(0.25f);
    colors[ImGuiCol_ResizeGripHovered] = gold(0.6f);
    colors[ImGuiCol_ResizeGripActive] = gold(0.8f);
}
