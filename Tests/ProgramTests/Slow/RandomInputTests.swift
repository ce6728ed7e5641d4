import Foundation
import ImageFiles
import Pixels
import TestSupport
import Testing

extension ExclusiveWindowTests {
    /// Random clicks, keys, drops and sizes in all windows: the program neither ends nor loses anything, writes nothing but
    /// where it may, and answers all the time. The numbers follow from a seed; when the program takes the events does not,
    /// so that a failure may need several runs.
    @Suite(
        .serialized,
        .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
    struct RandomInputTests {
        let folder: TemporaryFolder
        private let display: TestDisplay
        /// Deep, so that dialogs do not come near other people's folders.
        private let place: String
        private var environment: [String: String] {
            display.environment.merging([
                "XDG_CONFIG_HOME": folder.path + "/configuration", "XDG_DATA_HOME": folder.path + "/data",
                "XDG_CACHE_HOME": folder.path + "/cache", "HOME": folder.path + "/home",
            ]) { $1 }
        }

        init() throws {
            folder = try TemporaryFolder()
            display = try TestDisplay(folder: folder.path)
            place = folder.path + "/a/b/c/d/e"
            try FileManager.default.createDirectory(
                atPath: place + "/originals", withIntermediateDirectories: true)
        }

        private static let count = 10_000

        @Test(arguments: [1]) func manyEventsInTheLiveWindow(_ seed: UInt64) throws {
            try live(RandomEvents(seed: seed, count: Self.count))
        }

        @Test(arguments: [2]) func manyEventsInTheEditor(_ seed: UInt64) throws {
            try edit(RandomEvents(seed: seed, count: Self.count))
        }

        @Test(arguments: [3]) func manyEventsInTheReview(_ seed: UInt64) throws {
            try review(RandomEvents(seed: seed, count: Self.count))
        }

        private func live(_ events: RandomEvents) throws {
            defer { display.stop() }
            let originals = try makeOriginals()
            // The panel is open for most of the events; Q and closing would end the program.
            let keys =
                ["Tab", "Tab", "Escape", "Return", "BackSpace", "Delete", "Left", "Right", "Up", "Down", "space"]
                + (0...9).map { "\($0)" } + (1...12).map { "F\($0)" }
                + "abcdefghijklmnoprstuvwxyz".map { "\($0)" }
                + ["ctrl+z", "ctrl+s", "ctrl+f", "period", "plus", "minus"]
            let session = SlowLive(folder: folder.path)
            var (events, slowest) = (events, Duration.zero)
            // A button of the panel ends the program, too.
            while !events.isOver {
                let run = try ProgramRun.bauta(
                    ["live", "drawn", "--control-socket", session.socket], environment: environment, folder: place,
                    limit: 3600
                ) { program in
                    let window = try display.window(of: program)
                    try display.press("Tab")
                    try send(
                        &events, keys: keys, drops: originals.paths, size: (1280, 720), to: window, of: program,
                        mayEnd: true
                    ) {
                        let start = ContinuousClock.now
                        let status = try session.control("status")
                        slowest = max(slowest, .now - start)
                        #expect(status.exitCode == 0 || !program.isRunning, "\(status.error)")
                    }
                    if program.isRunning { program.interrupt() }
                }
                #expect(run.exitCode == 0, "\(run.exitCode) \(run.error)")
            }
            // No test: on a busy machine, the command that asks is slow, too.
            print("the slowest answer in the live window took \(slowest)")
            try originals.requireUnchanged()
            try requireNothingElse()
            // The events did something.
            #expect(try FileManager.default.contentsOfDirectory(atPath: place).contains { $0.hasSuffix(".png") })
            // What has been kept is taken without complaint.
            let settings = folder.path + "/configuration/bauta/live.json"
            _ = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: settings)))
            let again = try ProgramRun.bauta(
                ["live", "drawn", "--frames", "2"], environment: environment, folder: place)
            #expect(again.exitCode == 0 && !again.error.contains("ignored"), "\(again.error)")
        }

        private func edit(_ events: RandomEvents) throws {
            defer { display.stop() }
            let originals = try makeOriginals()
            let mask = place + "/my wolf"
            try FileManager.default.copyItem(atPath: Repository.root + "/Tests/Masks/wolf", toPath: mask)
            let textures = try Colors(folder: mask)
            // Left goes to the folder above, and from there a mask could be saved anywhere. Ctrl+Q would end the program.
            let keys =
                ["Escape", "Return", "BackSpace", "Delete", "Right", "Up", "Down", "space", "Tab", "period"]
                + (0...9).map { "\($0)" } + "abcdefghijklmnopqrstuvwxyz".map { "\($0)" }
                + ["ctrl+z", "ctrl+shift+z", "ctrl+y", "ctrl+z", "ctrl+s", "F5"]
            let run = try ProgramRun.bauta(
                ["mask", "edit", mask], environment: environment, folder: place, limit: 3600
            ) { program in
                let window = try display.window(of: program)
                try display.waitForTitle("Bauta – Wolf", of: window)
                var events = events
                try send(&events, keys: keys, drops: originals.paths, size: (1280, 800), to: window, of: program)
                program.interrupt()
            }
            #expect(run.exitCode == 0, "\(run.exitCode) \(run.error)")
            try originals.requireUnchanged()
            try textures.requireKept()
            // The events did something, to this mask or to a copy that they saved.
            let wolf = try Data(contentsOf: URL(fileURLWithPath: Repository.root + "/Tests/Masks/wolf/mask.json"))
            let masks = try FileManager.default.contentsOfDirectory(atPath: place)
                .filter { $0 != "originals" }.map { "\(place)/\($0)/mask.json" }
                .compactMap { FileManager.default.contents(atPath: $0) }
            #expect(masks.contains { $0 != wolf } || run.error.contains("unsaved changes are kept"))
            // Whatever has been saved is a mask that can be edited again.
            #expect(!masks.isEmpty)
            for mask in masks { _ = try JSONSerialization.jsonObject(with: mask) }
            let check = try ProgramRun.bauta(["mask", "check", mask])
            #expect([0, 1, 65].contains(check.exitCode) && !check.output.isEmpty, "\(check.exitCode) \(check.error)")
        }

        private func review(_ events: RandomEvents) throws {
            defer { display.stop() }
            let originals = try makeOriginals()
            let made = try ProgramRun.bauta(
                ["photo", "--anonymise", "originals/ada.jpg", "originals/bruno.jpg", "--detector", "hog", "-o", "out"],
                folder: place)
            #expect(made.exitCode == 0, "\(made.error)")
            let results = try OriginalFiles(folder: place + "/out", except: [".bauta-review.json"])
            // Q, Escape and Ctrl+Q end the program.
            let keys =
                ["Return", "Delete", "Left", "Right", "Up", "Down", "space", "Tab", "shift+Tab", "Prior", "Next", "F1"]
                + ["plus", "minus", "period", "comma", "ctrl+z"] + "abcdefghijklmnoprstuvwxyz".map { "\($0)" }
            let run = try ProgramRun.bauta(
                ["review", "out"], environment: environment, folder: place, limit: 3600
            ) { program in
                let window = try display.window(of: program)
                var events = events
                try send(&events, keys: keys, drops: originals.paths, size: (1280, 800), to: window, of: program)
                program.interrupt()
            }
            #expect(run.exitCode == 0, "\(run.exitCode) \(run.error)")
            try originals.requireUnchanged()
            try results.requireUnchanged()
            try requireNothingElse()
            let decisions = try Data(contentsOf: URL(fileURLWithPath: place + "/out/.bauta-review.json"))
            _ = try JSONSerialization.jsonObject(with: decisions)
            let again = try ProgramRun.bauta(
                ["photo", "--anonymise", "originals/ada.jpg", "originals/bruno.jpg", "--detector", "hog", "-o", "out"],
                folder: place)
            #expect(again.exitCode == 0, "\(again.error)")
        }

        /// Nothing has been written but in the working folder and in the user's folders.
        private func requireNothingElse() throws {
            let known: Set = [
                "a", "configuration", "data", "cache", "home", "control", "events", "screen.ppm", "openbox.log",
                "drag_source", "window_picture",
            ]
            let found = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(found.allSatisfy(known.contains), "\(found)")
            for above in ["a", "a/b", "a/b/c", "a/b/c/d"] {
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + above).count == 1)
            }
        }

        /// A photograph, a clip, masks, and files that are none of these.
        private func makeOriginals() throws -> OriginalFiles {
            let originals = place + "/originals"
            for name in ["ada.jpg", "bruno.jpg"] {
                try FileManager.default.copyItem(
                    atPath: Repository.root + "/samples/" + name, toPath: originals + "/" + name)
            }
            try FileManager.default.copyItem(atPath: Repository.root + "/masks/tiger", toPath: originals + "/my tiger")
            let made = try ProgramRun.run(
                "/usr/bin/env",
                [
                    "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=25", "-t", "2",
                    "-pix_fmt",
                    "yuv420p", originals + "/clip.mp4",
                ])
            #expect(made.exitCode == 0, "\(made.error)")
            let pack = try ProgramRun.bauta(["mask", "pack", originals + "/my tiger", "-o", originals + "/tiger.bauta"])
            #expect(pack.exitCode == 0, "\(pack.error)")
            for name in ["broken.bauta", "broken.mp4", "broken.jpg", "text é.txt"] {
                try Data("nothing of use".utf8).write(to: URL(fileURLWithPath: originals + "/" + name))
            }
            return try OriginalFiles(folder: originals)
        }

        /// - Parameters:
        ///   - mayEnd: whether the events may end the program.
        ///   - check: is called from time to time.
        private func send(
            _ events: inout RandomEvents, keys: [String], drops: [String], size: (Int, Int), to window: String,
            of program: RunningProgram, mayEnd: Bool = false, check: () throws -> Void = {}
        ) throws {
            while let script = events.next(50, keys: keys, size: size, window: window) {
                let path = folder.path + "/events"
                try Data(script.utf8).write(to: URL(fileURLWithPath: path))
                do {
                    try display.tool(["xdotool", path])
                    try display.drop(drops[events.number(below: drops.count)], on: window)
                    try check()
                } catch {
                    // What was sent to a window that had gone.
                    guard mayEnd, !program.isRunning else { throw error }
                }
                if mayEnd, !program.isRunning { return }
                try #require(program.isRunning, "the program has ended")
            }
        }
    }
}

