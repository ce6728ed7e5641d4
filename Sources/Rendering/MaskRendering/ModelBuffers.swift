import CGraphics
import FaceGeometry
import GLTF
import Graphics

/// Vertices and triangles of a model on the GPU.
final class ModelBuffers {
    private let array: GLuint
    private let buffers: [GLuint]

    /// - Parameter moves: whether vertices are replaced.
    init(_ vertices: [ModelVertex], _ indices: [UInt32], moves: Bool = false) {
        var names: [GLuint] = [0, 0]
        glGenVertexArrays(1, &names)
        array = names[0]
        glGenBuffers(2, &names)
        buffers = names
        glBindVertexArray(array)
        glBindBuffer(GLenum(GL_ARRAY_BUFFER), buffers[0])
        glBufferData(
            GLenum(GL_ARRAY_BUFFER), vertices.count * MemoryLayout<ModelVertex>.stride, vertices,
            GLenum(moves ? GL_DYNAMIC_DRAW : GL_STATIC_DRAW))
        glBindBuffer(GLenum(GL_ELEMENT_ARRAY_BUFFER), buffers[1])
        glBufferData(
            GLenum(GL_ELEMENT_ARRAY_BUFFER), indices.count * MemoryLayout<UInt32>.stride, indices,
            GLenum(GL_STATIC_DRAW))
        for location in 0..<4 {
            glEnableVertexAttribArray(GLuint(location))
            glVertexAttribPointer(
                GLuint(location), 4, GLenum(GL_FLOAT), GLboolean(GL_FALSE),
                GLsizei(MemoryLayout<ModelVertex>.stride), UnsafeRawPointer(bitPattern: 16 * location))
        }
        glBindVertexArray(0)
    }

    /// The head that hides things.
    convenience init(_ head: HeadSurface) {
        let vertices = zip(head.positions, head.normals).map { ModelVertex(position: $0, normal: $1) }
        self.init(vertices, head.indices)
    }

    deinit {
        glDeleteVertexArrays(1, [array])
        glDeleteBuffers(2, buffers)
    }

    /// Replaces some of the vertices.
    /// - Parameter vertices: all of them.
    func update(_ range: Range<Int>, of vertices: [ModelVertex]) {
        let size = MemoryLayout<ModelVertex>.stride
        glBindBuffer(GLenum(GL_ARRAY_BUFFER), buffers[0])
        vertices[range].withUnsafeBytes {
            glBufferSubData(GLenum(GL_ARRAY_BUFFER), range.lowerBound * size, $0.count, $0.baseAddress)
        }
        glBindBuffer(GLenum(GL_ARRAY_BUFFER), 0)
    }

    /// Draws some of the indices with the current program.
    func draw(_ range: Range<Int>) {
        glBindVertexArray(array)
        glDrawElements(
            GLenum(GL_TRIANGLES), GLsizei(range.count), GLenum(GL_UNSIGNED_INT),
            UnsafeRawPointer(bitPattern: range.lowerBound * MemoryLayout<UInt32>.stride))
    }
}

/// A model on the GPU with its textures.
final class ModelOnGPU {
    /// Kept alive: it is found by its identity.
    let model: Model
    let buffers: ModelBuffers
    private let textures: [Texture2D]
    /// Whether the vertices on the GPU are others than those of the model.
    private var isPosed = false

    init(_ model: Model) {
        self.model = model
        buffers = ModelBuffers(model.vertices, model.indices, moves: model.rig != nil)
        textures = model.pictures.map { picture in
            let texture = Texture2D(filter: .mipmapped)
            texture.upload(picture.pixels)
            return texture
        }
    }

    /// - Parameter posed: where the vertices are now; nil: at rest.
    func pose(_ posed: [ModelVertex]?) {
        guard let rig = model.rig, posed != nil || isPosed else { return }
        buffers.update(rig.movingVertices, of: posed ?? model.vertices)
        isPosed = posed != nil
    }

    func bind(_ texture: ModelTexture, unit: Int) {
        textures[texture.picture].bind(unit: unit)
        textures[texture.picture].setWrapping(
            horizontal: texture.horizontal.openGL, vertical: texture.vertical.openGL, unit: unit)
    }
}

extension ModelTexture.Wrapping {
    fileprivate var openGL: Texture2D.Wrapping {
        switch self {
        case .repeat: .repeat
        case .clamp: .clamp
        case .mirror: .mirror
        }
    }
}
