import Files
import Foundation
import Installation
import JSON
import LiveWindow
import TestSupport
import Testing

/// What a session chooses is there for the next.
@Suite struct PreferencesTests {
    let folder: TemporaryFolder
    private let path: FilePath

    init() throws {
        folder = try TemporaryFolder()
        path = FilePath(folder.path) / "a folder/live.json"
    }

    private func full() -> LivePreferences {
        var preferences = LivePreferences()
        preferences.mask = "skull"
        preferences.favourites = ["owl", "/masks/é"]
        preferences.lastUsed = ["skull", "owl"]
        preferences.faces = .largest(1)
        preferences.smoothing = 1.3
        preferences.whenLost = .blur
        preferences.background = "#00ff00"
        preferences.smallestFace = 0.05
        preferences.mirrorsCameras = false
        preferences.mirrorsOthers = true
        preferences.devices.isVertical = true
        preferences.listsMasks = true
        preferences.fade = 0
        preferences.keys.set(.function(5), .wear("skull"))
        preferences.keys.set(.control("b", shift: true), .cover(.toggle))
        preferences.isHandsFree = true
        preferences.gestures[.mouthOpen] = .wear("skull")
        preferences.gestures[.browsTwice] = nil
        return preferences
    }

    @Test func everythingIsKept() throws {
        let first = PreferencesFile(ConfigurationFile(path))
        #expect(first.preferences == LivePreferences() && first.warnings.isEmpty)
        #expect(first.write(full(), changesSince: first.preferences) == nil)
        first.finish()
        let second = PreferencesFile(ConfigurationFile(path))
        #expect(second.preferences == full() && second.warnings.isEmpty)
        // A person can read it.
        #expect(try String(contentsOfFile: "\(path)", encoding: .utf8).contains("\n  \"whenLost\": \"blur\",\n"))
    }

    /// Another session, or the user, has written other members meanwhile.
    @Test func onlyChangesAreWritten() throws {
        try folder.write("{\"mask\": \"owl\", \"mine\": [1], \"fade\": 1}", "a folder/live.json")
        let file = PreferencesFile(ConfigurationFile(path))
        var changed = file.preferences
        changed.whenLost = .hide
        try folder.write("{\"mask\": \"tiger\", \"mine\": [2], \"fade\": 1}", "a folder/live.json")
        #expect(file.write(changed, changesSince: file.preferences) == nil)
        file.finish()
        let json = try JSONValue(parsing: String(contentsOfFile: "\(path)", encoding: .utf8))
        #expect(json["mask"]?.string == "tiger" && json["mine"] == .array([.number(2)]))
        #expect(json["whenLost"]?.string == "hide" && json["fade"]?.number == 1)
    }

    @Test(arguments: ["{", "[]", "", "{\"mask\": 1, \"mask\": 2}", "\u{0}"])
    func aBrokenFileIsKept(_ text: String) throws {
        try folder.write(text, "a folder/live.json")
        let file = PreferencesFile(ConfigurationFile(path))
        #expect(file.preferences == LivePreferences() && file.warnings.count == 1)
        #expect(file.warnings.first?.contains("ignored and kept") == true)
        _ = file.write(full(), changesSince: file.preferences)
        file.finish()
        #expect(try String(contentsOfFile: "\(path)", encoding: .utf8) == text)
    }

    /// Names are bytes for the system, and JSON is UTF-8.
    @Test func aFileOfOtherCharactersIsKept() throws {
        let bytes = Array("{\"mask\": \"caf".utf8) + [0xE9] + Array("\"}".utf8)
        try folder.write(bytes, "a folder/live.json")
        let file = PreferencesFile(ConfigurationFile(path))
        #expect(file.preferences == LivePreferences())
        #expect(file.warnings.count == 1 && file.warnings[0].contains("unable to decode byte 0xe9"), "\(file.warnings)")
        _ = file.write(full(), changesSince: file.preferences)
        file.finish()
        #expect(try TestSupport.bytes(of: "\(path)") == bytes)
    }

    @Test func membersThatAreWrongDoNotCount() throws {
        try folder.write(
            """
            {"mask": "", "favourites": ["a", 1], "lastUsed": "b", "faces": 0.5, "smoothing": 1e300, "whenLost": "cry",
            "mirrorCameras": "yes", "mirrorOthers": 1, "smallestFace": 2, "portraitFormat": "9:16", "fade": -1, "listMasks": 1, "background": "transparent", "unknown": true}
            """, "a folder/live.json")
        let file = PreferencesFile(ConfigurationFile(path))
        #expect(file.preferences == LivePreferences())
        #expect(file.warnings.count == 13)
        #expect(file.warnings.allSatisfy { $0.contains("live.json: '") && $0.contains("must be") })
    }

    @Test func whereNothingCanBeWrittenTheReasonIsSaidOnce() throws {
        let file = PreferencesFile(ConfigurationFile(path))
        try folder.write("in the way", "a folder")
        _ = file.write(full(), changesSince: LivePreferences())
        file.finish()
        let changed = { () -> LivePreferences in
            var changed = full()
            changed.mask = "owl"
            return changed
        }()
        #expect(file.write(changed, changesSince: full()) != nil)
        #expect(file.write(full(), changesSince: changed) == nil)
    }

    /// As managers of configuration files set them.
    @Test func aLinkStaysALink() throws {
        try folder.write("{}", "elsewhere.json")
        try FileManager.default.createDirectory(atPath: folder.path + "/a folder", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: "\(path)", withDestinationPath: "../elsewhere.json")
        let file = PreferencesFile(ConfigurationFile(path))
        _ = file.write(full(), changesSince: file.preferences)
        file.finish()
        #expect(path.status(followsLinks: false)?.type == S_IFLNK)
        #expect(PreferencesFile(ConfigurationFile(path)).preferences == full())
    }

    @Test func theLastUsedComeFirst() {
        var preferences = LivePreferences()
        for number in 0..<20 { preferences.noteUse(of: "\(number)") }
        preferences.noteUse(of: "15")
        #expect(preferences.lastUsed == ["15", "19", "18", "17", "16", "14", "13", "12"])
    }
}
