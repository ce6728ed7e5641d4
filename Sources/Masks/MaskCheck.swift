import FaceGeometry
import Pixels

/// What a mask that can be read may still have wrong: things that nobody wants, but that can be worn.
package struct MaskCheck {
    /// Pixels of a texture for the width of the face.
    package static let leastFaceWidth: Float = 200

    private let mesh: FaceMesh
    private let reference: ReferenceFace

    package init(mesh: FaceMesh, reference: ReferenceFace) {
        self.mesh = mesh
        self.reference = reference
    }

    /// Everything that is wrong: what was found on reading, and what looking closer finds; in the order of the files'
    /// paths, the manifest first.
    /// - Parameter names: all files of the package, as they are called from its folder.
    package func problems(_ reading: MaskReading, names: [String]) -> [MaskProblem] {
        var result = reading.problems
        var seen: Set<ObjectIdentifier> = []
        var seenLandmarks: Set<String> = []
        for use in reading.textureUses {
            result += sizes(use, reading)
            // A texture may be used twice.
            if seen.insert(ObjectIdentifier(use.texture)).inserted { result += pixels(use.texture) }
            if case .landmarks(let points, let path, let given) = use.purpose, seenLandmarks.insert(path).inserted {
                result += landmarks(points, given: given, path: path, texture: use.texture)
            }
        }
        result += unused(reading, names)
        return result.enumerated().sorted {
            let (a, b) = ($0.element.path == reading.path ? "" : $0.element.path, $1.element.path)
            return (a, $0.offset) < (b == reading.path ? "" : b, $1.offset)
        }.map(\.element)
    }

    // MARK: Files

    private func unused(_ reading: MaskReading, _ names: [String]) -> [MaskProblem] {
        // Names are only known where the manifest could be read.
        guard reading.mask != nil || reading.usedFiles.count > 1 else { return [] }
        func stem(_ name: String) -> Substring { name.lastIndex(of: ".").map { name[..<$0] } ?? name[...] }
        let stems = Set(reading.usedFiles.map(stem))
        let texts = ["md", "txt", "license"]
        return names.filter { name in
            let ending = name.split(separator: ".").last?.lowercased() ?? ""
            let last = name.split(separator: "/").last.map(String.init) ?? name
            return !reading.usedFiles.contains(name) && last != "thumbnail.png" && !texts.contains(ending)
                && !["LICENSE", "LICENCE", "COPYING", "README", "AUTHORS"].contains(last)
                && !(["svg", "kra", "xcf", "ora"].contains(ending) && stems.contains(stem(name)))
        }.map {
            MaskProblem(.unusedFile, path: reading.files.folder + "/" + $0, "nothing uses this file")
        }
    }

    // MARK: Sizes

    private func sizes(_ use: MaskReading.TextureUse, _ reading: MaskReading) -> [MaskProblem] {
        let (width, height) = (use.texture.pixels.width, use.texture.pixels.height)
        var result: [MaskProblem] = []
        let faceWidth: Float
        switch use.purpose {
        case .sheet:
            faceWidth = reference.width * Float(width)
            if width != height {
                result.append(
                    MaskProblem(
                        .textureNotSquare, path: reading.path, at: .pointer(use.pointer),
                        "\(use.texture.path) is \(width) × \(height) pixels; the reference sheet is square"))
            }
        case .landmarks(let points, _, _): faceWidth = Landmarks.topology.faceWidth(points)
        case .sticker(let share): faceWidth = Float(width) / share
        }
        if faceWidth < Self.leastFaceWidth {
            result.append(
                MaskProblem(
                    .textureTooSmall, path: reading.path, at: .pointer(use.pointer),
                    "\(use.texture.path) has \(Int(faceWidth.rounded())) pixels for the width of a face; at least "
                        + "\(Int(Self.leastFaceWidth)) are wanted"))
        }
        return result
    }

    // MARK: Landmarks

    private func landmarks(_ points: [Point], given: Int, path: String, texture: Texture) -> [MaskProblem] {
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
                    "the triangle of the points \(corners), about (\(Int(center.x)), \(Int(center.y))), is turned over"
                        + others))
        }
        return result
    }

    // MARK: Pixels

    private func pixels(_ texture: Texture) -> [MaskProblem] {
        let edge = PaintedEdge(texture.pixels)
        if edge.isEmpty {
            return [MaskProblem(.textureEmpty, path: texture.path, "every pixel is transparent")]
        }
        guard let fringe = edge.fringe else { return [] }
        return [
            MaskProblem(
                .textureEdge, path: texture.path, at: .pixel(x: fringe.x, y: fringe.y),
                "the half-transparent edge is mixed with \(fringe.isDark ? "black" : "white") here and at "
                    + "\(fringe.count - 1) more pixels")
        ]
    }
}

