import Arguments
import FaceRecognition
import Files
import FrameProcessing
import JSON

/// `bauta people`: who is recognised.
enum PeopleCommand {
    static let definition = CommandDefinition(
        name: "people", overview: "Enrol people, so that each can get a mask of their own.",
        discussion: """
            Enrolled people are described by 128 numbers per face that tell them apart. This is biometric data. It \
            stays on this computer, in $XDG_DATA_HOME/bauta/people (default: ~/.local/share/bauta/people), readable \
            only by you, and nothing is sent anywhere. Enrol only people who have agreed; 'bauta people forget' \
            deletes their data. Bauta recognises people only with --people, --only or --except. See docs/user/people.md.
            """,
        subcommands: [
            PeopleEnrollCommand.definition,
            CommandDefinition(
                name: "list", overview: "List the enrolled people.", options: [CommonOptions.json],
                examples: ["bauta people list"], run: list),
            CommandDefinition(
                name: "forget", overview: "Delete all data about people.",
                discussion: "Deletes their embeddings and any kept pictures.",
                arguments: [
                    ArgumentDefinition(name: "name", help: "Names of enrolled people.", repeats: true, kind: .person)
                ],
                examples: ["bauta people forget Ada", "bauta people forget 'Ana María' Bruno"], run: forget),
            PeopleTestCommand.definition,
        ])

    private static func list(_ arguments: ParsedArguments) throws -> ExitCode {
        let store = try PeopleStore.standard()
        let people = try store.load { Console.warning($0) }.people
        let rows = people.map { person in
            (person, pictures: Folder.entries(of: store.pictures(of: person.name))?.count ?? 0)
        }
        if arguments[CommonOptions.json] {
            Console.output(
                .array(
                    rows.map { person, pictures in
                        .object([
                            "name": .string(person.name.text), "faces": .integer(person.embeddings.count),
                            "enrolled": .string(person.day), "pictures": .integer(pictures),
                        ])
                    }))
            return .success
        }
        guard !people.isEmpty else {
            Console.output("Nobody is enrolled. 'bauta people enroll NAME PHOTO…' enrols people who agree.\n")
            return .success
        }
        var table = TextTable([.left("name"), .right("faces"), .left("enrolled"), .right("pictures kept")])
        table.rows = rows.map { person, pictures in
            [person.name.text.printable, "\(person.embeddings.count)", person.day, "\(pictures)"]
        }
        Console.output(table.text)
        return .success
    }

    private static func forget(_ arguments: ParsedArguments) throws -> ExitCode {
        let store = try PeopleStore.standard()
        let known = try store.load { Console.warning($0) }
        let names = try arguments.paths.map { word in
            let name = try name(word, arguments)
            if let person = known[name] { return person.name }
            // Pictures may be left of somebody whose numbers are deleted.
            guard store.pictures(of: name).status(followsLinks: false) != nil else { throw unknown(name, among: known) }
            return name
        }
        try store.update(report: { _ in }) { people in
            for name in names { _ = people.forget(name) }
        }
        var failures = 0
        for name in names {
            do throws(FileError) {
                try store.deletePictures(of: name)
                Console.output("\(name.text.printable): forgotten\n")
            } catch {
                failures += 1
                Console.failure("\(name.text.printable): the embeddings were deleted, but not the pictures: \(error)")
            }
        }
        return failures == 0 ? .success : .cannotCreate
    }

    // MARK: Shared

    /// A name from the command line.
    /// - Throws: `UsageError`.
    static func name(_ word: FilePath, _ arguments: ParsedArguments) throws(UsageError) -> PersonName {
        guard let text = word.string else {
            throw UsageError("The name '\(word)' is invalid: it is not UTF-8.", arguments.commandPath)
        }
        do throws(PersonName.Invalid) {
            return try PersonName(text)
        } catch {
            throw UsageError("The name '\(text.printable)' is invalid: it \(error.reason).", arguments.commandPath)
        }
    }

    static func unknown(_ name: PersonName, among people: EnrolledPeople) -> CommandFailure {
        let names = people.names.map(\.text.printable)
        let enrolled = names.isEmpty ? "nobody is enrolled" : "enrolled people: \(names.joined(separator: ", "))"
        return CommandFailure(
            .noInput,
            "'\(name.text.printable)' is not enrolled; \(enrolled).\(Suggestion.text(for: name.text, among: names))")
    }
}
