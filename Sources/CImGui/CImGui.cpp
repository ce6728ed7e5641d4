#include "CImGui.h"

#include <SDL2/SDL.h>
#include <imgui/backends/imgui_impl_opengl3.h>
#include <imgui/backends/imgui_impl_sdl.h>
#include <imgui/imgui.h>

bool cimgui_start(void *window, void *context, float scale) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    // No file of window positions in whatever folder the program was started from.
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::StyleColorsDark();
    ImGui::GetStyle().WindowRounding = 6;
    ImGui::GetStyle().ScaleAllSizes(scale);
    // The built-in font has 13 pixels and Latin letters, which is all that the labels need.
    ImFontConfig font;
    font.SizePixels = 13 * (scale < 1 ? 1 : scale);
    ImGui::GetIO().Fonts->AddFontDefault(&font);
    return ImGui_ImplSDL2_InitForOpenGL(static_cast<SDL_Window *>(window), context)
        && ImGui_ImplOpenGL3_Init("#version 330 core");
}

void cimgui_stop(void) {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplSDL2_Shutdown();
    ImGui::DestroyContext();
}

void cimgui_process_event(const void *event) { ImGui_ImplSDL2_ProcessEvent(static_cast<const SDL_Event *>(event)); }
bool cimgui_wants_text(void) { return ImGui::GetIO().WantTextInput; }

void cimgui_begin_frame(void) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplSDL2_NewFrame();
    ImGui::NewFrame();
}

void cimgui_end_frame(void) {
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool cimgui_begin_panel(const char *title, bool *is_open, float x, float y, float width, float height) {
    ImGui::SetNextWindowPos(ImVec2(x, y), ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowSize(ImVec2(width, height), ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowBgAlpha(0.85f);
    return ImGui::Begin(title, is_open, ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNavInputs);
}

void cimgui_end_panel(void) { ImGui::End(); }

void cimgui_overlay(const char *name, const char *text, float x, float y, float alpha, bool is_alarm) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(x * size.x, y * size.y), ImGuiCond_Always, ImVec2(x, y));
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, alpha);
    ImGui::PushStyleColor(
        ImGuiCol_WindowBg, is_alarm ? ImVec4(0.45f, 0.05f, 0.05f, 0.85f) : ImVec4(0.05f, 0.05f, 0.05f, 0.7f));
    ImGui::Begin(
        name, nullptr,
        ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_AlwaysAutoResize
            | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PushTextWrapPos(size.x * 0.9f);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
}

void cimgui_heading(const char *text) {
    ImGui::Spacing();
    ImGui::TextDisabled("%s", text);
    ImGui::Separator();
}

void cimgui_text(const char *text) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
}

bool cimgui_checkbox(const char *label, bool *value) { return ImGui::Checkbox(label, value); }

bool cimgui_slider(const char *label, float *value, float low, float high, const char *format) {
    return ImGui::SliderFloat(label, value, low, high, format);
}

bool cimgui_radio(const char *label, bool is_on) { return ImGui::RadioButton(label, is_on); }
bool cimgui_button(const char *label) { return ImGui::Button(label); }
void cimgui_same_line(void) { ImGui::SameLine(); }

void cimgui_next_in_row(float width) {
    const float right = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width;
    if (right < ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x) ImGui::SameLine();
}

bool cimgui_picture_button(const char *label, uint32_t texture, float side, bool is_on) {
    ImGui::PushID(label);
    ImGui::PushStyleColor(
        ImGuiCol_Button, is_on ? ImVec4(0.85f, 0.65f, 0.2f, 1) : ImGui::GetStyle().Colors[ImGuiCol_Button]);
    ImGui::BeginGroup();
    const bool is_pressed =
        ImGui::ImageButton(reinterpret_cast<void *>(static_cast<uintptr_t>(texture)), ImVec2(side, side));
    ImGui::TextUnformatted(label);
    ImGui::EndGroup();
    ImGui::PopStyleColor();
    ImGui::PopID();
    return is_pressed;
}
