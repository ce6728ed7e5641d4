import FaceRecognition
import FaceTracking
import Files
import Masks

/// The covering of a face.
/// - `Named`: how a mask is named: by its name before it is loaded, by itself afterwards.
package enum FaceCovering<Named: Sendable>: Sendable {
    /// Nothing: the face stays as it is.
    case unmasked
    /// The mask of everybody for whom nothing else is said.
    case standard
    case mask(Named)
    /// The face is made unrecognisable.
    case blur

    /// How much it hides: in doubt the larger one is right.
    var rank: Int {
        switch self {
        case .unmasked: 0
        case .standard, .mask: 1
        case .blur: 2
        }
    }

    func mapped<Other>(_ transform: (Named) throws -> Other) rethrows -> FaceCovering<Other> {
        switch self {
        case .unmasked: .unmasked
        case .standard: .standard
        case .mask(let named): .mask(try transform(named))
        case .blur: .blur
        }
    }
}

extension FaceCovering where Named == String {
    /// As `--people` takes it.
    var word: String {
        switch self {
        case .unmasked: "none"
        case .standard: "--mask"
        case .mask(let name): name
        case .blur: "blur"
        }
    }
}

extension FaceCovering: Equatable where Named: Equatable {}

/// The covering of each person's face.
package struct PeopleSettings: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        package let name: PersonName
        package let covering: FaceCovering<String>

        package init(_ name: PersonName, _ covering: FaceCovering<String>) {
            self.name = name
            self.covering = covering
        }
    }

    /// People whose names differ.
    package var people: [Entry] = []
    /// Everybody else.
    package var unknown = FaceCovering<String>.standard
    /// Nil: the standard one.
    package var chosenStore: PeopleStore?

    package init() {}

    /// Whether a face without landmarks is covered, which cannot be recognised and wears no mask: if some may be seen and
    /// others not, or if some are to be unrecognisable.
    package var coversUnrecognised: Bool {
        let ranks = people.map(\.covering.rank) + [unknown.rank]
        let mask = FaceCovering<String>.standard.rank
        return ranks.contains { $0 != mask } && ranks.contains { $0 >= mask }
    }

    /// Whether somebody's face is blurred, also while masks are off.
    package var blursAnybody: Bool {
        (people.map(\.covering.rank) + [unknown.rank]).contains(FaceCovering<String>.blur.rank)
    }

    /// The store of enrolled people.
    /// - Throws: `FileError` if there is no home folder.
    package func store() throws(FileError) -> PeopleStore {
        if let chosenStore { return chosenStore }
        return try PeopleStore.standard()
    }

    package static func == (a: PeopleSettings, b: PeopleSettings) -> Bool {
        a.people == b.people && a.unknown == b.unknown && a.chosenStore?.folder == b.chosenStore?.folder
    }
}

extension PeopleSettings {
    /// The settings that decide about results: each person's covering, and the enrolled data.
    /// - Throws: `FileError` about the store.
    package func description() throws(FileError) -> String {
        let coverings = people.map { "\($0.name)=\($0.covering.word)" } + ["\(PersonName.unknown)=\(unknown.word)"]
        let known = Array(try store().load { _ in }.text.utf8).withUnsafeBytes { Checksum.of($0) }
        return coverings.joined(separator: ",") + " of " + String(known, radix: 16)
    }

    /// The recogniser with the enrolled people; nil: recognition is not needed.
    /// - Parameters:
    ///   - settings: nil: faces are covered whosever they are.
    ///   - masks: that may be worn, of which some may ask who wears them.
    /// - Throws: `FileError` about the store, `VisionError` about the network.
    package static func identifier(
        _ settings: PeopleSettings?, _ masks: [Mask], _ models: FaceModels
    ) throws -> FaceIdentifier? {
        guard settings != nil || masks.contains(where: \.dependsOnPeople) else { return nil }
        guard let settings else { return try identifierOfEnrolled(models) }
        let store = try settings.store()
        let people = try store.load { _ in }
        // Somebody may have been forgotten since the options were read. Unknown people cannot be covered.
        if let missing = settings.people.first(where: { people[$0.name] == nil }) {
            throw FileError(.unreadable, path: store.path, "'\(missing.name)' is no longer enrolled")
        }
        return FaceIdentifier(try FaceEmbedder(models.networks), people)
    }

    /// The recogniser for a mask with layers for people; nil if nobody is enrolled.
    /// - Throws: `FileError` about the store, `VisionError` about the network.
    package static func identifierOfEnrolled(_ models: FaceModels) throws -> FaceIdentifier? {
        let people = try PeopleStore.standard().load { _ in }
        return people.people.isEmpty ? nil : FaceIdentifier(try FaceEmbedder(models.networks), people)
    }
}

extension Mask {
    /// Whether a layer is shown only on an enrolled person.
    package var dependsOnPeople: Bool {
        layers.contains { layer in layer.choices.contains { if case .person = $0 { true } else { false } } }
    }
}
