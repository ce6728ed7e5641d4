import CVision
import FaceGeometry
import Pixels
import Vision

/// Points on the skin of a face that are easy to follow, and where they are in the next frame: an instrument to measure
/// trackers with. It is OpenCV's and shares nothing with `FlowPatch`, by which faces are tracked.
package enum SkinPoints {
    /// Lengths are in widths of the face.
    private enum Constant {
        /// Points keep this distance from the rim of the face, where skin and background meet,
        static let rim: Float = 0.06
        /// this one from eyes and inner mouth, which move on their own,
        static let opening: Float = 0.02
        /// on the forehead these from its rim, and from the brows,
        static let foreheadRim: Float = 0.02
        static let brow: Float = 0.05
        /// and this one from each other.
        static let spacing: Float = 0.02
        static let most = 300
        /// A point counts if following it back leads to where it was, to this distance in pixels.
        static let returning: Float = 0.15
    }

    /// A point in one frame and in the next, in pixels with pixel centres at +0.5.
    package struct Motion: Equatable, Sendable {
        package var from: Point
        package var to: Point

        package init(from: Point, to: Point) {
            self.from = from
            self.to = to
        }
    }

    /// Where points are looked for.
    package enum Region: Sendable {
        /// The skin around which the landmarks lie.
        case face
        /// From the brows to the hairline, and the edge of the hair itself.
        case forehead
    }

    /// The motions of the points that can be followed there and back again.
    /// - Parameters:
    ///   - before: grey.
    ///   - after: grey, of the same size.
    ///   - face: in `before`.
    package static func motions(
        from before: borrowing PixelBuffer, to after: borrowing PixelBuffer, of face: Face, in region: Region = .face
    ) throws(VisionError) -> [Motion] {
        let corners = try corners(in: before, of: face, region)
        guard !corners.isEmpty else { return [] }
        var moved = corners
        var returned = [Float](repeating: .infinity, count: corners.count)
        var status = cvision_status()
        let isDone = before.withVisionImage { first in
            after.withVisionImage { second in
                corners.withUnsafeBytes { points in
                    moved.withUnsafeMutableBytes { moved in
                        cvision_follow_points(
                            first, second, points.baseAddress?.assumingMemoryBound(to: Float.self),
                            Int32(returned.count), moved.baseAddress?.assumingMemoryBound(to: Float.self), &returned,
                            &status)
                    }
                }
            }
        }
        guard isDone else { throw VisionError(status) }
        return corners.indices.filter { returned[$0] <= Constant.returning }
            .map { Motion(from: corners[$0] + 0.5, to: moved[$0] + 0.5) }
    }

    /// In OpenCV's coordinates: the centre of the first pixel is (0, 0).
    private static func corners(
        in picture: borrowing PixelBuffer, of face: Face, _ region: Region
    ) throws(VisionError) -> [Point] {
        let topology = Landmarks.topology
        let width = face.landmarks.bounds.width
        func points(_ indices: some Sequence<Int>) -> [Point] { indices.map { face.landmarks[$0] - 0.5 } }
        let hull: [Point]
        let holes: [[Point]]
        let (rim, opening): (Float, Float)
        switch region {
        case .face:
            hull = points(0..<Landmarks.count)
            holes = [topology.rightEye, topology.leftEye, topology.innerLips].map { points($0.outline) }
            (rim, opening) = (Constant.rim, Constant.opening)
        case .forehead:
            let ends: [HeadPoint] = [.rightSide, .leftSide]
            hull =
                points(topology.brows)
                + HeadPoint.allCases.filter { !ends.contains($0) }.map { face.headPoints[$0] - 0.5 }
            holes = [topology.rightBrow, topology.leftBrow, topology.noseBridge].map { points($0) }
            (rim, opening) = (Constant.foreheadRim, Constant.brow)
        }
        var corners = [Point](repeating: .zero, count: Constant.most)
        var status = cvision_status()
        let count = picture.withVisionImage { image in
            withPolygon(hull, margin: rim * width) { inside in
                withPolygon(holes[0], margin: opening * width) { first in
                    withPolygon(holes[1], margin: opening * width) { second in
                        withPolygon(holes[2], margin: opening * width) { third in
                            var inside = inside
                            let holes = [first, second, third]
                            return corners.withUnsafeMutableBytes { corners in
                                cvision_corners(
                                    image, &inside, holes, Int32(holes.count), Double(Constant.spacing * width),
                                    corners.baseAddress?.assumingMemoryBound(to: Float.self), Int32(Constant.most),
                                    &status)
                            }
                        }
                    }
                }
            }
        }
        guard count >= 0 else { throw VisionError(status) }
        return Array(corners.prefix(Int(count)))
    }

    private static func withPolygon<Result>(
        _ points: [Point], margin: Float, _ body: (cvision_polygon) -> Result
    ) -> Result {
        points.withUnsafeBytes { bytes in
            body(
                cvision_polygon(
                    points: bytes.baseAddress?.assumingMemoryBound(to: Float.self), count: Int32(points.count),
                    margin: margin))
        }
    }
}
