import Arguments
import Evaluation
import FaceEvaluation
import FaceTracking
import Files
import Installation
import JSON

/// `bauta lab evaluate recall`.
enum RecallCommand {
    private static let anonymise = Flag(
        "anonymise", help: "Measure the covers of --anonymise instead of masks.")

    static let definition = CommandDefinition(
        name: "recall", overview: "Count how many labelled faces are masked or covered.",
        discussion: """
            Searches photographs as 'bauta photo' does, and clips as 'bauta video' does. A face counts as masked if a mask of \
            about its size is in the middle of its box. With --anonymise, it counts as covered if the whole ellipse in its box \
            is, but for a twentieth. false: masks at no label. needless: pixels that are covered and in no label's box of twice \
            its size. --csv writes a line for each label and each false mask.
            The labels are a JSON file:
            {"pictures": [
            {"file": "a.jpg", "faces": [{"box": [102, 80, 61, 77], "view": "front"}]},
            {"file": "b.mp4", "frame": 12, "faces": []}]}
            Paths are relative to that file. Boxes are x, y, width and height in pixels, from the hairline to the chin. frame \
            counts from 0. view may be front, three-quarter or profile. "ignored": true marks what counts neither way, such as \
            a face on a poster. Label every face of a picture.
            """,
        arguments: [ArgumentDefinition(name: "labels", help: "A JSON file.", kind: .file(["json"]))],
        options: [anonymise, MaskingOptions.sure, MaskingOptions.careful, CommonOptions.csv, CommonOptions.json],
        groups: [ModelOptions.group],
        examples: ["bauta lab evaluate recall labels.json", "bauta lab evaluate recall --anonymise labels.json"],
        showsElapsedTime: true, run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        for option in [MaskingOptions.sure, MaskingOptions.careful] where arguments[option] && !arguments[anonymise] {
            throw arguments.invalid(option, "needs --anonymise")
        }
        let path = FilePath(arguments.positional[0])
        InputFiles.protect(path)
        let labels = try FaceLabels(path: path)
        for picture in labels.pictures {
            InputFiles.protect(picture.file.isAbsolute ? picture.file : path.parent / picture.file)
        }
        let result = try RecallEvaluation(
            labels, folder: path.parent,
            subject: arguments[anonymise] ? .covers(MaskingOptions.thoroughness(arguments)) : .masks,
            models: FaceModels(arguments), reference: DataFolder.find().referenceFace(),
            isStopped: { Interrupt.isRequested })
        if let path = arguments[CommonOptions.csv] { try AtomicFile.write(csv(result), to: path, replacing: true) }
        if arguments[CommonOptions.json] { Console.output(json(result)) } else { Console.output(text(result)) }
        return .success
    }

    private static func csv(_ result: RecallEvaluation) -> String {
        func line(_ picture: FaceLabels.Picture, _ view: String, _ box: [Float], _ state: String) -> String {
            let numbers = box.map { DecimalText.fixed(Double($0), digits: 1) }.joined(separator: ",")
            return
                "\(CSV.quoted(picture.file.description)),\(picture.frame.map { "\($0)" } ?? ""),\(numbers),\(view),\(state)\n"
        }
        let marks = result.entries.map { entry in
            let box = entry.face.box
            return line(
                entry.picture, entry.face.view?.rawValue ?? "", [box.x, box.y, box.width, box.height],
                entry.isFound ? "found" : "missed")
        }
        let falseFaces = result.falseFaces.map { face in
            line(face.picture, "", [face.box.x, face.box.y, face.box.width, face.box.height], "false")
        }
        return "file,frame,x,y,width,height,view,state\n" + marks.joined() + falseFaces.joined()
    }

    private static func json(_ result: RecallEvaluation) -> JSONValue {
        .object([
            "groups": .array(
                result.totals.map { total in
                    .object([
                        "name": .string(total.name), "labelled": .integer(total.labelled),
                        "found": .integer(total.found), "false": total.falseFaces.map { .integer($0) } ?? .null,
                    ])
                }),
            "precision": result.precision.map { .number(DecimalText.rounded($0)) } ?? .null,
            "needless": result.needlessShare.map { .number(DecimalText.rounded($0, digits: 5)) } ?? .null,
        ])
    }

    private static func text(_ result: RecallEvaluation) -> String {
        let isOfMasks = result.subject == .masks
        var table = TextTable([
            .left("group", width: 24), .right("labelled", width: 8), .right(isOfMasks ? "masked" : "covered"),
            .right("recall %", width: 8), .right(isOfMasks ? "false" : "", width: 5),
        ])
        table.rows = result.totals.map { total in
            let recall = total.labelled > 0 ? Double(total.found) / Double(total.labelled) : nil
            return [
                total.name, "\(total.labelled)", "\(total.found)",
                recall.map { DecimalText.fixed(100 * $0, digits: 1) } ?? "–",
                isOfMasks ? total.falseFaces.map { "\($0)" } ?? "" : "",
            ]
        }
        let last =
            if let precision = result.precision {
                "precision: \(DecimalText.fixed(precision, digits: 3))\n"
            } else if let share = result.needlessShare {
                "needless: \(DecimalText.fixed(100 * share, digits: 2)) % of all pixels\n"
            } else {
                ""
            }
        return table.text + last
    }
}
