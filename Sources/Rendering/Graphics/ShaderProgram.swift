import CGraphics

/// A vertex and a fragment shader, compiled and linked.
package final class ShaderProgram {
    package let name: GLuint

    /// - Throws: `GraphicsError` of kind `shader` with the file name and the driver's message.
    package init(_ sources: ShaderSources) throws(GraphicsError) {
        let vertex = try Self.compile(sources.vertex, GLenum(GL_VERTEX_SHADER), path: sources.vertexPath)
        defer { glDeleteShader(vertex) }
        let fragment = try Self.compile(sources.fragment, GLenum(GL_FRAGMENT_SHADER), path: sources.fragmentPath)
        defer { glDeleteShader(fragment) }
        let program = glCreateProgram()
        glAttachShader(program, vertex)
        glAttachShader(program, fragment)
        glLinkProgram(program)
        var linked: GLint = 0
        glGetProgramiv(program, GLenum(GL_LINK_STATUS), &linked)
        guard linked == GL_TRUE else {
            var log = [CChar](repeating: 0, count: 2048)
            glGetProgramInfoLog(program, GLsizei(log.count), nil, &log)
            glDeleteProgram(program)
            throw GraphicsError(.shader, "\(sources.fragmentPath): does not link: \(Self.text(log))")
        }
        name = program
    }

    deinit { glDeleteProgram(name) }

    private var locations: [String: GLint] = [:]

    /// The location of a uniform, cached; −1 if the program does not use it, which OpenGL's setters ignore.
    package func uniform(_ name: String) -> GLint {
        if let known = locations[name] { return known }
        let location = glGetUniformLocation(self.name, name)
        locations[name] = location
        return location
    }

    private static func compile(_ source: String, _ kind: GLenum, path: String) throws(GraphicsError) -> GLuint {
        let shader = glCreateShader(kind)
        source.withCString { text in
            var pointer: UnsafePointer<CChar>? = text
            glShaderSource(shader, 1, &pointer, nil)
        }
        glCompileShader(shader)
        var compiled: GLint = 0
        glGetShaderiv(shader, GLenum(GL_COMPILE_STATUS), &compiled)
        guard compiled == GL_TRUE else {
            var log = [CChar](repeating: 0, count: 2048)
            glGetShaderInfoLog(shader, GLsizei(log.count), nil, &log)
            glDeleteShader(shader)
            throw GraphicsError(.shader, "\(path): does not compile: \(text(log))")
        }
        return shader
    }

    private static func text(_ log: [CChar]) -> String {
        String(decoding: log.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }
}
