import Evaluation
import FaceGeometry
import FaceTracking
import Files

/// How many of the faces that somebody has marked are masked or covered, and how much is for nothing.
package struct RecallEvaluation: Sendable {
    /// What is measured: the faces that get a mask, or the covers of `--anonymise`.
    package enum Subject: Equatable, Sendable {
        case masks
        case covers(SearchThoroughness)
    }

    /// A marked face.
    package struct Entry: Sendable {
        package let picture: FaceLabels.Picture
        package let face: FaceLabels.Face
        package let isFound: Bool
    }

    /// What was found in a picture, and is at no mark.
    package struct FalseFace: Sendable {
        package let picture: FaceLabels.Picture
        package let box: FaceBox
    }

    package let subject: Subject
    /// Of all marks but those to be ignored, in the order of the labels.
    package private(set) var entries: [Entry] = []
    package private(set) var falseFaces: [FalseFace] = []
    /// Pixels of covers that lie in no mark of twice its size, and all pixels. Of masks, 0.
    package private(set) var needlessPixels = 0.0
    package private(set) var pixels = 0.0

    /// - Parameters:
    ///   - labels: of the pictures; of each clip all frames are searched, up to the last one with labels.
    ///   - folder: in which relative paths begin.
    /// - Throws: `PictureError`, `ClipError`, `FileError`, `VisionError`, and `EvaluationError` if a frame does not exist, or
    ///   if the measurement is stopped.
    package init(
        _ labels: FaceLabels, folder: FilePath, subject: Subject, models: FaceModels, reference: ReferenceFace,
        isStopped: @escaping StopCheck
    ) throws {
        self.subject = subject
        let search = try RecallSearch(subject: subject, models: models, reference: reference, isStopped: isStopped)
        var done: Set<FilePath> = []
        for picture in labels.pictures {
            try checkStop(isStopped)
            let path = picture.file.isAbsolute ? picture.file : folder / picture.file
            guard picture.frame != nil else {
                note(picture, try search.photograph(path))
                continue
            }
            guard done.insert(picture.file).inserted else { continue }
            let frames = labels.pictures.filter { $0.file == picture.file && $0.frame != nil }
            let found = try search.clip(path, frames: Set(frames.compactMap(\.frame)))
            for frame in frames {
                guard let places = found[frame.frame ?? 0] else {
                    throw EvaluationError(.unusableInput, "\(path): has no frame \(frame.frame ?? 0)")
                }
                note(frame, places)
            }
        }
    }

    private mutating func note(_ picture: FaceLabels.Picture, _ found: RecallSearch.Places) {
        pixels += Double(found.width * found.height)
        switch subject {
        case .masks: noteMasks(picture, found)
        case .covers: noteCovers(picture, found)
        }
    }

    /// A mark and a face belong together if the centre of the face is in the middle of the mark, and both have about one
    /// size. Each mark takes the nearest face that is left.
    private mutating func noteMasks(_ picture: FaceLabels.Picture, _ found: RecallSearch.Places) {
        var free = found.faces.map { OrientedBox($0.box) }
        // Those to be ignored come last: they may take what is left.
        for face in picture.faces.sorted(by: { !$0.isIgnored && $1.isIgnored }) {
            let mark = OrientedBox(face.box)
            func distance(_ box: OrientedBox) -> Float { (box.center - mark.center).length }
            let near = free.indices.filter { index in
                let ratio = free[index].side / mark.side
                return distance(free[index]) < 0.5 * mark.side && ratio > 0.5 && ratio < 2
            }
            let nearest = near.min { distance(free[$0]) < distance(free[$1]) }
            if let nearest { free.remove(at: nearest) }
            if !face.isIgnored { entries.append(Entry(picture: picture, face: face, isFound: nearest != nil)) }
        }
        falseFaces += free.map { FalseFace(picture: picture, box: FaceBox($0)) }
    }

    /// A mark is covered if the ellipse in it is, but for a twentieth of it.
    private mutating func noteCovers(_ picture: FaceLabels.Picture, _ found: RecallSearch.Places) {
        let covers = found.covers
        for face in picture.faces where !face.isIgnored {
            let steps = 16
            var (inside, covered) = (0, 0)
            for row in 0..<steps {
                for column in 0..<steps {
                    let (x, y) = ((Float(column) + 0.5) / Float(steps), (Float(row) + 0.5) / Float(steps))
                    guard Point(x - 0.5, y - 0.5).length <= 0.5 else { continue }
                    let point = Point(face.box.x + x * face.box.width, face.box.y + y * face.box.height)
                    // What is outside the picture is not seen.
                    guard point.x >= 0, point.y >= 0, point.x < Float(found.width), point.y < Float(found.height) else {
                        continue
                    }
                    inside += 1
                    covered += covers.contains { $0.contains(point) } ? 1 : 0
                }
            }
            entries.append(
                Entry(picture: picture, face: face, isFound: Double(covered) >= 0.95 * Double(max(1, inside))))
        }
        let marks = picture.faces.map { face in
            FaceBox(
                x: face.box.x - face.box.width / 2, y: face.box.y - face.box.height / 2, width: 2 * face.box.width,
                height: 2 * face.box.height)
        }
        let step = 2
        for y in stride(from: 0, to: found.height, by: step) {
            for x in stride(from: 0, to: found.width, by: step) {
                let point = Point(Float(x) + 0.5, Float(y) + 0.5)
                guard covers.contains(where: { $0.contains(point) }) else { continue }
                let isNeeded = marks.contains { box in
                    point.x >= box.x && point.y >= box.y && point.x < box.x + box.width && point.y < box.y + box.height
                }
                needlessPixels += isNeeded ? 0 : Double(step * step)
            }
        }
    }
}

