import Detection
import FaceGeometry
import FaceTracking
import Pixels
import Testing
import Vision

/// Tracks of boxes, on textured squares that move over a textured ground and a detector that is told what it finds.
@Suite struct FaceBoxTrackerTests {
    /// Finds what it is told to, frame by frame.
    private final class ToldDetector: FaceDetector {
        let boxConvention = BoxConvention.dlib
        let smallestFace = 10
        let seesColor = true
        var next: [FaceDetection] = []
        /// In narrower pictures it finds nothing.
        var leastWidth = 0
        private(set) var searches = 0

        func detections(in picture: borrowing PixelBuffer) -> [FaceDetection] {
            searches += 1
            guard picture.width >= leastWidth else { return [] }
            let scale = Float(picture.width) / 320
            return next.map { face in
                let box = face.box
                return FaceDetection(
                    box: FaceBox(
                        x: scale * box.x, y: scale * box.y, width: scale * box.width, height: scale * box.height),
                    score: face.score)
            }
        }
    }

    struct Square {
        var x: Float
        var y: Float
        var side: Float = 60
        var seed: UInt32 = 1
    }

    static let rate = 25.0

    private static func noise(_ x: Int, _ y: Int, _ seed: UInt32) -> UInt8 {
        var value = UInt32(truncatingIfNeeded: x / 5 &* 73_856_093 ^ y / 5 &* 19_349_663) ^ seed &* 83_492_791
        value ^= value >> 13
        value &*= 1_274_126_177
        return UInt8(truncatingIfNeeded: (value ^ value >> 16) & 127)
    }

    static func picture(_ squares: [Square], ground: UInt32 = 99) throws -> PixelBuffer {
        var picture = try PixelBuffer(width: 320, height: 240, format: .rgba8)
        for y in 0..<240 {
            for x in 0..<320 {
                var value = noise(x, y, ground) / 2 + 40
                for square in squares {
                    let (u, v) = (Float(x) - square.x + square.side / 2, Float(y) - square.y + square.side / 2)
                    if (0..<square.side).contains(u), (0..<square.side).contains(v) {
                        value = noise(Int(u), Int(v), square.seed) + 100
                    }
                }
                picture.fill(x..<x + 1, ofRow: y, with: SIMD4(value, value, value, 255))
            }
        }
        return picture
    }

    static func detection(_ square: Square, score: Double = 0.9) -> FaceDetection {
        FaceDetection(
            box: OrientedBox(center: Point(square.x, square.y), side: square.side, roll: 0), score: score)
    }

    /// - Parameter found: what the detector finds in a frame, if that is searched.
    private static func tracks(
        _ frames: Int, square: (Int) -> [Square], ground: (Int) -> UInt32 = { _ in 99 },
        corrections: FaceBoxCorrections = .init(), found: (Int) -> [FaceDetection]
    ) throws -> (tracks: [FaceBoxTracker.Track], searches: Int) {
        let detector = ToldDetector()
        let tracker = FaceBoxTracker(detector: detector, corrections: corrections)
        for frame in 0..<frames {
            detector.next = found(frame)
            try tracker.add(picture(square(frame), ground: ground(frame)), at: Double(frame) / rate)
        }
        return (corrections.remaining(tracker.finish().tracks).tracks, detector.searches)
    }

    static func moving(_ frame: Int) -> Square { Square(x: 60 + 2 * Float(frame), y: 110) }

    /// What lies beyond a cut may cover somebody else, whom nobody has uncovered.
    @Test func aTrackIsUncoveredUpToTheCuts() {
        let boxes = (0..<20).map { OrientedBox(center: Point(50 + Float($0), 60), side: 30, roll: 0) }
        let track = FaceBoxTracker.Track(first: 10, boxes: boxes, score: 0.5, sightings: 2, scene: 13..<27)
        func left(_ frames: Int...) -> [Range<Int>] {
            let places = frames.map { FaceBoxCorrections.Place(frame: $0, box: boxes[$0 - 10]) }
            let (tracks, uncovered) = FaceBoxCorrections(removed: places).remaining([track])
            #expect(uncovered == frames.count)
            for track in tracks {
                for frame in track.first..<track.first + track.boxes.count {
                    #expect(track.box(in: frame) == boxes[frame - 10])
                }
            }
            return tracks.map { $0.first..<$0.first + $0.boxes.count }
        }
        #expect(left(15) == [10..<13, 27..<30])
        #expect(left(11) == [13..<30])
        #expect(left(29) == [10..<27])
        #expect(left(15, 28) == [10..<13])
        #expect(left(15, 28, 10).isEmpty)
    }

