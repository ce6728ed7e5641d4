import Files
import Masks
import Pixels

/// The textures that mattes make, as revisions of one another: renderers then update only what has changed.
package struct MatteTextures {
    private struct Kept {
        var matte: Matte
        var texture: Texture
        /// The revision before.
        var spare: Texture?
    }

    private var kept: [FilePath: Kept] = [:]

    package init() {}

    /// - Parameters:
    ///   - mattes: by file name; those of other names are forgotten.
    ///   - folder: of the package.
    package mutating func textures(
        _ mattes: [FilePath: Matte], in folder: FilePath
    ) throws(OutOfMemory) -> [FilePath: Texture] {
        var new: [FilePath: Kept] = [:]
        for (name, matte) in mattes {
            let path = folder / name
            // Taken out, so that nothing else holds the spare revision.
            if let old = kept.removeValue(forKey: name), old.matte.base === matte.base, old.texture.path == path {
                new[name] = try Self.revised(old, to: matte)
            } else if matte.base.path == path {
                new[name] = try Self.revised(Kept(matte: Matte(matte.base), texture: matte.base), to: matte)
            } else {
                let texture = Texture(path: path, pixels: try matte.pixels(), fileKind: matte.base.fileKind)
                new[name] = Kept(matte: matte, texture: texture)
            }
        }
        kept = new
        return new.mapValues(\.texture)
    }

    private static func revised(_ old: consuming Kept, to matte: Matte) throws(OutOfMemory) -> Kept {
        var new = old
        guard let changed = matte.difference(from: new.matte) else { return new }
        let texture = try Texture.revised(new.texture, changed: changed, spare: &new.spare) {
            matte.write($0, into: &$1)
        }
        // The base is shown elsewhere, too; its memory is not to be had.
        return Kept(matte: matte, texture: texture, spare: new.texture === matte.base ? nil : new.texture)
    }
}
