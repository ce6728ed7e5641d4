import Installation
import JSON
import Pixels

/// What the user has set in the editor for all masks. It is kept in `$XDG_CONFIG_HOME/bauta/edit.json`.
package struct EditHabits: Equatable {
    /// "#rrggbb", of the brush.
    package var color = "#b02a3c"
    /// Whether the mesh is shown on the texture.
    package var showsMesh = true

    private static let (colorKey, meshKey) = ("brushColor", "showsMesh")

    package init() {}

    /// Those of the last session; a file that cannot be read has none.
    /// - Parameter file: nil: nothing is kept.
    package init(_ file: ConfigurationFile?) {
        guard let json = try? file?.read() else { return }
        if let kept = json[Self.colorKey]?.string, SIMD3<UInt8>(hexadecimalColor: kept) != nil { color = kept }
        showsMesh = json[Self.meshKey]?.bool ?? showsMesh
    }

    /// Keeps them for the next session. If the file cannot be written, nobody would want to be told.
    package func keep(in file: ConfigurationFile?) {
        try? file?.update { json in
            json[Self.colorKey] = .string(color)
            json[Self.meshKey] = .bool(showsMesh)
        }
    }
}
