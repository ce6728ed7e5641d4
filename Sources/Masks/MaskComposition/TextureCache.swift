import FaceGeometry
import Masks
import Pixels

/// Keeps what was derived from textures, by the identity of the texture, its soft edge and its coordinates. Textures are
/// not kept alive.
package struct TextureCache<Value> {
    private struct Key: Hashable {
        let texture: ObjectIdentifier
        let softEdge: SoftEdge?
        let coordinates: [Point]

        init(_ reference: TextureReference) {
            texture = ObjectIdentifier(reference.texture)
            softEdge = reference.softEdge
            coordinates = reference.coordinates
        }
    }

    /// A class, so that noting a use allocates nothing.
    private final class Entry {
        weak var texture: Texture?
        /// Identifies the texture's picture, also when the texture is gone.
        let picture: AnyObject
        let revision: Int
        let value: Value
        var lastUse: Int

        init(texture: Texture, value: Value, lastUse: Int) {
            (self.texture, self.value, self.lastUse) = (texture, value, lastUse)
            (picture, revision) = (texture.picture, texture.revision)
        }
    }

    private var entries: [Key: Entry] = [:]
    private var pictures = 0

    package init() {}

    package var count: Int { entries.count }

    /// Call it once before each picture: entries age by it.
    package mutating func beginPicture() { pictures += 1 }

    /// The value for a texture. Creating a value also removes entries whose texture is gone, and those of the same texture
    /// with other coordinates that the last two pictures did not use: while an editor moves landmarks, every position
    /// would leave one behind.
    /// - Parameter update: makes the value for a texture from that for an earlier revision of the same picture, which is no
    ///   longer needed, and what has changed since; nil: it is made anew.
    package mutating func value<Failure: Error>(
        for reference: TextureReference,
        update: (Value, PixelRectangle) throws(Failure) -> Value?,
        make: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let key = Key(reference)
        // The address of a texture that is gone may be used again.
        if let entry = entries[key], entry.texture === reference.texture {
            entry.lastUse = pictures
            return entry.value
        }
        if let (old, entry) = earlier(than: reference, key),
            let changed = reference.texture.changes(since: entry.revision),
            let value = try update(entry.value, changed)
        {
            entries[old] = nil
            entries[key] = Entry(texture: reference.texture, value: value, lastUse: pictures)
            return value
        }
        entries = entries.filter {
            $0.value.texture != nil
                && ($0.value.texture !== reference.texture || $0.value.lastUse >= pictures - 2)
        }
        let value = try make()
        entries[key] = Entry(texture: reference.texture, value: value, lastUse: pictures)
        return value
    }

    /// The entry of the newest earlier revision of the same picture that is used in the same way.
    private func earlier(than reference: TextureReference, _ key: Key) -> (key: Key, entry: Entry)? {
        guard reference.texture.revision > 0 else { return nil }
        let entry = entries.lazy.filter { old, entry in
            entry.picture === reference.texture.picture && entry.revision < reference.texture.revision
                && old.softEdge == key.softEdge && old.coordinates == key.coordinates
        }.max { $0.value.revision < $1.value.revision }
        return entry.map { ($0.key, $0.value) }
    }
}
