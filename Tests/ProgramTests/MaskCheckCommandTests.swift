import Foundation
import JSON
import Masks
import TestSupport
import Testing

/// `bauta mask check`. What it finds is tested in `MaskCheckTests`.
@Suite struct MaskCheckCommandTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func check(_ arguments: String...) throws -> ProgramRun {
        try ProgramRun.bauta(
            ["mask", "check"] + arguments, environment: ["XDG_DATA_HOME": folder.path, "TMPDIR": folder.path],
            folder: folder.path)
    }

    private static let faulty =
        #"{"format": 1, "name": "x", "layers": [{"type": "warp", "live": "face", "opactiy": 1}]}"#

    @Test func theGalleryIsWithoutFault() throws {
        let run = try ProgramRun.bauta(["mask", "check", "--strict"] + Repository.maskNames())
        #expect(run.exitCode == 0 && run.error.isEmpty, "\(run.output)")
        #expect(run.output.split(separator: "\n").count == (try Repository.maskNames()).count)
    }

    @Test func problemsAreToldToPeopleAndPrograms() throws {
        try folder.write(Self.faulty, "wölf é/mask.json")
        for name in ["wölf é", "wölf é/", "wölf é/mask.json"] {
            let run = try check(name)
            #expect(run.exitCode == 65)
            #expect(run.output.contains("error [unknown-key] wölf é/mask.json: /layers/0/opactiy: "), "\(run.output)")
            #expect(run.output.contains(": 1 error, 2 warnings\n"))
        }
        let run = try check("--json", "wölf é")
        guard case .array(let masks) = try JSONValue(parsing: run.output), case .object(let mask)? = masks.first,
            case .array(let problems)? = mask.last?.value, case .object(let problem)? = problems.first
        else {
            Issue.record("\(run.output)")
            return
        }
        let members = Dictionary(uniqueKeysWithValues: problem.map { ($0.key, $0.value) })
        #expect(members["code"] == .string("unknown-key") && members["severity"] == .string("error"))
        #expect(members["pointer"] == .string("/layers/0/opactiy") && members["remedy"] != nil)
    }

    @Test func exitCodesAreForScripts() throws {
        try folder.write(Self.faulty.replacingOccurrences(of: #", "opactiy": 1"#, with: ""), "plain/mask.json")
        #expect(try check("plain").exitCode == 0, "warnings alone")
        #expect(try check("--strict", "plain").exitCode == 65)
        let missing = try check("nonesuch", "plain")
        #expect(missing.exitCode == 66 && missing.output.contains("plain: 0 errors"))
        #expect(try check().exitCode == 64)
    }

    /// It would take a minute, and took hours.
    @Test func aMaskThatTakesLongCanBeInterrupted() throws {
        let noise = String(repeating: #"<feTurbulence baseFrequency="0.05" numOctaves="20"/>"#, count: 50)
        let picture =
            #"<svg xmlns="http://www.w3.org/2000/svg" width="8192" height="8192"><filter id="f">\#(noise)</filter>"#
            + ##"<rect width="8192" height="8192" filter="url(#f)"/></svg>"##
        let layers = try (0..<9).map { index in
            try folder.write(picture, "slow/\(index).svg")
            return #"{"type": "warp", "texture": "\#(index).svg"}"#
        }
        try folder.write(
            #"{"format": 1, "name": "x", "layers": [\#(layers.joined(separator: ", "))]}"#, "slow/mask.json")
        for command in [["check", "slow"], ["preview", "slow", "-o", "p.png"]] {
            let run = try ProgramRun.bauta(["mask"] + command, folder: folder.path) { program in
                // It draws in a process of its own.
                try program.wait(for: "a drawing") {
                    ProcessTree.children(of: program.processIdentifier).count
                } until: {
                    $0 > 0
                }
                kill(program.processIdentifier, SIGTERM)
            }
            #expect(run.exitCode == 130, "\(run.output) \(run.error)")
        }
    }

    /// The texts of its frame fill a pipe while the frames are waited for: the check never ended.
    @Test func anAnimationWithMoreTextThanAPipeHoldsIsChecked() throws {
        let text = Array(String(repeating: "x", count: 300).utf8)
        var picture = PNGBuilder(width: 1, height: 1, colorType: 0, rows: [[128]])
        picture.chunks = (0..<1000).map { ("tEXt", Array("Comment \($0)\0".utf8) + text) }
        try folder.write(picture.bytes, "x/a.png")
        try folder.write(
            #"{"format": 1, "name": "x", "layers": [{"type": "warp", "animation": {"file": "a.png"}}]}"#, "x/mask.json")
        let run = try check("x")
        #expect(run.exitCode == 65 && run.output.contains("no moving frames"), "\(run.output) \(run.error)")
    }

    /// What exceeds the list is counted.
    @Test func manyProblemsAreNotListed() throws {
        let keys = (0..<30_000).map { "\"\($0)\": 0" }.joined(separator: ", ")
        try folder.write(
            #"{"format": 1, "name": "x", "layers": [{"type": "warp", "live": "face", \#(keys)}]}"#, "many/mask.json")
        let run = try check("many")
        #expect(run.exitCode == 65 && run.output.utf8.count < 20_000, "\(run.output.utf8.count)")
        #expect(
            run.output.hasSuffix("and 29980 more problems\nmany: 30000 errors, 2 warnings\n"),
            "\(run.output.suffix(200))")
        #expect(try JSONValue(parsing: try check("--json", "many").output)[0]?["omitted"] == .integer(29_980))
        let packed = try ProgramRun.bauta(["mask", "pack", "many"], folder: folder.path)
        #expect(
            packed.exitCode == 65 && packed.error.hasSuffix("and 29980 more errors\n"), "\(packed.error.suffix(200))")
    }

    /// A packed mask is checked without being installed, and nothing of it stays.
    @Test func packedMasksAreChecked() throws {
        try folder.write(ZipBuilder([.init("mask.json", Array(Self.faulty.utf8))]).bytes, "a.bauta")
        try folder.write(ZipBuilder([.init("mask.json"), .init("../evil")]).bytes, "evil.bauta")
        let run = try check("a.bauta", "evil.bauta")
        #expect(run.exitCode == 65)
        #expect(run.output.contains("[unknown-key] a.bauta/mask.json: /layers/0/opactiy"), "\(run.output)")
        #expect(run.output.contains("[archive-parent-path] evil.bauta: '../evil'"), "\(run.output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.bauta", "evil.bauta"])
        let refused = try ProgramRun.bauta(
            ["mask", "install", "a.bauta"], environment: ["XDG_DATA_HOME": folder.path], folder: folder.path)
        #expect(refused.exitCode == 65 && refused.error.contains("[unknown-key]"))
    }

    @Test func theListOfCodesHasARowForEach() throws {
        let rows = try check("--codes").output.split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.count == MaskProblem.Code.allCases.count)
        for (row, code) in zip(rows, MaskProblem.Code.allCases) {
            #expect(row == "| `\(code.rawValue)` | \(code.severity.rawValue) | \(code.meaning) | \(code.remedy) |")
        }
    }
}
