import Display
import FaceGeometry
import Files
import Installation
import PhotoRecords
import Records

/// Looks through the photographs whose results are in a folder.
package final class PhotographReview {
    /// What was decided, in this review and before.
    package struct Summary: Equatable, Sendable {
        package var photographs = 0
        package var reviewed = 0
        /// Faces that are left as they are, and those that were missed.
        package var uncovered = 0
        package var covered = 0
        /// Photographs about which something else is decided than when the review began.
        package var changed = 0
        /// Whether one of these wears masks in its result.
        package var changesMasks = false
    }

    private let subject: PhotographSubject
    private let session: ReviewSession
    private let before: [FilePath: ReviewDecisions]

    /// - Parameters:
    ///   - folder: of results.
    ///   - file: of the decisions in it, which this writes.
    ///   - scale: the size of the window's unit in the desktop's units, 0.5 to 4; nil: as the desktop has it.
    /// - Throws: `GraphicsError` without a display.
    package init(
        _ photographs: [ReviewablePhotograph], in folder: FilePath, file: ReviewFile, data: DataFolder, scale: Float?
    ) throws {
        let reviewed = photographs.map { photograph in
            ReviewedPhotograph(
                photograph, decisions: file.decisions(on: photograph.result, checksum: photograph.checksum))
        }
        before = Dictionary(reviewed.map { ($0.result, $0.decisions) }) { $1 }
        subject = PhotographSubject(
            folder,
            ReviewList(reviewed) { decisions, result, checksum throws(FileError) in
                try file.note(decisions, on: result, checksum: checksum)
            })
        session = try ReviewSession(subject, title: folder.description, data: data, scale: scale)
    }

    /// Runs until the window is closed or `isCancelled` returns true; it is asked once per frame.
    package func run(isCancelled: () -> Bool) throws -> Summary {
        try session.run(isCancelled: isCancelled)
        var summary = Summary()
        for photograph in subject.list.photographs {
            let decisions = photograph.decisions
            summary.photographs += 1
            summary.reviewed += photograph.isReviewed ? 1 : 0
            summary.uncovered += decisions.uncovered.count
            summary.covered += decisions.covered.count
            guard decisions != before[photograph.result] else { continue }
            summary.changed += 1
            summary.changesMasks = summary.changesMasks || photograph.wearsMasks
        }
        return summary
    }
}

private final class PhotographSubject: ReviewSubject {
    private(set) var list: ReviewList
    private let loader: PhotographLoader

    /// - Parameter folder: of results.
    init(_ folder: FilePath, _ list: ReviewList) {
        (loader, self.list) = (PhotographLoader(resultsIn: folder), list)
    }

    var timeLineHeight: Float { 0 }
    var noteOnAdding: String { "" }
    var help: String {
        """
        Space, N\tThis is right: next
        Left, Right\tThe photograph before, or after
        Esc, Q\tQuit; all is saved
        H, F1\tThis help
        """
    }

    var scene: ReviewScene {
        guard let current = list.current else { return ReviewScene(content: .obstacle("There are no photographs.")) }
        func showing(_ content: ReviewScene.Content) -> ReviewScene {
            ReviewScene(content: content, wearsMasks: current.wearsMasks)
        }
        if let obstacle = current.obstacle { return showing(.obstacle(obstacle)) }
        switch loader[list.place] {
        case .success(let picture):
            var scene = showing(.picture(picture))
            (scene.result, scene.faces) = (loader.results[list.place], current.faces)
            scene.chosen = current.faces.firstIndex(where: \.isDoubtful)
            return scene
        case .failure(let obstacle): return showing(.obstacle(obstacle.reason))
        case nil: return showing(.waiting("Reading \(current.result) …"))
        }
    }

    var status: String {
        guard let current = list.current else { return "" }
        let faces = current.faces
        let counts = [
            (faces.count(where: \.isDoubtful), "doubtful"),
            (faces.count { !$0.isCovered }, current.wearsMasks ? "without a mask" : "not covered"),
            (faces.count(where: \.isAdded), "added"),
        ]
        let nobody = current.isReviewed ? "shows nobody" : "no face found; Space says that it shows nobody"
        let found = faces.count == 1 ? "1 face" : "\(faces.count) faces"
        let parts = [found] + counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return [
            "\(list.place + 1) of \(list.photographs.count)", "\(list.reviewedCount) reviewed",
            current.result.shortened + (current.isReviewed ? " (reviewed)" : ""),
            faces.isEmpty ? nobody : parts.joined(separator: ", "),
        ].joined(separator: "  ·  ")
    }

    func update() -> Bool {
        let hasChanged = loader.update()
        let place = list.place
        // The two that come next, and the one before, to which one may go back.
        let places = [place, place + 1, place + 2, place - 1]
        for place in places where list.photographs.indices.contains(place) {
            if case .failure(let obstacle)? = loader[place], list.photographs[place].obstacle == nil {
                list.block(place, obstacle.reason)
            }
        }
        loader.want(
            places.filter { list.photographs.indices.contains($0) }.compactMap { place in
                let photograph = list.photographs[place]
                guard photograph.obstacle == nil, let source = photograph.source else { return nil }
                return PhotographLoader.Wanted(
                    place: place, source: source, checksum: photograph.checksum,
                    result: photograph.wearsMasks ? (photograph.result, photograph.resultChecksum) : nil)
            })
        return hasChanged
    }

    private var isShown: Bool { scene.picture != nil }

    func toggle(_ face: Int) throws(FileError) { if isShown { try list.toggle(face) } }
    func add(_ box: FaceBox) throws(FileError) { if isShown { try list.add(box) } }

    func approve() throws(FileError) -> String? {
        guard let current = list.current else { return nil }
        if current.obstacle == nil {
            // Nobody has seen what is not there yet.
            guard isShown else { return nil }
            try list.approve()
        }
        if list.move(by: 1) {
            guard current.obstacle == nil, current.faces.isEmpty else { return nil }
            return "\(current.result.shortened) shows nobody: the next run writes it uncovered. U takes that back"
        }
        let rest = list.photographs.count - list.reviewedCount
        return rest == 0
            ? "All are reviewed. Q quits"
            : "This was the last one. Not reviewed: \(rest), which come first (Left). Q quits"
    }

    func undo() throws(FileError) -> Bool { try list.undo() }
    func move(by step: Int) { _ = list.move(by: step) }
    func press(_ key: WindowEvent.Key) -> Bool { false }
    func drawTimeLine(_ canvas: Canvas) -> Bool { false }
    func stop() { loader.stop() }
}