// MARK: Statistics

extension RecallEvaluation {
    /// A group of marks.
    package struct Total: Equatable, Sendable {
        package let name: String
        package let labelled: Int
        package let found: Int
        /// Faces at no mark; nil where the group has marks of some kind only.
        package let falseFaces: Int?
    }

    /// All photographs, each clip, sizes, views, and all together; groups without marks and false faces are left out.
    package var totals: [Total] {
        var totals: [Total] = []
        func add(_ name: String, _ entries: [Entry], _ falseFaces: Int?) {
            guard !entries.isEmpty || falseFaces ?? 0 > 0 else { return }
            totals.append(
                Total(
                    name: name, labelled: entries.count, found: entries.count(where: \.isFound), falseFaces: falseFaces)
            )
        }
        add(
            "photographs", entries.filter { $0.picture.frame == nil }, falseFaces.count { $0.picture.frame == nil })
        var clips: [FilePath] = []
        for picture in entries.map(\.picture) + falseFaces.map(\.picture)
        where picture.frame != nil && !clips.contains(picture.file) {
            clips.append(picture.file)
        }
        for clip in clips {
            add(
                clip.name.description, entries.filter { $0.picture.frame != nil && $0.picture.file == clip },
                falseFaces.count { $0.picture.frame != nil && $0.picture.file == clip })
        }
        for (low, high) in [(0, 14), (14, 20), (20, 40), (40, 80), (80, Int.max)] {
            let name =
                low == 0 ? "below \(high) pixels" : high == .max ? "from \(low) pixels" : "\(low) to \(high - 1) pixels"
            add(name, entries.filter { (low..<high).contains(Int($0.face.box.width)) }, nil)
        }
        for view in FaceLabels.View.allCases { add(view.rawValue, entries.filter { $0.face.view == view }, nil) }
        add("all", entries, falseFaces.count)
        return totals
    }

    /// Which part of what is found is at a mark; nil of covers.
    package var precision: Double? {
        let right = entries.count(where: \.isFound)
        guard subject == .masks, right + falseFaces.count > 0 else { return nil }
        return Double(right) / Double(right + falseFaces.count)
    }

    /// Which part of the pixels is covered for nothing; nil of masks.
    package var needlessShare: Double? { subject == .masks ? nil : needlessPixels / max(1, pixels) }
}
