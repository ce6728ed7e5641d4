import FaceTracking
import Testing

@Suite struct SearchScheduleTests {
    /// Asks at 100 frames per second.
    /// - Parameter cost: seconds that each search takes.
    /// - Returns: the numbers of the frames with a search, and the smallest face of each.
    private func searches(
        _ schedule: inout SearchSchedule, frames: Range<Int>, faces: Int, cost: Double = 0
    ) -> [(frame: Int, smallest: Float)] {
        frames.compactMap { frame in
            schedule.next(at: Double(frame) / 100, knownFaces: faces, cost: cost).map { (frame, $0) }
        }
    }

    @Test func intervalsDependOnTheKnownFaces() {
        var alone = SearchSchedule(smallestFace: 0.1)
        #expect(searches(&alone, frames: 0..<40, faces: 0).map(\.frame) == [0, 8, 16, 24, 32])
        var following = SearchSchedule(smallestFace: 0.1)
        #expect(searches(&following, frames: 0..<160, faces: 1).map(\.frame) == [0, 50, 100, 150])
    }

    @Test func aLostFaceIsLookedForForThreeSeconds() {
        var schedule = SearchSchedule(smallestFace: 0.1)
        _ = searches(&schedule, frames: 0..<1000, faces: 1)
        schedule.noteLoss(at: 10)
        let frames = searches(&schedule, frames: 1000..<1500, faces: 1).map(\.frame)
        #expect(frames.prefix(4) == [1000, 1010, 1020, 1030])
        #expect(frames.filter { $0 < 1300 }.count == 30)
        // Afterwards every half second again.
        #expect(frames.filter { $0 >= 1300 } == [1340, 1390, 1440, 1490])
    }

    @Test func oneSearchInThreeIsThorough() {
        var schedule = SearchSchedule(smallestFace: 0.1)
        let sizes = searches(&schedule, frames: 0..<48, faces: 0).map(\.smallest)
        #expect(sizes == [0.22, 0.22, 0.1, 0.22, 0.22, 0.1])
        // If only large faces are asked for, no search looks for smaller ones.
        var large = SearchSchedule(smallestFace: 0.4)
        #expect(searches(&large, frames: 0..<48, faces: 0).allSatisfy { $0.smallest == 0.4 })
    }

    /// Smaller faces are counted while no other is lost or in doubt: no search for that one waits.
    @Test func smallerFacesAreCountedAtRest() {
        func countings(
            faces: Int, isInDoubt: Bool = false, loss: Double? = nil, counts: Bool = true
        ) -> [Float] {
            var schedule = SearchSchedule(smallestFace: 0.1)
            schedule.countsSmallerFaces = counts
            if let loss { schedule.noteLoss(at: loss) }
            return (0..<1000).compactMap { frame in
                let smallest = schedule.next(
                    at: Double(frame) / 100, knownFaces: faces, isInDoubt: isInDoubt, cost: 0)
                return schedule.isCounting ? smallest : nil
            }
        }
        for faces in [0, 2] {
            let sizes = countings(faces: faces)
            #expect(sizes.count >= 3 && sizes.allSatisfy { $0 == 0.05 }, "\(sizes)")
        }
        #expect(countings(faces: 2, isInDoubt: true).isEmpty)
        #expect(countings(faces: 2, loss: 9).isEmpty && countings(faces: 2, counts: false).isEmpty)
    }

    /// In a short clip, too, and where searches are slow.
    @Test(arguments: [0, 0.2, 0.5]) func smallerFacesAreCountedSoon(_ cost: Double) {
        var schedule = SearchSchedule(smallestFace: 0.3)
        schedule.countsSmallerFaces = true
        let first = (0..<300).first { frame in
            _ = schedule.next(at: Double(frame) / 100, knownFaces: 0, cost: cost)
            return schedule.isCounting
        }
        #expect(first.map { $0 <= 40 + Int(150 * cost) + 8 } == true, "\(String(describing: first))")
        // A large face of a small picture: smaller ones are found quickly.
        #expect(SearchSchedule.countedFace(below: 0.3) == 0.08 && SearchSchedule.countedFace(below: 0.1) == 0.05)
        #expect(SearchSchedule.countedFace(below: 0.04) == 0.03)
    }

