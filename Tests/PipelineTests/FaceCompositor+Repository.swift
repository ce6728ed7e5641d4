import Compositing
import Masks
import TestSupport

extension FaceCompositor {
    /// For the repository's reference face.
    init(mask: Mask?, faces: FaceChoice = .all, whenLost: LostFaces.Policy = .hide) throws {
        self.init(
            mask: mask, reference: try Repository.referenceFace(), mesh: try Repository.mesh(), faces: faces,
            whenLost: whenLost)
    }
}
