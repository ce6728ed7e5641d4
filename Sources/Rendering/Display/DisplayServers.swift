import CGraphics
import Glibc
import Graphics

/// The display servers that the environment names, Wayland and X11, and which of them windows use.
package enum DisplayServers {
    /// What the environment names: "DISPLAY is ':0', WAYLAND_DISPLAY is not set".
    package static var description: String {
        ["DISPLAY", "WAYLAND_DISPLAY"].map { name in
            value(name).isEmpty ? "\(name) is not set" : "\(name) is '\(value(name))'"
        }.joined(separator: ", ")
    }

    /// Opens a window that stays hidden, and closes it. It must be called on the process's main thread, while neither a
    /// window nor an OpenGL context is open.
    /// - Returns: the server that windows use: "Wayland", "X11", or SDL's name of another one.
    /// - Throws: `GraphicsError` of kind `noOpenGL` where no window can be opened.
    package static func used() throws(GraphicsError) -> String {
        let hidden = try OpenedWindow(title: "Bauta", width: 16, height: 16, flags: SDL_WINDOW_HIDDEN.rawValue)
        return ["wayland": "Wayland", "x11": "X11"][hidden.driver] ?? hidden.driver
    }

    // MARK: Wayland

    /// Whether a Wayland server is named. Its socket lies in a folder that is named, too, unless another place is.
    package static var namesWayland: Bool {
        let name = value("WAYLAND_DISPLAY")
        return !value("WAYLAND_SOCKET").isEmpty || name.hasPrefix("/")
            || !name.isEmpty && !value("XDG_RUNTIME_DIR").isEmpty
    }

    /// Whether libdecor finds a plug-in. Servers that draw no title bars, such as GNOME's, leave them to the program, which
    /// leaves them to SDL, and that to libdecor.
    package static var canDrawTitleBars: Bool {
        let named = value("LIBDECOR_PLUGIN_DIR")
        let folders =
            named.isEmpty
            ? ["/usr/lib*", "/usr/lib/*", "/usr/local/lib*", "/usr/local/lib/*"].map { $0 + "/libdecor/plugins-1" }
            : named.split(separator: ":").map(String.init)
        return folders.contains { folder in
            var found = glob_t()
            defer { globfree(&found) }
            return glob(folder + "/*.so", 0, nil, &found) == 0
        }
    }

    // MARK: SDL's drivers

    static var hasChosenDriver: Bool { !value("SDL_VIDEODRIVER").isEmpty }

    /// Lists of SDL's drivers. Where no window can be opened with one list, the next one is tried. SDL's own list ends with
    /// drivers whose windows nobody sees.
    static var drivers: [String] {
        if hasChosenDriver { return [value("SDL_VIDEODRIVER")] }
        if namesWayland {
            // SDL prefers X11, whose windows a scaled Wayland desktop enlarges and so blurs. But without a title bar, a
            // window can be neither moved nor closed with the mouse.
            let isGNOME = value("XDG_CURRENT_DESKTOP").split(separator: ":").contains("GNOME")
            return isGNOME && !canDrawTitleBars ? ["x11", "wayland"] : ["wayland", "x11"]
        }
        // Wayland's library would complain in the terminal that it cannot even look for a server.
        return [value("XDG_RUNTIME_DIR").isEmpty ? "x11,KMSDRM" : "x11,wayland,KMSDRM"]
    }

    private static func value(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
}