    /// Where the detector finds nothing in half the size, faces are found all the same.
    @Test func smallFacesAreFoundAtFullSize() throws {
        let detector = ToldDetector()
        detector.leastWidth = 320
        let tracker = FaceBoxTracker(detector: detector)
        for frame in 0..<25 {
            detector.next = [Self.detection(Self.moving(frame))]
            try tracker.add(Self.picture([Self.moving(frame)]), at: Double(frame) / Self.rate)
        }
        let tracks = tracker.finish().tracks
        #expect(tracks.count == 1 && tracks[0].boxes.count == 25 && tracks[0].sightings >= 3)
        #expect(detector.searches > tracks[0].sightings)
    }

    /// As if it had been found: before the frame in which somebody marked it, and afterwards.
    @Test func aFaceThatSomebodyAddedIsFollowedBothWays() throws {
        let square = Self.moving(21)
        let box = OrientedBox(center: Point(square.x, square.y), side: square.side, roll: 0)
        let (tracks, _) = try Self.tracks(
            50, square: { [Self.moving($0)] }, corrections: .init(added: [.init(frame: 21, box: box)]),
            found: { _ in [] })
        let track = try #require(tracks.first)
        #expect(tracks.count == 1 && track.first == 0 && track.boxes.count >= 45, "\(track.boxes.count) frames")
        for (frame, box) in track.boxes.enumerated() {
            #expect((box.center.x - Self.moving(frame).x).magnitude < 6, "frame \(frame): \(box)")
        }
    }

    /// The whole track goes, and that of the other face stays.
    @Test func aTrackThatSomebodyRemovedIsGone() throws {
        func squares(_ frame: Int) -> [Square] { [Self.moving(frame), Square(x: 250, y: 60, side: 50, seed: 2)] }
        func tracks(removing frame: Int) throws -> [FaceBoxTracker.Track] {
            let square = squares(frame)[0]
            let box = OrientedBox(center: Point(square.x, square.y), side: square.side, roll: 0)
            return try Self.tracks(
                30, square: squares, corrections: .init(removed: [.init(frame: frame, box: box)]),
                found: { squares($0).map { Self.detection($0) } }
            ).tracks
        }
        for frame in [0, 15, 29] {
            let left = try tracks(removing: frame)
            #expect(left.count == 1 && left[0].boxes.allSatisfy { abs($0.center.x - 250) < 10 }, "frame \(frame)")
        }
        #expect(try tracks(removing: 31).count == 2, "a frame that does not exist")
    }

    private static func place(_ frame: Int, _ square: Square) -> FaceBoxCorrections.Place {
        .init(frame: frame, box: OrientedBox(center: Point(square.x, square.y), side: square.side, roll: 0))
    }

    /// A track that somebody has uncovered in one frame, and covered in another, is covered.
    @Test(arguments: [(5, 20), (20, 5)]) func aCoverByHandCountsMoreThanAnUncovering(_ removed: Int, _ added: Int)
        throws
    {
        let corrections = FaceBoxCorrections(
            added: [Self.place(added, Self.moving(added))], removed: [Self.place(removed, Self.moving(removed))])
        let (tracks, _) = try Self.tracks(30, square: { [Self.moving($0)] }, corrections: corrections) {
            [Self.detection(Self.moving($0))]
        }
        #expect(tracks.count == 1 && tracks[0].isAdded && tracks[0].boxes.count == 30)
    }

