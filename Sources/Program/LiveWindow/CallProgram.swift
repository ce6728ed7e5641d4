import Files

/// A program that shows cameras to others, and how it sees a virtual camera of PipeWire. All of them see devices (v4l2loopback).
package struct CallProgram: Sendable {
    package let name: String
    /// Its commands, one of which is in `PATH` where it is installed.
    private let commands: [String]
    /// Its names on Flathub.
    private let flatpaks: [String]
    /// How it sees PipeWire's; nil: it does not.
    package let pipeWire: String?
    /// Whether Bauta's camera has been shown in it, and how.
    package let tried: String?

    /// What it sees, for the user.
    package var sees: String {
        guard let pipeWire else { return "only a device" }
        let way = pipeWire.isEmpty ? "PipeWire" : "PipeWire (\(pipeWire))"
        return way + ", or a device"
    }

    package static let all = [
        CallProgram(
            name: "Firefox", commands: ["firefox", "firefox-esr"], flatpaks: ["org.mozilla.firefox"],
            pipeWire: "media.webrtc.camera.allow-pipewire in about:config, then restart",
            tried: "Firefox ESR 153, PipeWire"),
        CallProgram(
            name: "Chromium, Chrome", commands: ["chromium", "chromium-browser", "google-chrome"],
            flatpaks: ["org.chromium.Chromium", "com.google.Chrome"],
            pipeWire: "chrome://flags/#enable-webrtc-pipewire-camera", tried: "Chromium 156, PipeWire"),
        CallProgram(
            name: "Teams", commands: ["teams-for-linux"], flatpaks: ["com.github.IsmaelMartinez.teams_for_linux"],
            pipeWire: "in a browser that does", tried: nil),
        CallProgram(
            name: "Zoom", commands: ["zoom"], flatpaks: ["us.zoom.Zoom"], pipeWire: nil, tried: nil),
        CallProgram(
            name: "Discord", commands: ["discord", "Discord"], flatpaks: ["com.discordapp.Discord"], pipeWire: nil,
            tried: nil),
        CallProgram(
            name: "OBS", commands: ["obs"], flatpaks: ["com.obsproject.Studio"], pipeWire: "",
            tried: nil),
    ]

    /// Those that are installed here.
    package static var installed: [CallProgram] { all.filter(\.isInstalled) }

    package var isInstalled: Bool {
        let path = FilePath(environment: "PATH")?.bytes ?? []
        let folders = path.split(separator: UInt8(ascii: ":")).map { FilePath(bytes: $0) }
        let places = [FilePath(environment: "HOME").map { $0 / ".local/share/flatpak/app" }, "/var/lib/flatpak/app"]
        return folders.contains { folder in commands.contains { (folder / FilePath($0)).exists } }
            || places.compactMap(\.self).contains { place in flatpaks.contains { (place / FilePath($0)).exists } }
    }
}
