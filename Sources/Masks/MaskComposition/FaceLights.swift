import FaceGeometry
import Occlusion
import Pixels

/// The light on the faces of the picture that is being composed, followed from picture to picture of a stream, and the
/// camera that belongs to it. A face is forgotten with the first picture in which nobody asks for its light.
final class FaceLights {
    /// The light on a face with the colour tables that were derived from it, and how near the camera is. A class, so that
    /// changing it where it is kept allocates nothing.
    final class FollowedLight {
        var light = FaceLight()
        var tables = ColorTableCache()
        var blur = PictureBlur()
        var nearness = HeadNearness()
        /// Nil without make-up.
        var colors: FaceColors?
        /// Nil without props.
        var room: RoomMap?
    }

    private let samples: SkinSamples
    private let reference: ReferenceFace
    /// By track ID: of the picture that is being composed, and of the stream. A stream's are in `current` only between
    /// `beginPicture` and `endPicture`, so that a single picture in between leaves no trace in them.
    private var current: [Int: FollowedLight] = [:]
    private var followed: [Int: FollowedLight] = [:]
    /// Track IDs of this picture's faces.
    private var measured: Set<Int> = []
    private lazy var cameraFit = HeadCameraFit(reference)
    private lazy var normals = PropLight.Normals(samples, reference: reference)
    /// Kept from picture to picture, so that measuring allocates nothing.
    private var memory = FaceLight.Memory()
    private var blurMemory = PictureBlur.Memory()

    init(_ samples: SkinSamples, reference: ReferenceFace) {
        (self.samples, self.reference) = (samples, reference)
    }

    /// - Parameter seconds: the picture's time; nil: a single picture, whose light starts anew.
    func beginPicture(at seconds: Double?) {
        if seconds == nil { current.removeAll(keepingCapacity: true) } else { swap(&current, &followed) }
        measured.removeAll(keepingCapacity: true)
    }

    /// To be called after `beginPicture`, with the same time.
    func endPicture(at seconds: Double?) { if seconds != nil { swap(&current, &followed) } }

    /// Forgets the light of the stream: the next picture shows another scene.
    func forget() { followed.removeAll(keepingCapacity: true) }

    /// The light on a face of the picture that is being composed; nil: it has not been measured.
    subscript(trackID: Int) -> FollowedLight? { current[trackID] }

    /// Measures the light on a face, once in each picture.
    /// - Parameters:
    ///   - matte: the occluders of the face, which are not measured; nil: the whole face is.
    ///   - texels: for make-up.
    func measure(
        _ face: MaskedFace, except matte: OcclusionMatte? = nil, in picture: borrowing PixelBuffer, at seconds: Double?,
        texels: @autoclosure () -> FaceTexels
    ) {
        guard measured.insert(face.trackID).inserted else { return }
        // Where the face is not, something else would be measured.
        guard face.instance.isSeen || current[face.trackID] == nil else { return }
        let followed = current[face.trackID] ?? FollowedLight()
        current[face.trackID] = followed
        followed.light.measure(
            picture, vertices: face.vertices, samples: samples, except: matte, at: seconds, &memory)
        if face.takesBlur {
            followed.blur.measure(
                picture, in: Self.features(of: face.instance.face.landmarks), at: seconds, &blurMemory)
        }
        if face.hasProps {
            if followed.room == nil { followed.room = RoomMap() }
            followed.room?.measure(picture, around: face.box, at: seconds)
        }
        if face.hasMakeup {
            if followed.colors == nil { followed.colors = FaceColors(texels()) }
            followed.colors?.read(picture, vertices: face.vertices)
        }
    }

    /// The box around eyes, brows and nose.
    private static func features(of landmarks: Landmarks) -> PixelRectangle {
        let topology = Landmarks.topology
        let (right, left) = (landmarks[topology.rightEyeOuterCorner], landmarks[topology.leftEyeOuterCorner])
        var (low, high) = (pointwiseMin(right, left), pointwiseMax(right, left))
        for part in [topology.brows, topology.nostrils] {
            for index in part {
                low = pointwiseMin(low, landmarks[index])
                high = pointwiseMax(high, landmarks[index])
            }
        }
        return PixelRectangle(covering: FaceBox(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y))
    }

    /// Forgets the faces that have not been measured in this picture: they have ended.
    func forgetUnmeasured() {
        if current.count > measured.count { current = current.filter { measured.contains($0.key) } }
    }

    /// The camera and the light for the props of a face.
    /// - Parameter bounds: of the picture.
    func head(
        of face: MaskedFace, in bounds: PixelRectangle, at seconds: Double?
    ) -> (camera: HeadCamera, light: PropLight) {
        let size = Point(Float(bounds.width), Float(bounds.height))
        var camera = cameraFit.camera(face.instance.face, picture: size)
        let followed = current[face.trackID]
        if let seconds, let followed {
            followed.nearness.update(1 / camera.distance, at: seconds)
            if let nearness = followed.nearness.value {
                camera = cameraFit.camera(face.instance.face, picture: size, nearness: nearness)
            }
        }
        return (camera, PropLight(followed?.light, normals, room: followed?.room, headToCamera: camera.headToCamera))
    }
}
