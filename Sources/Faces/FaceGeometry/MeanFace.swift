/// The landmarks of the reference face relative to their own centre.
package struct MeanFace: Sendable {
    package let landmarks: Landmarks
    /// From ear to ear.
    package let width: Float
    /// `LandmarkTopology.rigidWeights`, inline.
    package let rigidWeights: PerLandmark<Float>

    package init(_ reference: ReferenceFace) {
        let center = reference.landmarks.center
        landmarks = reference.landmarks.mapped { $0 - center }
        width = landmarks.width
        rigidWeights = PerLandmark { Landmarks.topology.rigidWeights[$0] }
    }
}
