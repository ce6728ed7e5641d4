import FaceGeometry
import Files
import Records

/// The photographs under review, in the order in which they are shown, and what was decided last: each decision is saved
/// before it is shown.
package struct ReviewList {
    package typealias Save = (ReviewDecisions, _ result: FilePath, _ checksum: UInt64) throws(FileError) -> Void

    /// Not reviewed ones first, the most doubtful of them first.
    package private(set) var photographs: [ReviewedPhotograph]
    /// The place of the one that is shown.
    package private(set) var place = 0
    /// As photographs were before each decision, the last one last.
    private var history: [(place: Int, photograph: ReviewedPhotograph)] = []
    private let save: Save

    /// - Parameter save: writes decisions into the file.
    package init(_ photographs: [ReviewedPhotograph], save: @escaping Save) {
        self.photographs = photographs.sorted { a, b in
            if a.isReviewed != b.isReviewed { return !a.isReviewed }
            return a.doubt != b.doubt ? a.doubt > b.doubt : a.result < b.result
        }
        self.save = save
    }

    /// Nil if there are none.
    package var current: ReviewedPhotograph? { photographs.indices.contains(place) ? photographs[place] : nil }
    package var reviewedCount: Int { photographs.count(where: \.isReviewed) }

    /// Goes on or back, as far as there are photographs.
    /// - Returns: whether another one is shown now.
    package mutating func move(by step: Int) -> Bool {
        let new = max(0, min(photographs.count - 1, place + step))
        defer { place = new }
        return new != place
    }

    /// - Parameter reason: why the photograph at a place cannot be looked at.
    package mutating func block(_ place: Int, _ reason: String) { photographs[place].obstacle = reason }

    /// - Throws: if it cannot be saved; then nothing has changed.
    package mutating func toggle(_ face: Int) throws(FileError) { try change { $0.toggle(face) } }

    /// Covers a face that was not found.
    /// - Throws: if it cannot be saved; then nothing has changed.
    package mutating func add(_ box: FaceBox) throws(FileError) { try change { $0.add(box) } }

    /// The shown one was looked at, and is right now.
    /// - Throws: if it cannot be saved; then nothing has changed.
    package mutating func approve() throws(FileError) { try change { $0.isReviewed = true } }

    private mutating func change(_ body: (inout ReviewedPhotograph) -> Void) throws(FileError) {
        guard let old = current, old.obstacle == nil else { return }
        var new = old
        body(&new)
        guard new != old else { return }
        try save(new.decisions, new.result, new.checksum)
        history.append((place, old))
        photographs[place] = new
    }

    /// Takes the last decision back, and shows its photograph.
    /// - Returns: false if all have been taken back.
    /// - Throws: if it cannot be saved; then nothing has changed.
    package mutating func undo() throws(FileError) -> Bool {
        guard let (place, old) = history.last else { return false }
        try save(old.decisions, old.result, old.checksum)
        history.removeLast()
        photographs[place] = old
        self.place = place
        return true
    }
}
