import FaceGeometry
import Files
import Foundation
import ImageFiles
import JSON
import PhotoRecords
import Photographs
import PictureMasking
import Records
import TestSupport
import Testing

/// A second run does what is missing.
extension PhotoCommandTests {
    private func time(_ name: String) throws -> Date {
        try #require(
            try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)[.modificationDate] as? Date)
    }

    private func touch(_ name: String) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: folder.path + "/" + name)
    }

    @Test func aSecondRunDoesWhatIsMissing() throws {
        _ = try copy("ada", to: "in/a é.jpg")
        _ = try copy("emre", to: "in/b/c.jpg")
        _ = try noFace("in/wall.png")
        let command = ["in", "-r", "--report", "r.jsonl"]
        #expect(try photo(command).exitCode == 0)
        let report = try lines("r.jsonl")
        let before = try time("masked/a é.jpg")
        try FileManager.default.removeItem(atPath: folder.path + "/masked/b/c.jpg")
        // A photograph that was only copied to another disk is the same.
        try touch("in/a é.jpg")
        let again = try photo(command)
        #expect(again.exitCode == 0, "\(again.error)")
        #expect(again.error.contains("in/a é.jpg: done in an earlier run -> masked/a é.jpg"))
        #expect(again.error.contains("in/b/c.jpg: 1 face -> masked/b/c.jpg"))
        #expect(again.error.contains("3 done (2 in an earlier run): 2 masked, 1 no face, 0 failed"), "\(again.error)")
        #expect(try time("masked/a é.jpg") == before)
        let second = try lines("r.jsonl")
        #expect(second.filter { $0["earlier"] == .bool(true) }.count == 2 && second.count == 3)
        // What was found is known, but for the shape of the faces.
        for line in second {
            let first = try #require(report.first { $0["path"] == line["path"] })
            for key in ["width", "height", "doubt"] { #expect(line[key] != nil && line[key] == first[key], "\(key)") }
            let (faces, known) = (line["faces"]?.elements ?? [], first["faces"]?.elements ?? [])
            #expect(faces.count == known.count)
            for (face, known) in zip(faces, known) {
                #expect(face["box"] == known["box"] && face["confidence"] == known["confidence"])
                #expect((face["landmarks"] == nil) == (line["earlier"] != nil))
            }
        }
        #expect(second.contains { $0["earlier"] != nil && $0["faces"]?.elements.count == 1 })
    }

    private func lines(_ report: String) throws -> [JSONValue] {
        try String(contentsOfFile: folder.path + "/" + report, encoding: .utf8).split(separator: "\n")
            .map { try JSONValue(parsing: String($0)) }
    }

    @Test func otherSettingsAreSaid() throws {
        _ = try copy("ada", to: "in/ada.jpg")
        #expect(try photo(["in"]).exitCode == 0)
        let before = try bytes(of: folder.path + "/masked/ada.jpg")
        let other = try photo(["in", "--mask", "skull", "--quality", "50"])
        #expect(other.exitCode == 1)
        #expect(
            other.error.contains(
                "masked/ada.jpg: was made with other settings (mask: bauta, now skull; quality: as the input, now 50)"),
            "\(other.error)")
        #expect(try bytes(of: folder.path + "/masked/ada.jpg") == before)
        #expect(try photo(["in", "--existing", "fail"]).error.contains("already exists"))
        #expect(try photo(["in", "--mask", "skull", "--quality", "50", "--existing", "replace"]).exitCode == 0)
        #expect(try bytes(of: folder.path + "/masked/ada.jpg") != before)
        #expect(try photo(["in", "--mask", "skull", "--quality", "50"]).error.contains("(1 in an earlier run)"))
        // The same mask in a folder of another name.
        try FileManager.default.copyItem(
            atPath: Repository.root + "/masks/skull", toPath: folder.path + "/copied skull")
        #expect(try photo(["in", "--mask", "copied skull", "--quality", "50"]).exitCode == 0)
        try folder.write("changed", "copied skull/README")
        let changed = try photo(["in", "--mask", "copied skull", "--quality", "50"])
        #expect(changed.exitCode == 1 && changed.error.contains("mask: skull, now copied skull"), "\(changed.error)")
    }

    /// Changes what the journal says.
    private func editJournal(_ edit: (String) -> String) throws {
        let path = folder.path + "/masked/\(PhotoJournal.name)"
        try folder.write(edit(try String(contentsOfFile: path, encoding: .utf8)), "masked/\(PhotoJournal.name)")
    }

    /// A line that says nothing about the content of the result, as earlier versions wrote it, could be of any result.
    @Test func linesWithoutChecksumAreNotBelieved() throws {
        _ = try copy("ada", to: "in/ada.jpg")
        #expect(try photo(["in"]).exitCode == 0)
        let before = try bytes(of: folder.path + "/masked/ada.jpg")
        try editJournal { $0.replacing(/"resultChecksum": ?"[0-9a-f]+"/, with: "\"resultChecksum\": null") }
        let again = try photo(["in"])
        #expect(again.exitCode == 1 && again.error.contains("already exists and is not from an earlier run"))
        #expect(try bytes(of: folder.path + "/masked/ada.jpg") == before)
    }

    /// What was made when the same options hid less is not taken for done.
    @Test func resultsOfEarlierRulesAreNotDone() throws {
        _ = try copy("ada", to: "in/ada.jpg")
        #expect(try photo(["in"]).exitCode == 0)
        let lines = try lines("masked/\(PhotoJournal.name)")
        // The settings' name is the checksum of their options.
        let old = try #require(lines.lazy.compactMap { $0["options"] }.first).text()
        let earlier = old.replacing(/"rules": ?"4"/, with: "\"rules\":\"2\"")
        try #require(earlier != old)
        func name(_ options: String) -> String {
            String(Array(options.utf8).withUnsafeBytes { Checksum.of($0) }, radix: 16)
        }
        try editJournal { journal in
            #expect(journal.contains(old) && journal.contains(name(old)))
            return journal.replacing(old, with: earlier).replacing(name(old), with: name(earlier))
        }
        let again = try photo(["in"])
        #expect(again.exitCode == 1 && again.error.contains("another version of Bauta"), "\(again.error)")
    }

    @Test func aChangedPhotographIsMaskedAgain() throws {
        _ = try copy("ada", to: "in/x.jpg")
        #expect(try photo(["in"]).exitCode == 0)
        _ = try copy("emre", to: "in/x.jpg")
        #expect(try photo(["in"]).error.contains("in/x.jpg: 1 face -> masked/x.jpg"))
        let made = try bytes(of: folder.path + "/masked/x.jpg")
        #expect(try photo(["in"]).error.contains("done in an earlier run"))
        // Somebody has worked on the result: it is not replaced unasked.
        try folder.write(made + [0], "masked/x.jpg")
        _ = try copy("finn", to: "in/x.jpg")
        let refused = try photo(["in"])
        #expect(refused.exitCode == 1 && refused.error.contains("was changed after it was made"))
        #expect(try bytes(of: folder.path + "/masked/x.jpg") == made + [0])
        // What is not from here never is.
        try folder.write("a letter", "masked/y.jpg")
        _ = try copy("finn", to: "in/y.jpg")
        #expect(try photo(["in/y.jpg"]).error.contains("already exists and is not from an earlier run"))
        #expect(try bytes(of: folder.path + "/masked/y.jpg") == Array("a letter".utf8))
    }

    /// A photograph that is replaced while it is masked: its result is not that of the new one.
    @Test func aPhotographThatChangesMeanwhileIsNotDone() throws {
        let path = FilePath(try copy("ada", to: "in/x.jpg"))
        let results = FilePath(folder.path) / "out"
        let job = PhotoJob(input: path, output: results / "x.jpg", isNamed: true)
        let settings = try PhotoSettings(PhotoOptions(), masks: [FilePath(Repository.root + "/masks/bauta")])
        func state() throws -> FileState {
            FileState(FileIdentity(try #require(path.status())), checksum: try Checksum.ofFile(path))
        }
        func note(_ input: FileState) throws -> PhotoJournal.ResultState {
            try PhotoJournal(folder: results, settings: settings).note(job, .noFace, input: input, result: nil, nil)
            return try PhotoJournal(folder: results, settings: settings).resultState(of: job)
        }
        let before = try state()
        // Another photograph of the same size.
        var content = try bytes(of: "\(samples)/ada.jpg")
        content[content.count / 2] ^= 1
        try folder.write(content, "in/x.jpg")
        let error = #expect(throws: FileError.self) { try note(before) }
        #expect(error?.kind == .changed)
        #expect(try PhotoJournal(folder: results, settings: settings).resultState(of: job) == .missing)
        #expect(try note(state()) == .done(.noFace, nil))
        // What is made of a photograph that somebody has turned is another result.
        let turned = settings.with("turned by hand", "1")
        #expect(try PhotoJournal(folder: results, settings: turned).resultState(of: job) == .missing)
    }

    /// Somebody has looked at a result and decided otherwise: it is made again, and then it obeys.
    @Test func aResultIsMadeAgainAfterADecision() throws {
        let path = FilePath(try copy("ada", to: "in/x.jpg"))
        let results = FilePath(folder.path) / "out"
        try folder.write("a result", "out/x.jpg")
        let job = PhotoJob(input: path, output: results / "x.jpg", isNamed: true)
        let settings = try PhotoSettings(PhotoOptions(), masks: [FilePath(Repository.root + "/masks/bauta")])
        func state(_ path: FilePath) throws -> FileState {
            FileState(FileIdentity(try #require(path.status())), checksum: try Checksum.ofFile(path))
        }
        let input = try state(path)
        func note(_ decisions: ReviewDecisions?) throws {
            try PhotoJournal(folder: results, settings: settings).note(
                job, .masked, input: input, result: state(results / "x.jpg"), nil, obeying: decisions)
        }
        func resultState() throws -> PhotoJournal.ResultState {
            try PhotoJournal(folder: results, settings: settings).resultState(of: job)
        }
        try note(nil)
        #expect(try resultState() == .done(.masked, nil))
        var decisions = ReviewDecisions()
        decisions.isReviewed = true
        decisions.covered = [.init(box: FaceBox(x: 1, y: 2, width: 30, height: 30))]
        try ReviewFile(folder: results, writes: true).note(decisions, on: "x.jpg", checksum: input.checksum)
        #expect(try resultState() == .redecided)
        try note(decisions)
        #expect(try resultState() == .done(.masked, nil))
    }

    /// A folder of results that was copied has other times: then their content decides, also among files of one size.
    @Test func aResultThatWasReplacedIsNotDone() throws {
        _ = try copy("ada", to: "in/x.jpg")
        #expect(try photo(["in"]).exitCode == 0)
        try touch("masked/x.jpg")
        #expect(try photo(["in"]).error.contains("1 done (1 in an earlier run)"))
        var other = try bytes(of: folder.path + "/masked/x.jpg")
        other[other.count / 2] ^= 1
        try folder.write(other, "masked/x.jpg")
        let run = try photo(["in"])
        #expect(run.exitCode == 1 && run.error.contains("was changed after it was made"), "\(run.error)")
        #expect(try bytes(of: folder.path + "/masked/x.jpg") == other)
    }

    @Test func resultsOfAKilledRunAreNotMadeAgain() throws {
        for index in 0..<16 { _ = try copy(index % 2 == 0 ? "ada" : "emre", to: "in/\(index).jpg") }
        #expect(try photo(["in", "-o", "whole"]).exitCode == 0)
        for _ in 0..<2 {
            let count = folder.finishedResults(in: "out").count
            let killed = try ProgramRun.bauta(
                ["photo", "--occluders", "none", "in", "-o", "out", "-j", "1"], folder: folder.path
            ) { program in
                try program.wait(for: "another picture") {
                    folder.finishedResults(in: "out").count
                } until: {
                    $0 > count + 1
                }
                kill(program.processIdentifier, SIGKILL)
            }
            #expect(killed.exitCode == 1000 + SIGKILL)
        }
        let done = folder.finishedResults(in: "out").count
        let last = try photo(["in", "-o", "out"])
        #expect(last.exitCode == 0, "\(last.error)")
        #expect(last.error.contains("16 done (\(done) in an earlier run): 16 masked"), "\(done): \(last.error)")
        #expect(folder.results(in: "out") == folder.results(in: "whole"))
        for name in folder.results(in: "whole") {
            #expect(try bytes(of: folder.path + "/out/" + name) == bytes(of: folder.path + "/whole/" + name))
        }
    }

    /// Minutes; run by scripts/test-slow.
    @Test(.slow)
    func tenThousandPhotographsAreGoneOnWith() throws {
        for (index, sample) in ["ada", "bruno", "chidi", "dalia", "emre", "finn"].enumerated() {
            var small = try PictureReader.read("\(samples)/\(sample).jpg")
            small.pixels = try small.pixels.resized(width: 160, height: 200)
            let path = "\(folder.path)/\(index).jpg"
            try PictureWriter.write(small, to: path, options: .init(format: .jpeg), replacing: false)
        }
        for (place, count) in [("few", 100), ("some", 1000), ("in", 10_000)] {
            mkdir(folder.path + "/" + place, 0o700)
            for index in 0..<count {
                #expect(link("\(folder.path)/\(index % 6).jpg", "\(folder.path)/\(place)/\(index).jpg") == 0)
            }
        }
        let (_, memoryOfFew) = try photoWithPeakMemory(["few", "-o", "few masked", "-q"])
        for kills in 1...3 {
            let killed = try ProgramRun.bauta(
                ["photo", "--occluders", "none", "in", "-o", "out", "-q"], folder: folder.path
            ) { program in
                try program.wait(for: "\(500 * kills) pictures") {
                    folder.results(in: "out").count
                } until: {
                    $0 > 500 * kills
                }
                kill(program.processIdentifier, SIGKILL)
            }
            #expect(killed.exitCode == 1000 + SIGKILL)
        }
        let done = folder.results(in: "out").filter { !$0.hasPrefix(".") }.count
        let (run, memory) = try photoWithPeakMemory(["in", "-o", "out", "--report", "r.jsonl"])
        #expect(run.exitCode == 0)
        #expect(run.error.contains("10000 done (\(done) in an earlier run): 10000 masked"), "\(run.error.suffix(300))")
        #expect(folder.results(in: "out").count == 10_000)
        let lines = try String(contentsOfFile: folder.path + "/r.jsonl", encoding: .utf8).split(separator: "\n")
        #expect(Set(try lines.map { try JSONValue(parsing: String($0))["path"]?.string }).count == 10_000)
        print("memory of 100 photographs: \(memoryOfFew >> 20) MiB, of 10,000: \(memory >> 20) MiB")
        #expect(memory < memoryOfFew + (40 << 20))
        // Threads that are ready and have no core are not idle: other programs may be at work.
        let bench = try ProgramRun.bauta(["lab", "bench", "photo", "some", "--json"], folder: folder.path)
        let share = try JSONValue(parsing: bench.output)["shareOfThreads"]?.number ?? 0
        print("at work or ready for it: \(100 * share) % of the threads' time\n\(bench.output)")
        #expect(share > 0.99, "\(bench.output)")
    }

    private func photoWithPeakMemory(_ arguments: [String]) throws -> (ProgramRun, Int) {
        var peak = 0
        let run = try ProgramRun.bauta(["photo", "--occluders", "none"] + arguments, folder: folder.path) { program in
            while program.isRunning {
                peak = max(peak, program.peakMemory ?? 0)
                usleep(20_000)
            }
        }
        return (run, peak)
    }

    /// A file that is cut off, or anything else, under the journal's name.
    @Test func aDamagedJournalIsNoHarm() throws {
        let path = "masked/\(PhotoJournal.name)"
        _ = try copy("ada", to: "in/ada.jpg")
        #expect(try photo(["in"]).exitCode == 0)
        let journal = try bytes(of: folder.path + "/" + path)
        // The last line cut off: what it says is not known.
        try folder.write(Array(journal.dropLast(20)), path)
        #expect(try photo(["in"]).error.contains("already exists and is not from an earlier run"))
        // Lines of nonsense around the good ones.
        try folder.write(Array("nonsense\n[1,2]\n{\"output\":3}\n\n".utf8) + journal + [0, 255, 10], path)
        #expect(try photo(["in"]).error.contains("(1 in an earlier run)"))
        try folder.write([], path)
        #expect(try photo(["in"]).exitCode == 1)
    }

    @Test func journalsOfAnyBytesAreRead() throws {
        _ = try copy("ada", to: "in/ada.jpg")
        #expect(try photo(["in"]).exitCode == 0)
        let journal = try bytes(of: folder.path + "/masked/\(PhotoJournal.name)")
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var bytes = journal
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.insert(contentsOf: journal.prefix(place), at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + 9))
                }
                if bytes.isEmpty { bytes = journal }
            }
            var (records, settings): ([FilePath: [PhotoRecord]], [String: PhotoSettings]) = ([:], [:])
            bytes.withUnsafeBytes { PhotoJournal.parse($0, &records, &settings) }
            #expect(records.count <= bytes.count)
        }
    }

    @Test func namesThatAreNotUTF8AreKnownAgain() throws {
        try folder.write([], "in/list")
        let name = Array("in/caf".utf8) + [0xE9] + Array("%41.jpg".utf8)
        let content = try bytes(of: "\(samples)/ada.jpg")
        let path = FilePath(folder.path) / FilePath(bytes: name)
        let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL, 0o644) }
        #expect(Glibc.write(descriptor, content, content.count) == content.count)
        close(descriptor)
        #expect(try photo(["-"], input: name + [0]).exitCode == 0)
        #expect(try photo(["-"], input: name + [0]).error.contains("(1 in an earlier run)"))
    }

    // MARK: Photographs without a face

    @Test func photographsWithoutAFaceAreSkippedBlurredOrRefused() throws {
        // Stripes, so that blurring shows.
        let rows = (0..<280).map { y in [UInt8](repeating: y / 5 % 2 == 0 ? 0 : 255, count: 840) }
        try folder.write(PNGBuilder(width: 280, height: 280, colorType: 2, rows: rows).bytes, "in/stripes.png")
        let skipped = try photo(["in", "--no-face", "skip", "-o", "skipped"])
        #expect(
            skipped.exitCode == 0 && skipped.error.contains("No face was found in 1 photograph, skipped:\n  in/str"))
        let again = try photo(["in", "--no-face", "skip", "-o", "skipped"])
        #expect(again.error.contains("(1 in an earlier run): 0 masked, 1 no face"), "\(again.error)")
        #expect(try photo(["in", "--no-face", "blur", "-o", "blurred"]).exitCode == 0)
        let blurred = try PictureReader.read(folder.path + "/blurred/stripes.png")
        for y in 0..<280 { #expect(abs(Int(blurred.pixels[45, y].x) - 127) < 20, "row \(y)") }
        let failed = try photo(["in", "--no-face", "fail", "-o", "failed"])
        #expect(failed.exitCode == 1 && failed.error.contains("in/stripes.png: shows no face; nothing was written"))
        #expect(folder.results(in: "failed").isEmpty)
    }

    @Test func unmaskedCopiesAreAnnouncedAndListed() throws {
        for index in 0..<12 { _ = try noFace("in/\(index).png") }
        let run = try photo(["in", "--report", "all.jsonl"])
        #expect(run.error.hasPrefix("Photographs without a detected face are copied unchanged"), "\(run.error)")
        #expect(run.error.contains("No face was found in 12 photographs, copied unchanged:\n"))
        #expect(run.error.contains("  and 2 more; all.jsonl lists all\n"), "\(run.error)")
    }
}
