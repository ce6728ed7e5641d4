import Files
import Masks
import Pixels

/// The textures that mattes make, as revisions of one another: renderers then update only what has changed.
package struct MatteTextures {
    private var kept: [FilePath: (matte: Matte, texture: Texture)] = [:]

    package init() {}

    /// - Parameters:
    ///   - mattes: by file name; those of other names are forgotten.
    ///   - folder: of the package.
    package mutating func textures(
        _ mattes: [FilePath: Matte], in folder: FilePath
    ) throws(OutOfMemory) -> [FilePath: Texture] {
        var new: [FilePath: (matte: Matte, texture: Texture)] = [:]
        for (name, matte) in mattes {
            let path = folder / name
            if let old = kept[name], old.matte.base === matte.base, old.texture.path == path {
                new[name] = (matte, try Self.revised(old.texture, from: old.matte, to: matte))
            } else if matte.base.path == path {
                new[name] = (matte, try Self.revised(matte.base, from: Matte(matte.base), to: matte))
            } else {
                let texture = Texture(path: path, pixels: try matte.pixels(), fileKind: matte.base.fileKind)
                new[name] = (matte, texture)
            }
        }
        kept = new
        return new.mapValues(\.texture)
    }

    private static func revised(
        _ texture: Texture, from old: Matte, to matte: Matte
    ) throws(OutOfMemory) -> Texture {
        guard let changed = matte.difference(from: old) else { return texture }
        var pixels = try texture.pixels.copy()
        matte.write(changed, into: &pixels)
        return Texture(texture, pixels: pixels, changed: changed)
    }
}