    /// What an earlier search found, and somebody confirmed, is tracked also where this one finds nothing.
    @Test func aConfirmedFaceIsTracked() throws {
        let corrections = FaceBoxCorrections(confirmed: [Self.place(10, Self.moving(10))])
        let (tracks, _) = try Self.tracks(30, square: { [Self.moving($0)] }, corrections: corrections) { _ in [] }
        #expect(tracks.count == 1 && !tracks[0].isAdded && tracks[0].first == 0 && tracks[0].boxes.count == 30)
    }

    /// Cheek to cheek, each mark is a face, and none takes that of a face beside it.
    @Test func marksBesideEachOtherAreFacesOfTheirOwn() throws {
        let squares = [100, 128, 156].map { Square(x: $0, y: 110, side: 60) }
        let corrections = FaceBoxCorrections(added: squares.prefix(2).map { Self.place(12, $0) })
        let (tracks, _) = try Self.tracks(30, square: { _ in squares }, corrections: corrections) { _ in
            [Self.detection(squares[2])]
        }
        for square in squares {
            let isCovered = tracks.contains { abs(($0.box(in: 14)?.center.x ?? 0) - square.x) < 8 }
            #expect(isCovered, "\(square.x): \(tracks.map { $0.box(in: 14)?.center.x ?? 0 })")
        }
    }

    /// Nothing but frame 21 shows the face to the detector: it is covered before and afterwards, where it is.
    @Test func aFaceThatIsFoundOnceIsFollowedBothWays() throws {
        let (tracks, _) = try Self.tracks(50, square: { [Self.moving($0)] }) {
            $0 == 21 ? [Self.detection(Self.moving(21))] : []
        }
        let track = try #require(tracks.first)
        #expect(tracks.count == 1 && track.first == 0, "\(tracks.map(\.first))")
        #expect(track.boxes.count >= 45, "\(track.boxes.count) frames")
        for (frame, box) in track.boxes.enumerated() {
            let square = Self.moving(frame)
            #expect((box.center - Point(square.x, square.y)).length < 6, "frame \(frame): \(box)")
        }
    }

    @Test func framesBetweenSearchesAreCovered() throws {
        let (tracks, searches) = try Self.tracks(50, square: { [Self.moving($0)] }) {
            [Self.detection(Self.moving($0))]
        }
        #expect(tracks.count == 1 && tracks[0].first == 0 && tracks[0].boxes.count == 50)
        #expect(searches < 25, "\(searches) searches in 50 frames")
    }

    /// Behind something for more than a second: what is in front of it is covered, too.
    @Test func aFaceThatIsHiddenForAWhileStaysCovered() throws {
        let still = Square(x: 150, y: 110)
        let (tracks, _) = try Self.tracks(
            75,
            square: { frame in
                (30..<55).contains(frame)
                    ? [still, Square(x: 150, y: 110, side: 64, seed: 7)] : [still]
            }, found: { (30..<55).contains($0) ? [] : [Self.detection(still)] })
        #expect(tracks.count == 1, "\(tracks.map { ($0.first, $0.boxes.count) })")
        #expect(tracks[0].first == 0 && tracks[0].boxes.count == 75)
    }

    /// The faces of 60 frames with a cut before frame 30, of which one frame may be torn: some rows are of the other scene.
    /// - Parameters:
    ///   - square: of the scene that has a face, which is the earlier one or the later one.
    ///   - smeared: frames that mix both scenes, 2 : 3.
    private static func tracksAtCut(
        _ square: Square, isEarlier: Bool, torn: Int? = nil, rows: Range<Int> = 0..<0, smeared: Range<Int> = 0..<0
    ) throws -> [FaceBoxTracker.Track] {
        let detector = ToldDetector()
        let tracker = FaceBoxTracker(detector: detector)
        for frame in 0..<60 {
            func scene(_ isFirst: Bool) throws -> PixelBuffer {
                try picture(isFirst == isEarlier ? [square] : [], ground: isFirst ? 99 : 5)
            }
            var shown = try scene(frame < 30)
            if frame == torn {
                let other = try scene(frame >= 30)
                for y in rows {
                    for x in 0..<320 { shown.fill(x..<x + 1, ofRow: y, with: .init(truncatingIfNeeded: other[x, y])) }
                }
            }
            if smeared.contains(frame) {
                let other = try scene(frame >= 30)
                for y in 0..<240 {
                    for x in 0..<320 {
                        let (a, b) = (shown[x, y], other[x, y])
                        let sum: SIMD4<UInt16> = 3 &* a &+ 2 &* b
                        shown.fill(x..<x + 1, ofRow: y, with: .init(truncatingIfNeeded: sum / 5))
                    }
                }
            }
            detector.next = (frame < 30) == isEarlier ? [detection(square)] : []
            try tracker.add(shown, at: Double(frame) / rate)
        }
        return tracker.finish().tracks
    }

