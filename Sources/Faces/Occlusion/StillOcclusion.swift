import FaceGeometry
import Pixels

/// Detects the occluders of faces in single pictures.
package struct StillOcclusion {
    private let reference: ReferenceFace
    private let mesh: FaceMesh
    // Their grids are made when they are first asked for.
    private lazy var hairFinder = HairFinder(reference: reference, mesh: mesh)
    private lazy var glassesFinder = GlassesFinder(reference: reference, mesh: mesh)

    package init(reference: ReferenceFace, mesh: FaceMesh) { (self.reference, self.mesh) = (reference, mesh) }

    /// - Parameters:
    ///   - hair: the faces before which hair and hats are looked for; their track IDs differ.
    ///   - glasses: those before which glasses are.
    ///   - picture: `rgba8` or `rgba16`, before anything is drawn on it.
    /// - Returns: by track ID, for those faces before which there is something.
    package mutating func find(
        hair: [FaceInstance], glasses: [FaceInstance], in picture: borrowing PixelBuffer
    ) -> [Int: OcclusionMatte] {
        var mattes: [Int: OcclusionMatte] = [:]
        for instance in hair { mattes[instance.trackID] = hairFinder.find(instance, in: picture) }
        for instance in glasses {
            guard let matte = glassesFinder.find(instance, in: picture) else { continue }
            mattes[instance.trackID] = mattes[instance.trackID]?.union(matte) ?? matte
        }
        return mattes
    }
}
