import Files
import ImageFiles
import JSON
import Masks
import Pixels

/// The colours and the transparency of textures, which the brush changes.
extension EditedPackage {
    /// All textures that the brush has changed, in this state or in the saved one.
    var mattes: [FilePath: Matte] {
        // A state from before the first stroke has none, but the file may have been saved since.
        history.saved.mattes.mapValues { Matte($0.base) }.merging(history.current.mattes) { $1 }
    }

    /// The mattes that differ from the files.
    var unsavedMattes: [FilePath: Matte] {
        mattes.filter { name, matte in
            if let saved = history.saved.mattes[name] { return matte != saved }
            return matte.isChanged || !isOnDisk(matte.base, name)
        }
    }

    /// Whether a texture is what its file holds, as far as has been read.
    func isOnDisk(_ texture: Texture, _ name: FilePath) -> Bool { textures.texture(at: folder / name) === texture }

    /// The target of the brush: the file that the selected layer shows, as it has been changed so far.
    /// - Throws: why it cannot be changed.
    package func brushedMatte() throws(BrushRefusal) -> (name: FilePath, matte: Matte) {
        let texture = try brushedTexture()
        let name = name(of: texture)
        return (name, mattes[name] ?? Matte(texture))
    }

    /// Why the brush cannot change the file that the selected layer shows; nil: it can.
    package var brushRefusal: BrushRefusal? {
        do throws(BrushRefusal) {
            _ = try brushedTexture()
            return nil
        } catch {
            return error
        }
    }

    private func brushedTexture() throws(BrushRefusal) -> Texture {
        guard let use = selectedTexture else { throw .noPicture }
        let name = name(of: use.texture)
        guard !use.pointer.hasSuffix("/animation") else { throw .animation }
        switch use.texture.fileKind {
        case .png: return use.texture
        case .deepPNG: throw .deep(name)
        case .jpeg: throw .jpeg(name)
        case .layered: throw .layered(name)
        case .other: throw .noPicture
        }
    }

    /// Changes the colours and the transparency of a texture.
    /// - Parameters:
    ///   - name: of its file in the package.
    ///   - step: the step's name for the user.
    ///   - edit: as in `EditHistory.change`.
    package func set(_ matte: Matte, of name: FilePath, step: String, edit: String?) {
        history.change(step, edit: edit) { $0.mattes[name] = matte }
    }

    // MARK: Files

    /// Copies the selected layer. Pictures that are made to be painted on are copied, too, as the brush has left them:
    /// painting on one of the layers does not show on the other.
    /// - Throws: why a picture cannot be copied; the document has not changed then.
    package func copySelected() throws {
        guard let path = selection, let layer = selectedLayer else { return }
        let copy = try withOwnPaint(layer)
        change("copy layer") { selection = $0.insert(copy, above: path) }
    }

    private func withOwnPaint(_ layer: JSONValue) throws -> JSONValue {
        var layer = layer
        // A picture that is missing is missing in the copy, too.
        if let text = layer["texture"]?.string, Self.isPaint(text), (folder / FilePath(text)).exists {
            let name = FilePath(text)
            let bytes =
                try mattes[name].map { try encoded($0, name).bytes() }
                ?? FileContents.read(folder / name, limit: MaskArchive.maximumFileSize)
            let own = try copy(bytes, of: FilePath("paint.\(name.fileExtension)"), orElse: "paint")
            layer["texture"] = .string(own.description)
        }
        if let layers = layer["layers"]?.elements { layer["layers"] = .array(try layers.map(withOwnPaint)) }
        return layer
    }

    /// The file of a texture as the brush has changed it. Everything in the file besides pixels stays.
    func encoded(_ matte: Matte, _ name: FilePath) throws -> EncodedPicture {
        let path = folder / name
        let pixels = try matte.pixels()
        var picture: Picture
        if let old = try? PictureReader.read(path, for: .texture) {
            picture = old
            picture.pixels = pixels
            picture.hasAlpha = true
            if matte.isPainted { picture.becomeColored() }
        } else {
            picture = Picture(pixels: pixels, hasAlpha: true)
        }
        return try PictureWriter.encode(picture, options: .init(format: .png), path: path.description)
    }

    /// Writes the textures whose changes by the brush are not saved.
    /// - Throws: `FileError`, also if another program has changed one since this program has last looked.
    func saveMattes() throws {
        for (name, matte) in unsavedMattes.sorted(by: { $0.key < $1.key }) {
            let path = folder / name
            guard FileStamp(path) == disk.stamps[name], !disk.unreadable.contains(name) else {
                throw FileError(
                    .unwritable, path: path,
                    "is being changed by another program; save again when it has finished")
            }
            try encoded(matte, name).write(to: path, replacing: true)
            disk.stamps[name] = FileStamp(path)
        }
    }

    /// The mattes of the saved state that the files still show, and whether any file is not as this program knows it.
    /// - Parameters:
    ///   - changed: names of the files that have changed.
    ///   - reading: of the files on disk.
    func mattesOnDisk(
        _ changed: Set<FilePath>, _ reading: MaskReading
    ) -> (mattes: [FilePath: Matte], isChanged: Bool) {
        var (result, isChanged) = (history.saved.mattes, false)
        for (name, matte) in mattes where changed.contains(name) {
            disk.unreadable.remove(name)
            guard (folder / name).exists else {
                (result[name], isChanged) = (nil, true)
                continue
            }
            guard let texture = reading.textureUses.first(where: { self.name(of: $0.texture) == name })?.texture else {
                // Half-written, perhaps. It is looked at again when it has changed again.
                disk.unreadable.insert(name)
                continue
            }
            if !(history.saved.mattes[name] ?? Matte(matte.base)).shows(texture.pixels) {
                (result[name], isChanged) = (nil, true)
            }
        }
        return (result, isChanged)
    }

    /// Whether a file that has changed on disk is one that the brush has changed.
    func isBrushed(_ name: FilePath) -> Bool {
        history.current.mattes[name] != nil || history.saved.mattes[name] != nil
    }
}

extension Matte {
    /// Whether a picture has just these pixels.
    fileprivate func shows(_ pixels: borrowing PixelBuffer) -> Bool {
        guard pixels.width == base.pixels.width, pixels.height == base.pixels.height,
            let own = try? self.pixels()
        else { return false }
        return (0..<pixels.height).allSatisfy { y in
            pixels.withRow(y) { one in own.withRow(y) { other in one.indices.allSatisfy { one[$0] == other[$0] } } }
        }
    }
}