    /// Where nothing of the other scene is seen beside the cut, no cover is there, either.
    @Test(arguments: [true, false]) func aCoverEndsAtASharpCut(_ isEarlier: Bool) throws {
        let tracks = try Self.tracksAtCut(Square(x: 150, y: 110), isEarlier: isEarlier)
        #expect(tracks.map(\.first) == [isEarlier ? 0 : 30] && tracks.map(\.boxes.count) == [30], "\(tracks)")
    }

    /// A fifth of the face is still, or already, in a frame of the other scene.
    @Test(arguments: [true, false]) func aCoverReachesAcrossATornCut(_ isEarlier: Bool) throws {
        let tracks = try Self.tracksAtCut(
            Square(x: 150, y: 110), isEarlier: isEarlier, torn: isEarlier ? 30 : 29, rows: 80..<92)
        #expect(tracks.count == 1, "\(tracks.map { ($0.first, $0.boxes.count) })")
        let track = try #require(tracks.first)
        let (first, end) = (track.first, track.first + track.boxes.count)
        #expect(isEarlier ? first == 0 && end == 33 : first <= 28 && end == 60, "\(first)..<\(end)")
    }

    /// A mixture of both scenes is shown several times, as where the frame rate was raised.
    @Test(arguments: [true, false]) func aCoverReachesAcrossASmearedCut(_ isEarlier: Bool) throws {
        let tracks = try Self.tracksAtCut(
            Square(x: 150, y: 110), isEarlier: isEarlier, smeared: isEarlier ? 30..<33 : 27..<30)
        let frames = tracks.map { $0.first..<$0.first + $0.boxes.count }
        // As far as a tenth of a second reaches.
        #expect(frames.contains { isEarlier ? $0.upperBound >= 33 : $0.lowerBound <= 28 }, "\(frames)")
    }

    /// What was found is found again without a search, and a new mark is followed.
    @Test func aKnownSearchIsFollowed() throws {
        func squares(_ frame: Int) -> [Square] { [Self.moving(frame), Square(x: 250, y: 60, side: 50, seed: 2)] }
        let detector = ToldDetector()
        let searching = FaceBoxTracker(detector: detector)
        for frame in 0..<40 {
            detector.next = [Self.detection(Self.moving(frame), score: 0.83)]
            try searching.add(Self.picture(squares(frame)), at: Double(frame) / Self.rate)
        }
        let search = searching.finish()
        #expect(search.tracks.count == 1 && search.frames.count == detector.searches && search.times.count == 40)
        func followed(_ corrections: FaceBoxCorrections) throws -> FaceBoxSearch {
            let tracker = FaceBoxTracker(following: search, corrections: corrections)
            for frame in 0..<40 { try tracker.add(Self.picture(squares(frame)), at: Double(frame) / Self.rate) }
            return tracker.finish()
        }
        #expect(try followed(.init()) == search)
        let marked = try followed(.init(added: [Self.place(12, squares(12)[1])]))
        #expect(marked.tracks.map(\.isAdded).sorted { !$0 && $1 } == [false, true] && marked.frames == search.frames)
        #expect(marked.marks != search.marks)
    }

