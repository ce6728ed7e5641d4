import Arguments
import FaceRecognition
import Files
import People

/// `--people`, `--only` and `--except`: masks that depend on who wears them.
enum PeopleOptions {
    static let people = Option<PeopleSettings?>(
        "people", value: "name=mask,…", absent: nil,
        help: "Masks by person: Ada=skull,Bruno=none,unknown=blur."
    ) { (text) throws(InvalidValue) in try settings(text) }.takes(.peopleMasks).once(
        "give all names at once, as in --people Ada=skull,Bruno=wolf"
    ).details(
        """
        The mask for each enrolled person, 'none' to leave the face unmasked, or 'blur'. 'unknown' stands for \
        everybody else, who otherwise gets --mask. Example: ada=skull,bruno=none,unknown=blur. Uncertain matches get \
        the stronger covering. 'bauta people enroll' enrols people.
        """)
    static let only = Option<[PersonName]>(
        "only", value: "name,…", absent: [],
        help: "Cover only these enrolled people."
    ) { (text) throws(InvalidValue) in try names(text) }.takes(.peopleList).once(
        "give all names at once, as in --only Ada,Bruno"
    ).details("Cover these enrolled people, and uncertain matches; leave all others unmasked.")
    static let except = Option<[PersonName]>(
        "except", value: "name,…", absent: [],
        help: "Cover everybody but these enrolled people."
    ) { (text) throws(InvalidValue) in try names(text) }.takes(.peopleList).once(
        "give all names at once, as in --except Ada,Bruno"
    ).details("Cover everybody but these enrolled people. Uncertain matches are covered, too.")

    static let all: [any CommandOption] = [people, only, except]

    // MARK: Reading

    /// The settings of the options of a command; nil: nobody is to be recognised.
    /// - Throws: `UsageError` if they contradict each other; `CommandFailure` if somebody is not enrolled, or the network
    ///   is missing; `FileError` about the store.
    static func settings(_ arguments: ParsedArguments) throws -> PeopleSettings? {
        let given = all.filter { arguments.has($0) }
        guard given.count <= 1 else {
            let names = given.map { "--\($0.definition.name)" }.joined(separator: " and ")
            throw UsageError("\(names) exclude each other.", arguments.commandPath)
        }
        if let option = given.first, arguments.has(MaskingOptions.faces), arguments[MaskingOptions.faces] != .all {
            throw UsageError(
                "--\(option.definition.name) and --faces contradict each other: both choose the faces to cover.",
                arguments.commandPath)
        }
        var settings = PeopleSettings()
        if let people = arguments[people] {
            settings = people
        } else if arguments.has(only) {
            settings.people = arguments[only].map { .init($0, .standard) }
            settings.unknown = .unmasked
        } else if arguments.has(except) {
            settings.people = arguments[except].map { .init($0, .unmasked) }
        } else {
            return nil
        }
        let known = try settings.store().load { Console.warning($0) }
        for entry in settings.people where known[entry.name] == nil {
            throw PeopleCommand.unknown(entry.name, among: known)
        }
        guard FaceEmbedder.isInstalled() else {
            throw CommandFailure(
                .unavailable,
                "people are recognised with dlib's face recognition network, which is not installed; "
                    + "\(FaceEmbedder.remedy) fetches it")
        }
        return settings
    }

    private static func names(_ text: String) throws(InvalidValue) -> [PersonName] {
        var names: [PersonName] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = try name(part)
            if names.contains(name) { throw InvalidValue("names \(name) twice") }
            names.append(name)
        }
        return names
    }

    private static func name(_ text: Substring) throws(InvalidValue) -> PersonName {
        do throws(PersonName.Invalid) {
            return try PersonName(String(text))
        } catch {
            throw InvalidValue("has the name '\(text)', which \(error.reason)")
        }
    }

    private static func settings(_ text: String) throws(InvalidValue) -> PeopleSettings {
        var settings = PeopleSettings()
        var isUnknownGiven = false
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let sign = part.firstIndex(of: "="), part.index(after: sign) < part.endIndex else {
                throw InvalidValue("must have the form name=mask,name=mask")
            }
            let covering: FaceCovering<String> =
                switch part[part.index(after: sign)...] {
                case "none": .unmasked
                case "blur": .blur
                case let mask: .mask(String(mask))
                }
            if part[..<sign] == PersonName.unknown {
                if isUnknownGiven { throw InvalidValue("names \(PersonName.unknown) twice") }
                (settings.unknown, isUnknownGiven) = (covering, true)
                continue
            }
            let name = try name(part[..<sign])
            if settings.people.contains(where: { $0.name == name }) { throw InvalidValue("names \(name) twice") }
            settings.people.append(.init(name, covering))
        }
        return settings
    }
}
