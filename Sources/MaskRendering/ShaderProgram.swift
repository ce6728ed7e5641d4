import CGraphics

/// A vertex and a fragment shader, compiled and linked.
package final class ShaderProgram {
    package let name: GLuint

    /// - Throws: `RenderingError` of kind `shader` with the driver's words and the file's name.
    package init(_ sources: ShaderSources) throws(RenderingError) {
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
            throw RenderingError(.shader, "\(sources.fragmentPath): does not link: \(Self.text(log))")
        }
        name = program
    }

    deinit { glDeleteProgram(name) }

    private var locations: [String: GLint] = [:]

    /// Where a uniform lies; the driver is asked once.
    package func uniform(_ name: String) -> GLint {
        if let known = locations[name] { return known }
        let location = glGetUniformLocation(self.name, name)
        locations[name] = location
        return location
    }

    private static func compile(_ source: String, _ kind: GLenum, path: String) throws(RenderingError) -> GLuint {
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
            throw RenderingError(.shader, "\(path): does not compile: \(text(log))")
        }
        return shader
    }

    private static func text(_ log: [CChar]) -> String {
        String(decoding: log.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// What masks are drawn with.
package struct MaskShaders: Sendable {
    package let warpLayer: ShaderSources
    package let layerTexture: ShaderSources

    package init(warpLayer: ShaderSources, layerTexture: ShaderSources) {
        self.warpLayer = warpLayer
        self.layerTexture = layerTexture
    }
}

/// The texts of a shader pair, with the names of their files for messages.
package struct ShaderSources: Sendable {
    package let vertex: String
    package let vertexPath: String
    package let fragment: String
    package let fragmentPath: String

    package init(vertex: String, vertexPath: String, fragment: String, fragmentPath: String) {
        self.vertex = vertex
        self.vertexPath = vertexPath
        self.fragment = fragment
        self.fragmentPath = fragmentPath
    }

    /// The same with names defined in the fragment shader, after its first line, which says the version.
    func defining(_ names: [String]) -> ShaderSources {
        let end = fragment.firstIndex(of: "\n") ?? fragment.startIndex
        let definitions = names.map { "\n#define \($0)" }.joined()
        return ShaderSources(
            vertex: vertex, vertexPath: vertexPath,
            fragment: fragment[..<end] + definitions + "\n#line 2" + fragment[end...], fragmentPath: fragmentPath)
    }
}