    /// Half of it is still there when its middle has left the picture.
    @Test func aFaceIsCoveredUntilItHasLeft() throws {
        func leaving(_ frame: Int) -> Square { Square(x: 90 - 4 * Float(frame), y: 110) }
        let (tracks, _) = try Self.tracks(50, square: { [leaving($0)] }) {
            leaving($0).x > 30 ? [Self.detection(leaving($0))] : []
        }
        let track = try #require(tracks.first)
        for frame in 0..<28 { #expect(track.box(in: frame) != nil, "frame \(frame): x = \(leaving(frame).x)") }
    }

    /// Of a face that the picture's edge cuts, a detector sees a narrow part: the whole of it is covered.
    @Test(arguments: [
        (FaceBox(x: 0, y: 80, width: 20, height: 80), Point(-10, 120)),
        (FaceBox(x: 300, y: 80, width: 20, height: 80), Point(330, 120)),
        (FaceBox(x: 100, y: 0, width: 60, height: 20), Point(130, -20)),
        (FaceBox(x: 100, y: 220, width: 60, height: 20), Point(130, 260)),
    ])
    func aFaceAtTheEdgeIsCoveredWhole(_ box: FaceBox, _ center: Point) throws {
        let size = Point(320, 240)
        let whole = FaceDetection(box: box, score: 1).completed(in: size).box
        #expect(whole.width == 60 && whole.height == 80 && whole.center == center, "\(whole)")
        let inside = FaceBox(x: 50, y: 80, width: 20, height: 80)
        #expect(FaceDetection(box: inside, score: 1).completed(in: size).box == inside)
        let (tracks, _) = try Self.tracks(10, square: { _ in [] }) { _ in [FaceDetection(box: box, score: 1)] }
        #expect(tracks.count == 1 && tracks[0].boxes.allSatisfy { $0.side == 70 }, "\(tracks)")
    }

    /// A hand beside a face that flow follows is not taken for it.
    @Test func aWeakDetectionBesideAFaceDoesNotMoveItsCover() throws {
        let still = Square(x: 150, y: 110)
        let beside = Square(x: 183, y: 110, side: 36)
        let (tracks, _) = try Self.tracks(40, square: { _ in [still] }) {
            [Self.detection($0 < 10 ? still : beside, score: $0 < 10 ? 0.9 : 0.22)]
        }
        let track = try #require(tracks.first)
        for box in track.boxes { #expect((box.center - Point(150, 110)).length < 4, "\(box)") }
    }

    @Test func twoFacesAreTwoTracks() throws {
        func two(_ frame: Int) -> [Square] {
            [Square(x: 70, y: 60 + Float(frame), seed: 1), Square(x: 230, y: 180 - Float(frame), seed: 2)]
        }
        let (tracks, _) = try Self.tracks(50, square: two) { frame in two(frame).map { Self.detection($0) } }
        #expect(tracks.map(\.boxes.count) == [50, 50])
    }

    /// A weak detection in one frame is none; a strong one, or a second one, is.
    @Test(arguments: [(0.5, 1, 0), (0.5, 50, 1), (0.8, 1, 1)])
    func whatIsFoundOnceMustBeCertain(score: Double, frames: Int, count: Int) throws {
        let still = Square(x: 150, y: 110)
        var left = frames
        let (tracks, _) = try Self.tracks(30, square: { _ in [still] }) { _ in
            left -= 1
            return left >= 0 ? [Self.detection(still, score: score)] : []
        }
        #expect(tracks.count == count)
    }

    @Test func numbersThatAreNoneAreNoFaces() throws {
        let still = Square(x: 150, y: 110)
        let (tracks, _) = try Self.tracks(20, square: { _ in [still] }) { _ in
            [Float.nan, .infinity, -1e30].map {
                Self.detection(Square(x: $0, y: $0, side: $0))
            }
        }
        #expect(tracks.isEmpty)
    }

    @Test func nothingIsNoTrack() throws {
        #expect(FaceBoxTracker(detector: ToldDetector()).finish().tracks.isEmpty)
    }
}
