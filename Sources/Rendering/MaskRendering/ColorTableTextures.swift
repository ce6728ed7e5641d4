import Graphics
import MaskComposition

/// Colour tables on the GPU, by identity. A texture whose table is gone is used for the next one, so that there are never
/// more textures than tables in use at a time.
struct ColorTableTextures {
    private struct Entry {
        weak var table: ColorTable?
        let texture: Texture3D
    }

    private var entries: [ObjectIdentifier: Entry] = [:]

    var count: Int { entries.count }

    mutating func bind(_ table: ColorTable, unit: Int) {
        texture(table).bind(unit: unit)
    }

    private mutating func texture(_ table: ColorTable) -> Texture3D {
        let key = ObjectIdentifier(table)
        // The address of a table that is gone may be used again.
        if let entry = entries[key], entry.table === table { return entry.texture }
        let unused = entries[key] != nil ? key : entries.first { $0.value.table == nil }?.key
        let texture = unused.flatMap { entries.removeValue(forKey: $0) }?.texture ?? Texture3D()
        texture.upload(table.bytes, side: ColorTable.side)
        entries[key] = Entry(table: table, texture: texture)
        return texture
    }
}
