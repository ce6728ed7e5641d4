// The desktop's portal, which gives programs what they may not reach by themselves, over libdbus.
// https://flatpak.github.io/xdg-desktop-portal/docs/
#ifndef CPORTAL_H
#define CPORTAL_H

#include <stdbool.h>

// MARK: Cameras

// Asks for the permission to use cameras. It waits until the user has answered. Any thread may call it.
//
// Returns 0, or the system's number of the error. EACCES: it has been refused. ENOENT: there is no portal.
int cportal_ask_for_cameras(void);

// A connection to PipeWire that shows only cameras. Returns its descriptor, or -1 with errno.
int cportal_open_cameras(void);

// MARK: Files

// Whether there is a portal that shows dialogs for files. It waits up to three seconds: the portal may have to be started.
bool cportal_shows_files(void);

// Shows the dialog in which the user chooses files, and waits until it is closed. Any thread may call it.
//
// folder: in which it begins, a path; NULL: its own choice.
// has_stopped: is asked several times a second whether the dialog is to be closed.
//
// Returns the URIs, one in a line, which are the caller's to free; NULL with errno. ECANCELED: nothing was chosen. Otherwise
// the dialog could not be shown.
char *cportal_choose_files(
    const char *title, bool several, const char *folder, bool (*has_stopped)(const void *context), const void *context);

#endif
