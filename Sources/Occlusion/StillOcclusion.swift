import FaceGeometry
import Pixels

/// Finds what is before the faces of single pictures.
package struct StillOcclusion {
    private let reference: ReferenceFace
    private let mesh: FaceMesh
    /// Nil until they are asked for.
    private var hairFinder: HairFinder?
    private var glassesFinder: GlassesFinder?

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
        if !hair.isEmpty {
            var finder = hairFinder ?? HairFinder(reference: reference, mesh: mesh)
            for instance in hair { mattes[instance.trackID] = finder.find(instance, in: picture) }
            hairFinder = finder
        }
        if !glasses.isEmpty {
            let finder = glassesFinder ?? GlassesFinder(reference: reference, mesh: mesh)
            for instance in glasses {
                guard let matte = finder.find(instance, in: picture) else { continue }
                mattes[instance.trackID] = mattes[instance.trackID]?.union(matte) ?? matte
            }
            glassesFinder = finder
        }
        return mattes
    }
}
