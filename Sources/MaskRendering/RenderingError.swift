/// Why nothing can be drawn. The description is a sentence for the person at the keyboard and says what would help.
package struct RenderingError: Error, Equatable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// There is no OpenGL 3.3 to be had.
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
}
