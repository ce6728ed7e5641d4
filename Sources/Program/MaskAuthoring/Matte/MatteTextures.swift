import Files
import Masks
import Pixels

/// The textures that mattes make, as revisions of one another: renderers then update only what has changed.
package struct MatteTextures {
    private struct Kept {
        var matte: Matte
        var texture: Texture
    }

    private var kept: [FilePath: Kept] = [:]
    /// The revisions before those that are kept. Their memory is used again, so nothing else may hold them.
    private var spares: [FilePath: Texture] = [:]

    package init() {}

    /// - Parameters:
    ///   - mattes: by file name; those of other names are forgotten.
    ///   - folder: of the package.
    package mutating func textures(
        _ mattes: [FilePath: Matte], in folder: FilePath
    ) throws(OutOfMemory) -> [FilePath: Texture] {
        var new: [FilePath: Kept] = [:]
        spares = spares.filter { mattes[$0.key] != nil }
        for (name, matte) in mattes {
            let path = folder / name
            if let old = kept[name], old.matte.base === matte.base, old.texture.path == path {
                new[name] = try revised(name, old, to: matte)
            } else if matte.base.path == path {
                spares[name] = nil
                new[name] = try revised(name, Kept(matte: Matte(matte.base), texture: matte.base), to: matte)
            } else {
                spares[name] = nil
                let texture = Texture(path: path, pixels: try matte.pixels(), fileKind: matte.base.fileKind)
                new[name] = Kept(matte: matte, texture: texture)
            }
        }
        kept = new
        return new.mapValues(\.texture)
    }

    private mutating func revised(_ name: FilePath, _ old: Kept, to matte: Matte) throws(OutOfMemory) -> Kept {
        guard let changed = matte.difference(from: old.matte) else { return old }
        var spare = spares.removeValue(forKey: name)
        let texture = try Texture.revised(old.texture, changed: changed, spare: &spare) { matte.write($0, into: &$1) }
        // The base is shown elsewhere, too; its memory is not to be had.
        if old.texture !== matte.base { spares[name] = old.texture }
        return Kept(matte: matte, texture: texture)
    }
}
