import Compositing
import FaceGeometry
import FaceRecognition
import FaceTracking
import MaskRendering
import Masks
import People
import Pixels
import TestSupport
import Testing

@Suite struct PeopleCoveringsTests {
    /// Not the gallery's wolf, whose eyes mirror the people beside it.
    private static let masks = Result {
        (skull: try Repository.mask("skull"), wolf: try Repository.mask("../Tests/Masks/wolf"))
    }

    private func coverings(
        _ people: [(String, FaceCovering<String>)], unknown: FaceCovering<String> = .standard
    ) throws -> PeopleCoverings {
        let masks = try Self.masks.get()
        var settings = PeopleSettings()
        settings.people = try people.map { .init(try PersonName($0), $1) }
        settings.unknown = unknown
        return PeopleCoverings(settings) { $0 == "skull" ? masks.skull : masks.wolf }
    }

    private func word(_ covering: FaceCovering<Mask>) throws -> String {
        switch covering {
        case .unmasked: "unmasked"
        case .standard: "standard"
        case .blur: "blur"
        case .mask(let mask): mask.name == (try Self.masks.get()).skull.name ? "skull" : "wolf"
        }
    }

    private static let identities: [FaceIdentity] = [
        .person("Ada"), .person("Bruno"), .person("Chidi"), .unknown, .uncertain(["Ada"]),
        .uncertain(["Ada", "Bruno"]),
        .notSought,
    ]

    /// Where all wear masks, nobody is hidden from anybody; where nobody is covered, neither.
    @Test func facesWithoutLandmarksAreCoveredInDoubt() throws {
        func covers(_ people: [FaceCovering<String>], unknown: FaceCovering<String> = .standard) throws -> Bool {
            var settings = PeopleSettings()
            settings.people = try people.enumerated().map { .init(try PersonName("person \($0)"), $1) }
            settings.unknown = unknown
            return settings.coversUnrecognised
        }
        #expect(try covers([.unmasked]))
        #expect(try covers([.standard], unknown: .unmasked))
        #expect(try covers([.mask("skull"), .blur]))
        #expect(try covers([.mask("skull")], unknown: .blur))
        #expect(try !covers([.mask("skull"), .standard]))
        #expect(try !covers([.mask("skull"), .standard], unknown: .mask("wolf")))
        #expect(try !covers([.unmasked], unknown: .unmasked))
    }

