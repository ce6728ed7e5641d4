import FaceGeometry
import FaceTracking
import Pixels
import Vision

/// Says whose faces tracks follow: looks at each now and then, more often until it is sure, and decides over time.
///
/// An identity holds only as long as the face behind a track looks from frame to frame like the one before: the tracker may go
/// on with another person after a cut, a cross-fade, or where two people cross. After a change the identity is in doubt until
/// it has been confirmed again. A slow change, such as a head that turns, is looked at sooner.
///
/// It belongs to one thread. Describing a face takes longer than a frame has, so a thread of its own can do it; what is
/// done in the frame is cutting out one face, when it is somebody's turn.
package final class TrackIdentifier {
    /// How often a track is looked at, in seconds.
    package struct Intervals: Sendable {
        package var unsure: Double
        package var sure: Double

        /// For frames that must not wait.
        package static let live = Intervals(unsure: 0.25, sure: 2)
        /// For recorded video, whose masks are drawn `LookAheadSmoothing.future` later: a new face is known by then.
        package static let recorded = Intervals(unsure: 0.1, sure: 1)
    }

    /// A stretch of frames in which a track followed a face without a gap, and the face looked alike.
    private struct Record {
        let number: Int
        let trackID: Int
        var last: Double
        var vote: IdentityVote
        /// When it was looked at; at first so that its turn is at once.
        var lastLook: Double
        /// Whether a cut or a change of its look came after it: another face can have its track ID.
        var isOver = false
        /// The look of the face in the last frame,
        var descriptor: FaceDescriptor
        /// and when it was last described.
        var lookedAt: FaceDescriptor?
        /// To the person whose face it is, a mean in which the newest answer has a share of `newestShare`.
        var distance: Float = .infinity
    }

    /// As a mean over about the three answers that a decision needs.
    private static let newestShare: Float = 0.3
    /// A face that is less similar to what was last described is looked at again soon.
    private static let similarLook: Float = 0.7
    /// One that is less similar to that must be confirmed: a head in profile, or somebody else after a cross-fade.
    private static let otherLook: Float = 0.4

    private let recognizer: FaceRecognizer
    private let requirements = FaceRequirements.recognition
    private let intervals: Intervals
    private let doubt: FaceIdentity
    private let worker: EmbeddingWorker
    private var records: [Record] = []
    private var recordCount = 0
    /// The time of the frame before.
    private var lastSeconds = -Double.infinity

    /// How long the identity of a track that has ended is known, in seconds: longer than frames are held back.
    private static let memory = 2.0

    /// - Parameter waits: whether frames wait until a face is described, so that the same frames always give the same
    ///   identities.
    package init(_ identifier: FaceIdentifier, _ intervals: Intervals, waits: Bool) {
        recognizer = identifier.recognizer
        doubt = identifier.recognizer.doubt
        self.intervals = intervals
        worker = EmbeddingWorker(identifier.embedder, waits: waits)
    }

    /// Takes the faces that tracks follow into the next frame.
    /// - Parameters:
    ///   - picture: `rgba8`.
    ///   - seconds: its time.
    ///   - isCut: whether it shows another scene than the picture before.
    /// - Throws: `VisionError` of an earlier frame or of this one.
    package func look(
        at faces: [FaceInstance], in picture: borrowing PixelBuffer, at seconds: Double, isCut: Bool
    ) throws(VisionError) {
        if isCut { for index in records.indices { records[index].isOver = true } }
        note(faces, in: picture, at: seconds)
        try takeAnswers()
        guard !worker.isBusy, let index = turn(at: seconds) else { return }
        guard let face = faces.first(where: { $0.trackID == records[index].trackID })?.face else { return }
        records[index].lastLook = seconds
        guard requirements.obstacle(face) == nil else { return doubtIfChanged(index) }
        let chip = try FaceChip(face.landmarks, in: picture)
        guard requirements.obstacle(chip) == nil else { return doubtIfChanged(index) }
        records[index].lookedAt = records[index].descriptor
        try worker.start(chip, for: records[index].number)
        try takeAnswers()
    }

    /// Sets whose the faces of a frame are, which may be one that was looked at a moment ago.
    package func identify(_ faces: inout [FaceInstance], at seconds: Double) {
        for index in faces.indices {
            let record = faces[index].mayBeAnother ? nil : record(of: faces[index].trackID, at: seconds)
            faces[index].identity = record?.vote.identity ?? doubt
        }
        let found = faces.map { face in
            (identity: face.identity, distance: record(of: face.trackID, at: seconds)?.distance ?? .infinity)
        }
        for (index, identity) in FaceRecognizer.withoutDoubles(found).enumerated() { faces[index].identity = identity }
    }

    // MARK: Records

    private func note(_ faces: [FaceInstance], in picture: borrowing PixelBuffer, at seconds: Double) {
        for face in faces {
            let descriptor = FaceDescriptor(face.face.landmarks, in: picture)
            var known = records.lastIndex { $0.trackID == face.trackID && !$0.isOver }
            if let index = known {
                if records[index].descriptor.similarity(to: descriptor) < FaceDescriptor.sameLook {
                    records[index].isOver = true
                    known = nil
                } else if records[index].last == lastSeconds, !isOtherwise(descriptor, than: records[index]) {
                    records[index].last = seconds
                    records[index].descriptor = descriptor
                    continue
                }
            }
            let former = known.map { records[$0].vote.identity }
            recordCount += 1
            records.append(
                Record(
                    number: recordCount, trackID: face.trackID, last: seconds,
                    vote: IdentityVote(doubt: doubt, resuming: former), lastLook: seconds - intervals.unsure,
                    descriptor: descriptor))
        }
        lastSeconds = seconds
        records.removeAll { $0.last < seconds - Self.memory || $0.last > seconds }
    }

    /// Whether a face has slowly come to look otherwise than when it was last looked at.
    private func isOtherwise(_ descriptor: FaceDescriptor, than record: Record) -> Bool {
        record.lookedAt.map { $0.similarity(to: descriptor) < Self.otherLook } ?? false
    }

    /// The earliest stretch of a track that lasts until a time: faces are also followed back to before they were found.
    private func record(of trackID: Int, at seconds: Double) -> Record? {
        records.first { $0.trackID == trackID && $0.last >= seconds }
    }

    /// The face that has waited longest for being looked at.
    private func turn(at seconds: Double) -> Int? {
        let due = records.indices.filter { index in
            let record = records[index]
            return record.last == seconds && nextLook(of: record) <= seconds
        }
        return due.min { nextLook(of: records[$0]) < nextLook(of: records[$1]) }
    }

    private func takeAnswers() throws(VisionError) {
        for answer in try worker.takeAnswers() {
            guard let index = records.firstIndex(where: { $0.number == answer.number }) else { continue }
            guard let embedding = answer.embedding else {
                records[index].vote.add(doubt)
                continue
            }
            let candidates = recognizer.candidates(for: embedding)
            let former = records[index].vote.identity
            records[index].vote.add(FaceRecognizer.identity(candidates))
            let identity = records[index].vote.identity
            let distance = candidates.first { $0.name.text == identity.name }?.distance ?? .infinity
            let old = records[index].distance
            records[index].distance =
                identity == former && old.isFinite ? old + Self.newestShare * (distance - old) : distance
        }
    }

    /// A face that looks otherwise than when it was described, and cannot be seen well enough to be described again, may be
    /// somebody else's.
    private func doubtIfChanged(_ index: Int) {
        if !isAlike(records[index]) { records[index].vote.add(doubt) }
    }

    private func isAlike(_ record: Record) -> Bool {
        record.lookedAt.map { $0.similarity(to: record.descriptor) >= Self.similarLook } ?? true
    }

    /// Soon, if an answer has contradicted the others, or the face looks otherwise than then.
    private func nextLook(of record: Record) -> Double {
        record.lastLook + (record.vote.isSure && isAlike(record) ? intervals.sure : intervals.unsure)
    }
}
