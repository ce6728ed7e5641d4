import Foundation
import ImageFiles
import Pixels

/// A display that nobody sees (Xvfb), with a window manager, and hands that press keys on it.
package final class TestDisplay {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Places in the window, as shares of it.
    package enum Region {
        case whole, left, middle, bottom
        /// Where the drawn face is.
        case face
        /// The editor's: the texture, what is written above it, who wears the mask, a question.
        case texture, status, model, question

        var bounds: (x: ClosedRange<Double>, y: ClosedRange<Double>) {
            switch self {
            case .whole: (0...1, 0...1)
            case .left: (0.01...0.28, 0.05...0.85)
            case .middle: (0.4...0.6, 0.45...0.55)
            case .bottom: (0.02...0.3, 0.94...0.97)
            case .face: (0.42...0.58, 0.25...0.42)
            case .texture: (0.27...0.60, 0.15...0.85)
            case .status: (0.265...0.42, 0.02...0.05)
            case .model: (0.64...0.98, 0.05...0.7)
            case .question: (0.34...0.50, 0.49...0.52)
            }
        }
    }

    package static var isPossible: Bool {
        ["Xvfb", "xdotool", "openbox", "ffmpeg"].allSatisfy { name in
            ["/usr/bin", "/usr/local/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
        }
    }

    private let server = Process()
    private let windowManager = Process()
    private let name: String
    private let folder: String

    /// - Parameter folder: for what is written on the way.
    package init(folder: String) throws {
        self.folder = folder
        let pipe = Pipe()
        server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        server.arguments = ["Xvfb", "-displayfd", "1", "-screen", "0", "1600x900x24", "-nolisten", "tcp"]
        server.standardOutput = pipe
        server.standardError = FileHandle.nullDevice
        try server.run()
        let number = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        guard let number = Int(number.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            server.terminate()
            throw Failure(description: "Xvfb does not start")
        }
        name = ":\(number)"
        windowManager.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        windowManager.arguments = ["openbox"]
        windowManager.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        windowManager.standardError = FileHandle.nullDevice
        try windowManager.run()
    }

    package func stop() {
        // Threads that tests run on block the gentler signals, and children inherit that. The window manager ends when
        // its display does.
        kill(server.processIdentifier, SIGKILL)
        server.waitUntilExit()
        for rest in ["/tmp/.X\(name.dropFirst())-lock", "/tmp/.X11-unix/X\(name.dropFirst())"] {
            try? FileManager.default.removeItem(atPath: rest)
        }
    }

    package var environment: [String: String] { ["DISPLAY": name, "WAYLAND_DISPLAY": "", "SDL_VIDEODRIVER": "x11"] }

    @discardableResult
    package func tool(_ words: [String]) throws -> String {
        let run = try ProgramRun.run("/usr/bin/env", words, environment: environment)
        guard run.exitCode == 0 else { throw Failure(description: "\(words): \(run.error)") }
        return run.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Waits for the program's window.
    package func window(of process: Process) throws -> String {
        for _ in 0..<100 {
            let run = try ProgramRun.run(
                "/usr/bin/env", ["xdotool", "search", "--onlyvisible", "--class", "bauta"], environment: environment)
            if let window = run.output.split(separator: "\n").last, run.exitCode == 0 {
                // The window manager is to have given it the keyboard.
                usleep(500_000)
                return String(window)
            }
            guard process.isRunning else { break }
            usleep(100_000)
        }
        throw Failure(description: "no window has opened")
    }

    package func press(_ keys: String...) throws { try tool(["xdotool", "key", "--delay", "60"] + keys) }

    /// Moves the mouse to a place in a window.
    package func move(to x: Int, _ y: Int, in window: String) throws {
        // A step of its own after the jump: jumps alone are no movements to programs that hold the mouse.
        try tool(["xdotool", "mousemove", "--window", window, "\(x - 1)", "\(y)"])
        try tool(["xdotool", "mousemove_relative", "1", "0"])
        usleep(150_000)
    }

    package func click(_ x: Int, _ y: Int, in window: String) throws {
        try move(to: x, y, in: window)
        try tool(["xdotool", "click", "1"])
        usleep(400_000)
    }

    package func drag(from: (x: Int, y: Int), to: (x: Int, y: Int), in window: String) throws {
        try move(to: from.x, from.y, in: window)
        try tool(["xdotool", "mousedown", "1"])
        for step in 1...4 {
            try move(
                to: from.x + (to.x - from.x) * step / 4, from.y + (to.y - from.y) * step / 4, in: window)
        }
        try tool(["xdotool", "mouseup", "1"])
        usleep(400_000)
    }

    /// Lets a file go over a window.
    package func drop(_ path: String, on window: String) throws {
        let program = folder + "/drag_source"
        if !FileManager.default.fileExists(atPath: program) {
            try tool(["cc", "-o", program, Repository.root + "/Tests/DragSource/drag_source.c", "-lX11"])
        }
        try tool([program, window, URL(fileURLWithPath: path).absoluteString])
    }

    /// What is in the window now.
    package func picture(_ window: String, after seconds: Double = 0) throws -> Screenshot {
        usleep(UInt32(seconds * 1e6))
        let path = folder + "/screen.png"
        try tool([
            "ffmpeg", "-y", "-v", "error", "-f", "x11grab", "-draw_mouse", "0", "-window_id", window, "-i", name,
            "-frames:v", "1", path,
        ])
        return Screenshot(try PictureReader.read(path).pixels.copy())
    }

    /// Waits until the window shows what is asked for.
    package func waitForPicture(_ window: String, _ isIt: (Screenshot) throws -> Bool) throws {
        for _ in 0..<50 {
            if try isIt(picture(window)) { return }
            usleep(200_000)
        }
        throw Failure(description: "the window never shows what was waited for")
    }
}

/// What was in a window.
package final class Screenshot {
    private let pixels: PixelBuffer

    init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }

    /// The share of pixels that differ visibly.
    package func difference(_ other: Screenshot, in region: TestDisplay.Region = .whole) -> Double {
        share(of: region) { x, y in Self.distance(pixels[x, y], other.pixels[x, y]) > 16 }
    }

    /// The share of pixels of nearly one colour.
    package func share(of region: TestDisplay.Region, near color: SIMD4<UInt8>) -> Double {
        share(of: region) { x, y in Self.distance(pixels[x, y], SIMD4<UInt16>(truncatingIfNeeded: color)) < 30 }
    }

    /// The share of pixels that are nearly of one colour in both.
    package func share(of region: TestDisplay.Region, near color: SIMD4<UInt8>, alsoIn other: Screenshot) -> Double {
        let color = SIMD4<UInt16>(truncatingIfNeeded: color)
        return share(of: region) { x, y in
            Self.distance(pixels[x, y], color) < 30 && Self.distance(other.pixels[x, y], color) < 30
        }
    }

    package func mirrored() throws -> Screenshot {
        var result = try PixelBuffer(width: pixels.width, height: pixels.height, format: .rgba8)
        for y in 0..<pixels.height {
            result.withMutableRow(y) { row in
                for x in row.indices {
                    row[x] = SIMD4<UInt8>(truncatingIfNeeded: pixels[pixels.width - 1 - x, y])
                }
            }
        }
        return Screenshot(result)
    }

    private func share(of region: TestDisplay.Region, where isCounted: (Int, Int) -> Bool) -> Double {
        let (width, height) = (Double(pixels.width), Double(pixels.height))
        let bounds = region.bounds
        var (count, all) = (0, 0)
        for y in Int(bounds.y.lowerBound * height)..<Int(bounds.y.upperBound * height) {
            for x in Int(bounds.x.lowerBound * width)..<Int(bounds.x.upperBound * width) {
                all += 1
                if isCounted(x, y) { count += 1 }
            }
        }
        return Double(count) / Double(max(all, 1))
    }

    private static func distance(_ a: SIMD4<UInt16>, _ b: SIMD4<UInt16>) -> Int {
        let d = SIMD4<Int32>(truncatingIfNeeded: a) &- SIMD4<Int32>(truncatingIfNeeded: b)
        return Int(max(abs(d.x), abs(d.y), abs(d.z)))
    }
}
