import CGraphics

/// The libraries of windows and OpenGL contexts.
package enum GraphicsLibraries {
    /// Names and versions: "SDL 2.26.5".
    package static var versions: String {
        var version = SDL_version()
        SDL_GetVersion(&version)
        return "SDL \(version.major).\(version.minor).\(version.patch)"
    }
}
