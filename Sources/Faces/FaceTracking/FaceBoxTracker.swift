import Detection
import FaceGeometry
import Glibc
import Pixels
import Threads

/// Tracks the boxes of all faces in recorded video, from the first frame in which each can be seen to the last: what is needed
/// to cover them. It has no need of landmarks, so that profiles and small faces are tracked, too.
///
/// The detector searches some frames; `FaceBoxTracks` does the rest. It belongs to one thread.
package final class FaceBoxTracker {
    package struct Settings: Sendable {
        /// Seconds between searches, and between those at full size: the others are at half the width and height, which takes a
        /// quarter of the time. Frames that differ much from the one before are searched, too, at full size.
        package var interval = 0.1
        package var thoroughInterval = 0.3
        /// The detector's score from which on a place starts a track, and from which on it goes on with one.
        package var startingScore = 0.4
        package var continuingScore = 0.2
        /// A place with a lower score goes on with a track only near to where flow leads: it may be a hand beside the face.
        package var trustedScore = 0.4
        /// A track that was found only once counts if that was with at least this score, or if it was too short to be found
        /// again: fewer than `fewSearches` searches at full size fell into it.
        package var sureScore = 0.7
        package var fewSearches = 3
        /// How long a face is followed without being found again, in seconds; and how far back from where it was found first: for
        /// longer, because somebody comes in at the picture's edge or far away before being found.
        package var hold = 1.5
        package var back = 4.0

        package init() {}

        package init(_ thoroughness: SearchThoroughness) {
            switch thoroughness {
            case .sure: (startingScore, sureScore) = (0.5, 0.8)
            case .balanced: break
            case .careful:
                (startingScore, sureScore) = (0.25, 0.4)
                thoroughInterval = interval
            }
        }
    }

    /// One face, in a row of frames.
    package struct Track: Equatable, Sendable {
        /// The number of the first frame, counted from 0.
        package internal(set) var first: Int
        /// One for each frame from the first on, in pixels of the frame, in the convention of dlib's detector.
        package internal(set) var boxes: [OrientedBox]
        /// The best score with which it was found, and how often it was.
        package internal(set) var score: Double
        package internal(set) var sightings: Int
        /// Whether somebody has said that there is a face, so that it is covered in any case.
        package internal(set) var isAdded = false
        /// The frames of its scene. Beyond, across a cut, boxes hide what may still be seen of the face, and cover what is there.
        package internal(set) var scene: Range<Int>
        /// Whether the cut before its first frame, or after its last one, is sharp: then nothing of it is seen beyond.
        var startIsSharp = false
        var endIsSharp = false

        /// - Parameter scene: the frames of its scene, which lie among those of the boxes; nil: these.
        package init(
            first: Int, boxes: [OrientedBox], score: Double, sightings: Int, isAdded: Bool = false,
            scene: Range<Int>? = nil
        ) {
            (self.first, self.boxes, self.score, self.sightings) = (first, boxes, score, sightings)
            self.isAdded = isAdded
            self.scene = scene ?? first..<first + boxes.count
        }

        /// Of its boxes, in pixels of the frame.
        package var largestSide: Float { boxes.map(\.side).max() ?? 0 }

        /// The number of the frame after the last one.
        var end: Int { first + boxes.count }

        /// Its box in a frame; nil where it is not.
        package func box(in frame: Int) -> OrientedBox? {
            boxes.indices.contains(frame - first) ? boxes[frame - first] : nil
        }

        /// The frames on the same side of the cuts as one of them.
        package func part(of frame: Int) -> Range<Int> {
            if frame < scene.lowerBound { return first..<scene.lowerBound }
            return frame < scene.upperBound ? scene : scene.upperBound..<end
        }

        /// What is left on the other sides of the cuts.
        func parts(without frame: Int) -> [Track] {
            let part = part(of: frame)
            return [first..<part.lowerBound, part.upperBound..<end].filter { !$0.isEmpty }.map { frames in
                var rest = self
                (rest.first, rest.boxes) = (frames.lowerBound, frames.map { boxes[$0 - first] })
                rest.scene = scene.clamped(to: frames)
                return rest
            }
        }

        /// In pixels of the frame, with two decimals, as files keep them.
        fileprivate func magnified(by scale: Float) -> Track {
            func rounded(_ value: Float) -> Float { (100 * scale * value).rounded() / 100 }
            let boxes = boxes.map {
                OrientedBox(
                    center: Point(rounded($0.center.x), rounded($0.center.y)), side: rounded($0.side), roll: $0.roll)
            }
            return Track(first: first, boxes: boxes, score: score, sightings: sightings, isAdded: isAdded, scene: scene)
        }
    }

    /// Frames are reduced to this width for flow, in pixels.
    static let flowWidth = 640
    /// A frame that is so distant from the one before is searched: it may begin a scene.
    static let change: Float = 0.12

    private enum Finder {
        case detector(any FaceDetector)
        /// What an earlier search has found, by the numbers of its frames.
        case known([Int: FaceBoxSearch.SearchedFrame])
    }

    private let finder: Finder
    private let settings: Settings
    private let corrections: FaceBoxCorrections
    private let owner = OwningThread()
    private let found: FaceBoxTracks
    private var searched: [FaceBoxSearch.SearchedFrame] = []
    private var times: [Double] = []
    private var lastSearch = -Double.infinity
    private var lastThoroughSearch = -Double.infinity
    private var lastSignature: SceneSignature?
    /// Pixels of a frame for a pixel of the picture for flow.
    private var scale: Float = 1

    package init(
        detector: any FaceDetector, settings: Settings = Settings(), corrections: FaceBoxCorrections = .init()
    ) {
        (finder, self.settings, self.corrections) = (.detector(detector), settings, corrections)
        found = FaceBoxTracks(settings)
    }

    /// Tracks the faces that an earlier search of the same frames has found, and those of new marks.
    /// - Parameter settings: those of that search.
    package init(
        following known: FaceBoxSearch, settings: Settings = Settings(), corrections: FaceBoxCorrections = .init()
    ) {
        let frames = Dictionary(known.frames.map { ($0.number, $0) }) { $1 }
        (finder, self.settings, self.corrections) = (.known(frames), settings, corrections)
        found = FaceBoxTracks(settings)
    }

    /// Takes the next frame, `rgba8`.
    /// - Parameter seconds: its time, later than that of the frame before.
    package func add(_ frame: borrowing PixelBuffer, at seconds: Double) throws {
        owner.check()
        scale = Self.flowScale(of: frame)
        let signature = SceneSignature(frame)
        var search = FaceBoxTracks.Search.none
        if let result = try result(frame, signature, at: seconds) {
            searched.append(result)
            let sightings = result.faces.map { face in
                FaceBoxTracks.Sighting(
                    box: OrientedBox(center: face.center, side: face.side, roll: 0), score: Double(face.score))
            }
            search = .ended(sightings, isThorough: result.isThorough)
        }
        times.append(seconds)
        search.add(corrections.sightings(in: found.frameCount, scale: scale))
        found.add(.init(try Self.flowPicture(of: frame), .init(signature, seconds: seconds), search))
    }

    /// - Returns: what the frame shows; nil if it is not searched.
    private func result(
        _ frame: borrowing PixelBuffer, _ signature: SceneSignature, at seconds: Double
    ) throws -> FaceBoxSearch.SearchedFrame? {
        let detector: any FaceDetector
        switch finder {
        case .known(let frames): return frames[times.count]
        case .detector(let own): detector = own
        }
        let hasChanged = lastSignature?.distance(to: signature).map { $0 > Self.change } ?? true
        lastSignature = signature
        // Half a millisecond of tolerance: frame times are rounded.
        guard hasChanged || seconds - lastSearch >= settings.interval - 0.0005 else { return nil }
        lastSearch = seconds
        let isThorough = hasChanged || seconds - lastThoroughSearch >= settings.thoroughInterval - 0.0005
        if isThorough { lastThoroughSearch = seconds }
        return FaceBoxSearch.SearchedFrame(
            number: times.count, isThorough: isThorough, faces: try search(frame, detector, isThorough: isThorough))
    }

    /// Pixels of a frame for a pixel of its `flowPicture`.
    static func flowScale(of frame: borrowing PixelBuffer) -> Float {
        Float(frame.width) / Float(min(frame.width, flowWidth))
    }

    /// A frame, reduced for flow.
    static func flowPicture(of frame: borrowing PixelBuffer) throws -> PixelBuffer {
        let width = min(frame.width, flowWidth)
        return try frame.grey(width: width, height: max(1, (frame.height * width + frame.width / 2) / frame.width))
    }

    /// What the detector finds in a frame, in pixels of the picture for flow.
    private func search(
        _ frame: borrowing PixelBuffer, _ detector: any FaceDetector, isThorough: Bool
    ) throws -> [FaceBoxSearch.Detection] {
        let (width, height) = (max(1, frame.width / (isThorough ? 1 : 2)), max(1, frame.height / (isThorough ? 1 : 2)))
        let detections: [FaceDetection]
        if !detector.seesColor {
            detections = try detector.detections(in: frame.grey(width: width, height: height))
        } else if isThorough {
            detections = try detector.detections(in: frame)
        } else {
            detections = try detector.detections(in: frame.resized(width: width, height: height))
        }
        // Pixels of the searched picture for a pixel of the one for flow.
        let scale = scale * Float(width) / Float(frame.width)
        let size = Point(Float(width), Float(height))
        return detections.compactMap {
            let box = detector.boxConvention.landmarkBox($0.completed(in: size))
            let face = settings.sighting(of: box, $0.score, scale: scale)
            return face.map { .init(center: $0.box.center, side: $0.box.side, score: Float($0.score)) }
        }
    }

    /// Ends the video.
    package func finish() -> FaceBoxSearch {
        owner.check()
        found.finish()
        let tracks = found.tracks.map { $0.magnified(by: scale) }.sorted {
            ($0.first, $0.boxes.count) < ($1.first, $1.boxes.count)
        }
        return FaceBoxSearch(frames: searched, tracks: tracks, times: times, marks: corrections.marks)
    }
}

extension FaceBoxTracker.Settings {
    /// What the detector has found, if that counts.
    /// - Parameter scale: pixels of the box for a pixel of the picture for flow.
    func sighting(of box: OrientedBox, _ score: Double, scale: Float) -> FaceBoxTracks.Sighting? {
        guard score >= min(continuingScore, startingScore) else { return nil }
        let found = OrientedBox(center: box.center / scale, side: box.side / scale, roll: 0)
        guard found.center.x.isFinite, found.center.y.isFinite, found.side > 1, found.side.isFinite else { return nil }
        return FaceBoxTracks.Sighting(box: found, score: score)
    }
}
