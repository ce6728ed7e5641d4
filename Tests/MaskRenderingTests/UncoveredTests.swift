import FaceGeometry
import MaskComposition
import MaskRendering
import Masks
import Occlusion
import Pixels
import TestSupport
import Testing

/// Masks that lie under occluders.
@Suite struct UncoveredTests {
    let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    private func instance(_ trackID: Int, x: Float) -> FaceInstance {
        let landmarks = reference.landmarks.mapped { Point(x, 20) + 300 * $0 }
        return FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: trackID)
    }

    private func mask(_ blend: BlendMode) throws -> Mask {
        let texture = Texture(path: "plain", pixels: try plain(16, 16, SIMD4(200, 60, 30, 255)))
        var layer = Layer(
            .warp(WarpLayer(picture: .texture(texture), textureCoordinates: reference.vertices, openings: [])))
        layer.blendMode = blend
        return Mask(name: "plain", author: nil, license: nil, layers: [layer], folder: "")
    }

    private func sixteenBits(_ picture: borrowing PixelBuffer) throws -> PixelBuffer {
        var result = try PixelBuffer(width: picture.width, height: picture.height, format: .rgba16)
        let stride = result.bytesPerRow
        result.withUnsafeMutableBytes { bytes in
            for y in 0..<picture.height {
                for x in 0..<picture.width {
                    bytes.storeBytes(of: 257 &* picture[x, y], toByteOffset: y * stride + 8 * x, as: SIMD4<UInt16>.self)
                }
            }
        }
        return result
    }

    /// The left half of the matte is an occluder, the right half is not.
    private func matte() -> OcclusionMatte {
        OcclusionMatte(
            box: FaceBox(x: 100, y: 100, width: 160, height: 120), width: 8, height: 6,
            alpha: (0..<48).map { $0 % 8 < 4 ? 255 : 0 })
    }

    @Test(arguments: [BlendMode.normal, .luminosity]) func occludersAreUnchanged(_ blend: BlendMode) throws {
        let mask = try mask(blend)
        let faces = [instance(1, x: 40), instance(2, x: 300)]
        for renderer in [try sharedRenderer.get(), try sharedSoftwareRenderer.get()] {
            for format in [PixelFormat.rgba8, .rgba16] {
                let original = try gradient(640, 360)
                let picture = format == .rgba16 ? try sixteenBits(original) : try original.copy()
                var covered = try picture.copy()
                var uncovered = try picture.copy()
                try renderer.perform {
                    try $0.draw(mask, on: faces, in: &covered)
                    try $0.draw(mask, on: faces, occluders: [1: matte()], in: &uncovered)
                }
                let unit = format == .rgba16 ? 257 : 1
                for y in stride(from: 3, to: 360, by: 7) {
                    for x in stride(from: 3, to: 640, by: 7) {
                        let isBefore = (112..<168).contains(x) && (112..<208).contains(y)
                        let isSoft = (96..<192).contains(x) && (96..<224).contains(y) && !isBefore
                        let expected = isBefore ? picture[x, y] : covered[x, y]
                        let difference = (0..<4).map { abs(Int(uncovered[x, y][$0]) - Int(expected[$0])) }.max() ?? 0
                        #expect(isSoft || difference <= unit, "\(x), \(y): \(uncovered[x, y]), not \(expected)")
                    }
                }
                #expect(covered[140, 150] != picture[140, 150])
            }
        }
    }

    /// A hand below the chin, where no face is, in front of a helmet's collar.
    @Test func handsAreInFrontOfWhatReachesBeyondTheFace() throws {
        let (mask, face) = (try Repository.mask("diver"), instance(1, x: 170))
        #expect(mask.occluders.contains(.hands))
        let chin = Landmarks.topology.jaw.map { face.face.landmarks[$0].y }.max() ?? 0
        let hand = OcclusionMatte(
            box: FaceBox(x: 290, y: chin + 90, width: 60, height: 20), width: 2, height: 2,
            alpha: [UInt8](repeating: 255, count: 4))
        let place = (x: 320, y: Int(chin) + 100)
        for renderer in [try sharedRenderer.get(), try sharedSoftwareRenderer.get()] {
            let picture = try gradient(640, 640)
            var covered = try picture.copy()
            var uncovered = try picture.copy()
            try renderer.perform {
                try $0.draw(mask, on: [face], in: &covered)
                try $0.draw(mask, on: [face], occluders: [1: hand], in: &uncovered)
            }
            #expect(covered[place.x, place.y] != picture[place.x, place.y], "the collar is there")
            #expect(uncovered[place.x, place.y] == picture[place.x, place.y])
        }
    }

    /// Hair over a transparent background is as transparent as it was; where nothing is left of the picture, it cuts out the mask.
    @Test(arguments: [UInt8(0), 128, 255]) func occludersGetTheirAlphaBack(_ alpha: UInt8) throws {
        let mask = try mask(.normal)
        var encoding = ColorEncoding(isOpaque: false)
        encoding.restoresAlpha = true
        for renderer in [try sharedRenderer.get(), try sharedSoftwareRenderer.get()] {
            for format in [PixelFormat.rgba8, .rgba16] {
                var original = try gradient(640, 360)
                for y in 0..<360 { original.withMutableRow(y) { row in for x in row.indices { row[x].w = alpha } } }
                let picture = format == .rgba16 ? try sixteenBits(original) : try original.copy()
                var drawn = try picture.copy()
                try renderer.perform {
                    try $0.draw(mask, on: [instance(1, x: 40)], occluders: [1: matte()], in: &drawn, encoding: encoding)
                }
                let unit = format == .rgba16 ? 257 : 1
                for (x, y) in [(120, 120), (140, 150), (160, 200)] {
                    let (before, after) = (picture[x, y], drawn[x, y])
                    let difference = (0..<4).map { abs(Int(after[$0]) - Int(before[$0])) }.max() ?? 0
                    #expect(difference <= unit, "\(x), \(y): \(after), not \(before)")
                }
                #expect(Int(drawn[210, 150].w) >= 254 * unit, "the mask is opaque")
            }
        }
    }

    /// The call comes last, shows the picture about the face, and changes no more than the mask does.
    @Test func theDrawListBringsThePictureBack() throws {
        let composer = MaskComposer(reference: reference, mesh: try Repository.mesh())
        let picture = try gradient(640, 360)
        let faces = [instance(1, x: 40), instance(2, x: 300)]
        let list = composer.drawList(try mask(.normal), on: faces, occluders: [2: matte(), 7: matte()], in: picture)
        // The matte does not touch the face.
        #expect(list.captures.isEmpty)
        #expect(list.faces.map(\.calls.count) == [1, 1])
        let moved = OcclusionMatte(
            box: FaceBox(x: 350, y: 100, width: 400, height: 100), width: 8, height: 6, alpha: matte().alpha)
        let other = composer.drawList(try mask(.normal), on: faces, occluders: [2: moved], in: picture)
        // No more of the picture is kept than comes back.
        #expect(other.captures.map(\.trackID) == [2])
        #expect(other.captures.allSatisfy { $0.rectangle.y >= 98 && $0.rectangle.y + $0.rectangle.height <= 202 })
        let face = try #require(other.faces.last)
        let call = try #require(face.calls.last)
        guard case .uncovered(trackID: 2, matte: _) = call.source, face.calls.count == 2 else {
            Issue.record("the picture is not brought back")
            return
        }
        #expect(call.bounds.intersection(face.rectangle) == call.bounds)
        #expect(call.blendMode == .normal && call.opacity == 1 && call.colorMatch == nil && call.detail == nil)
        // Without layers there is nothing to lie under anything.
        let empty = composer.drawList(
            Mask(name: "", author: nil, license: nil, layers: [], folder: ""), on: faces, occluders: [2: moved],
            in: picture)
        #expect(empty.captures.isEmpty && empty.faces.isEmpty)
    }
}
