import CGraphics

/// The libraries of windows and OpenGL contexts.
package enum GraphicsLibraries {
    /// Whether SDL's library can be loaded.
    package static var hasSDL: Bool { version.major > 0 }

    /// Names and versions: "SDL 2.26.5".
    package static var versions: String { "SDL \(version.major).\(version.minor).\(version.patch)" }

    private static var version: SDL_version {
        var version = SDL_version()
        SDL_GetVersion(&version)
        return version
    }
}