/// How the half-transparent pixels of a picture with straight alpha go with those beside them.
private struct PaintedEdge {
    struct Fringe {
        var x: Int
        var y: Int
        var isDark: Bool
        var count: Int
    }

    private(set) var isEmpty = true
    /// Where the colours of the edge are mixed with black or white, as those of premultiplied alpha are.
    private(set) var fringe: Fringe?

    /// A pixel's colour is compared with that of its most opaque neighbour: painted straight, it goes on; mixed with a
    /// background, it falls with its alpha. Judged only where the two differ enough.
    init(_ pixels: borrowing PixelBuffer) {
        var (dark, light) = (Fringe(x: 0, y: 0, isDark: true, count: 0), Fringe(x: 0, y: 0, isDark: false, count: 0))
        var (comparedWithBlack, comparedWithWhite) = (0, 0)
        let (width, height) = (pixels.width, pixels.height)
        for y in 0..<height {
            pixels.withRow(y) { row in
                for x in row.indices {
                    let alpha = row[x].w
                    if alpha > 0 { isEmpty = false }
                    guard alpha > 25, alpha < 230, x > 0, y > 0, x < width - 1, y < height - 1 else { continue }
                    var neighbour = SIMD4<UInt16>.zero
                    for dy in -1...1 {
                        for dx in -1...1 {
                            let other = pixels[x + dx, y + dy]
                            if other.w > neighbour.w { neighbour = other }
                        }
                    }
                    guard neighbour.w >= UInt16(alpha) + 20 else { continue }
                    let color = SIMD4<Int32>(truncatingIfNeeded: row[x])
                    let inner = SIMD4<Int32>(truncatingIfNeeded: neighbour)
                    let straight = Self.distance(color, inner)
                    func faded(_ component: Int32) -> Int32 { component * Int32(alpha) / Int32(neighbour.w) }
                    let onBlack = SIMD4(faded(inner.x), faded(inner.y), faded(inner.z), 0)
                    let onWhite = SIMD4(
                        255 - faded(255 - inner.x), 255 - faded(255 - inner.y), 255 - faded(255 - inner.z), 0)
                    if Self.distance(inner, onBlack) > 60 {
                        comparedWithBlack += 1
                        if 3 * Self.distance(color, onBlack) < straight { dark.add(x, y) }
                    }
                    if Self.distance(inner, onWhite) > 60 {
                        comparedWithWhite += 1
                        if 3 * Self.distance(color, onWhite) < straight { light.add(x, y) }
                    }
                }
            }
        }
        if dark.count >= 64, 10 * dark.count > 6 * comparedWithBlack {
            fringe = dark
        } else if light.count >= 64, 10 * light.count > 6 * comparedWithWhite {
            fringe = light
        }
    }

    private static func distance(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> Int32 {
        abs(a.x - b.x) + abs(a.y - b.y) + abs(a.z - b.z)
    }
}

extension PaintedEdge.Fringe {
    fileprivate mutating func add(_ x: Int, _ y: Int) {
        if count == 0 { (self.x, self.y) = (x, y) }
        count += 1
    }
}
