import Files

/// Where the control socket is if the user names no place.
package enum ControlPath {
    /// `$XDG_RUNTIME_DIR/bauta.socket`, in a folder that only the user can enter; nil: there is no such folder.
    package static var automatic: FilePath? {
        guard let folder = FilePath(environment: "XDG_RUNTIME_DIR"), folder.isAbsolute else { return nil }
        return folder / "bauta.socket"
    }
}
