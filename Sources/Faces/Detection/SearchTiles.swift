import FaceGeometry
import Pixels

/// The overlapping parts in which dlib's detector searches a picture that is too long for it.
///
/// dlib adds up columns in single precision when it reduces a picture. From about 22,000 columns on, the sum may be so far
/// behind at the end of the last row that it writes past it. Here, the error stays below a column.
enum SearchTiles {
    /// The longest side of a part, in pixels.
    static let longestSide = 16_384
    /// Two parts have this many rows or columns in common, or the whole shorter side of the picture: a face up to that size
    /// lies wholly within one of them.
    private static let largestOverlap = longestSide / 2

    static func tiles(width: Int, height: Int) -> [PixelRectangle] {
        let overlap = min(width, height, largestOverlap)
        return spans(height, overlap: overlap).flatMap { rows in
            spans(width, overlap: overlap).map { columns in
                PixelRectangle(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
            }
        }
    }

    private static func spans(_ length: Int, overlap: Int) -> [Range<Int>] {
        guard length > longestSide else { return [0..<length] }
        let step = longestSide - overlap
        let count = (length - overlap + step - 1) / step
        return (0..<count).map { index in
            let start = min(index * step, length - longestSide)
            return start..<start + longestSide
        }
    }

    /// Leaves out all but the best of the detections of a face, which may be found in several parts.
    static func merged(_ detections: [FaceDetection]) -> [FaceDetection] {
        var result: [FaceDetection] = []
        for detection in detections.sorted(by: { $0.score > $1.score }) {
            let isKnown = result.contains {
                ($0.box.center - detection.box.center).length < 0.5 * max($0.box.width, detection.box.width)
            }
            if !isKnown { result.append(detection) }
        }
        return result
    }
}
