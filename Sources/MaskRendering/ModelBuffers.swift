import CGraphics
import FaceGeometry
import Graphics
import Models

/// Vertices and triangles of a model on the GPU.
final class ModelBuffers {
    private let array: GLuint
    private let buffers: [GLuint]

    init(_ vertices: [ModelVertex], _ indices: [UInt32]) {
        var names: [GLuint] = [0, 0]
        glGenVertexArrays(1, &names)
        array = names[0]
        glGenBuffers(2, &names)
        buffers = names
        glBindVertexArray(array)
        glBindBuffer(GLenum(GL_ARRAY_BUFFER), buffers[0])
        glBufferData(
            GLenum(GL_ARRAY_BUFFER), vertices.count * MemoryLayout<ModelVertex>.stride, vertices,
            GLenum(GL_STATIC_DRAW))
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

    init(_ model: Model) {
        self.model = model
        buffers = ModelBuffers(model.vertices, model.indices)
        textures = model.pictures.map { picture in
            let texture = Texture2D(filter: .mipmapped)
            texture.upload(picture.pixels)
            return texture
        }
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
