import FaceGeometry
import Files
import Pixels

/// Checks beyond those of reading: they find what makes a valid mask look wrong.
package struct MaskCheck: Sendable {
    /// The fewest pixels of a texture across the face.
    package static let leastFaceWidth: Float = 200

    /// A model with more is drawn slowly without a graphics card (`bauta lab bench render`).
    static let mostTriangles = 60_000

    private let mesh: FaceMesh
    private let reference: ReferenceFace

    package init(mesh: FaceMesh, reference: ReferenceFace) {
        self.mesh = mesh
        self.reference = reference
    }

    /// The problems, those found by reading included, sorted by path, the manifest first.
    /// - Parameter names: all files of the package, relative to its folder.
    package func problems(_ reading: MaskReading, names: [FilePath]) -> MaskProblems {
        var result = reading.problems
        var seen: Set<ObjectIdentifier> = []
        var seenLandmarks: Set<FilePath> = []
        for use in reading.textureUses {
            for problem in sizes(use, reading) { result.append(problem) }
            // A texture may be used twice.
            if seen.insert(ObjectIdentifier(use.texture)).inserted, let problem = pixels(use.texture) {
                result.append(problem)
            }
            if case .landmarks(let points, let path, let given) = use.purpose, seenLandmarks.insert(path).inserted {
                for problem in landmarks(points, given: given, path: path, texture: use.texture) {
                    result.append(problem)
                }
            }
        }
        for problem in models(reading) { result.append(problem) }
        for name in unusedFiles(reading, among: names) {
            result.append(MaskProblem(.unusedFile, path: reading.files.folder / name, "nothing uses this file"))
        }
        return result.sorted(first: reading.path.description)
    }

    // MARK: Models

    private func models(_ reading: MaskReading) -> [MaskProblem] {
        var result = reading.modelNotices.map {
            MaskProblem(.modelReduced, path: $0.path, at: .pointer($0.notice.pointer), $0.notice.reason)
        }
        for layer in reading.mask?.layers ?? [] {
            guard case .prop(let prop) = layer.content else { continue }
            let triangles = prop.model.triangleCount
            if triangles > Self.mostTriangles {
                result.append(
                    MaskProblem(
                        .modelDetailed, path: prop.model.path,
                        "has \(triangles) triangles; live mode can draw up to \(Self.mostTriangles) without delay"))
            }
        }
        return result + restingAnimations(reading.mask?.layers ?? []) + unmovedTargets(reading)
    }

    /// Morph targets with names of ARKit's that no landmark shows. A model that has all 52 for other programs is told so once.
    private func unmovedTargets(_ reading: MaskReading) -> [MaskProblem] {
        reading.morphNames.compactMap { path, names in
            let unmoved = names.filter { BlendShape(name: $0)?.isMeasured == false }
            guard !unmoved.isEmpty else { return nil }
            return MaskProblem(
                .morphUnmoved, path: path, at: .pointer("/meshes"),
                "nothing moves \(unmoved.joined(separator: ", "))")
        }
    }

    /// Animations that no layer plays, so that their names are found.
    private func restingAnimations(_ layers: [Layer]) -> [MaskProblem] {
        let props = layers.compactMap { layer -> PropLayer? in
            if case .prop(let prop) = layer.content { prop } else { nil }
        }
        var seen: Set<ObjectIdentifier> = []
        return props.compactMap { prop in
            guard let rig = prop.model.rig, seen.insert(ObjectIdentifier(prop.model)).inserted else { return nil }
            let played = Set(props.filter { $0.model === prop.model }.flatMap(\.animations).map(\.animation))
            let resting = rig.animations.indices.filter { !played.contains($0) }.map { rig.animations[$0] }
            guard !resting.isEmpty else { return nil }
            let list = resting.map { "\"\($0.name.prefix(60))\" (\(decimal($0.length)) s)" }.joined(separator: ", ")
            return MaskProblem(
                .animationUnused, path: prop.model.path, at: .pointer("/animations"), "no layer plays \(list)")
        }
    }

    // MARK: Files

    /// The files that no part of a mask uses. Sources of textures, the thumbnail and texts count as used.
    /// - Parameter names: as in `problems`.
    package func unusedFiles(_ reading: MaskReading, among names: [FilePath]) -> [FilePath] {
        // Names are only known where the manifest could be read.
        guard reading.mask != nil || reading.usedFiles.count > 1 else { return [] }
        let stems = Set(reading.usedFiles.map(\.withoutExtension))
        let texts = ["md", "txt", "license"]
        return names.filter { name in
            let (ending, last) = (name.fileExtension, name.name)
            return !reading.usedFiles.contains(name) && last != MaskLoader.thumbnailName && !texts.contains(ending)
                && !["LICENSE", "LICENCE", "COPYING", "README", "AUTHORS"].contains(last)
                && !(["svg", "kra", "xcf", "ora"].contains(ending) && stems.contains(name.withoutExtension))
        }
    }

    // MARK: Sizes

    private func sizes(_ use: MaskReading.TextureUse, _ reading: MaskReading) -> [MaskProblem] {
        let (width, height) = (use.texture.pixels.width, use.texture.pixels.height)
        var result: [MaskProblem] = []
        let faceWidth: Float
        switch use.purpose {
        case .canonicalUV:
            faceWidth = reference.width * Float(width)
            if width != height {
                result.append(
                    MaskProblem(
                        .textureNotSquare, path: reading.path, at: .pointer(use.pointer),
                        "\(use.texture.path) is \(width) × \(height) pixels; the canonical UV template is square"))
            }
        case .landmarks(let points, _, _): faceWidth = Landmarks.topology.faceWidth(points)
        case .sticker(let widths): faceWidth = Float(width) / widths
        }
        if faceWidth < Self.leastFaceWidth {
            result.append(
                MaskProblem(
                    .textureTooSmall, path: reading.path, at: .pointer(use.pointer),
                    "\(use.texture.path) has \(Int(faceWidth.rounded())) pixels for the width of a face; at least "
                        + "\(Int(Self.leastFaceWidth)) are needed"))
        }
        return result
    }

    // MARK: Landmarks

    private func landmarks(_ points: [Point], given: Int, path: FilePath, texture: Texture) -> [MaskProblem] {
        let (width, height) = (Float(texture.pixels.width), Float(texture.pixels.height))
        var result: [MaskProblem] = []
        let outside = points.prefix(given).indices.filter {
            // Head points of a portrait may lie above it: nothing is painted there.
            $0 < Landmarks.count
                && !((0...width).contains(points[$0].x) && (0...height).contains(points[$0].y))
        }
        if let first = outside.first {
            let others = outside.count > 1 ? ", and \(outside.count - 1) more," : ""
            result.append(
                MaskProblem(
                    .landmarksOutside, path: path,
                    "landmark \(first + 1) at (\(decimal(points[first].x)), \(decimal(points[first].y)))\(others) lies "
                        + "outside of \(texture.path), which is \(Int(width)) × \(Int(height)) pixels"))
        }
        // Closed lids and lips have no area and may be over by a hair.
        let least = 0.02 * Landmarks.topology.faceWidth(points)
        let folded = mesh.foldedTriangles(points, tolerance: least * least)
        if let first = folded.first {
            let corners = first.indices.map { "\($0 + 1)" }.joined(separator: ", ")
            let others = folded.count > 1 ? ", and so are \(folded.count - 1) more" : ""
            let center = first.indices.reduce(Point.zero) { $0 + points[$1] } / 3
            result.append(
                MaskProblem(
                    .landmarksFolded, path: path,
                    "the triangle of the points \(corners), about (\(Int(center.x)), \(Int(center.y))), is flipped"
                        + others))
        }
        return result
    }

    // MARK: Pixels

    private func pixels(_ texture: Texture) -> MaskProblem? {
        let edge = PaintedEdge(texture.pixels)
        if edge.isEmpty {
            return MaskProblem(.textureEmpty, path: texture.path, "every pixel is transparent")
        }
        guard let fringe = edge.fringe else { return nil }
        return MaskProblem(
            .textureEdge, path: texture.path, at: .pixel(x: fringe.x, y: fringe.y),
            "the half-transparent edge is mixed with \(fringe.isDark ? "black" : "white") here and at "
                + "\(fringe.count - 1) more pixels")
    }
}
