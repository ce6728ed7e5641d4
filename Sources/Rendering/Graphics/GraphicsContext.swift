import CGraphics

/// An OpenGL 3.3 core context that is current on its thread for as long as the object lives. All objects of this module
/// belong to that thread.
package protocol GraphicsContext: AnyObject {}

extension GraphicsContext {
    /// The driver and its version, for reports: "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5 …".
    package var rendererDescription: String {
        func string(_ name: GLenum) -> String {
            glGetString(name).map { String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self)) } ?? "?"
        }
        return "\(string(GLenum(GL_RENDERER))), OpenGL \(string(GLenum(GL_VERSION)))"
    }

    /// Whether a graphics card draws, and not the processor in its place.
    package var isHardware: Bool {
        let name = rendererDescription.lowercased()
        return !["llvmpipe", "softpipe", "swiftshader", "swrast", "software"].contains(where: name.contains)
    }

    /// The largest texture side that the driver accepts, in pixels.
    package var largestTextureSide: Int {
        var limit: GLint = 0
        glGetIntegerv(GLenum(GL_MAX_TEXTURE_SIZE), &limit)
        return Int(limit)
    }
}
