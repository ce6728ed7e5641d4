/// The texts of a vertex and a fragment shader, with their file names for messages.
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

    /// A variant with preprocessor macros defined in the fragment shader, after its `#version` line.
    package func defining(_ macros: [String]) -> ShaderSources {
        let end = fragment.firstIndex(of: "\n") ?? fragment.startIndex
        let definitions = macros.map { "\n#define \($0)" }.joined()
        return ShaderSources(
            vertex: vertex, vertexPath: vertexPath,
            fragment: fragment[..<end] + definitions + "\n#line 2" + fragment[end...], fragmentPath: fragmentPath)
    }
}
