import Foundation
import ImageFiles
import TestSupport
import Testing

extension ExclusiveTests {
    /// `docs/masks/tutorial.md`, followed word for word: each of its commands runs, in order, in an empty folder. A
    /// prepared file takes the place of what the reader paints.
    @Suite(
        .serialized,
        .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
    struct TutorialTests {
        /// The lines of the page's shell blocks.
        private func commands() throws -> [[String]] {
            var result: [[String]] = []
            var isShell = false
            for line in try Repository.text("docs/masks/tutorial.md").split(
                separator: "\n", omittingEmptySubsequences: false)
            {
                if line.hasPrefix("```") {
                    isShell = line == "```sh"
                } else if isShell, !line.isEmpty {
                    result.append(words(line))
                }
            }
            return result
        }

        /// As a shell takes a line apart that has nothing but words, quotation marks and a comment.
        private func words(_ line: Substring) -> [String] {
            var (words, isQuoted) = ([""], false)
            for character in line {
                switch character {
                case "\"": isQuoted.toggle()
                case "#" where !isQuoted: return words.filter { !$0.isEmpty }
                case " " where !isQuoted: words.append("")
                default: words[words.count - 1].append(character)
                }
            }
            return words.filter { !$0.isEmpty }
        }

        @Test
        func everyCommandOfTheTutorialWorks() throws {
            let folder = try TemporaryFolder()
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/samples", withDestinationPath: Repository.root + "/samples")
            let display = try TestDisplay(folder: folder.path)
            defer { display.stop() }
            let environment = display.environment.merging(["XDG_DATA_HOME": folder.path + "/data"]) { $1 }
            // The model that the reader has exported.
            try FileManager.default.copyItem(
                atPath: Repository.root + "/masks/top-hat/top-hat.glb", toPath: folder.path + "/crown.glb")
            let commands = try commands()
            #expect(commands.count > 10)
            for command in commands {
                let run: ProgramRun
                switch command.prefix(3) {
                case ["bauta", "mask", "edit"] where command.last == "crown":
                    run = try ProgramRun.bauta(
                        Array(command.dropFirst()), environment: environment, folder: folder.path
                    ) { program in
                        let window = try display.window(of: program)
                        try display.waitForTitle("Bauta – crown", of: window)
                        try display.press("ctrl+q")
                    }
                case ["bauta", "mask", "edit"], ["bauta", "live", "--mask"]:
                    // A window: the test waits until it shows the mask, and closes it.
                    run = try ProgramRun.bauta(
                        Array(command.dropFirst()), environment: environment, folder: folder.path
                    ) { program in
                        let window = try display.window(of: program)
                        let region: TestDisplay.Region = command[1] == "live" ? .face : .model
                        // With the painting's night blue.
                        try display.waitForPicture(
                            window, .lacks(SIMD4(15, 15, 18, 255), in: region, below: 0.3),
                            .shows(SIMD4(80, 66, 125, 255), in: region, above: 0.005))
                        try display.press(command[1] == "live" ? "q" : "ctrl+q")
                    }
                case _ where command[0] == "bauta":
                    run = try ProgramRun.bauta(
                        Array(command.dropFirst()), environment: environment, folder: folder.path)
                default:
                    // The painting program: what it saves is prepared.
                    #expect(command == ["krita", "moth/paint.ora"])
                    let painting = folder.path + "/moth/paint.ora"
                    #expect(FileManager.default.fileExists(atPath: painting))
                    try folder.write(bytes(of: Repository.root + "/docs/masks/moth.ora"), "moth/paint.ora")
                    continue
                }
                #expect(run.exitCode == 0, "\(command): \(run.error)")
                if command.starts(with: ["bauta", "mask", "check"]) {
                    #expect(run.output == "moth: no problems\n", "\(run.output)")
                }
            }
            // The mask is the one that the page shows.
            for (name, picture) in [("moth", "preview"), ("dalia", "portrait")] {
                let large = try PictureReader.read("\(folder.path)/\(name).png").pixels.halved()
                let shown = try PictureReader.read("\(Repository.root)/docs/pictures/making-masks-\(picture).jpg")
                    .pixels
                    .copy()
                let difference = try PictureDifference(large, shown)
                #expect(difference.mean < 6, "\(name): \(difference.mean)")
            }
            let moving = try display.tool([
                "ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0",
                folder.path + "/moth-moving.gif",
            ])
            #expect(moving == "48")
            #expect(FileManager.default.fileExists(atPath: folder.path + "/masked/ada.jpg"))
            #expect(FileManager.default.fileExists(atPath: folder.path + "/data/bauta/masks/moth/mask.json"))
        }

        /// What the page links to is there.
        @Test func picturesAndPagesAreThere() throws {
            for part in try Repository.text("docs/masks/tutorial.md").components(separatedBy: "](").dropFirst() {
                // Without the place in the page.
                let target = part.prefix { $0 != ")" && $0 != "#" }
                #expect(FileManager.default.fileExists(atPath: Repository.root + "/docs/masks/" + target), "\(target)")
            }
        }
    }
}
