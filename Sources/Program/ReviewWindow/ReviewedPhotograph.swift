import FaceGeometry
import Files
import PhotoRecords
import Records

/// A photograph under review: its faces, and what is decided about them.
package struct ReviewedPhotograph: Equatable, Sendable {
    /// The path of the result below the folder of results.
    package let result: FilePath
    /// The photograph; nil: unknown.
    package let source: FilePath?
    /// Of the photograph, as `Checksum.ofFile` finds it.
    package let checksum: UInt64
    /// Whether faces wear masks in the result, and are not covered in their place.
    package let wearsMasks: Bool
    /// Of the result as it was written last; nil: none was.
    package let resultChecksum: UInt64?
    /// How much it should be looked at, 0…1.
    package let doubt: Double
    /// Found ones first, in the order of the findings.
    package private(set) var faces: [ReviewFace]
    package var isReviewed: Bool
    /// Why it cannot be looked at: a sentence. Nil: it can, as far as is known.
    package var obstacle: String?

    /// - Parameters:
    ///   - boxes: that were covered, in pixels of the upright photograph.
    ///   - sureCount: the first so many of them are faces for certain.
    ///   - decisions: which the run may have obeyed or not.
    package init(
        result: FilePath, source: FilePath?, checksum: UInt64, wearsMasks: Bool = false, resultChecksum: UInt64? = nil,
        doubt: Double, boxes: [FaceBox], sureCount: Int, decisions: ReviewDecisions
    ) {
        (self.result, self.source, self.checksum, self.doubt) = (result, source, checksum, doubt)
        (self.wearsMasks, self.resultChecksum) = (wearsMasks, resultChecksum)
        isReviewed = decisions.isReviewed
        var found = boxes.enumerated().map { index, box in
            ReviewFace(box: box, origin: .found(isDoubtful: index >= sureCount))
        }
        var gone: [ReviewFace] = []
        for mark in decisions.uncovered {
            if let place = found.nearest(mark.box, where: \.isCovered) {
                found[place] = ReviewFace(box: mark.box, origin: found[place].origin, isCovered: false)
            } else {
                gone.append(ReviewFace(box: mark.box, origin: .found(isDoubtful: false), isCovered: false))
            }
        }
        for mark in decisions.confirmed where found.nearest(mark.box, where: \.isCovered) == nil {
            found.append(ReviewFace(box: mark.box, origin: .found(isDoubtful: false)))
        }
        faces = found + gone + decisions.covered.map { ReviewFace(box: $0.box, origin: .added) }
    }

    package init(_ photograph: ReviewablePhotograph, decisions: ReviewDecisions?) {
        self.init(
            result: photograph.result, source: photograph.source, checksum: photograph.checksum,
            wearsMasks: photograph.wearsMasks, resultChecksum: photograph.resultChecksum,
            doubt: photograph.findings?.doubt ?? 1, boxes: photograph.findings?.boxes ?? [],
            sureCount: photograph.findings?.certainCount ?? 0, decisions: decisions ?? ReviewDecisions())
        if source == nil {
            obstacle =
                "An earlier version of Bauta made this result and did not note where its photograph is. Run the same bauta "
                + "photo command with --existing replace, then review."
        }
    }

    package var decisions: ReviewDecisions {
        var decisions = ReviewDecisions()
        decisions.isReviewed = isReviewed
        decisions.uncovered = faces.filter { !$0.isAdded && !$0.isCovered }.map { .init(box: $0.box) }
        decisions.covered = faces.filter(\.isAdded).map { .init(box: $0.box) }
        if isReviewed {
            decisions.confirmed = faces.filter { !$0.isAdded && $0.isCovered }.map { .init(box: $0.box) }
        }
        return decisions
    }

    /// Uncovers a found face, or covers it again; an added one is removed.
    package mutating func toggle(_ index: Int) {
        guard faces.indices.contains(index) else { return }
        if faces[index].isAdded { faces.remove(at: index) } else { faces[index].isCovered.toggle() }
    }

    package mutating func add(_ box: FaceBox) { faces.append(ReviewFace(box: box, origin: .added)) }
}

extension [ReviewFace] {
    /// The face around the same face as a box whose centre is nearest.
    fileprivate func nearest(_ box: FaceBox, where isWanted: (ReviewFace) -> Bool) -> Int? {
        OrientedBox(box).nearest(of: map { isWanted($0) ? OrientedBox($0.box) : nil })
    }
}