    /// A slow search is followed by a longer rest: alone half as long as it took, otherwise three times as long.
    @Test func slowSearchesRest() {
        var alone = SearchSchedule(smallestFace: 0.1)
        #expect(searches(&alone, frames: 0..<70, faces: 0, cost: 0.2).map(\.frame) == [0, 30, 60])
        var following = SearchSchedule(smallestFace: 0.1)
        #expect(searches(&following, frames: 0..<170, faces: 2, cost: 0.2).map(\.frame) == [0, 80, 160])
        var lost = SearchSchedule(smallestFace: 0.1)
        lost.noteLoss(at: 0)
        #expect(searches(&lost, frames: 0..<70, faces: 2, cost: 0.2).map(\.frame) == [0, 30, 60])
    }

    @Test func hurryingSearchesAtOnceAndQuicklyFirst() {
        var schedule = SearchSchedule(smallestFace: 0.1)
        _ = searches(&schedule, frames: 0..<60, faces: 1)
        schedule.hurry()
        let after = searches(&schedule, frames: 61..<62, faces: 1)
        #expect(after.map(\.frame) == [61] && after.map(\.smallest) == [0.22])
    }

    /// In recorded video a shot of a few frames is searched for small faces, too.
    @Test func eachSceneOfAVideoIsSearchedThoroughlyFirst() {
        var schedule = SearchSchedule(smallestFace: 0.1, startsThoroughly: true)
        let sizes = searches(&schedule, frames: 0..<48, faces: 0).map(\.smallest)
        #expect(sizes == [0.1, 0.22, 0.22, 0.1, 0.22, 0.22])
        _ = searches(&schedule, frames: 48..<56, faces: 0)
        schedule.hurry()
        #expect(searches(&schedule, frames: 57..<58, faces: 1).map(\.smallest) == [0.1])
    }

    /// Frame times are rounded, so a search may come half a millisecond early.
    @Test func roundedTimesAreAccepted() {
        var schedule = SearchSchedule(smallestFace: 0.1)
        _ = schedule.next(at: 0, knownFaces: 1, cost: 0)
        #expect(schedule.next(at: 0.499, knownFaces: 1, cost: 0) == nil)
        #expect(schedule.next(at: 0.4996, knownFaces: 1, cost: 0) != nil)
    }

    /// In thorough searches, and in the first one after a face is lost that the landmark model never confirmed.
    @Test func theThoroughDetectorIsAsked() {
        var schedule = SearchSchedule(smallestFace: 0.1, startsThoroughly: true)
        var seconds = 0.0
        func isAsked() -> Bool {
            seconds += 1
            return schedule.next(at: seconds, knownFaces: 1, cost: 0) != nil && schedule.wantsThoroughDetector
        }
        #expect((0..<4).map { _ in isAsked() } == [true, false, false, true])
        schedule.noteLoss(at: seconds)
        #expect(!isAsked())
        schedule.noteLoss(at: seconds, wasConfirmed: false)
        #expect(isAsked())
        #expect(isAsked())
        #expect(!isAsked())
    }

    /// At once, and then about three times a second: it takes long.
    @Test func doubtIsAnsweredNowAndThen() {
        var schedule = SearchSchedule(smallestFace: 0.1)
        func asked(_ isInDoubt: Bool, every interval: Double, from start: Double) -> [Int] {
            (0..<9).filter { index in
                let next = schedule.next(
                    at: start + interval * Double(index), knownFaces: 1, isInDoubt: isInDoubt, cost: 0)
                return next != nil && schedule.wantsThoroughDetector
            }
        }
        #expect(asked(false, every: 0.5, from: 0) == [2, 5, 8])
        #expect(asked(true, every: 0.5, from: 10) == [0, 1, 2, 3, 4, 5, 6, 7, 8])
        schedule.hurry()
        schedule.noteLoss(at: 20)
        #expect(asked(true, every: 0.1, from: 20) == [0, 2, 5, 8])
    }
}
