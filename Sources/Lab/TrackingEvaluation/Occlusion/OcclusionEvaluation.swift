import Clips
import Evaluation
import FaceGeometry
import FaceTracking
import LandmarkModels
import Occlusion
import Pixels
import SyntheticFaces

/// How well occluders are detected in synthetic sequences whose hands are known.
package struct OcclusionEvaluation: Sendable {
    package let name: String
    /// The width of the pictures relative to `DrawnSequence.width`.
    package let scale: Float
    package private(set) var frames = 0
    /// Pixels of hands inside faces, in all frames, and how many of them are shown.
    package private(set) var handPixels = 0
    package private(set) var shownHandPixels = 0
    /// Pixels of faces without a hand in front of them, and how many of them are wrongly unmasked.
    package private(set) var facePixels = 0
    package private(set) var unmaskedPixels = 0
    /// Pixels that change between unmasked and masked, and back within three frames.
    package private(set) var flickeringPixels = 0
    /// The time for detection, in milliseconds per frame.
    package private(set) var duration = Samples()

    package var shownHandShare: Double { Double(shownHandPixels) / Double(max(1, handPixels)) }
    package var unmaskedShare: Double { Double(unmaskedPixels) / Double(max(1, facePixels)) }
    package var flickerShare: Double { Double(flickeringPixels) / Double(max(1, facePixels + handPixels)) }

    /// Sequences of one person in which nothing ever occludes the face.
    package static let withoutHands = DrawnSequence.all.filter {
        !["covered", "stayingCovered", "leaving", "crossing", "twelve", "sixteen"].contains($0.name)
    }

    /// All sequences with hands, then all without.
    /// - Parameter scale: of the pictures.
    /// - Throws: as `init`.
    package static func all(
        scale: Float, tracking: OcclusionTracking, models: FaceModels, reference: ReferenceFace, mesh: FaceMesh,
        isStopped: @escaping StopCheck
    ) throws -> [OcclusionEvaluation] {
        try (DrawnSequence.hands + withoutHands).map { sequence in
            try OcclusionEvaluation(
                sequence.scaled(by: scale), tracking: tracking, models: models, reference: reference, mesh: mesh,
                isStopped: isStopped)
        }
    }

    /// - Throws: `VisionError`, and `EvaluationError` if the measurement is stopped.
    package init(
        _ sequence: DrawnSequence, tracking: OcclusionTracking, models: FaceModels, reference: ReferenceFace,
        mesh: FaceMesh, isStopped: @escaping StopCheck
    ) throws {
        (name, scale) = (sequence.name, sequence.scale)
        let source = OcclusionFrames(
            tracking: tracking, models: models, reference: reference, mesh: mesh, isStopped: isStopped)
        func open() -> () throws -> TimedPicture? {
            var next = 0
            return {
                guard next < sequence.frameCount else { return nil }
                defer { next += 1 }
                return TimedPicture(
                    pixels: try sequence.picture(next, reference: reference), seconds: sequence.seconds(next))
            }
        }
        var history = FlickerHistory()
        try source.follow(open) { picture, index, result in
            duration.add(result.duration)
            frames += 1
            let inside = Self.insideFaces(sequence, index, picture, mesh: mesh, reference: reference)
            let unmasked = Self.unmasked(result.mattes, picture)
            count(sequence.showsHand(index), inside: inside, unmasked: unmasked, width: picture.width)
            flickeringPixels += history.add(unmasked, inside: inside)
        }
    }

    private mutating func count(
        _ showsHand: (Int, Int) -> Bool, inside: [Bool], unmasked: [Bool], width: Int
    ) {
        for index in inside.indices where inside[index] {
            if showsHand(index % width, index / width) {
                handPixels += 1
                if unmasked[index] { shownHandPixels += 1 }
            } else {
                facePixels += 1
                if unmasked[index] { unmaskedPixels += 1 }
            }
        }
    }

    /// For each pixel, whether it lies in the mesh of a face where it truly is.
    private static func insideFaces(
        _ sequence: DrawnSequence, _ frame: Int, _ picture: borrowing PixelBuffer, mesh: FaceMesh,
        reference: ReferenceFace
    ) -> [Bool] {
        var inside = [Bool](repeating: false, count: picture.width * picture.height)
        for actor in sequence.actors(frame) {
            let drawing = FaceDrawing(actor.face, placement: actor.placement, reference: reference)
            let vertices = drawing.face().vertices
            for triangle in mesh.triangles {
                let box = FaceBox(around: triangle.indices.map { vertices[$0] })
                let area = PixelRectangle(
                    x: Int(box.x), y: Int(box.y), width: Int(box.width) + 2, height: Int(box.height) + 2
                ).intersection(picture.bounds)
                for y in area.y..<(area.y + area.height) {
                    for x in area.x..<(area.x + area.width) {
                        let place = Point(Float(x) + 0.5, Float(y) + 0.5)
                        if triangle.contains(place, vertices) { inside[y * picture.width + x] = true }
                    }
                }
            }
        }
        return inside
    }

    /// For each pixel, whether it shows more of the picture than of the mask.
    private static func unmasked(_ mattes: [Int: OcclusionMatte], _ picture: borrowing PixelBuffer) -> [Bool] {
        var unmasked = [Bool](repeating: false, count: picture.width * picture.height)
        guard !mattes.isEmpty else { return unmasked }
        for index in unmasked.indices {
            let place = Point(Float(index % picture.width) + 0.5, Float(index / picture.width) + 0.5)
            unmasked[index] = mattes.values.contains { $0.value(at: place) > 0.5 }
        }
        return unmasked
    }
}

/// Finds pixels that change their state and change back within three frames.
package struct FlickerHistory {
    /// The last four frames, the newest last.
    private var frames: [[Bool]] = []

    package init() {}

    /// - Parameter inside: the pixels that count.
    /// - Returns: how many changed back in this frame.
    package mutating func add(_ unmasked: [Bool], inside: [Bool]) -> Int {
        frames.append(unmasked)
        if frames.count > 4 { frames.removeFirst() }
        let newest = frames.count - 1
        guard newest >= 2 else { return 0 }
        return inside.indices.count { index in
            guard inside[index], frames[newest][index] != frames[newest - 1][index] else { return false }
            // It had another state for one or two frames.
            let hadBefore = (0..<(newest - 1)).contains { frames[$0][index] == frames[newest][index] }
            return hadBefore
        }
    }
}

extension FaceModels {
    /// A tracker that gives the same faces for the same frames each time.
    /// - Throws: `VisionError` with the path of the missing or unusable file.
    func makeOfflineTracker(reference: ReferenceFace) throws -> FaceTracker {
        try makeOfflineTracker(model: try loadLandmarkModel(for: .frames), reference: reference)
    }

    /// - Parameter model: for frames, loaded before; several trackers may use it one after another.
    func makeOfflineTracker(model: any LandmarkModel, reference: ReferenceFace) throws -> FaceTracker {
        var settings = FaceTracker.Settings()
        settings.searchesInBackground = false
        return try FaceTracker(model: model, reference: reference, settings: settings) {
            try makeDetector(for: .frames)
        }
    }
}
