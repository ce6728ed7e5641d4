import CGraphics

/// An OpenGL operation failed. The description is a complete sentence for users and names a remedy where there is one.
package struct GraphicsError: Error, Equatable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// OpenGL 3.3 is not available.
        case noOpenGL
        /// A shader file is missing or does not compile.
        case shader
        case outOfMemory
        case failed
    }

    package let kind: Kind
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Throws if OpenGL has recorded an error since the last check.
    /// - Parameter activity: completes the sentence "OpenGL reports error 0x… while …".
    package static func check(while activity: String) throws(GraphicsError) {
        let error = glGetError()
        guard error != GLenum(GL_NO_ERROR) else { return }
        let kind: Kind = error == GLenum(GL_OUT_OF_MEMORY) ? .outOfMemory : .failed
        throw GraphicsError(kind, "OpenGL reports error 0x\(String(error, radix: 16)) while \(activity)")
    }
}
