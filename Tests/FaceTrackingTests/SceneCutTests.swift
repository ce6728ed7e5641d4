import AllocationCounter
import FaceGeometry
import FaceTracking
import ImageFiles
import Pixels
import TestSupport
import Testing

/// Cuts between drawn scenes in bright and dark light, among all that looks like one.
@Suite struct SceneCutTests {
    /// How a frame differs from the scene itself.
    private struct Light {
        var gain: Float = 1
        var offset: Float = 0

        static let bright = Light()
        static let dark = Light(gain: 0.15, offset: 5)
        static let flash = Light(gain: 1, offset: 140)
    }

    private static let (width, height) = (320, 240)
    private static let scenes = Result {
        try ["ada", "chidi", "photograph/astronaut", "emre", "bruno", "dalia"].map { name in
            let path = "\(Repository.root)/samples/\(name).jpg"
            let picture = try PictureReader.read(path)
            // Wider than a frame, so that a camera can move over it.
            return Picture(try picture.pixels.resized(width: 480, height: 480))
        }
    }
    private let scenes: [Picture]

    init() throws { scenes = try Self.scenes.get() }

    /// In frames a second.
    private static let rates: [Double] = SlowTests.areWanted ? [12, 25, 60] : [25]

    private struct Noise {
        /// In grey values, with a standard deviation of about two. Their number has no factor in common with the number of
        /// pixels of a frame.
        private static let values: [Float] = {
            var state: UInt64 = 11
            return (0..<65_521).map { _ in
                var sum: Float = -6
                for _ in 0..<3 {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    sum += 4 * Float(state >> 40) / Float(1 << 24)
                }
                return sum
            }
        }()
        private let values = Self.values
        private var index = 0

        mutating func next() -> Float {
            index = index + 1 == values.count ? 0 : index + 1
            return values[index]
        }
    }

    /// A frame of a scene, seen by a camera that has moved by `x` pixels.
    /// - Parameter zoom: how much larger than it is.
    private func frame(
        _ scene: Int, x: Int, zoom: Float = 1, _ light: Light, _ noise: inout Noise
    ) throws -> PixelBuffer {
        var result = try PixelBuffer(width: Self.width, height: Self.height, format: .rgba8)
        for y in 0..<Self.height {
            let row = 200 + Int((Float(y - 120) / zoom).rounded())
            scenes[scene].pixels.withRow(row) { from in
                result.withMutableRow(y) { to in
                    for column in to.indices {
                        // Each other scene is seen by a camera that stands elsewhere: all portraits are alike.
                        let zoomed = 160 + Int((Float(column - 160) / zoom).rounded())
                        let source = from[(zoomed + x + 160 * (scene % 2)) % 480]
                        let shift = noise.next()
                        func value(_ byte: UInt8) -> UInt8 {
                            UInt8(max(0, min(255, light.gain * Float(byte) + light.offset + shift)))
                        }
                        to[column] = SIMD4(value(source.x), value(source.y), value(source.z), 255)
                    }
                }
            }
        }
        return result
    }

    /// The cuts that are found in frames.
    private func cuts(_ frames: [Picture], rate: Double, looksAhead: Bool) -> [Int] {
        changes(frames, rate: rate, looksAhead: looksAhead).filter(\.isCut).map(\.index)
    }

    private func mixtures(_ frames: [Picture], rate: Double) -> [Int] {
        changes(frames, rate: rate, looksAhead: true).filter(\.isMixture).map(\.index)
    }

    private func changes(
        _ frames: [Picture], rate: Double, looksAhead: Bool
    ) -> [(index: Int, isCut: Bool, isMixture: Bool)] {
        let moments = frames.enumerated().map { index, frame in
            SceneCutDetector.Moment(SceneSignature(frame.pixels), seconds: Double(index) / rate)
        }
        var detector = SceneCutDetector()
        return moments.indices.map { index in
            let known = max(SceneCutDetector.frames.least, Int((SceneCutDetector.longestFlash * rate).rounded(.up)))
            let following = looksAhead ? Array(moments[(index + 1)...].prefix(known)) : []
            let isCut = detector.isCut(moments[index], before: following)
            return (index, isCut, detector.isMixture)
        }
    }

