import Foundation
import ImageFiles
import Pixels

/// A display without a screen (Xvfb), with a window manager, a keyboard and a mouse.
package final class TestDisplay {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Places in the window, as shares of it.
    package enum Region {
        case whole, left, middle, bottom
        /// The synthetic face.
        case face
        /// The large line that says that all is covered.
        case banner
        /// The help over the backdrop of the synthetic face.
        case help
        /// The buttons of the start page.
        case page
        /// The editor's: the texture, the line above it, the face with the mask, a question, the list of blend modes, the problems.
        case texture, status, model, question, list, problems, problemLines
        /// The editor's: the wolf's row in the list of layers, what its picture is chosen from, where a dialog says what is
        /// wrong.
        case layerRow, pictureChoice, trouble
        /// The editor's: the sliders of the brush, the wall above a hat.
        case brush, aboveHat
        /// What is behind Ada in a window with its first size, and what a session says at the upper edge.
        case behind, state
        /// The middle of the window of photographs, beside its panel.
        case photograph

        var bounds: (x: ClosedRange<Double>, y: ClosedRange<Double>) {
            switch self {
            case .whole: (0...1, 0...1)
            case .left: (0.01...0.28, 0.05...0.85)
            case .middle: (0.4...0.6, 0.45...0.55)
            case .bottom: (0.02...0.3, 0.94...0.97)
            case .face: (0.437...0.563, 0.376...0.51)
            case .banner: (0.42...0.58, 0.25...0.42)
            case .help: (0.77...0.82, 0.45...0.55)
            case .page: (0.4...0.6, 0.42...0.6)
            case .texture: (0.27...0.60, 0.15...0.85)
            case .status: (0.265...0.42, 0.02...0.05)
            case .model: (0.64...0.98, 0.05...0.7)
            case .question: (0.34...0.50, 0.54...0.56)
            case .list: (0.08...0.19, 0.465...0.555)
            case .problems: (0.005...0.2, 0.915...0.985)
            // The path in a problem may take several lines.
            case .problemLines: (0.005...0.24, 0.845...0.995)
            case .layerRow: (0.03...0.24, 0.325...0.355)
            case .pictureChoice: (0.08...0.18, 0.465...0.495)
            case .trouble: (0.25...0.75, 0.65...0.78)
            case .brush: (0.3...0.58, 0.91...0.95)
            case .behind: (0.67...0.72, 0.04...0.11)
            case .state: (0.44...0.56, 0.035...0.075)
            case .photograph: (0.66...0.9, 0.4...0.6)
            case .aboveHat: (0.72...0.93, 0.04...0.055)
            }
        }
    }

    package static var isPossible: Bool {
        ["Xvfb", "xdotool", "openbox", "cc"].allSatisfy { name in
            ["/usr/bin", "/usr/local/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
        }
    }

    private let server = Process()
    private let name: String
    private let folder: String
    /// The program whose window is open.
    private var program: RunningProgram?

    /// - Parameters:
    ///   - folder: for temporary files.
    ///   - screen: its width and height in pixels.
    package init(folder: String, screen: String = "1600x900") throws {
        self.folder = folder
        let pipe = Pipe()
        server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        server.arguments = ["Xvfb", "-displayfd", "1", "-screen", "0", "\(screen)x24", "-nolisten", "tcp"]
        server.standardOutput = pipe
        server.standardError = FileHandle.nullDevice
        try server.run()
        var answer = Data()
        while !answer.contains(UInt8(ascii: "\n")) {
            let more = pipe.fileHandleForReading.availableData
            if more.isEmpty { break }
            answer += more
        }
        let text = String(decoding: answer, as: UTF8.self)
        guard let number = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            kill(server.processIdentifier, SIGKILL)
            throw Failure(description: "Xvfb does not start; it wrote '\(text)' in place of a display number")
        }
        name = ":\(number)"
        do {
            try startWindowManager()
        } catch {
            stop()
            throw error
        }
    }

    private func startWindowManager() throws {
        let log = folder + "/openbox.log"
        var manager: Process?
        var looks = 0
        try wait(for: "the window manager runs") {
            looks += 1
            // One that has not come up is replaced.
            if looks % 200 == 0, let manager, manager.isRunning { kill(manager.processIdentifier, SIGKILL) }
            if manager?.isRunning != true {
                let new = Process()
                new.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                new.arguments = ["openbox"]
                new.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
                _ = FileManager.default.createFile(atPath: log, contents: nil)
                new.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
                try new.run()
                manager = new
            }
            // Only a window manager tells the number of desktops.
            let answer = try ProgramRun.run("/usr/bin/env", ["xdotool", "get_num_desktops"], environment: environment)
            return (answer.exitCode, answer.error, openbox: try String(contentsOfFile: log, encoding: .utf8))
        } until: {
            $0.0 == 0
        }
    }

    package func stop() {
        guard server.isRunning else { return }
        // Threads that tests run on block the gentler signals, and children inherit that. The window manager ends when
        // its display does.
        kill(server.processIdentifier, SIGKILL)
        server.waitUntilExit()
        // Another server that took over the number in the meantime keeps its files.
        let lock = "/tmp/.X\(name.dropFirst())-lock"
        let owner = (try? String(contentsOfFile: lock, encoding: .utf8))?.trimmingCharacters(
            in: .whitespacesAndNewlines)
        guard owner == "\(server.processIdentifier)" else { return }
        for rest in [lock, "/tmp/.X11-unix/X\(name.dropFirst())"] {
            try? FileManager.default.removeItem(atPath: rest)
        }
    }

    /// Nobody gets an answer from the display until `goOn`.
    package func hang() { kill(server.processIdentifier, SIGSTOP) }
    package func goOn() { kill(server.processIdentifier, SIGCONT) }

    /// Makes the window an icon, and waits until it is one.
    package func minimize(_ window: String) throws {
        try tool(["xdotool", "windowminimize", window])
        try wait(for: "the window is minimised") {
            try ProgramRun.run(
                "/usr/bin/env", ["xdotool", "search", "--onlyvisible", "--class", "bauta"], environment: environment)
        } until: {
            !$0.output.split(separator: "\n").contains(Substring(window))
        }
    }
    package func restore(_ window: String) throws { try tool(["xdotool", "windowactivate", "--sync", window]) }

    package var environment: [String: String] { ["DISPLAY": name, "WAYLAND_DISPLAY": "", "SDL_VIDEODRIVER": "x11"] }

    @discardableResult
    package func tool(_ words: [String]) throws -> String {
        let run = try ProgramRun.run("/usr/bin/env", words, environment: environment)
        guard run.exitCode == 0 else { throw Failure(description: "\(words): \(run.error)") }
        return run.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Waits until a condition holds, but no longer than the program runs whose window is open.
    @discardableResult
    package func wait<State>(
        for what: String, look: () throws -> State, until isWanted: (State) throws -> Bool
    ) throws -> State {
        guard let program else { return try TestSupport.wait(for: what, look: look, until: isWanted) }
        return try program.wait(for: what, look: look, until: isWanted)
    }

    // MARK: The window

    /// Waits until the program has a window, and the window has the keyboard.
    /// - Parameter kind: what it says of itself.
    package func window(of program: RunningProgram, kind: String = "bauta") throws -> String {
        self.program = program
        func find(_ words: String...) throws -> String? {
            let run = try ProgramRun.run("/usr/bin/env", ["xdotool"] + words, environment: environment)
            return run.exitCode == 0 ? run.output.split(separator: "\n").last.map(String.init) : nil
        }
        // The first one that is seen may be gone a moment later: the one that stays has the keyboard in several looks.
        var looks: (window: String?, count: Int) = (nil, 0)
        let found = try wait(for: "a window opens and has the keyboard") {
            (window: try find("search", "--onlyvisible", "--class", kind), active: try find("getactivewindow"))
        } until: { look in
            let isSame = look.window != nil && look.window == look.active
            looks = isSame ? (look.window, looks.window == look.window ? looks.count + 1 : 1) : (nil, 0)
            return looks.count >= 3
        }
        guard let window = found.window else { throw Failure(description: "no window has opened") }
        return window
    }

    package func waitForTitle(_ title: String, of window: String) throws {
        try wait(for: "the title '\(title)'") {
            try tool(["xdotool", "getwindowname", window])
        } until: {
            $0 == title
        }
    }

    /// Waits until a window has a size.
    /// - Parameter size: such as 1280x720.
    package func waitForSize(_ size: String, of window: String) throws {
        try wait(for: "the size \(size)") {
            try tool(["xdotool", "getwindowgeometry", window])
        } until: {
            $0.contains(size)
        }
    }

    // MARK: Keyboard and mouse

    package func press(_ keys: String...) throws { try tool(["xdotool", "key", "--delay", "60"] + keys) }

    /// Moves the mouse to a place in a window.
    package func move(to x: Int, _ y: Int, in window: String) throws {
        // A step of its own after the jump: jumps alone are no movements to programs that hold the mouse.
        try tool(["xdotool", "mousemove", "--window", window, "\(x - 1)", "\(y)"])
        try tool(["xdotool", "mousemove_relative", "1", "0"])
    }

    /// Clicks at a place in a window. The program asks where the mouse is when it gets the click, so wait for what the
    /// click changes before moving the mouse again.
    package func click(_ x: Int, _ y: Int, in window: String) throws {
        try move(to: x, y, in: window)
        try tool(["xdotool", "click", "1"])
    }

    /// Drags what is at a place in a window, in four steps. Each step is waited for, because the program asks where the
    /// mouse is only once a frame.
    /// - Parameter region: changes when the mouse comes to the place, is pressed there, and with every step.
    package func drag(
        from: (x: Int, y: Int), to: (x: Int, y: Int), in window: String, changing region: Region
    ) throws {
        var shown = try settledPicture(window, in: region)
        func change(_ what: String, _ action: () throws -> Void) throws {
            try action()
            try waitForPicture(window, .differs(from: shown, "the one before \(what)", in: region, by: 0))
            shown = try settledPicture(window, in: region)
        }
        try change("the mouse came") { try move(to: from.x, from.y, in: window) }
        try change("the mouse was pressed") { try tool(["xdotool", "mousedown", "1"]) }
        for step in 1...4 {
            try change("step \(step)") {
                try move(
                    to: from.x + (to.x - from.x) * step / 4, from.y + (to.y - from.y) * step / 4, in: window)
            }
        }
        try tool(["xdotool", "mouseup", "1"])
    }

    /// Drops a file on a window.
    package func drop(_ path: String, on window: String) throws {
        try tool([try compiled("DragSource/drag_source.c"), window, URL(fileURLWithPath: path).absoluteString])
    }

    /// A program of the tests that uses Xlib.
    private func compiled(_ source: String) throws -> String {
        let program = folder + "/" + ((source as NSString).lastPathComponent as NSString).deletingPathExtension
        if !FileManager.default.fileExists(atPath: program) {
            try tool(["cc", "-O1", "-o", program, "\(Repository.root)/Tests/\(source)", "-lX11"])
        }
        return program
    }

    // MARK: Pictures

    /// What is in the window now.
    package func picture(_ window: String) throws -> Screenshot {
        let path = folder + "/screen.ppm"
        // ffmpeg, which is able to do the same, takes ten times as long, most of it to start.
        try tool([try compiled("WindowPicture/window_picture.c"), window, path])
        return Screenshot(try PictureReader.read(path).pixels.copy())
    }

    /// Waits until the window shows a picture of which all conditions hold, and returns it. A failure leaves the last
    /// picture in `.build/failures`.
    @discardableResult
    package func waitForPicture(_ window: String, _ conditions: PictureCondition...) throws -> Screenshot {
        do {
            return try wait(for: conditions.map(\.description).joined(separator: ", and ")) {
                let picture = try picture(window)
                return PictureState(picture: picture, values: conditions.map { $0.measure(picture) })
            } until: {
                zip(conditions, $0.values).allSatisfy { $0.accepts($1) }
            }.picture
        } catch let failure as WaitingFailure {
            let place = Repository.root + "/.build/failures"
            let kept = "\(place)/\(ProcessInfo.processInfo.globallyUniqueString).ppm"
            try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            try? FileManager.default.copyItem(atPath: folder + "/screen.ppm", toPath: kept)
            throw WaitingFailure("\(failure); the last picture is \(kept)")
        }
    }

    /// Waits until several pictures in a row show the same, and returns the last.
    package func settledPicture(_ window: String, in region: Region = .whole, count: Int = 3) throws -> Screenshot {
        var last: Screenshot?
        var equal = 0
        try wait(for: "\(count) equal pictures in a row of the region \(region)") {
            // Long enough for a busy machine to show the next frame.
            if last != nil { usleep(300_000) }
            let new = try picture(window)
            equal = last?.difference(new, in: region) == 0 ? equal + 1 : 1
            last = new
            return equal
        } until: {
            $0 >= count
        }
        return try last ?? picture(window)
    }
}
