import Foundation

/// PipeWire with WirePlumber in a session of their own, without devices, and programs that read cameras there (GStreamer).
/// Any thread may read; one starts and stops it.
package final class PipeWireSession: @unchecked Sendable {
    package static var isPossible: Bool {
        ["dbus-run-session", "pipewire", "wireplumber", "gst-launch-1.0"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
        } && (try? ProgramRun.run("/usr/bin/gst-inspect-1.0", ["pipewiresrc"]).exitCode) == 0
    }

    /// For programs in the session.
    package let environment: [String: String]
    /// The path of PipeWire's socket.
    package let socket: String
    /// It is there until the servers have ended, which write to it.
    private let place: TemporaryFolder
    private let folder: String
    private var servers: Process?

    /// - Parameter environment: more for programs in the session.
    package init(environment: [String: String] = [:]) throws {
        place = try TemporaryFolder()
        folder = place.path
        socket = folder + "/pipewire-0"
        let own = [
            "XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder, "XDG_DATA_HOME": folder,
            "PIPEWIRE_RUNTIME_DIR": folder, "PIPEWIRE_REMOTE": "",
        ]
        self.environment = environment.merging(own) { $1 }
        // Of WirePlumber 0.4, which ends without systemd's folders for whoever has logged in, as in a container.
        try place.write("bluez_monitor.enabled = false", "wireplumber/bluetooth.lua.d/80-no-logind.lua")
        try start()
    }

    deinit { stop() }

    /// Starts both, and waits until programs are connected with each other.
    package func start() throws {
        let servers = Process()
        servers.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // Ends with its standard input.
        servers.arguments = [
            "dbus-run-session", "--", "sh", "-c",
            // WirePlumber ends where PipeWire does not answer yet.
            """
            cd "$XDG_RUNTIME_DIR"; printenv DBUS_SESSION_BUS_ADDRESS > bus; pipewire & first=$!; looks=0
            until pw-cli info 0 > /dev/null 2>&1 || [ $looks = 1000 ]; do sleep 0.1; looks=$((looks + 1)); done
            wireplumber & second=$!; read line; kill $first $second; wait $first $second
            """,
        ]
        servers.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            .merging(["XDG_CONFIG_HOME": folder]) { $1 }
        servers.standardInput = Pipe()
        servers.standardOutput = FileHandle.nullDevice
        servers.standardError = FileHandle.nullDevice
        try servers.runWithSignals()
        self.servers = servers
        try wait(for: "WirePlumber") {
            try tool("pw-cli", ["ls", "Client"]).output.contains("application.name = \"WirePlumber\"")
        }
    }

    /// Ends both, as a restart of the service does.
    package func stop() {
        guard let servers else { return }
        try? (servers.standardInput as? Pipe)?.fileHandleForWriting.close()
        servers.waitUntilExit()
        self.servers = nil
    }

    /// What programs find the session's portal with. It gives cameras to every program without a question.
    package func portal() throws -> [String: String] {
        let address = try String(contentsOfFile: folder + "/bus", encoding: .utf8)
        let bus = ["DBUS_SESSION_BUS_ADDRESS": address.trimmingCharacters(in: .whitespacesAndNewlines)]
        let store = "org.freedesktop.impl.portal.PermissionStore"
        let run = try ProgramRun.run(
            "/usr/bin/dbus-send",
            [
                "--session", "--print-reply", "--dest=\(store)", "/" + store.replacingOccurrences(of: ".", with: "/"),
                "\(store).SetPermission", "string:devices", "boolean:true", "string:camera", "string:",
                "array:string:yes",
            ], environment: environment.merging(bus) { $1 })
        guard run.exitCode == 0 else { throw WaitingFailure("the portal: \(run.error)") }
        return environment.merging(bus) { $1 }
    }

    /// Whether a camera named Bauta is there.
    package func hasCamera() throws -> Bool {
        try tool("pw-cli", ["ls", "Node"]).output.contains("node.description = \"Bauta\"")
    }

    /// Reads frames of Bauta's camera.
    /// - Parameters:
    ///   - format: GStreamer's name: "I420".
    ///   - seconds: after which reading ends.
    /// - Returns: the bytes of all frames.
    package func read(_ count: Int, format: String, seconds: Int = 60) throws -> [UInt8] {
        let path = folder + "/\(UUID().uuidString)"
        let run = try tool(
            "timeout", ["\(seconds)"] + Self.reader(count, format: format) + ["filesink", "location=\(path)"])
        guard run.exitCode == 0 else { throw WaitingFailure("GStreamer: \(run.error)") }
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try bytes(of: path)
    }

    /// Starts a program that reads frames of Bauta's camera.
    /// - Parameter element: takes them: an element of GStreamer with its properties.
    package func startReader(format: String, _ element: String...) throws -> Process {
        let reader = Process()
        reader.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        reader.arguments = Self.reader(format: format) + element + ["!", "fakesink"]
        reader.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        reader.standardOutput = FileHandle.nullDevice
        reader.standardError = FileHandle.nullDevice
        try reader.runWithSignals()
        return reader
    }

    /// Starts a program that is a camera of 64 × 48 pixels. It goes when the program ends.
    package func startCamera(named name: String) throws -> Process {
        let camera = Process()
        camera.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        camera.arguments = [
            "gst-launch-1.0", "-q", "fakesrc", "is-live=true", "do-timestamp=true", "filltype=zero", "sizetype=fixed",
            "sizemax=6144", "datarate=184320", "!", "video/x-raw,format=YUY2,width=64,height=48,framerate=30/1", "!",
            "pipewiresink", "mode=provide",
            "stream-properties=properties,media.class=Video/Source,media.role=Camera,node.name=\(name)",
        ]
        camera.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        camera.standardOutput = FileHandle.nullDevice
        camera.standardError = FileHandle.nullDevice
        try camera.runWithSignals()
        return camera
    }

    private static func reader(_ count: Int = -1, format: String) -> [String] {
        [
            "gst-launch-1.0", "-q", "pipewiresrc", "target-object=Bauta", "num-buffers=\(count)", "!",
            "video/x-raw,format=\(format)", "!",
        ]
    }

    private func tool(_ name: String, _ arguments: [String]) throws -> ProgramRun {
        try ProgramRun.run("/usr/bin/env", [name] + arguments, environment: environment)
    }
}
