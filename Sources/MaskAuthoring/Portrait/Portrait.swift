import FaceGeometry
import FaceTracking
import ImageFiles
import Masks
import Pixels

/// A photograph with the face that a mask is made from.
package struct Portrait: ~Copyable {
    package let path: String
    /// `rgba8`.
    package let pixels: PixelBuffer
    /// In pixels of the photograph.
    package let face: Face

    /// Which of several faces is used.
    package enum Choice {
        /// The largest, whatever its pose.
        case largest
        /// The only one, seen from the front; several are an error.
        case only
        /// The N-th largest, counted from 1, seen from the front.
        case number(Int)
    }

    /// - Parameter largestSide: larger photographs are halved until they fit, in pixels; nil: no limit.
    /// - Throws: `PictureError` or `FileError` if the photograph cannot be read; `PortraitError` if it has no suitable
    ///   face.
    package init(_ path: String, choice: Choice, largestSide: Int? = nil, finder: PhotographFaces) throws {
        var pixels = try PictureReader.read(path).pixels.withEightBits()
        if let largestSide {
            while max(pixels.width, pixels.height) > largestSide { pixels = try pixels.halved() }
        }
        let faces = try finder.faces(in: pixels).faces
        do throws(PortraitError.Reason) {
            face = try Self.choose(choice, among: faces)
        } catch {
            throw PortraitError(path: path, reason: error)
        }
        self.path = path
        self.pixels = pixels
    }

    /// Beyond these angles one side of the face is hidden; in radians, 28° and 25°.
    private static let largestYaw: Float = 0.49
    private static let largestPitch: Float = 0.44

    private static func choose(_ choice: Choice, among faces: [Face]) throws(PortraitError.Reason) -> Face {
        guard let first = faces.first else { throw .noFace }
        let face: Face
        switch choice {
        case .largest: return first
        case .only:
            guard faces.count == 1 else { throw .severalFaces(faces.count) }
            face = first
        case .number(let number):
            guard faces.indices.contains(number - 1) else { throw .noFaceOfNumber(number, count: faces.count) }
            face = faces[number - 1]
        }
        if abs(face.pose.yaw) > largestYaw { throw .turned(face.pose.yaw) }
        if abs(face.pose.pitch) > largestPitch { throw .nodded(face.pose.pitch) }
        return face
    }

    /// A warp layer that shows this face. Its texture is the whole photograph.
    package func layer(openings: Set<FaceMesh.Opening>) throws(OutOfMemory) -> Layer {
        let size = Point(Float(pixels.width), Float(pixels.height))
        return Layer(
            .warp(
                WarpLayer(
                    picture: .texture(Texture(path: path, pixels: try pixels.copy())),
                    textureCoordinates: face.vertices.map { $0 / size }, openings: openings)))
    }

    /// The face as a mask, with its eyes and mouth open.
    /// - Parameter light: how the mask takes on the light of the scene.
    package func mask(light: LightMatching) throws(OutOfMemory) -> Mask {
        var layer = try layer(openings: Set(FaceMesh.Opening.allCases))
        layer.light = light
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return Mask(name: name, author: nil, license: nil, layers: [layer], folder: "")
    }
}

/// A photograph that no mask can be made from.
package struct PortraitError: Error, Equatable, CustomStringConvertible {
    package enum Reason: Error, Equatable {
        case noFace
        case severalFaces(Int)
        case noFaceOfNumber(Int, count: Int)
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
            "no face is found in it; use a photograph in which the face is upright, looks into the camera and fills a "
                + "good part of the picture"
        case .severalFaces(let count):
            "has \(count) faces; choose one with --face (1 is the largest), or crop the picture"
        case .noFaceOfNumber(_, let count): "has only \(count) \(count == 1 ? "face" : "faces")"
        case .turned(let yaw):
            "the face is turned to the side by \(degrees(yaw)), which hides part of it; use one that looks into the "
                + "camera"
        case .nodded(let pitch):
            "the face looks \(pitch > 0 ? "up" : "down") by \(degrees(pitch)); use one that looks into the camera"
        }
    }
}
