import CGraphics
import FaceGeometry
import Graphics
import MaskComposition
import Masks
import Pixels

/// Draws the soft edge of the mesh into textures, once per texture, so that drawing a face need not compute it.
final class SoftEdgeBaking {
    private let program: ShaderProgram
    private let buffers: VertexBuffers
    private let refined: RefinedMesh
    private let reference: ReferenceFace
    /// Of the refined mesh's vertices.
    private let canonicalUV: [Point]
    private let frameBuffer = FrameBuffer()
    private var maps: [Set<FaceMesh.Opening>: Texture2D] = [:]
    /// A distance map that is inside everywhere.
    private let whole = Texture2D()

    init(
        _ shaders: ShaderSources, buffers: VertexBuffers, mesh: FaceMesh, reference: ReferenceFace
    ) throws(GraphicsError) {
        program = try ShaderProgram(shaders)
        self.buffers = buffers
        let refined = RefinedMesh(mesh, reference: reference)
        self.refined = refined
        self.reference = reference
        canonicalUV = refined.textureCoordinates(reference.vertices)
        whole.upload(grey: [255], width: 1, height: 1)
        glUseProgram(program.name)
        glUniform1i(program.uniform("picture"), 0)
        glUniform1i(program.uniform("edgeDistance"), 1)
        glUniform1f(program.uniform("edgeRange"), EdgeDistanceMap.range)
    }

    /// Changes the program, the frame buffer, the viewport and the bound textures.
    /// - Parameters:
    ///   - softEdge: nil: the source is copied as it is.
    ///   - coordinates: of the mesh's vertices on the texture.
    ///   - area: the part of the target that is replaced; nil: all of it.
    func draw(
        _ source: Texture2D, softEdge: SoftEdge?, coordinates: [Point], into target: Texture2D,
        only area: PixelRectangle? = nil
    ) throws(GraphicsError) {
        let map = softEdge.map { distanceMap(openings: $0.openings) } ?? whole
        try frameBuffer.attach(target)
        glUseProgram(program.name)
        // smoothstep is undefined for a width of 0.
        let feather = max(0.001, softEdge?.feather ?? WarpLayer.defaultFeather) * reference.width
        glUniform1f(program.uniform("feather"), feather)
        glDisable(GLenum(GL_BLEND))
        // A texture may be painted mirrored.
        glDisable(GLenum(GL_CULL_FACE))
        glViewport(0, 0, GLsizei(target.width), GLsizei(target.height))
        if let area {
            glEnable(GLenum(GL_SCISSOR_TEST))
            glScissor(GLint(area.x), GLint(area.y), GLsizei(area.width), GLsizei(area.height))
        }
        defer { glDisable(GLenum(GL_SCISSOR_TEST)) }
        glClearColor(0, 0, 0, 0)
        glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        map.bind(unit: 1)
        source.bind()
        if let softEdge {
            buffers.draw(
                LayerGeometry(
                    triangles: refined.triangles(openings: softEdge.openings), positions: canonicalUV,
                    textureCoordinates: refined.textureCoordinates(coordinates), canonicalUV: canonicalUV,
                    visibility: canonicalUV.map { _ in 1 }))
        } else {
            let corners = LayerGeometry.rectangleCorners
            buffers.draw(.rectangle(corners, canonicalUV: corners))
        }
        frameBuffer.detach()
    }

    private func distanceMap(openings: Set<FaceMesh.Opening>) -> Texture2D {
        if let known = maps[openings] { return known }
        let map = EdgeDistanceMap(
            triangles: refined.mesh.triangles(openings: openings), vertices: reference.vertices)
        let texture = Texture2D()
        texture.upload(grey: map.texels, width: EdgeDistanceMap.side, height: EdgeDistanceMap.side)
        maps[openings] = texture
        return texture
    }
}
