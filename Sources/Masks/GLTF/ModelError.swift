/// Why a model is refused.
package struct ModelError: Error, Equatable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// It is not glTF 2.0, cut off, or contradicts itself.
        case damaged
        /// It exceeds a limit of `ModelLimits`.
        case tooLarge
        /// It refers to another file or to the network.
        case external
        /// Nodes form a cycle, or one has two parents.
        case cyclic
        /// A number is NaN, infinite or absurdly large.
        case number
        /// It needs what is not implemented.
        case unsupported
        /// It has no triangle.
        case empty
        /// One of its pictures cannot be read.
        case picture
    }

    package let kind: Kind
    /// Where: a JSON pointer into the glTF document; empty: the whole file.
    package let pointer: String
    package let reason: String

    init(_ kind: Kind, at pointer: String = "", _ reason: String) {
        self.kind = kind
        self.pointer = pointer
        self.reason = reason
    }

    package var description: String { pointer.isEmpty ? reason : "\(pointer): \(reason)" }
}

/// Something in a model that is left out; the rest is drawn.
package struct ModelNotice: Equatable, Sendable {
    /// A JSON pointer into the glTF document.
    package let pointer: String
    package let reason: String
}

/// The largest models that are read. Checked before memory is allocated.
package struct ModelLimits: Sendable {
    /// Of the file, in bytes.
    package static let maximumFileSize = 32 << 20
    /// Of its JSON, in bytes.
    package static let maximumDocumentSize = 4 << 20
    /// Elements of any array of its JSON that is read.
    static let maximumElements = 65_536
    static let maximumNodes = 4_096
    static let maximumNodeDepth = 64
    /// Of a mesh that two nodes use, each counts.
    package static let maximumTriangles = 200_000
    static let maximumVertices = 400_000
    /// That the meshes of all nodes refer to, whether triangles use them or not.
    static let maximumRows = 4_000_000
    /// Of a skin.
    static let maximumJoints = 1_024
    static let maximumSkins = 64
    static let maximumAnimations = 64
    /// Of an animation.
    static let maximumChannels = 4_096
    /// Of the keys of all animations, values and times; samplers that share them count each.
    static let maximumKeyNumbers = 2_000_000
    static let maximumMorphTargets = 64
    /// Vertices that morph targets move; each target counts.
    static let maximumMorphedVertices = 1_000_000
    static let maximumPictures = 32
    static let maximumPictureSide = 4_096
    /// Coordinates beyond are no model.
    static let largestCoordinate: Float = 1e6

    /// In all of its pictures together.
    package var pixels = 64 << 20

    package init() {}
}