    /// Five cuts in the dark, and five in bright light, at each frame rate.
    @Test(arguments: rates, [false, true]) func cutsInAnyLightAreFound(rate: Double, looksAhead: Bool) throws {
        var noise = Noise()
        var (frames, truth): ([Picture], [Int]) = ([], [])
        for light in [Light.bright, .dark] {
            for scene in scenes.indices {
                if !frames.isEmpty { truth.append(frames.count) }
                for index in 0..<Int(rate) {
                    let x = Int(20 * Double(index) / rate)
                    frames.append(Picture(try frame(scene, x: x, light, &noise)))
                }
            }
        }
        #expect(cuts(frames, rate: rate, looksAhead: looksAhead) == truth)
    }

    /// Flashes of one and of three frames, light that is dimmed and comes back, and a whip pan.
    @Test(arguments: rates, [Light.bright.gain, Light.dark.gain])
    func similarChangesAreNoCuts(rate: Double, gain: Float) throws {
        var noise = Noise()
        var frames: [Picture] = []
        let own = Light(gain: gain, offset: 5)
        func add(_ count: Int, light: (Int) -> Light, x: (Int) -> Int = { _ in 0 }) throws {
            for index in 0..<count { frames.append(Picture(try frame(2, x: x(index), light(index), &noise))) }
        }
        let second = Int(rate)
        for length in [1, min(3, Int(0.15 * rate))] {
            try add(second) { _ in own }
            try add(length) { _ in Light(gain: gain, offset: 140) }
        }
        try add(second) { _ in own }
        let fade = second / 2
        try add(fade) { Light(gain: gain * Float(fade - $0) / Float(fade), offset: 5) }
        try add(second / 4) { _ in Light(gain: 0, offset: 5) }
        try add(fade) { Light(gain: gain * Float($0) / Float(fade), offset: 5) }
        try add(second) { _ in own }
        // Twice around in a second.
        try add(second, light: { _ in own }, x: { 960 * $0 / second })
        try add(second) { _ in own }
        #expect(cuts(frames, rate: rate, looksAhead: true) == [])
    }

    /// A live picture cannot know how a flash goes on, and waits.
    @Test func aFlashIsNoCutInALivePicture() throws {
        var noise = Noise()
        let frames = try (0..<60).map { index in
            let light = 30..<33 ~= index ? Light(gain: 0.3, offset: 120) : Light.dark
            return Picture(try frame(3, x: 0, light, &noise))
        }
        #expect(cuts(frames, rate: 25, looksAhead: false) == [])
    }

