import FaceGeometry
import Pixels

/// Learns how the faces of a recording look before anything is drawn on it: show it all frames once, and occluders can
/// be detected from the first frame on.
///
/// Of each track it takes samples of the first seconds and, of each place of the face, the colour that most of them agree
/// on (`SurveyedFace`), so that a hand that passes is not learnt.
package struct FaceSurvey {
    let texels: CanonicalTexels
    let reference: ReferenceFace
    let mesh: FaceMesh
    private var reader: TexelReader
    private var surroundings = FaceSurroundings()
    /// Outside the outline.
    private var places: [Point] = []
    /// Faces that are being sampled, by track ID.
    private var open: [Int: SurveyedFace] = [:]
    private var learnt: [Int: KnownFace] = [:]

    /// More faces than this are not sampled at the same time, and not remembered: they are learnt while they are drawn on.
    private static let (mostSampled, mostLearnt) = (16, 128)

    package init(reference: ReferenceFace, mesh: FaceMesh) {
        (self.reference, self.mesh) = (reference, mesh)
        texels = CanonicalTexels(reference: reference, mesh: mesh)
        reader = TexelReader(texels)
    }

    /// - Parameters:
    ///   - instances: their track IDs differ, and are those that the same frames will have when they are drawn on.
    ///   - picture: `rgba8` or `rgba16`.
    ///   - seconds: the time of the picture.
    package mutating func add(_ instances: [FaceInstance], in picture: borrowing PixelBuffer, at seconds: Double) {
        for instance in instances where instance.canBeLearnt && learnt[instance.trackID] == nil {
            let identifier = instance.trackID
            guard open[identifier] != nil || open.count < Self.mostSampled else { continue }
            // Not kept in the dictionary meanwhile: two owners would copy the samples.
            var face = open.removeValue(forKey: identifier) ?? SurveyedFace(begin: seconds)
            if face.isWanted(at: seconds) {
                reader.read(picture, instance.face.vertices)
                texels.outline.places(instance.face.vertices, width: instance.width, into: &places)
                surroundings.read(picture, at: places, width: instance.width)
                face.add(reader, surroundings, instance, at: seconds)
            }
            open[identifier] = face
        }
        for (identifier, face) in open where face.isComplete(at: seconds) { close(identifier) }
    }

    /// By track ID: the faces of which there are samples enough.
    func faces() -> [Int: KnownFace] {
        var survey = self
        for identifier in open.keys { survey.close(identifier) }
        return survey.learnt
    }

    private mutating func close(_ identifier: Int) {
        guard let face = open.removeValue(forKey: identifier), learnt.count < Self.mostLearnt else { return }
        learnt[identifier] = face.learnt(texels)
    }
}

extension FaceInstance {
    /// A face with fewer pixels from ear to ear shows too little of itself, and what is read beside it is too far from it.
    private static let smallestWidth: Float = 32

    /// Whether the face is large enough and seen, and its landmarks are those of a face. Those that are nowhere near a picture
    /// are not.
    var canBeLearnt: Bool { canBeLearnt(face.vertices) }

    /// - Parameter vertices: of its mesh.
    func canBeLearnt(_ vertices: [Point]) -> Bool {
        isSeen && isLargeEnough && vertices.allSatisfy { abs($0.x) < 1e5 && abs($0.y) < 1e5 }
    }

    var isLargeEnough: Bool { width >= Self.smallestWidth }

    /// From ear to ear, in pixels.
    var width: Float { Landmarks.topology.faceWidth(face.landmarks) }
}
