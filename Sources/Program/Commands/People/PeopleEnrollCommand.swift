import Arguments
import FaceRecognition
import FaceTracking
import Files
import FrameProcessing
import Glibc
import ImageFiles
import People
import Pixels

/// `bauta people enroll`: learns what a person looks like.
enum PeopleEnrollCommand {
    private static let keepsPictures = Flag(
        "keep-pictures",
        help: """
            Also keep the aligned faces as pictures, so that you can check them later. Otherwise no picture is kept.
            """)

    static let definition = CommandDefinition(
        name: "enroll", overview: "Enrol a person from photographs, a clip or a camera.",
        discussion: """
            Needs photographs that show only this person, or one clip or camera; from the first minute of a clip or \
            camera it chooses up to \(EnrolmentFrames.wanted) sharp and different frames. Three to ten photographs \
            are good: sharp, looking into the camera and a little to each side, with and without glasses, in \
            different light. Rerun the command with other photographs to add faces. A name is text without '=' and \
            ','; '\(PersonName.unknown)' stands for everybody else. Enrol only people who have agreed, and children \
            only if their parents have. Needs dlib's face \
            recognition network, which '\(FaceEmbedder.remedy)' fetches.
            """,
        arguments: [
            ArgumentDefinition(name: "name", help: "The person's name.", kind: .person),
            ArgumentDefinition(
                name: "photograph|clip|camera",
                help: "Photographs of this person, or one clip or camera (2, /dev/video2 or part of its name).",
                repeats: true, takesPaths: true, kind: .photographClipOrCamera),
        ],
        options: [keepsPictures], groups: [ModelOptions.group],
        examples: [
            "bauta people enroll Ada ada-1.jpg ada-2.jpg ada-3.jpg",
            "bauta people enroll 'Ana María' holidays/*.jpg --keep-pictures",
            "bauta people enroll Bruno 0           # look into the camera, turn a little",
        ], showsElapsedTime: true, run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let name = try PeopleCommand.name(arguments.paths[0], arguments)
        let photographs = arguments.paths.dropFirst()
        for path in photographs { InputFiles.protect(path) }
        let store = try PeopleStore.standard()
        let known = try store.load { Console.warning($0) }
        let former = known[name]
        var enrolment = Enrolment(former?.name ?? name, among: known)
        let count: Int
        if let input = movingPicture(Array(photographs)) {
            let frames = try frames(of: input, arguments, try FaceEmbedder(FaceModels(arguments).networks))
            for face in frames.faces {
                if let refusal = enrolment.add([face]) { Console.failure("\(photographs[1]): a frame \(refusal)") }
            }
            count = frames.faces.count
            if count == 0, let obstacle = frames.obstacle { Console.failure("\(photographs[1]): \(obstacle)") }
        } else {
            try read(photographs, into: &enrolment, PhotographDescriber(FaceModels(arguments), .enrolment))
            count = photographs.count
        }
        guard !enrolment.faces.isEmpty else {
            let text = name.text.printable
            throw CommandFailure(
                .dataError,
                former == nil
                    ? "\(text): was not enrolled, because no picture is usable"
                    : "\(text): nothing was added, because no picture is usable")
        }
        return try finish(enrolment, of: count, in: store, arguments)
    }

    private static func read(
        _ photographs: ArraySlice<FilePath>, into enrolment: inout Enrolment, _ describer: PhotographDescriber
    ) throws {
        for path in photographs {
            if Interrupt.isRequested { throw CommandFailure(.interrupted, "interrupted; nobody was enrolled") }
            do {
                if let refusal = enrolment.add(try describer.faces(in: path)) {
                    Console.failure("\(path): \(refusal)")
                }
            } catch let error as PictureError {
                let hint = error.kind == .video ? "; to enrol from a clip, name only the clip" : ""
                Console.failure("\(error)\(hint)")
            }
        }
    }

    private static func finish(
        _ enrolment: Enrolment, of count: Int, in store: PeopleStore, _ arguments: ParsedArguments
    ) throws -> ExitCode {
        let (name, text) = (enrolment.name, enrolment.name.text.printable)
        if let other = enrolment.lookalike {
            Console.warning(
                "\(text) looks like \(other.text.printable), who is enrolled; the two will be told apart less reliably")
        }
        var (added, total) = (0, 0)
        try store.update(report: { _ in }) { people in
            added = try people.enroll(name, enrolment.faces.compactMap(\.embedding), on: today())
            total = people[name]?.embeddings.count ?? 0
        }
        let room = added < enrolment.faces.count ? ", the maximum" : ""
        Console.output(
            "\(text): \(added) of \(count) \(count == 1 ? "picture" : "pictures") added, \(total) \(total == 1 ? "face" : "faces") known\(room)\n"
        )
        if arguments[keepsPictures] {
            for face in enrolment.faces.prefix(added) {
                Console.output("kept \(try store.keep(face.chip.png(), of: name))\n")
            }
        }
        if total < 3 { Console.output("With three or more pictures, \(text) is recognised more reliably.\n") }
        return enrolment.faces.count == count ? .success : .someFailed
    }

    /// The day in the local time zone, as in 2026-11-23.
    private static func today() -> String {
        var (now, day) = (time(nil), tm())
        localtime_r(&now, &day)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(day.tm_year + 1900)-\(two(day.tm_mon + 1))-\(two(day.tm_mday))"
    }
}
