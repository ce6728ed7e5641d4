// The panel at the left edge of a window.
#ifndef CIMGUI_PANEL_H
#define CIMGUI_PANEL_H

// Where the panel ends in the last frame that has begun; 0: there is none.
float cimgui_panel_edge(void);

#endif