    /// A flash overexposes: much of the picture is white, and little of its contents is left.
    @Test(arguments: [1, 3], [false, true]) func aFlashThatOverexposesIsNoCut(length: Int, looksAhead: Bool) throws {
        var noise = Noise()
        for usual in [Light.bright, .dark] {
            for (gain, offset) in [(Float(3), Float(90)), (8, 120)] {
                let flash = Light(gain: gain * usual.gain, offset: offset)
                let frames = try (0..<30).map {
                    Picture(try frame(3, x: 0, 12..<12 + length ~= $0 ? flash : usual, &noise))
                }
                #expect(
                    cuts(frames, rate: 25, looksAhead: looksAhead) == [], "\(gain) times as bright as \(usual.gain)")
            }
        }
    }

    /// Shots as short as a flash between two of the same scene.
    @Test(arguments: SlowTests.areWanted ? [3, 4] : [4], [Light.bright.gain, Light.dark.gain])
    func aShortShotIsNoFlash(length: Int, gain: Float) throws {
        var noise = Noise()
        let light = Light(gain: gain, offset: 5)
        let moments = try scenes.indices.map { scene in
            try (0..<30).map { _ in Picture(try frame(scene, x: 0, light, &noise)) }
        }
        // Also brighter ones. Scenes 0 and 4 are nearly one picture.
        for scene in scenes.indices {
            for other in scenes.indices where other != scene && Set([scene, other]) != [0, 4] {
                let shot = 15..<15 + length
                let frames = (0..<30).map { moments[shot ~= $0 ? other : scene][$0] }
                #expect(
                    cuts(frames, rate: 25, looksAhead: true) == [15, 15 + length], "scene \(other) within \(scene)")
            }
        }
    }

    /// Each frame of a zoom is nearly a mixture of those beside it.
    @Test(arguments: [Float(0.02), 0.025, 0.03, 0.035], [false, true])
    func aZoomIsNoCut(speed: Float, beginsWithCut: Bool) throws {
        var noise = Noise()
        let frames = try (0..<60).map { index in
            let time = Float(max(0, index - 25))
            return Picture(
                try frame(index < 25 && beginsWithCut ? 1 : 0, x: 0, zoom: 1 + speed * time, .bright, &noise))
        }
        #expect(cuts(frames, rate: 25, looksAhead: true) == (beginsWithCut ? [25] : []))
    }

    /// Where a converter of frame rates has blended two frames, or two fields of an interlaced picture are of two scenes.
    /// A share that is not a number stands for these.
    @Test(
        arguments: SlowTests.areWanted ? [Float(0.2), 0.4, 0.6, 0.8, .nan] : [0.6, .nan],
        [Light.bright.gain, Light.dark.gain])
    func aFrameThatMixesTwoScenesHidesNoCut(share: Float, gain: Float) throws {
        var noise = Noise()
        let light = Light(gain: gain, offset: 5)
        for rate in [25.0, 60] {
            let half = Int(rate)
            var frames = try (0..<2 * half).map { index in
                Picture(try frame(index < half ? 0 : 1, x: index / 2, light, &noise))
            }
            frames[half] = Picture(try mixture(frames[half - 1], frames[half], share))
            // The mixture is a scene of its own.
            let found = cuts(frames, rate: rate, looksAhead: true)
            #expect(found == [half, half + 1], "\(rate) frames a second")
            #expect(mixtures(frames, rate: rate) == [half], "\(rate) frames a second")
        }
    }

    /// - Parameter share: of the later picture; not a number: each other row is of it.
    private func mixture(_ earlier: Picture, _ later: Picture, _ share: Float) throws -> PixelBuffer {
        var result = try PixelBuffer(width: Self.width, height: Self.height, format: .rgba8)
        for y in 0..<Self.height {
            let share = share.isNaN ? Float(y % 2) : share
            earlier.pixels.withRow(y) { before in
                later.pixels.withRow(y) { after in
                    result.withMutableRow(y) { to in
                        for x in to.indices {
                            let (a, b) = (SIMD4<Float>(before[x]), SIMD4<Float>(after[x]))
                            to[x] = SIMD4<UInt8>((a + (b - a) * share).rounded(.toNearestOrEven))
                        }
                    }
                }
            }
        }
        return result
    }

    @Test func watchingALivePictureAllocatesNothing() throws {
        var noise = Noise()
        let frames = try (0..<4).map { Picture(try frame($0 / 2, x: $0, .bright, &noise)) }
        var detector = SceneCutDetector()
        var counts: [[UInt64]] = []
        counts.reserveCapacity(40)
        for index in 0..<40 {
            let start = allocation_count()
            let signature = SceneSignature(frames[index / 10].pixels)
            let middle = allocation_count()
            _ = detector.isCut(.init(signature, seconds: Double(index) / 25), before: [])
            let end = allocation_count()
            counts.append([middle - start, end - middle])
        }
        #expect(counts.dropFirst(2).allSatisfy { $0 == [0, 0] }, "\(counts)")
    }

    /// A cut through black is where the next scene can be seen.
    @Test func aFadeToAnotherSceneIsACut() throws {
        var noise = Noise()
        let frames = try (0..<60).map { index in
            let light = Light(gain: 20..<30 ~= index ? 0 : 0.5, offset: 5)
            return Picture(try frame(index < 25 ? 0 : 1, x: 0, light, &noise))
        }
        #expect(cuts(frames, rate: 25, looksAhead: true) == [30])
        #expect(cuts(frames, rate: 25, looksAhead: false) == [30])
    }
}
