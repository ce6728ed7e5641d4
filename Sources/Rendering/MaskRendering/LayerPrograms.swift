import CGraphics
import Graphics
import Masks

/// The variants of the layer shader, compiled when they are first needed.
struct LayerPrograms {
    /// The features of a variant.
    struct Key: Hashable {
        /// Blended in the shader; nil: by fixed function.
        var blendMode: BlendMode?
        /// The colours are a capture of the picture.
        var isLive = false
        /// A live face ends in a soft edge.
        var hasEdge = false
        var matchesColor = false
        var showsDetail = false
        /// The colours of the picture below are looked up in a table, or changed by a map.
        var recolors = false
        var isOffset = false
        /// The picture gets back what was captured of it, with its alpha.
        var restores = false

        var macros: [String] {
            var names: [String] = []
            if let blendMode {
                names += ["BLENDS", "BLEND_MODE \(BlendMode.allCases.firstIndex(of: blendMode) ?? 0)"]
            }
            if isLive { names.append("LIVE") }
            if hasEdge { names.append("EDGE") }
            if matchesColor { names.append("COLOR") }
            if showsDetail { names.append("DETAIL") }
            if recolors { names.append("RECOLORS") }
            if isOffset { names.append("OFFSETS") }
            if restores { names.append("RESTORES") }
            return names
        }
    }

    /// The texture units of the samplers.
    enum Unit {
        static let layer = 0
        static let below = 1
        static let colorTable = 2
        static let edge = 3
    }

    private let sources: ShaderSources
    private var programs: [Key: ShaderProgram] = [:]

    /// - Throws: `GraphicsError` of kind `shader` if the simplest variant does not compile.
    init(_ sources: ShaderSources) throws(GraphicsError) {
        self.sources = sources
        _ = try program(Key())
    }

    mutating func program(_ key: Key) throws(GraphicsError) -> ShaderProgram {
        if let known = programs[key] { return known }
        let program = try ShaderProgram(sources.defining(key.macros))
        glUseProgram(program.name)
        let samplers = [
            ("layerTexture", Unit.layer), ("picture", Unit.below), ("colorTable", Unit.colorTable), ("edge", Unit.edge),
        ]
        for (name, unit) in samplers { glUniform1i(program.uniform(name), GLint(unit)) }
        programs[key] = program
        return program
    }
}
