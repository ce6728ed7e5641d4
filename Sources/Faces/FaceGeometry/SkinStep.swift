/// The motion of a face's skin from one frame to the next: landmark p is carried to whole(p) + own.
package struct SkinStep: Equatable, Sendable {
    /// Of the face as a whole.
    package var whole: SimilarityTransform
    /// The further motion of each landmark, in pixels of the later frame.
    package var own: PerLandmark<Point>

    package init(whole: SimilarityTransform, own: PerLandmark<Point>) {
        self.whole = whole
        self.own = own
    }

    /// The step between the landmarks of two frames.
    package init(from before: Landmarks, to after: Landmarks, mean: MeanFace) {
        let whole = SimilarityTransform(fitting: before, to: after, weights: mean.rigidWeights)
        self.init(whole: whole, own: PerLandmark { after[$0] - whole(before[$0]) })
    }

    /// The step back.
    package var inverse: SkinStep {
        let back = whole.inverse
        return SkinStep(whole: back, own: PerLandmark { -1 * back.turned(own[$0]) })
    }

    package static func == (a: SkinStep, b: SkinStep) -> Bool {
        a.whole == b.whole && a.own.indices.allSatisfy { a.own[$0] == b.own[$0] }
    }
}
