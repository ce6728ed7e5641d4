import Glibc

/// The perspective camera that shows a head as its landmarks lie in the picture: where the head is and how it is turned in
/// space. An affine camera does not suffice for what stands far off the face: a webcam at arm's length shows the brim
/// of a hat larger in front than behind.
///
/// Head coordinates are in face widths; the origin lies between the outer corners of the eyes, x points to the right of
/// the template, y down, z towards its viewer. Camera coordinates have the same unit and axes, those of the picture, and
/// their origin in the camera.
package struct HeadCamera: Equatable, Sendable {
    /// From head to camera coordinates.
    package let headToCamera: AffineTransform3D
    /// In pixels.
    package let focalLength: Float
    /// Where the camera's axis meets the picture, in pixels.
    package let principalPoint: Point

    /// Face widths between the camera and the eyes.
    package var distance: Float { -headToCamera.translation.z }
    package var pose: Pose { headToCamera.pose }

    package init(headToCamera: AffineTransform3D, focalLength: Float, principalPoint: Point) {
        self.headToCamera = headToCamera
        self.focalLength = focalLength
        self.principalPoint = principalPoint
    }

    /// The place in the picture of a point of the head, in pixels; meaningless behind the camera.
    package func project(_ head: SIMD3<Float>) -> Point {
        let place = headToCamera(head)
        return principalPoint + focalLength * Point(place.x, place.y) / max(-place.z, 1e-3)
    }

    /// The head coordinates of a vertex of the reference face.
    package static func position(of vertex: Int, reference: ReferenceFace) -> SIMD3<Float> {
        position(canonical: reference.vertices[vertex], depth: reference.depths[vertex], reference: reference)
    }

    /// - Parameters: in canonical UV.
    package static func position(canonical place: Point, depth: Float, reference: ReferenceFace) -> SIMD3<Float> {
        let offset = place - origin(of: reference)
        return SIMD3(offset.x, offset.y, depth) / reference.width
    }

    /// Between the outer corners of the eyes, in canonical UV.
    package static func origin(of reference: ReferenceFace) -> Point {
        let topology = Landmarks.topology
        return (reference.landmarks[topology.rightEye.right] + reference.landmarks[topology.leftEye.left]) / 2
    }
}