/// Commands for xdotool.
private struct RandomEvents {
    private var state: UInt64
    private var rest: Int
    private var isHeld = false

    init(seed: UInt64, count: Int) { (state, rest) = (seed, count) }

    var isOver: Bool { rest <= 0 }

    /// SplitMix64.
    mutating func number(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((value ^ (value >> 31)) % UInt64(limit))
    }

    /// The next events; nil: there are no more.
    mutating func next(_ count: Int, keys: [String], size: (Int, Int), window: String) -> String? {
        guard rest > 0 else { return nil }
        var lines: [String] = []
        for _ in 0..<min(count, rest) {
            switch number(below: 10) {
            case 0...3 where number(below: 50) == 0:
                let (width, height) = (300 + number(below: 1200), 200 + number(below: 700))
                lines.append("windowsize \(window) \(width) \(height)")
            case 0...3: lines.append("key \(keys[number(below: keys.count)])")
            case 4: lines.append("click \(number(below: 2) == 0 ? 4 : 5)")
            case 5:
                lines.append(isHeld ? "mouseup 1" : "mousedown 1")
                isHeld.toggle()
            default:
                // Most controls are at the left.
                let width = number(below: 3) == 0 ? size.0 : size.0 / 4
                lines.append("mousemove --window \(window) \(number(below: width)) \(number(below: size.1))")
                lines.append("sleep 0.01")
                lines.append("click \(number(below: 8) == 0 ? 3 : 1)")
            }
            // A frame or so.
            lines.append("sleep 0.01")
        }
        if isHeld { lines.append("mouseup 1") }
        isHeld = false
        rest -= count
        return lines.joined(separator: "\n") + "\n"
    }
}

