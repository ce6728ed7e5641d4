import Compositing
import FaceGeometry
import Installation
import MaskRendering
import Masks

/// The resources for making and validating masks: the reference face, its mesh, the mask loader, renderers and
/// compositors.
package struct AuthoringAssets {
    package let reference: ReferenceFace
    package let mesh: FaceMesh
    package let loader: MaskLoader
    private let data: DataFolder

    /// - Throws: `FileError`, or `DataFolderError` if the data folder is damaged.
    package init(_ data: DataFolder) throws {
        self.data = data
        reference = try data.referenceFace()
        mesh = try data.mesh()
        loader = data.maskLoader(reference)
    }

    package var validator: PackageValidator { PackageValidator(loader: loader, reference: reference, mesh: mesh) }

    /// A renderer for the calling thread, without a window.
    package func makeRenderer(_ choice: RendererChoice = .auto) throws -> MaskRenderer {
        try data.makeRenderer(choice, reference: reference, mesh: mesh)
    }

    /// A compositor for pictures that are no stream.
    package func makeCompositor(_ mask: Mask? = nil) -> FaceCompositor {
        FaceCompositor(mask: mask, reference: reference, mesh: mesh)
    }
}
