import Compositing
import FaceGeometry
import Pixels
import TestSupport
import Testing

@Suite struct UnmaskedFacesTests {
    private let reference: ReferenceFace

    init() throws { reference = try Repository.referenceFace() }

    private func face(_ trackID: Int, x: Float = 150) -> FaceInstance {
        let landmarks = reference.landmarks.mapped { Point(x, 60) + 100 * $0 }
        return FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: trackID)
    }

    /// What is reported of frames at 25 a second.
    /// - Parameter change: adjusts a frame before it is noted.
    private func unmasked(
        _ frames: [[FaceInstance]], change: (Int, inout Frame) -> Void = { _, _ in }
    ) throws -> UnmaskedFaces {
        var unmasked = UnmaskedFaces()
        for (index, faces) in frames.enumerated() {
            let pixels = try PixelBuffer(width: 480, height: 240, format: .rgba8)
            var frame = Frame(pixels, seconds: Double(index) / 25, number: index)
            frame.faces = faces
            frame.chosenFaces = faces
            change(index, &frame)
            unmasked.note(frame)
        }
        return unmasked
    }

    private func stretch(
        _ trackID: Int, _ frames: ClosedRange<Int>, _ until: UnmaskedFaces.Stretch.End
    ) -> UnmaskedFaces.Stretch {
        UnmaskedFaces.Stretch(
            trackID: trackID, firstFrame: frames.lowerBound, lastFrame: frames.upperBound,
            start: Double(frames.lowerBound) / 25, end: Double(frames.upperBound) / 25, until: until)
    }

    @Test func gapsAreListed() throws {
        let (one, two) = (face(1), face(2, x: 330))
        let result = try unmasked([[one, two], [two], [two], [one, two], [one], [one]])
        #expect(result.stretches == [stretch(1, 1...2, .foundAgain), stretch(2, 4...5, .endOfVideo)])
        #expect(result.frameCount == 4)
        #expect(try unmasked([[], [one], [one]]).stretches.isEmpty)
    }

    @Test func framesCountOnce() throws {
        let result = try unmasked([[face(1), face(2, x: 330)], [], []])
        #expect(result.stretches.count == 2 && result.frameCount == 2)
    }

    /// Somebody who is not found again has probably left.
    @Test func aFaceIsMissedForTwoSeconds() throws {
        let result = try unmasked([[face(1)]] + [[FaceInstance]](repeating: [], count: 200))
        #expect(result.stretches == [stretch(1, 1...50, .notFoundAgain)])
        #expect(result.frameCount == 50)
    }

    /// The same person under a new number is not unmasked.
    @Test func anotherTrackInThePlaceEndsIt() throws {
        let result = try unmasked([[face(1)], [], [face(2, x: 155)], []])
        #expect(result.stretches == [stretch(1, 1...1, .foundAgain), stretch(2, 3...3, .endOfVideo)])
    }

    @Test func aCutEndsIt() throws {
        let result = try unmasked([[face(1)], [], [], []]) { index, frame in frame.isCut = index == 2 }
        #expect(result.stretches == [stretch(1, 1...1, .cut)])
        #expect(try unmasked([[face(1)], [], []]) { index, frame in frame.isCut = index == 1 }.stretches.isEmpty)
    }

    @Test func coveredFacesAreNotUnmasked() throws {
        let frames = [[face(1)], [], [], [], []]
        let kept = try unmasked(frames) { index, frame in if (1...2).contains(index) { frame.keptFaces = [face(1)] } }
        #expect(kept.stretches == [stretch(1, 3...4, .endOfVideo)])
        let blurred = try unmasked(frames) { index, frame in frame.isBlurred = index >= 2 }
        #expect(blurred.stretches == [stretch(1, 1...1, .blurred)])
    }

    /// Who leaves the picture, and who is not to get a mask, is not unmasked.
    @Test func unchosenFacesAreNotUnmasked() throws {
        #expect(try unmasked([[face(1, x: -45)], [], []]).stretches.isEmpty)
        let unchosen = try unmasked([[face(1), face(2, x: 330)], [face(1)], [face(1)]]) { _, frame in
            frame.chosenFaces = [face(1)]
        }
        #expect(unchosen.stretches.isEmpty)
        let displaced = try unmasked([[face(1)], [face(1), face(2, x: 330)], [face(2, x: 330)]]) { index, frame in
            if index > 0 { frame.chosenFaces = [face(2, x: 330)] }
        }
        #expect(displaced.stretches.isEmpty)
    }
}
