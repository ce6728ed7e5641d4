import Arguments
import FaceGeometry
import FaceRecognition
import FaceTracking
import Files
import ImageFiles
import JSON
import People

/// `bauta people test`: who is on photographs, and how sure that is.
enum PeopleTestCommand {
    static let definition = CommandDefinition(
        name: "test", overview: "Identify the people in photographs, with distances.",
        discussion: """
            For each face: the nearest enrolled person, the distance to that person, and the limit below which the \
            face counts as that person. From \(DecimalText.fixed(Double(FaceRecognizer.rejectedDistance), digits: 2)) \
            on, the face belongs to nobody who is enrolled. Between the two, and for faces that are too small, turned \
            too far or blurred, the result is not certain.
            """,
        arguments: [
            ArgumentDefinition(name: "photo", help: "Photographs.", repeats: true, takesPaths: true, kind: .photograph)
        ],
        options: [CommonOptions.json], groups: [ModelOptions.group],
        examples: ["bauta people test party.jpg", "bauta people test --json *.jpg"], showsElapsedTime: true, run: run)

    /// One face of a photograph.
    private struct Row {
        let photograph: FilePath
        let described: DescribedFace
        let candidates: [FaceRecognizer.Candidate]

        /// For people.
        var verdict: String {
            if let obstacle = described.obstacle { return "not certain: the face \(obstacle.reason)" }
            switch FaceRecognizer.identity(candidates) {
            case .person(let name): return name.printable
            case .unknown, .notSought: return PersonName.unknown
            case .uncertain(let names): return "not certain: perhaps \(names.joined(separator: " or ").printable)"
            }
        }

        /// For programs.
        var identity: JSONValue {
            guard described.obstacle == nil else { return .null }
            switch FaceRecognizer.identity(candidates) {
            case .person(let name): return .string(name)
            case .unknown: return .string(PersonName.unknown)
            case .uncertain, .notSought: return .null
            }
        }
    }

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let people = try PeopleStore.standard().load { Console.warning($0) }
        guard !people.people.isEmpty else {
            throw CommandFailure(
                .noInput, "nobody is enrolled; 'bauta people enroll NAME PHOTO…' enrols people who agree")
        }
        let recognizer = FaceRecognizer(people)
        let photographs = try PhotographDescriber(FaceModels(arguments), .recognition)
        var rows: [Row] = []
        var failures = 0
        for path in arguments.paths {
            if Interrupt.isRequested { throw CommandFailure(.interrupted, "interrupted") }
            do {
                let faces = try photographs.faces(in: path)
                if faces.isEmpty { Console.warning("\(path): shows no face") }
                rows += faces.map { face in
                    Row(
                        photograph: path, described: face,
                        candidates: face.embedding.map(recognizer.candidates) ?? [])
                }
            } catch let error as PictureError {
                Console.failure("\(error)")
                failures += 1
            }
        }
        if arguments[CommonOptions.json] {
            Console.output(.array(rows.map(json)))
        } else {
            Console.output(text(rows))
        }
        return failures == 0 ? .success : failures == arguments.paths.count ? .dataError : .someFailed
    }

    private static func fixed(_ value: Float) -> String { DecimalText.fixed(Double(value), digits: 3) }

    private static func text(_ rows: [Row]) -> String {
        var table = TextTable([
            .left("photograph"), .right("face"), .left("who"), .left("nearest"), .right("distance"), .right("limit"),
        ])
        var number = 0
        for (index, row) in rows.enumerated() {
            number = index > 0 && rows[index - 1].photograph == row.photograph ? number + 1 : 1
            let nearest = row.candidates.first
            table.rows.append([
                row.photograph.description, "\(number)", row.verdict, nearest?.name.text.printable ?? "–",
                nearest.map { fixed($0.distance) } ?? "–", nearest.map { fixed($0.limit) } ?? "–",
            ])
        }
        return table.text
    }

    private static func json(_ row: Row) -> JSONValue {
        let box = row.described.face.box
        return .object([
            "photograph": .string(row.photograph.description),
            "box": .array([box.x, box.y, box.width, box.height].map { .number(DecimalText.rounded(Double($0))) }),
            "person": row.identity,
            "obstacle": row.described.obstacle.map { .string("\($0)") } ?? .null,
            "sharpness": .number(DecimalText.rounded(Double(row.described.chip.sharpness), digits: 3)),
            "candidates": .array(
                row.candidates.prefix(3).map { candidate in
                    .object([
                        "name": .string(candidate.name.text),
                        "distance": .number(DecimalText.rounded(Double(candidate.distance), digits: 3)),
                        "limit": .number(DecimalText.rounded(Double(candidate.limit), digits: 3)),
                    ])
                }),
        ])
    }
}
