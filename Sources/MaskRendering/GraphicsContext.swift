import CGraphics

/// An OpenGL 3.3 core context that is current on the thread that uses it, for as long as the object lives.
package protocol GraphicsContext: AnyObject {}

extension GraphicsContext {
    /// Who draws, for reports: "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5 …".
    package var rendererDescription: String {
        func string(_ name: GLenum) -> String {
            glGetString(name).map { String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self)) } ?? "?"
        }
        return "\(string(GLenum(GL_RENDERER))), OpenGL \(string(GLenum(GL_VERSION)))"
    }
}
