import FaceGeometry
import FaceTracking
import Files
import Glibc
import JSON

/// What was found in a clip, in a hidden file in the folder of results, so that `bauta review` opens at once and the run that
/// obeys it need not search again (docs/reference/review.md). It holds no pictures.
package struct FaceSearchFile: Sendable {
    package let path: FilePath
    private let checksum: UInt64
    private let settings: String

    /// In bytes. While it is read, it takes some forty times as much memory.
    private static let largest = 32 << 20
    /// Boxes of tracks and detections.
    private static let mostBoxes = 1_000_000
    /// Of one frame: following takes a megabyte for three of them.
    private static let mostFaces = 512
    private static let mostFrames = 100_000_000
    /// In pixels.
    private static let largestPlace = 1e6

    /// - Parameters:
    ///   - folder: where the results are.
    ///   - checksum: of the clip, as `Checksum.ofFile` finds it.
    ///   - settings: all that decides what a search finds. What was found with others is not read.
    package init(folder: FilePath, checksum: UInt64, settings: String) {
        path = (folder.isEmpty ? "." : folder) / FilePath("\(Self.prefix)\(String(checksum, radix: 16)).json")
        (self.checksum, self.settings) = (checksum, settings)
    }

    private static let prefix = ".bauta-faces-"

    /// Whether there are such files in a folder: results of clips are there, or were.
    package static func exist(in folder: FilePath) -> Bool {
        (Folder.entries(of: folder.isEmpty ? "." : folder) ?? []).contains { $0.bytes.starts(with: prefix.utf8) }
    }

    /// - Returns: nil if the clip was not searched with these settings.
    /// - Throws: `FileError` if the file cannot be read or is damaged.
    package func read() throws(FileError) -> FaceBoxSearch? {
        guard path.status(followsLinks: false) != nil else { return nil }
        let bytes = try FileContents.read(path, limit: Self.largest)
        do throws(ReviewFile.Damage) {
            let (checksum, settings, search) = try Self.parse(bytes)
            return checksum == self.checksum && settings == self.settings ? search : nil
        } catch {
            throw FileError(.damaged, path: path, "\(error.place.isEmpty ? "" : "/\(error.place): ")\(error.reason)")
        }
    }

    /// Replaces what was kept of an earlier search.
    /// - Throws: `FileError` if it is too large or cannot be written; then the file is as it was.
    package func write(_ search: FaceBoxSearch) throws(FileError) {
        let tracked: Int = search.tracks.reduce(0) { $0 + $1.boxes.count }
        let boxes: Int = search.frames.reduce(tracked) { $0 + $1.faces.count }
        guard boxes <= Self.mostBoxes, search.frames.allSatisfy({ $0.faces.count <= Self.mostFaces }) else {
            throw FileError(.tooLarge, path: path, "would have too many faces to be kept")
        }
        let text = Self.value(search, checksum: checksum, settings: settings).text() + "\n"
        guard text.utf8.count <= Self.largest else {
            throw FileError(.tooLarge, path: path, "would have more than \(Self.largest >> 20) MiB")
        }
        try AtomicFile.write(text, to: path, replacing: true)
    }

    /// Removes the file: what it says is not true of the clip.
    package func remove() { _ = path.withCString { unlink($0) } }

    /// Reads bytes as the file's content, for fuzzing.
    /// - Returns: whether they are one.
    package static func accepts(_ bytes: [UInt8]) -> Bool {
        guard let (checksum, settings, search) = try? parse(bytes) else { return false }
        // What is written rounds what a stranger may have written.
        let text = value(search, checksum: checksum, settings: settings).text()
        guard (try? parse(Array(text.utf8)))?.search.tracks.count == search.tracks.count else {
            fatalError("what was written is not read again")
        }
        return true
    }

    // MARK: JSON

    private static func value(_ search: FaceBoxSearch, checksum: UInt64, settings: String) -> JSONValue {
        let frames = search.frames.map { frame in
            JSONValue.object([
                "number": .integer(frame.number), "thorough": .bool(frame.isThorough),
                "faces": .array(
                    frame.faces.flatMap { face in
                        [face.center.x, face.center.y, face.side, face.score].map { .real($0) }
                    }),
            ])
        }
        let tracks = search.tracks.map { track in
            JSONValue.object([
                "first": .integer(track.first), "score": .number(track.score), "sightings": .integer(track.sightings),
                "added": .bool(track.isAdded),
                "scene": .array([.integer(track.scene.lowerBound), .integer(track.scene.upperBound)]),
                "boxes": .array(
                    track.boxes.flatMap { box in
                        [box.center.x, box.center.y, box.side].map { .number((Double($0) * 100).rounded() / 100) }
                    }),
            ])
        }
        return .object([
            "version": .integer(1), "checksum": .string(String(checksum, radix: 16)), "settings": .string(settings),
            "added": .string(String(search.marks.added, radix: 16)),
            "confirmed": .string(String(search.marks.confirmed, radix: 16)),
            "times": .array(search.times.map { .number($0) }), "frames": .array(frames), "tracks": .array(tracks),
        ])
    }

    static func parse(
        _ bytes: [UInt8]
    ) throws(ReviewFile.Damage) -> (checksum: UInt64, settings: String, search: FaceBoxSearch) {
        let value: JSONValue
        do {
            value = try bytes.withUnsafeBytes { try JSONValue(parsing: $0) }
        } catch {
            throw ReviewFile.Damage("", "\(error)")
        }
        guard value["version"]?.number == 1 else { throw ReviewFile.Damage("version", "must be 1") }
        guard let settings = value["settings"]?.string else { throw ReviewFile.Damage("settings", "must be a string") }
        let times = try numbers(value, "times", -1e9...1e9, in: "")
        guard times.count <= mostFrames else {
            throw ReviewFile.Damage("times", "must be of at most \(mostFrames) frames")
        }
        var frames: [FaceBoxSearch.SearchedFrame] = []
        for (index, element) in try elements(value, "frames").enumerated() {
            frames.append(try frame(element, after: frames.last?.number ?? -1, of: times.count, "frames/\(index)/"))
        }
        var tracks: [FaceBoxTracker.Track] = []
        for (index, element) in try elements(value, "tracks").enumerated() {
            tracks.append(try track(element, after: tracks.last?.first ?? 0, of: times.count, "tracks/\(index)/"))
        }
        let marks = FaceBoxCorrections.Marks(
            added: try checksum(value, "added"), confirmed: try checksum(value, "confirmed"))
        return (
            try checksum(value, "checksum"), settings,
            FaceBoxSearch(frames: frames, tracks: tracks, times: times, marks: marks)
        )
    }

    private static func frame(
        _ value: JSONValue, after last: Int, of count: Int, _ place: String
    ) throws(ReviewFile.Damage) -> FaceBoxSearch.SearchedFrame {
        let number = try integer(value, "number", in: place)
        guard number > last, number < count else {
            throw ReviewFile.Damage(place + "number", "must be that of a frame, larger than the one before")
        }
        let numbers = try numbers(value, "faces", -largestPlace...largestPlace, in: place)
        guard numbers.count.isMultiple(of: 4), numbers.count <= 4 * mostFaces else {
            throw ReviewFile.Damage(
                place + "faces", "must have x, y, side and score of each face, of at most \(mostFaces) faces")
        }
        let faces = try stride(from: 0, to: numbers.count, by: 4).map { (at) throws(ReviewFile.Damage) in
            let face = numbers[at..<at + 4].map { Float($0) }
            guard face[2] > 0 else { throw ReviewFile.Damage(place + "faces/\(at + 2)", "must be a side in pixels") }
            return FaceBoxSearch.Detection(center: Point(face[0], face[1]), side: face[2], score: face[3])
        }
        return .init(number: number, isThorough: try bool(value, "thorough", in: place), faces: faces)
    }

    private static func track(
        _ value: JSONValue, after last: Int, of count: Int, _ place: String
    ) throws(ReviewFile.Damage) -> FaceBoxTracker.Track {
        let (first, sightings) = (try integer(value, "first", in: place), try integer(value, "sightings", in: place))
        let numbers = try numbers(value, "boxes", -largestPlace...largestPlace, in: place)
        guard numbers.count.isMultiple(of: 3), !numbers.isEmpty, first >= last, first + numbers.count / 3 <= count
        else {
            throw ReviewFile.Damage(
                place + "boxes",
                "must have x, y and side for each frame from `first` on, and tracks must be in their order")
        }
        let boxes = try stride(from: 0, to: numbers.count, by: 3).map { (at) throws(ReviewFile.Damage) in
            let box = numbers[at..<at + 3].map { Float($0) }
            guard box[2] >= 0 else { throw ReviewFile.Damage(place + "boxes/\(at + 2)", "must be a side in pixels") }
            return OrientedBox(center: Point(box[0], box[1]), side: box[2], roll: 0)
        }
        let scene = try Self.numbers(value, "scene", Double(first)...Double(first + boxes.count), in: place)
            .map { Int($0) }
        guard scene.count == 2, scene[0] < scene[1] else {
            throw ReviewFile.Damage(place + "scene", "must be the first frame of its scene, and the one after its last")
        }
        guard let score = value["score"]?.number, score.magnitude <= largestPlace else {
            throw ReviewFile.Damage(place + "score", "must be a number")
        }
        return .init(
            first: first, boxes: boxes, score: score, sightings: sightings,
            isAdded: try bool(value, "added", in: place), scene: scene[0]..<scene[1])
    }

    private static func elements(_ value: JSONValue, _ key: String) throws(ReviewFile.Damage) -> [JSONValue] {
        guard case .array(let elements)? = value[key] else { throw ReviewFile.Damage(key, "must be an array") }
        return elements
    }

    private static func numbers(
        _ value: JSONValue, _ key: String, _ range: ClosedRange<Double>, in place: String
    ) throws(ReviewFile.Damage) -> [Double] {
        guard case .array(let elements)? = value[key] else { throw ReviewFile.Damage(place + key, "must be an array") }
        return try elements.enumerated().map { (index, element) throws(ReviewFile.Damage) in
            guard let number = element.number, range.contains(number) else {
                throw ReviewFile.Damage(place + "\(key)/\(index)", "must be a number in \(range)")
            }
            return number
        }
    }

    private static func integer(_ value: JSONValue, _ key: String, in place: String) throws(ReviewFile.Damage) -> Int {
        guard let number = value[key]?.number.flatMap({ Int(exactly: $0) }), (0...mostFrames).contains(number) else {
            throw ReviewFile.Damage(place + key, "must be a whole number from 0 to \(mostFrames)")
        }
        return number
    }

    private static func bool(_ value: JSONValue, _ key: String, in place: String) throws(ReviewFile.Damage) -> Bool {
        guard case .bool(let isTrue)? = value[key] else {
            throw ReviewFile.Damage(place + key, "must be true or false")
        }
        return isTrue
    }

    private static func checksum(_ value: JSONValue, _ key: String) throws(ReviewFile.Damage) -> UInt64 {
        guard let checksum = value[key]?.string.flatMap({ UInt64($0, radix: 16) }) else {
            throw ReviewFile.Damage(key, "must be a hexadecimal number")
        }
        return checksum
    }
}
