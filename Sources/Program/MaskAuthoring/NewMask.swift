import FaceGeometry
import FaceTracking
import Files
import GLTF
import ImageFiles
import JSON
import Masks
import Pixels

/// Creates a mask package that can be worn at once: a template to paint on, or a face from a photograph.
package struct NewMask {
    /// Nil: the mask has none.
    package var author: String?
    /// Nil: the mask has none.
    package var license: String?
    /// The consent of the person in a portrait; unused for other masks.
    package var likeness = Mask.Likeness.unasked
    private let assets: AuthoringAssets

    package init(assets: AuthoringAssets) { self.assets = assets }

    /// Gives it author and licence of the last mask. An empty text is for none.
    package mutating func take(_ kept: KeptAuthor) {
        author = kept.author.flatMap { $0.isEmpty ? nil : $0 }
        license = kept.license.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The source of the mask's texture.
    package enum Source {
        /// A blank template.
        case template(MaskTemplate.Format)
        /// A face in a photograph.
        /// - `lightRemoval`: 0 keeps the light of the photograph, 1 removes as much as possible.
        case portrait(path: String, choice: Portrait.Choice, lightRemoval: Float, models: FaceModels)
        /// A 3-D model, which is put on top of the head.
        case prop(path: String)

        /// Whether the mask shows somebody who has to be asked, and whose picture is nobody else's to license.
        package var showsAPerson: Bool { if case .portrait = self { true } else { false } }
    }

    /// Creates the package. On failure nothing is left of it.
    /// - Parameter folder: must not exist. Its last component becomes the mask's name.
    /// - Returns: advice for a better mask; nil: none.
    /// - Throws: `FileError`, `PictureError`, `PortraitError`, `VisionError`, `GraphicsError`.
    package func write(_ source: Source, to folder: FilePath) throws -> String? {
        guard folder.status(followsLinks: false) == nil else {
            throw FileError(.alreadyExists, path: folder, "already exists; choose another name")
        }
        try Folder.createParent(of: folder)
        // Renamed when it is complete, so that there is never half a mask under the name.
        let pending = try PendingFolder(in: folder.parent)
        var advice: String?
        let layer: JSONValue
        switch source {
        case .template(let format): layer = try writeTemplate(format, to: pending.path)
        case .portrait(let path, let choice, let lightRemoval, let models):
            let finder = try PhotographFaces(reference: assets.reference, models: models)
            let portrait = try Portrait(path, choice: choice, finder: finder)
            advice = portrait.advice.map { "\(path): \($0)" }
            layer = try write(portrait, lightRemoval: lightRemoval, to: pending.path)
        case .prop(let path): layer = try writeProp(FilePath(path), to: pending.path)
        }
        try writeManifest(
            name: folder.name.description, layer, likeness: source.showsAPerson ? likeness : nil, to: pending.path)
        try writeThumbnail(to: pending.path)
        try pending.rename(to: folder, replacing: false)
        return advice
    }

    /// - Returns: the layer for the manifest.
    private func write(
        _ portrait: borrowing Portrait, lightRemoval: Float, to folder: FilePath
    ) throws -> JSONValue {
        let mask = try PortraitMask(
            portrait.pixels, face: portrait.face, mesh: assets.mesh, lightRemoval: lightRemoval)
        try AtomicFile.write(PointsFile.text(mask.vertices), to: folder / "face.pts", replacing: false)
        try Self.write(mask.texture.copy(), to: folder + "/face.png")
        var layer = JSONValue.object([
            "type": .string("warp"), "texture": .string("face.png"), "landmarks": .string("face.pts"),
        ])
        if lightRemoval > 0 {
            let light = PortraitMask.light
            layer["light"] = .object(["shading": .rounded(light.shading), "color": .rounded(light.color)])
        }
        return layer
    }

    /// Copies a model, and puts it on the head.
    /// - Returns: the layer for the manifest.
    private func writeProp(_ path: FilePath, to folder: FilePath) throws -> JSONValue {
        let (bytes, model) = try ModelFile.read(path)
        let name = FilePath("model." + (path.fileExtension == "gltf" ? "gltf" : "glb"))
        try bytes.withUnsafeBytes { try AtomicFile.write($0, to: folder / name, replacing: false) }
        return PropPlacement.layer(for: model, at: path, file: name.description)
    }

    /// The picture to paint on, in the mask's folder.
    package static func textureName(_ format: MaskTemplate.Format) -> String { "paint.\(format.rawValue)" }

    private static let paper = SIMD4<UInt8>(243, 238, 228, 255)
    private static let side = 1024

    /// - Returns: the layer for the manifest.
    private func writeTemplate(_ format: MaskTemplate.Format, to folder: FilePath) throws -> JSONValue {
        let texture = Self.textureName(format)
        if format == .png {
            // A flat picture has no layers for guides, so there are none.
            var picture = try PixelBuffer(width: Self.side, height: Self.side, format: .rgba8)
            picture.fill(Self.paper)
            try Self.write(picture, to: folder / FilePath(texture))
        } else {
            try MaskTemplate(side: Self.side, paint: Self.paper, assets: assets)
                .write(to: folder / FilePath(texture), format: format, replacing: false)
        }
        return .object([
            "type": .string("warp"), "texture": .string(texture),
            // No template has detail: on paper, brows and thin glasses behind the mask would show as ghosts. Who paints all
            // of it in dark colours may add some.
            "light": .object(["shading": .number(0.6)]),
        ])
    }

    private func writeManifest(
        name: String, _ layer: JSONValue, likeness: Mask.Likeness?, to folder: FilePath
    ) throws {
        var manifest = JSONValue.object(["format": .integer(1), "name": .string(name)])
        if let author { manifest["author"] = .string(author) }
        if let license { manifest["license"] = .string(license) }
        if let likeness { manifest[MaskLoader.likenessKey] = .string(likeness.rawValue) }
        manifest["layers"] = .array([layer])
        try AtomicFile.write(
            manifest.text(indented: true) + "\n", to: folder / MaskLoader.manifestName, replacing: false)
    }

    private func writeThumbnail(to folder: FilePath) throws {
        let mask = try assets.loader.load(folder: folder)
        let picture = try MaskThumbnail.picture(
            of: mask, renderer: assets.makeRenderer(), reference: assets.reference, mesh: assets.mesh)
        try Self.write(picture, to: folder / MaskLoader.thumbnailName)
    }

    private static func write(_ pixels: consuming PixelBuffer, to path: FilePath) throws {
        try PictureWriter.write(
            Picture(pixels: pixels, hasAlpha: true), to: path, options: .init(format: .png), replacing: false)
    }
}
