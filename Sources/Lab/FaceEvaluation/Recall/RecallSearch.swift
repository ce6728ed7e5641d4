import Clips
import Compositing
import Evaluation
import FaceGeometry
import FaceTracking
import Files
import ImageFiles
import Pixels

/// Finds faces as `bauta photo` and `bauta video` do.
struct RecallSearch {
    /// What was found in a picture.
    struct Places {
        var width = 0
        var height = 0
        /// Faces with landmarks.
        var faces: [Face] = []
        /// Places without them, which are covered.
        var unsure: [UnsureFace] = []

        var covers: [FaceCover] { faces.map { FaceCover($0) } + unsure.map { FaceCover($0) } }
    }

    private let subject: RecallEvaluation.Subject
    private let models: FaceModels
    private let reference: ReferenceFace
    private let finder: PhotographFaces
    private let isStopped: StopCheck

    /// - Throws: `VisionError` with the path of the missing or unusable file.
    init(
        subject: RecallEvaluation.Subject, models: FaceModels, reference: ReferenceFace, isStopped: @escaping StopCheck
    ) throws {
        (self.subject, self.models, self.reference) = (subject, models, reference)
        self.isStopped = isStopped
        let model = try models.loadLandmarkModel(for: .photographs)
        finder = try models.makePhotographFaces(reference: reference) { model }
    }

    func photograph(_ path: FilePath) throws -> Places {
        let picture = try PictureReader.read(path).pixels.withEightBits()
        var places = Places(width: picture.width, height: picture.height)
        switch subject {
        case .masks: places.faces = try finder.faces(in: picture).faces
        case .covers(let thoroughness):
            let found = try finder.thoroughSearch(
                in: picture, minimumFaceWidth: PhotographFaces.smallestCovered, thoroughness)
            (places.faces, places.unsure) = (found.faces, found.unsure)
        }
        return places
    }

    /// - Parameter frames: the numbers of those that are wanted.
    /// - Returns: those that exist, by their numbers.
    func clip(_ path: FilePath, frames: Set<Int>) throws -> [Int: Places] {
        let reader = try ClipReader(path.description)
        // What a frame shows is known only with the frames after it.
        let count = (frames.max() ?? 0) + Self.following
        switch subject {
        case .masks: return try masks(reader, frames, count)
        case .covers(let thoroughness): return try covers(reader, frames, count, thoroughness)
        }
    }

    /// Frames that are read after the last one that is wanted: more than a look ahead, and than flow goes back.
    private static let following = 100

    private func masks(_ reader: ClipReader, _ frames: Set<Int>, _ count: Int) throws -> [Int: Places] {
        var result: [Int: Places] = [:]
        let model = try models.loadLandmarkModel(for: .frames)
        let tracker = try models.makeLookAheadTracker(model: model, reference: reference, settings: .video())
        var (number, taken, isEnding) = (0, 0, false)
        while !isEnding {
            try checkStop(isStopped)
            var frame = try reader.makeFrame()
            if taken < count, let seconds = try reader.read(into: &frame) {
                try tracker.add(frame, at: seconds)
                taken += 1
            } else {
                isEnding = true
            }
            while let output = try tracker.next(isEnding: isEnding) {
                if frames.contains(number) {
                    result[number] = Places(
                        width: output.pixels.width, height: output.pixels.height, faces: output.faces.map(\.face))
                }
                number += 1
            }
        }
        return result
    }

    private func covers(
        _ reader: ClipReader, _ frames: Set<Int>, _ count: Int, _ thoroughness: SearchThoroughness
    ) throws -> [Int: Places] {
        let tracker = try models.makeFaceBoxTracker(thoroughness)
        var frame = try reader.makeFrame()
        var taken = 0
        while taken < count, let seconds = try reader.read(into: &frame) {
            try checkStop(isStopped)
            try tracker.add(frame, at: seconds)
            taken += 1
        }
        let tracks = tracker.finish().tracks
        var result: [Int: Places] = [:]
        for number in frames where number < taken {
            let boxes = tracks.compactMap { $0.box(in: number) }
            result[number] = Places(
                width: frame.width, height: frame.height, unsure: boxes.map { UnsureFace(box: $0, score: 1) })
        }
        return result
    }
}
