import Foundation
import JSON
import TestSupport
import Testing

/// What a stranger's pictures can cost.
@Suite struct PhotoLimitsTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Line: Decodable {
        let path: String
        let status: String
        let error: String?
    }

    /// The lines of the report.
    private func report(_ name: String) throws -> [Line] {
        try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8).split(separator: "\n")
            .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    /// A grey PNG of nothing.
    private static func png(_ width: Int, _ height: Int) -> [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += PNGBuilder.chunk("IHDR", PNGBuilder.big(width) + PNGBuilder.big(height) + [8, 0, 0, 0, 0])
        return file + PNGBuilder.chunk("IDAT", Deflate.zeros((width + 1) * height)) + PNGBuilder.chunk("IEND", [])
    }

    // MARK: Memory

    @Test func aPictureThatCanNeverFitIsRefusedAndTheOptionIsSaid() throws {
        try folder.write(Self.png(20_000, 20_000), "bomb.png")
        _ = try folder.write(try bytes(of: Repository.root + "/samples/ada.jpg"), "ada.jpg")
        var peak = 0
        let run = try ProgramRun.bauta(
            ["photo", "bomb.png", "ada.jpg", "--memory", "200M", "--no-mask"], folder: folder.path
        ) { program in
            while program.isRunning {
                peak = max(peak, program.peakMemory ?? 0)
                usleep(20_000)
            }
        }
        #expect(run.exitCode == 1 && run.error.contains("1 failed"), "\(run.error)")
        #expect(run.error.contains("bomb.png: claims to be 20000 × 20000 pixels, which needs"), "\(run.error)")
        #expect(run.error.contains("photographs together is 200 MiB; --memory"), "\(run.error)")
        #expect(peak > 0 && peak < 1 << 30, "\(peak >> 20) MiB")
    }

    /// The size is found wherever libjpeg finds it: behind segments whose length is too short, and behind junk.
    @Test func aForgedSizeIsFoundBehindOtherForgeries() throws {
        var file = WholePictures.jpeg(quality: 80)
        let frame = try #require(file.firstRange(of: [0xFF, 0xC0])).lowerBound
        file.replaceSubrange((frame + 5)..<(frame + 9), with: [0x2E, 0xE0, 0x2E, 0xE0])
        for (index, junk)
            in ([[0xFF, 0xE1, 0, 0], [0xFF, 0xFE, 0, 1], [1, 2, 3], [0xFF, 0, 0xFF, 0xFF, 0xD0]] as [[UInt8]])
            .enumerated()
        {
            try folder.write(file[..<frame] + junk + file[frame...], "in/\(index).jpg")
        }
        let run = try ProgramRun.bauta(["photo", "in", "--memory", "200M", "--no-mask"], folder: folder.path)
        let count = run.error.split(separator: "\n").count { $0.contains("12000 × 12000 pixels, which needs") }
        #expect(count == 4, "\(run.error)")
    }

    /// Each of three pictures needs most of the budget: they take turns, whatever the number of jobs.
    @Test func picturesWaitForEachOther() throws {
        for index in 0..<3 { try folder.write(Self.png(4000, 4000), "in/\(index).png") }
        var peak = 0
        let run = try ProgramRun.bauta(
            ["photo", "in", "--memory", "300M", "--jobs", "3", "--no-mask"], folder: folder.path
        ) { program in
            while program.isRunning {
                peak = max(peak, program.peakMemory ?? 0)
                usleep(20_000)
            }
        }
        #expect(run.exitCode == 0 && run.error.contains("3 no face"), "\(run.error)")
        // Beside the budget the program itself takes memory: libraries, the landmark model, a detector for each job.
        #expect(peak > 0 && peak < 300 << 20 + 500 << 20, "\(peak >> 20) MiB")
    }

    @Test(arguments: ["0", "x", "5", "1.5Q", "-1G", "1e3M", ""]) func amountsOfMemoryAreChecked(_ text: String) throws {
        let run = try ProgramRun.bauta(["photo", "x.jpg", "--memory", text], folder: folder.path)
        #expect(run.exitCode == 64 && run.error.contains("must be at least 1M"), "\(run.error)")
    }

    // MARK: Broken pictures

    /// Every one is named in the report with its reason, none ends the program or takes more than the budget.
    private func checkBrokenPictures(_ count: Int, memory: Int) throws {
        for index in 0..<count {
            let broken = BrokenPictures.draw(index)
            try folder.write(broken.bytes, "in/\(index) \(broken.name)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/in").map { "in/" + $0 }
        let list = Array(names.joined(separator: "\n").utf8)
        var peak = 0
        let run = try ProgramRun.bauta(
            ["photo", "-", "--memory", "\(memory >> 20)M", "--report", "r.jsonl", "-j", "2"], input: list,
            folder: folder.path, limit: 3600
        ) { program in
            while program.isRunning {
                peak = max(peak, program.peakMemory ?? 0)
                usleep(20_000)
            }
        }
        #expect(run.exitCode == 1, "\(run.exitCode): \(run.error.suffix(500))")
        let lines = try report("r.jsonl")
        #expect(lines.map(\.path).sorted() == names.sorted())
        for line in lines where line.status == "failed" {
            #expect(line.error?.hasPrefix(line.path + ": ") == true && (line.error?.count ?? 0) > line.path.count + 10)
        }
        #expect(lines.count { $0.status == "failed" } > count / 2)
        #expect(peak > 0 && peak < memory + 500 << 20, "\(peak >> 20) MiB")
    }

    @Test func brokenPicturesAreNamedAndEndNothing() throws { try checkBrokenPictures(58, memory: 256 << 20) }

    /// Minutes; run by scripts/test-slow.
    @Test(.slow)
    func aThousandBrokenPictures() throws { try checkBrokenPictures(BrokenPictures.count, memory: 512 << 20) }

    // MARK: Interrupts

    /// A decoder that does not end: the drawing of a mask's texture, for which there are ten seconds of processor time.
    @Test(arguments: [SIGINT, SIGTERM]) func anInterruptEndsWhateverIsRead(_ signal: Int32) throws {
        let noise = String(repeating: #"<feTurbulence baseFrequency="0.05" numOctaves="20"/>"#, count: 50)
        let svg = """
            <svg xmlns="http://www.w3.org/2000/svg" width="8192" height="8192">
            <filter id="f" x="0" y="0" width="1" height="1">\(noise)</filter>
            <rect width="8192" height="8192" filter="url(#f)"/></svg>
            """
        try folder.write(svg, "mask/t.svg")
        try folder.write(
            #"{"format": 1, "name": "x", "layers": [{"type": "warp", "texture": "t.svg"}]}"#, "mask/mask.json")
        let run = try ProgramRun.bauta(
            ["photo", Repository.root + "/samples/ada.jpg", "--mask", "mask"], folder: folder.path
        ) { program in
            let process = program.processIdentifier
            try program.wait(for: "a child that draws") {
                (try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)) ?? ""
            } until: {
                !$0.isEmpty
            }
            kill(process, signal)
        }
        // Not the error of the mask, which comes when the drawing has reached its limit.
        #expect(run.exitCode == 130 && run.error == "bauta: interrupted\n", "\(run.exitCode): \(run.error)")
    }
}
