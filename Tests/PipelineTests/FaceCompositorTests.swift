import Compositing
import FaceGeometry
import MaskComposition
import MaskRendering
import Masks
import NeuralNetworks
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// OpenGL belongs to one thread; the tests share it.
private let sharedRenderer = Result {
    RenderThread(
        shaders: try Repository.shaders(), reference: try Repository.referenceFace(), mesh: try Repository.mesh())
}

@Suite struct FaceCompositorTests {
    let reference: ReferenceFace
    let mask: Mask
    let renderer: RenderThread

    init() throws {
        reference = try Repository.referenceFace()
        mask = try Repository.mask("skull")
        renderer = try sharedRenderer.get()
    }

    private func face(_ trackID: Int, x: Float, size: Float) -> FaceInstance {
        let landmarks = reference.landmarks.mapped { Point(x, 40) + size * $0 }
        return FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: trackID)
    }

    private func frame(_ faces: [FaceInstance], at seconds: Double? = nil) throws -> Frame {
        var pixels = try PixelBuffer(width: 480, height: 240, format: .rgba8)
        pixels.fill(SIMD4(120, 110, 100, 255))
        var frame = Frame(pixels, seconds: seconds)
        frame.faces = faces
        return frame
    }

    private func bytes(_ pixels: borrowing PixelBuffer) -> [UInt8] { pixels.withUnsafeBytes { Array($0) } }

    /// What the renderer draws on the faces in this order.
    private func expected(_ faces: [FaceInstance], opacity: Float = 1) throws -> [UInt8] {
        var frame = try frame([])
        let mask = opacity < 1 ? mask.faded(to: opacity) : mask
        try renderer.perform { try $0.draw(mask, on: faces, in: &frame.pixels, encoding: .video) }
        return bytes(frame.pixels)
    }

    private func composed(_ compositor: inout FaceCompositor, _ faces: [FaceInstance]) throws -> [UInt8] {
        var frame = try frame(faces)
        try renderer.perform { try compositor.compose(&frame, with: $0) }
        return bytes(frame.pixels)
    }

    @Test func theSmallestFaceIsDrawnFirst() throws {
        let (small, large) = (face(1, x: 110, size: 100), face(2, x: 150, size: 140))
        var compositor = try FaceCompositor(mask: mask)
        let inOrder = try expected([small, large])
        #expect(try composed(&compositor, [small, large]) == inOrder)
        #expect(try composed(&compositor, [large, small]) == inOrder)
        #expect(try expected([large, small]) == inOrder)
        #expect(try composed(&compositor, [large]) != inOrder, "both are drawn")
    }

    /// With the policy `blur`, a picture without a followed face is blurred, unless faces are to be seen.
    @Test func nothingIsBlurredWhileFacesAreToBeSeen() throws {
        var compositor = try FaceCompositor(mask: mask, whenLost: .blur)
        for isOff in [true, false] {
            compositor.isOff = isOff
            var frame = try frame([], at: 1)
            try renderer.perform { try compositor.compose(&frame, with: $0) }
            #expect(frame.isBlurred == !isOff)
        }
        // Nor is a mask drawn.
        compositor = try FaceCompositor(mask: mask)
        compositor.isOff = true
        #expect(try composed(&compositor, [face(1, x: 110, size: 100)]) == expected([]))
    }

    @Test func onlyChosenFacesAreDrawnOn() throws {
        let (small, large) = (face(1, x: 20, size: 100), face(2, x: 250, size: 140))
        var compositor = try FaceCompositor(mask: mask, faces: .largest(1))
        #expect(try composed(&compositor, [small, large]) == expected([large]))
        compositor.faces = .largest(5)
        #expect(try composed(&compositor, [small, large]) == expected([small, large]))
        compositor.mask = nil
        #expect(try composed(&compositor, [small, large]) == expected([]))
    }

    @Test func theOpacityAppliesToTheWholeMask() throws {
        let face = face(1, x: 110, size: 120)
        var compositor = try FaceCompositor(mask: mask)
        compositor.opacity = 0.5
        #expect(try composed(&compositor, [face]) == expected([face], opacity: 0.5))
        compositor.opacity = 1
        #expect(try composed(&compositor, [face]) == expected([face]))
    }

    /// A face is learnt for a second, and then half of it turns dark.
    @Test(arguments: [(OccluderPolicy.only([.hands]), true), (.nothing, false), (.mask, false)])
    func masksLieUnderOccluders(_ occluders: OccluderPolicy, _ liesUnder: Bool) throws {
        var compositor = try FaceCompositor(mask: mask)
        compositor.occluders.policy = occluders
        let face = face(1, x: 100, size: 200)
        func isUnmasked(_ number: Int, darkBelow: Int) throws -> Bool {
            var frame = try frame([face], at: Double(number) / 25)
            for y in darkBelow..<240 {
                frame.pixels.withMutableRow(y) { row in for x in row.indices { row[x] = SIMD4(20, 30, 40, 255) } }
            }
            try renderer.perform { try compositor.compose(&frame, with: $0) }
            return frame.pixels[200, 200] == SIMD4(20, 30, 40, 255)
        }
        for number in 0..<40 { #expect(try !isUnmasked(number, darkBelow: 240)) }
        var wasUnmasked = false
        for number in 40..<50 { wasUnmasked = try isUnmasked(number, darkBelow: 170) }
        #expect(wasUnmasked == liesUnder)
    }

    /// Somebody with a fringe, in a photograph and in a video.
    @Test(
        .enabled(if: NetworkFolder.standard.hasPerson, "MediaPipe's networks that see people are not installed"),
        arguments: [
            (OccluderPolicy.mask, nil, true), (.mask, 0, true), (.only([.hair]), 0, true),
            (.only([.hands, .glasses]), nil, false), (.nothing, nil, false), (.nothing, 0, false),
        ])
    func masksLieUnderHair(_ occluders: OccluderPolicy, _ seconds: Double?, _ liesUnder: Bool) throws {
        var face = DrawnFace()
        (face.identity.skin, face.identity.hair, face.identity.fringe) = (
            SIMD3(0.70, 0.47, 0.37), SIMD3(0.012, 0.010, 0.010), 0.7
        )
        let portrait = try SyntheticPortrait(
            face, width: 180, height: 220, placement: DrawnFacePlacement(center: Point(90, 110), faceWidth: 100),
            quality: .samples(1), reference: reference)
        let vertices = portrait.instance.face.vertices
        let top = vertices[Landmarks.count + HeadPoint.hairlineCenter.rawValue]
        let fringe = top + 0.25 * (vertices[Landmarks.topology.noseBridge[0]] - top)
        let chin = vertices[Landmarks.topology.chin] - Point(0, 6)
        var compositor = try FaceCompositor(mask: mask)
        (compositor.occluders.policy, compositor.occluders.search) = (occluders, .waiting(.standard))
        var frame = Frame(try portrait.pixels.copy(), seconds: seconds)
        frame.faces = [portrait.instance]
        try renderer.perform { try compositor.compose(&frame, with: $0) }
        func isUnmasked(_ place: Point) -> Bool {
            frame.pixels[Int(place.x), Int(place.y)] == portrait.pixels[Int(place.x), Int(place.y)]
        }
        #expect(isUnmasked(fringe) == liesUnder)
        #expect(!isUnmasked(chin), "the mask is drawn")
    }

    /// The editor draws a still again and again: what is in front of its face is looked for once.
    @Test(.enabled(if: NetworkFolder.standard.hasPerson, "MediaPipe's networks that see people are not installed"))
    func theSameStillIsSearchedOnce() throws {
        func portrait(fringe: Float) throws -> SyntheticPortrait {
            var face = DrawnFace()
            (face.identity.skin, face.identity.hair, face.identity.fringe) = (
                SIMD3(0.70, 0.47, 0.37), SIMD3(0.012, 0.010, 0.010), fringe
            )
            return try SyntheticPortrait(
                face, width: 180, height: 220, placement: DrawnFacePlacement(center: Point(90, 110), faceWidth: 100),
                quality: .samples(1), reference: reference)
        }
        let fringed = try portrait(fringe: 0.7)
        let bare = try portrait(fringe: 0)
        let instance = fringed.instance
        let vertices = instance.face.vertices
        let top = vertices[Landmarks.count + HeadPoint.hairlineCenter.rawValue]
        let fringe = top + 0.25 * (vertices[Landmarks.topology.noseBridge[0]] - top)
        var compositor = try FaceCompositor(mask: mask)
        compositor.occluders.search = .waiting(.standard)
        func isUnmasked(_ portrait: borrowing SyntheticPortrait) throws -> Bool {
            var frame = Frame(try portrait.pixels.copy(), seconds: nil)
            frame.faces = [instance]
            try renderer.perform { try compositor.compose(&frame, with: $0) }
            return frame.pixels[Int(fringe.x), Int(fringe.y)] == portrait.pixels[Int(fringe.x), Int(fringe.y)]
        }
        #expect(try isUnmasked(fringed))
        compositor.occluders.isSameStill = true
        // Another picture shows that nothing is looked for.
        #expect(try isUnmasked(bare))
        compositor.occluders.isSameStill = false
        #expect(try !isUnmasked(bare))
    }

    @Test func policiesOfWhatMasksLieUnder() throws {
        for text in ["mask", "none", "hands", "glasses,hair", "glasses,hair,hands"] {
            #expect(OccluderPolicy(text)?.description == text)
        }
        #expect(OccluderPolicy("hair,hair") == .only([.hair]))
        for text in ["", "hats", "hair,", "mask,hair", "none,hair"] { #expect(OccluderPolicy(text) == nil, "\(text)") }
        let (paint, owl) = (try Repository.mask("tiger"), try Repository.mask("owl"))
        let policy = OccluderPolicy.only([.hair, .glasses])
        #expect(
            policy.includes(.hair, paint, seesHands: true) && policy.includes(.glasses, paint, seesHands: true)
                && !policy.includes(.hands, paint, seesHands: true))
        // Its ears stand before the hair.
        #expect(!policy.includes(.hair, owl, seesHands: true) && !policy.includes(.glasses, owl, seesHands: true))
        #expect(OccluderPolicy.only([.hands]).includes(.hands, owl, seesHands: true))
        // Without networks, hands are looked for where that is asked for.
        let plain = Mask(name: "", author: nil, license: nil, layers: [], folder: "")
        #expect(OccluderPolicy.mask.includes(.hands, plain, seesHands: true))
        #expect(!OccluderPolicy.mask.includes(.hands, plain, seesHands: false))
        #expect(OccluderPolicy.only([.hands]).includes(.hands, plain, seesHands: false))
        #expect(!OccluderPolicy.nothing.includes(.hands, plain, seesHands: true))
    }

    @Test func chosenFacesAreLargestFirst() throws {
        var frame = try frame([face(1, x: 0, size: 50), face(2, x: 60, size: 90), face(3, x: 160, size: 90)])
        func choose(_ faces: FaceChoice) throws {
            var compositor = try FaceCompositor(mask: nil, faces: faces)
            compositor.choose(&frame)
        }
        try choose(.all)
        #expect(frame.chosenFaces.map(\.trackID) == [2, 3, 1])
        try choose(.largest(2))
        #expect(frame.chosenFaces.map(\.trackID) == [2, 3])
        // The largest of one scene may be smaller than one of the other.
        frame.isMixture = true
        try choose(.largest(1))
        #expect(frame.chosenFaces.map(\.trackID) == [2, 3, 1])
    }

    /// The lost face is drawn as it was last seen, and only if it had a mask.
    @Test func aLostFaceKeepsItsMask() throws {
        let (small, large) = (face(1, x: 20, size: 100), face(2, x: 250, size: 140))
        var compositor = try FaceCompositor(mask: mask, faces: .largest(1), whenLost: .keep)
        func compose(_ faces: [FaceInstance], at seconds: Double) throws -> [UInt8] {
            var frame = try frame(faces, at: seconds)
            try renderer.perform { try compositor.compose(&frame, with: $0) }
            return bytes(frame.pixels)
        }
        _ = try compose([small, large], at: 0)
        let afterSmall = try compose([large], at: 0.04)
        _ = try compose([small, large], at: 0.08)
        let afterLarge = try compose([small], at: 0.12)
        #expect(try afterSmall == expected([large]))
        #expect(try afterLarge == expected([large, small]))
    }

    /// Pictures of a camera do not wait for hands, those of a clip do, whichever came first.
    @Test(arguments: [false, true]) func anotherSourceDecidesWhetherPicturesWaitForHands(_ isLive: Bool) throws {
        var compositor = try FaceCompositor(mask: mask)
        compositor.occluders.search = isLive ? .waiting(.standard) : .background(.standard)
        compositor.changeSource()
        #expect(compositor.occluders.search.isInBackground != isLive)
        compositor.changeSource(isLive: isLive)
        #expect(compositor.occluders.search.isInBackground == isLive)
        compositor.occluders.search = .none
        compositor.changeSource(isLive: isLive)
        #expect(!compositor.occluders.search.seesHands)
    }

    /// A face that is known again after a cut, or in front of another camera, is in another light.
    @Test func aCutEndsTheLight() throws {
        let face = face(1, x: 110, size: 120)
        // One that nobody else draws with: others would change the light of the stream.
        let renderer = RenderThread(softwareFor: reference, mesh: try Repository.mesh())
        var compositor = try FaceCompositor(mask: mask)
        func compose(_ grey: UInt8, at seconds: Double, isCut: Bool = false) throws -> [UInt8] {
            var frame = try frame([face], at: seconds)
            frame.pixels.fill(SIMD4(grey, grey, grey, 255))
            frame.isCut = isCut
            try renderer.perform { try compositor.compose(&frame, with: $0) }
            return bytes(frame.pixels)
        }
        let fresh = try compose(60, at: 0, isCut: true)
        _ = try compose(220, at: 10, isCut: true)
        #expect(try compose(60, at: 10.04) != fresh, "the light is smoothed")
        _ = try compose(220, at: 20, isCut: true)
        #expect(try compose(60, at: 20.04, isCut: true) == fresh)
        _ = try compose(220, at: 30, isCut: true)
        compositor.changeSource()
        #expect(try compose(60, at: 30.04) == fresh)
    }
}