/// The colours of a mask's pictures, which the brush keeps: it changes only what is transparent.
private struct Colors {
    private let folder: String
    private var colors: [String: [SIMD3<UInt8>]] = [:]

    init(folder: String) throws {
        self.folder = folder
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".png") {
            colors[name] = try Self.colors(of: folder + "/" + name)
        }
    }

    /// Of every pixel. Black that is transparent and nearly black are the same.
    private static func colors(of path: String) throws -> [SIMD3<UInt8>] {
        let pixels = try PictureReader.read(path, for: .texture).pixels.copy()
        var colors: [SIMD3<UInt8>] = []
        for y in 0..<pixels.height {
            pixels.withRow(y) { row in
                for x in row.indices {
                    let color = SIMD3(row[x].x, row[x].y, row[x].z)
                    colors.append(color == SIMD3(1, 1, 1) ? .zero : color)
                }
            }
        }
        return colors
    }

    func requireKept() throws {
        #expect(!colors.isEmpty)
        for (name, old) in colors { #expect(try Self.colors(of: folder + "/" + name) == old, "\(name) has changed") }
    }
}

/// Files that must stay as they are.
private struct OriginalFiles {
    private let folder: String
    private let contents: [String: Data]
    /// Of the files and folders at the top.
    let paths: [String]

    init(folder: String, except: Set<String> = []) throws {
        self.folder = folder
        var contents: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where !except.contains(name) {
            contents[name] = FileManager.default.contents(atPath: folder + "/" + name)
        }
        self.contents = contents
        paths =
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { folder + "/" + $0 } + [folder]
    }

    func requireUnchanged() throws {
        #expect(!contents.isEmpty)
        for (name, old) in contents {
            #expect(FileManager.default.contents(atPath: folder + "/" + name) == old, "\(folder)/\(name) has changed")
        }
    }
}
