/// The identity of a face, as far as it is known.
package enum FaceIdentity: Equatable, Sendable {
    /// Nobody looked.
    case notSought
    /// An enrolled person, by name.
    case person(String)
    /// None of the enrolled people.
    case unknown
    /// It may be one of these people, by name, or somebody else: the face was not seen well enough, or not for long
    /// enough, or looks a little like them.
    case uncertain([String])

    /// The name of the enrolled person whose face it surely is.
    package var name: String? { if case .person(let name) = self { name } else { nil } }
}