    /// Ada, Bruno, somebody who is enrolled and not named, a stranger; perhaps Ada, perhaps one of both, and not sought.
    @Test func doubtHidesMore() throws {
        func words(_ coverings: PeopleCoverings) throws -> [String] {
            try Self.identities.map { try word(coverings.covering(of: $0)) }
        }
        // --except Ada
        #expect(
            try words(coverings([("Ada", .unmasked)])) == [
                "unmasked", "standard", "standard", "standard", "standard", "standard", "standard",
            ])
        // --only Ada
        #expect(
            try words(coverings([("Ada", .standard)], unknown: .unmasked)) == [
                "standard", "unmasked", "unmasked", "unmasked", "standard", "standard", "standard",
            ])
        #expect(
            try words(coverings([("Ada", .mask("skull")), ("Bruno", .mask("wolf"))], unknown: .blur)) == [
                "skull", "wolf", "blur", "blur", "blur", "blur", "blur",
            ])
        #expect(
            try words(coverings([("Ada", .mask("skull")), ("Bruno", .mask("wolf"))], unknown: .unmasked)) == [
                "skull", "wolf", "unmasked", "unmasked", "skull", "standard", "standard",
            ])
        #expect(
            try words(coverings([("Ada", .blur), ("Bruno", .unmasked)], unknown: .mask("wolf"))) == [
                "blur", "unmasked", "wolf", "wolf", "blur", "blur", "blur",
            ])
    }

    /// A mask that only one person wears hears, too.
    @Test func masksOfPeopleFollowSound() throws {
        let synthwave = try Repository.mask("synthwave")
        var settings = PeopleSettings()
        settings.people = [.init(try PersonName("Ada"), .mask("synthwave"))]
        var compositor = try FaceCompositor(mask: try Self.masks.get().wolf)
        #expect(!compositor.followsSound)
        compositor.people = PeopleCoverings(settings) { _ in synthwave }
        #expect(compositor.followsSound)
    }

    /// As a gallery's mask.
    private static let swap = "../Tests/Masks/swap"

    /// A mask that shows other faces needs two people who wear masks and suit each other, whatever they wear and whoever else
    /// is there.
    @Test func whoGetsNoOtherFaceIsRecognised() throws {
        let (swap, trade, masks) = (try Repository.mask(Self.swap), try Repository.mask("trade"), try Self.masks.get())
        let (ada, bruno) = (try face(1, x: 20, .person("Ada")), try face(2, x: 180, .person("Bruno")))
        let small = try face(3, x: 400, size: 60, .person("Chidi"))
        /// Whether all stay bare, and whether anybody is recognised.
        func left(
            _ mask: Mask?, _ faces: [FaceInstance], _ people: [(String, FaceCovering<String>)]? = nil,
            unknown: FaceCovering<String> = .standard
        ) throws -> [Bool] {
            var compositor = try FaceCompositor(mask: mask)
            compositor.people = try people.map { people in
                var settings = PeopleSettings()
                settings.people = try people.map { .init(try PersonName($0), $1) }
                settings.unknown = unknown
                return PeopleCoverings(settings) { $0 == "swap" ? swap : masks.skull }
            }
            var picture = try frame(faces)
            try composed(&compositor, &picture)
            return [compositor.leftAllBare, compositor.leftFaceRecognisable]
        }
        #expect(try left(swap, [ada]) == [true, true])
        #expect(try left(swap, [ada, bruno]) == [false, false])
        #expect(try left(swap, []) == [false, false])
        #expect(try left(swap, [ada, small]) == [true, true], "they do not suit")
        #expect(try left(swap, [ada, bruno, small]) == [false, true])
        #expect(try left(masks.wolf, [ada]) == [false, false] && left(nil, [ada]) == [false, false])
        // Who wears something else is not bare.
        #expect(try left(swap, [ada], [("Ada", .blur)]) == [false, false])
        #expect(try left(swap, [ada], [("Ada", .mask("skull"))]) == [false, false])
        #expect(try left(swap, [ada], [], unknown: .blur) == [false, false])
        // Beside somebody who is blurred, or wears another mask.
        #expect(try left(swap, [ada, bruno], [("Ada", .blur)]) == [true, true])
        #expect(try left(swap, [ada, bruno], [("Ada", .mask("skull"))]) == [false, true])
        // Who is only made large is not bare, and yet recognised.
        #expect(try left(trade, [ada]) == [false, true] && left(trade, [ada, small]) == [false, true])
        #expect(try left(trade, [ada, bruno]) == [false, false])
        // The mask of one person, under a default that needs nobody.
        #expect(try left(masks.wolf, [ada], [("Ada", .mask("swap"))]) == [true, true])
    }

    /// Faces would stay bare.
    @Test func noneOfSeveralMasksShowsOtherFaces() throws {
        func load(_ names: String...) throws {
            _ = try WornMasks(names, people: nil, models: FaceModels()) { try Repository.mask($0) }
        }
        try load(Self.swap)
        try load("skull", "skull")
        for mask in [Self.swap, "trade"] {
            #expect(throws: WornMasks.Revealing.self) { try load("skull", mask) }
        }
    }

    // MARK: Drawing

    private func face(_ trackID: Int, x: Float, size: Float = 120, _ identity: FaceIdentity) throws -> FaceInstance {
        let reference = try Repository.referenceFace()
        let landmarks = reference.landmarks.mapped { Point(x, 60) + size * $0 }
        var instance = FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: trackID)
        instance.identity = identity
        return instance
    }

    private func frame(_ faces: [FaceInstance], _ format: PixelFormat = .rgba8) throws -> Frame {
        var pixels = try PixelBuffer(width: 640, height: 240, format: format)
        for y in 0..<240 {
            for x in stride(from: 0, to: 640, by: 8) {
                let color = SIMD4<UInt8>(UInt8(60 + (x / 8 + y / 8) % 2 * 120), UInt8(x / 4), UInt8(y), 255)
                pixels.fill(x..<x + 8, ofRow: y, with: color)
            }
        }
        var frame = Frame(pixels, seconds: nil)
        frame.faces = faces
        return frame
    }

    private func composed(_ compositor: inout FaceCompositor, _ frame: inout Frame) throws {
        let renderer = try MaskRenderer(
            softwareFor: Repository.referenceFace(), mesh: Repository.mesh(), threads: 1)
        try compositor.compose(&frame, with: renderer)
    }

    private func changed(_ a: borrowing PixelBuffer, _ b: borrowing PixelBuffer, _ columns: Range<Int>) -> Int {
        var count = 0
        for y in 0..<240 { for x in columns where a[x, y] != b[x, y] { count += 1 } }
        return count
    }

    /// Four people in one picture: each is drawn as if alone.
    @Test(arguments: [PixelFormat.rgba8, .rgba16]) func eachWearsTheirOwn(_ format: PixelFormat) throws {
        let faces = [
            try face(1, x: 20, .person("Ada")), try face(2, x: 180, .person("Bruno")), try face(3, x: 340, .unknown),
            try face(4, x: 515, .person("Chidi")),
        ]
        let masks = try Self.masks.get()
        var compositor = try FaceCompositor(mask: masks.skull)
        compositor.people = try coverings([("Bruno", .unmasked), ("Chidi", .mask("wolf"))], unknown: .blur)
        // Ada is enrolled, and not named: a stranger.
        var picture = try frame(faces, format)
        try composed(&compositor, &picture)
        let unmasked = try frame([], format)
        #expect(picture.chosenFaces.map(\.trackID).sorted() == [1, 3, 4])
        #expect(changed(picture.pixels, unmasked.pixels, 195..<295) == 0, "an unmasked face has changed")
        for columns in [40..<120, 360..<440, 530..<620] {
            #expect(changed(picture.pixels, unmasked.pixels, columns) > 3000, "\(columns) is not covered")
        }
        var alone = try FaceCompositor(mask: masks.wolf)
        var single = try frame([faces[3]], format)
        try composed(&alone, &single)
        #expect(changed(picture.pixels, single.pixels, 530..<620) == 0, "Chidi does not wear the wolf")
    }

    /// Who trades faces with nobody is bare, also beside somebody who wears another mask.
    @Test func aFaceThatGetsNoOtherIsBare() throws {
        let faces = [try face(1, x: 20, .person("Ada")), try face(2, x: 180, .person("Bruno"))]
        var compositor = try FaceCompositor(mask: try Repository.mask(Self.swap))
        for (people, isBare) in [([], false), ([("Ada", FaceCovering.mask("skull"))], true)] {
            compositor.people = try coverings(people)
            var picture = try frame(faces)
            try composed(&compositor, &picture)
            #expect(compositor.leftFaceBare == isBare)
            let unmasked = try frame([])
            #expect((changed(picture.pixels, unmasked.pixels, 195..<295) == 0) == isBare, "Bruno")
        }
        var alone = try frame([faces[0]])
        compositor.people = nil
        try composed(&compositor, &alone)
        #expect(compositor.leftFaceBare)
    }

    /// The gallery's mask leaves nobody bare: who gets no other face gets a small one.
    @Test func whoTradesWithNobodyIsNotBare() throws {
        let faces = [try face(1, x: 20, .person("Ada")), try face(2, x: 180, .person("Bruno"))]
        var compositor = try FaceCompositor(mask: try Repository.mask("trade"))
        compositor.people = try coverings([("Ada", FaceCovering.mask("skull"))])
        var picture = try frame(faces)
        try composed(&compositor, &picture)
        let unmasked = try frame([])
        #expect(compositor.leftFaceRecognisable)
        #expect(!compositor.leftFaceBare && changed(picture.pixels, unmasked.pixels, 195..<295) > 1000)
    }

    /// Nothing of the pattern under it is left of a blurred face: neighbouring squares of eight pixels differ little.
    @Test func aBlurIsCoarse() throws {
        var compositor = try FaceCompositor(mask: nil)
        compositor.people = try coverings([], unknown: .blur)
        compositor.isOff = true
        var picture = try frame([try face(1, x: 200, .unknown)])
        try composed(&compositor, &picture)
        let unmasked = try frame([])
        func contrast(_ pixels: borrowing PixelBuffer) -> Int {
            (90..<170).map { abs(Int(pixels[256, $0].x) - Int(pixels[264, $0].x)) }.reduce(0, +)
        }
        #expect(contrast(unmasked.pixels) == 80 * 120 && contrast(picture.pixels) < 80 * 12)
        #expect(picture.chosenFaces.count == 1)
    }

    /// A lost face keeps what it wore.
    @Test func aLostFaceStaysCovered() throws {
        var compositor = try FaceCompositor(mask: try Self.masks.get().skull, whenLost: .keep)
        compositor.people = try coverings([("Ada", .blur)], unknown: .unmasked)
        var first = try frame([try face(1, x: 200, .person("Ada"))])
        first.seconds = 0
        try composed(&compositor, &first)
        var second = try frame([])
        second.seconds = 0.1
        try composed(&compositor, &second)
        let unmasked = try frame([])
        #expect(changed(second.pixels, unmasked.pixels, 230..<290) > 3000)
    }
}
