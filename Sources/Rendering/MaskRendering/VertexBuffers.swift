import CGraphics
import FaceGeometry
import MaskComposition

/// Uploads geometry and draws it with the current program.
final class VertexBuffers {
    private let array: GLuint
    private let vertices: GLuint
    private let indices: GLuint
    private var interleaved: [Float] = []
    private var elements: [UInt16] = []

    /// Position, texture coordinate, canonical UV, visibility, light; the shaders declare the locations in this order.
    private static let floatsPerVertex = 9

    init() {
        var names: [GLuint] = [0, 0]
        glGenVertexArrays(1, &names)
        array = names[0]
        glGenBuffers(2, &names)
        vertices = names[0]
        indices = names[1]
        glBindVertexArray(array)
        glBindBuffer(GLenum(GL_ARRAY_BUFFER), vertices)
        glBindBuffer(GLenum(GL_ELEMENT_ARRAY_BUFFER), indices)
        let stride = GLsizei(Self.floatsPerVertex * MemoryLayout<Float>.stride)
        for (location, (count, offset)) in [(2, 0), (2, 2), (2, 4), (1, 6), (2, 7)].enumerated() {
            glEnableVertexAttribArray(GLuint(location))
            glVertexAttribPointer(
                GLuint(location), GLint(count), GLenum(GL_FLOAT), GLboolean(GL_FALSE), stride,
                UnsafeRawPointer(bitPattern: offset * MemoryLayout<Float>.stride))
        }
    }

    deinit {
        glDeleteVertexArrays(1, [array])
        glDeleteBuffers(2, [vertices, indices])
    }

    func draw(_ geometry: LayerGeometry) {
        interleaved.removeAll(keepingCapacity: true)
        for index in geometry.positions.indices {
            let (position, place) = (geometry.positions[index], geometry.textureCoordinates[index])
            let canonicalUV = geometry.canonicalUV[index]
            let light = geometry.light.isEmpty ? Point(1, 1) : geometry.light[index]
            interleaved.append(position.x)
            interleaved.append(position.y)
            interleaved.append(place.x)
            interleaved.append(place.y)
            interleaved.append(canonicalUV.x)
            interleaved.append(canonicalUV.y)
            interleaved.append(geometry.visibility[index])
            interleaved.append(light.x)
            interleaved.append(light.y)
        }
        elements.removeAll(keepingCapacity: true)
        for triangle in geometry.triangles {
            elements.append(UInt16(triangle.a))
            elements.append(UInt16(triangle.b))
            elements.append(UInt16(triangle.c))
        }
        glBindVertexArray(array)
        glBindBuffer(GLenum(GL_ARRAY_BUFFER), vertices)
        glBufferData(
            GLenum(GL_ARRAY_BUFFER), interleaved.count * MemoryLayout<Float>.stride, interleaved,
            GLenum(GL_STREAM_DRAW))
        glBufferData(
            GLenum(GL_ELEMENT_ARRAY_BUFFER), elements.count * MemoryLayout<UInt16>.stride, elements,
            GLenum(GL_STREAM_DRAW))
        glDrawElements(GLenum(GL_TRIANGLES), GLsizei(elements.count), GLenum(GL_UNSIGNED_SHORT), nil)
    }
}
