import Pixels

/// Everything that a renderer needs to draw a mask on the faces of one picture. A value: no part of it depends on how it
/// is drawn.
///
/// A renderer first copies all captures from the picture, then draws the faces in order, and the calls of each face in
/// order, each on the result of those before it. It changes no pixel outside `FaceDrawList.rectangle`. What was drawn is then
/// blurred by `FaceDrawList.blur`, which also softens its edges beyond that.
package struct DrawList: Sendable {
    /// Parts of the picture to copy before anything is drawn, for calls that show a face.
    package var captures: [Capture] = []
    package var faces: [FaceDrawList] = []

    package init() {}
}

/// A rectangle of the picture around a face, copied before anything is drawn.
package struct Capture: Equatable, Sendable {
    /// The face instance that it shows; unique within a draw list.
    package var trackID: Int
    /// Inside the picture, never empty.
    package var rectangle: PixelRectangle
}

/// The draw calls of one face.
package struct FaceDrawList: Sendable {
    package var trackID: Int
    /// The pixels that the calls may change: inside the picture, never empty.
    package var rectangle: PixelRectangle
    /// In drawing order, from the bottom up; never empty.
    package var calls: [DrawCall]
    /// The standard deviation of the blur that the drawn pixels get, in pixels; 0: none.
    package var blur: Float = 0
}
