import FaceGeometry
import FaceTracking
import Files
import ImageFiles
import Masks
import Pixels

/// A photograph with the face that a mask is made from.
package struct Portrait: ~Copyable {
    package let path: FilePath
    /// `rgba8`.
    package let pixels: PixelBuffer
    /// In pixels of the photograph.
    package let face: Face

    /// The gap between the lips, as a fraction of the mouth's width. Above `openMouth`, teeth or the inside of the mouth are
    /// seen, and would be stretched over closed lips.
    var mouthGap: Float {
        let (points, topology) = (face.landmarks, Landmarks.topology)
        let gap = points[topology.lowerLipInnerCenter] - points[topology.upperLipInnerCenter]
        let width = points[topology.outerLips.left] - points[topology.outerLips.right]
        return gap.length / max(width.length, 1e-3)
    }

    static let openMouth: Float = 0.12

    /// Advice for a better mask; nil: none.
    package var advice: String? {
        guard mouthGap > Self.openMouth else { return nil }
        return
            "the mouth is open (\(Int((100 * mouthGap).rounded())) % of its width), so the mask looks wrong on closed lips. A "
            + "photograph with closed lips makes a better mask"
    }

    /// Which of several faces is used.
    package enum Choice {
        /// The only one, seen from the front and complete; several are an error.
        case only
        /// The N-th largest, counted from 1, seen from the front and complete.
        case number(Int)
    }

    /// - Parameter largestSide: larger photographs are halved until they fit, in pixels; nil: no limit.
    /// - Throws: `PictureError` or `FileError` if the photograph cannot be read; `PortraitError` if it has no suitable
    ///   face.
    package init(_ path: some FilePathConvertible, choice: Choice, largestSide: Int? = nil, finder: PhotographFaces)
        throws
    {
        var pixels = try PictureReader.read(path).pixels.withEightBits()
        if let largestSide {
            while max(pixels.width, pixels.height) > largestSide { pixels = try pixels.halved() }
        }
        let faces = try finder.faces(in: pixels).faces
        do throws(PortraitError.Reason) {
            face = try Self.checked(
                try Self.choose(choice, among: faces), width: pixels.width, height: pixels.height)
        } catch {
            throw PortraitError(path: path.filePath.description, reason: error)
        }
        self.path = path.filePath
        self.pixels = pixels
    }

    /// Beyond these angles one side of the face is hidden; in radians, 28° and 25°.
    private static let largestYaw: Float = 0.49
    private static let largestPitch: Float = 0.44
    /// The least width of the landmarks, in pixels. Smaller faces make blurred masks.
    private static let smallestWidth: Float = 80
    /// How far landmarks may lie outside the photograph, in widths of the face. It covers the error of the landmarks.
    private static let cutOffMargin: Float = 0.02

    private static func choose(_ choice: Choice, among faces: [Face]) throws(PortraitError.Reason) -> Face {
        guard !faces.isEmpty else { throw .noFace }
        let face: Face
        switch choice {
        case .only:
            guard faces.count == 1 else { throw .severalFaces(faces.count) }
            face = faces[0]
        case .number(let number):
            guard faces.indices.contains(number - 1) else { throw .noFaceOfNumber(number, count: faces.count) }
            face = faces[number - 1]
        }
        return face
    }

    /// - Returns: the face.
    /// - Throws: why a mask of the face would not look right.
    private static func checked(_ face: Face, width: Int, height: Int) throws(PortraitError.Reason) -> Face {
        let bounds = face.landmarks.bounds
        guard bounds.width >= smallestWidth else { throw .tooSmall(bounds.width) }
        let margin = cutOffMargin * bounds.width
        guard bounds.x >= -margin, bounds.y >= -margin, bounds.x + bounds.width <= Float(width) + margin,
            bounds.y + bounds.height <= Float(height) + margin
        else { throw .cutOff }
        if abs(face.pose.yaw) > largestYaw { throw .turned(face.pose.yaw) }
        if abs(face.pose.pitch) > largestPitch { throw .nodded(face.pose.pitch) }
        return face
    }
}

/// A photograph that no mask can be made from.
package struct PortraitError: Error, Equatable, CustomStringConvertible {
    package enum Reason: Error, Equatable {
        case noFace
        case severalFaces(Int)
        case noFaceOfNumber(Int, count: Int)
        /// The width of the landmarks, in pixels.
        case tooSmall(Float)
        /// A part of the face lies outside the photograph.
        case cutOff
        /// Yaw in radians, positive to the subject's left.
        case turned(Float)
        /// Pitch in radians, positive upwards.
        case nodded(Float)
    }

    package let path: String
    package let reason: Reason

    package var description: String { "\(path): \(text)" }

    private var text: String {
        func degrees(_ radians: Float) -> String { "\(Int((abs(radians) * 180 / .pi).rounded()))°" }
        return switch reason {
        case .noFace:
            "no face was found in it; use a photograph in which the face is upright, looks into the camera and fills "
                + "much of the picture"
        case .severalFaces(let count):
            "has \(count) faces; crop the picture, or choose one with 'bauta mask new --face' (1 is the largest)"
        case .noFaceOfNumber(_, let count): "has only \(count) \(count == 1 ? "face" : "faces")"
        case .tooSmall(let width):
            "the face is only \(Int(width)) pixels wide; a mask needs at least 80, and looks sharp from about 300"
        case .cutOff:
            "part of the face is outside the picture; use one that shows the whole face from forehead to chin"
        case .turned(let yaw):
            "the face is turned to the side by \(degrees(yaw)), which hides part of it; use one that looks into the "
                + "camera"
        case .nodded(let pitch):
            "the face looks \(pitch > 0 ? "up" : "down") by \(degrees(pitch)); use one that looks into the camera"
        }
    }
}
