import Files
import Foundation
import NeuralNetworks
import TestSupport
import Testing

/// What the program says to somebody who is on the wrong path.
@Suite struct HintTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func bauta(_ arguments: [String]) throws -> ProgramRun {
        try ProgramRun.bauta(arguments, folder: folder.path)
    }

    @Test func aVideoIsNotAPhotograph() throws {
        try folder.write([0x1A, 0x45, 0xDF, 0xA3] + Array(repeating: 0, count: 40), "film.mkv")
        let run = try bauta(["photo", "film.mkv"])
        #expect(run.exitCode == 1 && run.error.contains("film.mkv: is a video"), "\(run.error)")
        #expect(run.error.contains("bauta video masks it"))
        // One that is found in a folder is none of its business.
        let found = try bauta(["photo", "."])
        #expect(found.exitCode == 0 && found.error.contains("1 not a picture"), "\(found.error)")
    }

    /// ffmpeg takes a photograph for a video of one frame.
    @Test func aPhotographIsNotAVideo() throws {
        let rows = Array(repeating: Array(repeating: UInt8(120), count: 90), count: 90)
        try folder.write(PNGBuilder(width: 90, height: 90, colorType: 0, rows: rows).bytes, "wall.png")
        for picture in [Repository.root + "/samples/ada.jpg", "wall.png"] {
            let run = try bauta(["video", picture])
            #expect(run.exitCode == 65 && run.error.contains("bauta photo \(picture) masks it"), "\(run.error)")
        }
        #expect(try folder.names() == ["wall.png"])
    }

    @Test func aVideoTakesOneMask() throws {
        let run = try bauta(["video", "film.mp4", "--mask", "tiger,owl"])
        #expect(run.exitCode == 64 && run.error.contains("it must be one mask"), "\(run.error)")
        // A folder may have a comma in its name.
        try folder.write("", "tiger,owl/mask.json")
        #expect(try !bauta(["video", "film.mp4", "--mask", "tiger,owl"]).error.contains("one mask"))
    }

    @Test(.slow) func aResultInAnotherFormatIsExplained() throws {
        try folder.write(GIFBuilder(width: 64, height: 48) { x, y in x + y }.bytes, "a wave.gif")
        let run = try bauta(["video", "a wave.gif", "--detector", "hog"])
        #expect(run.exitCode == 0 && run.error.contains(".gif is not written; -o 'masked/a wave.mp4'"), "\(run.error)")
        let chosen = try bauta(["video", "a wave.gif", "--detector", "hog", "-o", "b.mkv"])
        #expect(chosen.exitCode == 0 && !chosen.error.contains("is not written"), "\(chosen.error)")
    }

    @Test func onlySomeFormatsAreWritten() throws {
        let ada = Repository.root + "/samples/ada.jpg"
        let run = try bauta(["photo", ada, "-o", "x.gif"])
        #expect(run.exitCode == 64 && run.error.contains("results are JPEG, PNG"), "\(run.error)")
        #expect(try folder.names().isEmpty)
        // A folder may have any name.
        #expect(try bauta(["photo", "--no-mask", ada, "-o", "x.gif/"]).exitCode == 0)
        #expect(folder.results(in: "x.gif") == ["ada.jpg"])
        #expect(try bauta(["photo", "--no-mask", "--force", ada, "-o", "x.gif"]).exitCode == 0)
    }

    @Test func aFileThatBeginsWithADash() throws {
        try folder.write("", "-dash.jpg")
        let run = try bauta(["photo", "-dash.jpg"])
        #expect(run.exitCode == 64 && run.error.contains("To name that file, write ./-dash.jpg"), "\(run.error)")
        #expect(try !bauta(["photo", "-other.jpg"]).error.contains("./"))
    }

    @Test func facesMayHaveBeenMissed() throws {
        let rows = Array(repeating: Array(repeating: UInt8(120), count: 90), count: 90)
        try folder.write(PNGBuilder(width: 90, height: 90, colorType: 0, rows: rows).bytes, "wall.png")
        let run = try bauta(["photo", "--force", "--detector", "hog", "wall.png"])
        #expect(run.exitCode == 0 && run.error.contains("If a face was missed: --min-face 20px finds"), "\(run.error)")
        #expect(run.error.contains("--rotated finds"))
        let rotated = try bauta(["photo", "--force", "--detector", "hog", "--rotated", "wall.png"])
        #expect(rotated.error.contains("--min-face") && !rotated.error.contains("--rotated"), "\(rotated.error)")
        #expect(try bauta(["photo", "--force", "--quiet", "wall.png"]).error.isEmpty)
    }

    @Test(arguments: [
        (["mask", "template", "--landmarks", "mesh"], "--landmarks has no effect without --of"),
        (["lab", "evaluate", "mesh", "--detector", "hog"], "--detector has no effect without a clip"),
    ])
    func optionsWithoutEffectAreRefused(_ arguments: [String], _ message: String) throws {
        let run = try bauta(arguments)
        #expect(run.exitCode == 64 && run.error.contains(message), "\(run.error)")
    }

    @Test func ownMasksAreNotRemoved() throws {
        let run = try bauta(["mask", "remove", "wolf"])
        #expect(run.exitCode == 66 && run.error.contains("'wolf' is one of Bauta's own masks"), "\(run.error)")
    }
}

/// What the program says of networks that are missing or damaged.
@Suite(
    .enabled(
        if: NetworkFolder.standard.isUsable,
        "MediaPipe's face networks are not installed; scripts/fetch-networks fetches them"))
struct DamagedNetworkTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func bauta(_ arguments: [String]) throws -> ProgramRun {
        try ProgramRun.bauta(arguments, environment: ["XDG_DATA_HOME": folder.path], folder: folder.path)
    }

    private func install(_ networks: [NetworkFolder.Network], damaged: NetworkFolder.Network? = nil) throws {
        for network in networks + NetworkFolder.Network.hands + NetworkFolder.Network.people {
            let bytes = try NetworkFolder.standard.bytes(of: network)
            let content = network == damaged ? Array(bytes.prefix(bytes.count / 2)) : bytes
            try folder.write(content, "bauta/networks/\(network.rawValue)")
        }
    }

    /// Before there is any face.
    @Test func aDamagedMesh() throws {
        try install(NetworkFolder.Network.mediaPipe, damaged: .mesh)
        let rows = Array(repeating: Array(repeating: UInt8(120), count: 90), count: 90)
        try folder.write(PNGBuilder(width: 90, height: 90, colorType: 0, rows: rows).bytes, "wall.png")
        for options in [[], ["--landmarks", "cascade"]] {
            let run = try bauta(["photo", "wall.png"] + options)
            #expect(
                run.exitCode == 65 && run.error.contains("face_landmark.tflite: is damaged, or not the one"),
                "\(run.error)")
            #expect(run.error.contains("bauta fetch-networks fetches it again"))
        }
        let doctor = try bauta(["doctor"])
        #expect(doctor.output.contains("face_landmark.tflite: is damaged, or not the one"), "\(doctor.output)")
    }

    /// It would run, and call photographs faceless.
    @Test(arguments: NetworkFolder.Network.mediaPipe) func aNetworkOfWhichOneBitIsWrong(
        _ network: NetworkFolder.Network
    ) throws {
        try install(NetworkFolder.Network.mediaPipe)
        var bytes = try NetworkFolder.standard.bytes(of: network)
        bytes[bytes.count / 2] ^= 16
        try folder.write(bytes, "bauta/networks/\(network.rawValue)")
        let run = try bauta(["photo", "--mask", "owl", Repository.root + "/samples/ada.jpg"])
        #expect(run.exitCode == 65 && run.error.contains("\(network.rawValue): is damaged"), "\(run.error)")
    }

    /// Who chooses to blur learns what that leaves out, and that fetching the network mends it: the session looks for it.
    @Test func blurNeedsANetworkForFacesSeenFromTheSide() throws {
        try install(NetworkFolder.Network.mediaPipe)
        let run = try ProgramRun.bauta(
            [
                "live", "drawn", "--headless", "--report", "report", "--no-config", "--mask", "skull", "--when-lost",
                "blur",
            ], environment: ["XDG_DATA_HOME": folder.path], folder: folder.path
        ) {
            try $0.waitForError("Blur is on, but faces seen from the side are not blurred beside others")
            // Damaged, it is found and refused.
            try folder.write([1, 2, 3], "bauta/networks/\(NetworkFolder.Network.centerFace.rawValue)")
            try $0.waitForError("Blur is on, but faces seen from the side cannot be found: ")
            $0.interrupt()
        }
        #expect(run.exitCode == 0 && run.error.contains("run bauta fetch-networks"), "\(run.error)")
        #expect(run.error.matches(of: /are not blurred/).count == 1, "\(run.error)")
    }

    /// The script that fetches them, and the program that loads them, know the same files.
    @Test func theScriptFetchesWhatTheProgramLoads() throws {
        let script = try String(contentsOfFile: Repository.root + "/scripts/fetch-networks", encoding: .utf8)
        for network in NetworkFolder.Network.allCases {
            #expect(script.contains(" \(network.rawValue) "))
            // MediaPipe's networks are there without CenterFace if its package could not be fetched.
            if network == .centerFace, !NetworkFolder.standard.has(network) { continue }
            // Throws unless it is what the program expects.
            _ = try NetworkFolder.standard.bytes(of: network)
            let path = "\(try NetworkFolder.standard.path())/\(network.rawValue)"
            let sum = try ProgramRun.run("/usr/bin/env", ["sha256sum", path]).output.prefix(64)
            #expect(script.contains("\(sum) \(network.rawValue) "))
        }
    }

    /// A live session goes on without it, and says so once.
    @Test(arguments: NetworkFolder.Network.hands) func aDamagedNetworkOfHands(_ network: NetworkFolder.Network) throws {
        try install(NetworkFolder.Network.mediaPipe, damaged: network)
        let clip = folder.path + "/clip.mkv"
        let made = try ProgramRun.run(
            "/usr/bin/env",
            [
                "ffmpeg", "-v", "error", "-loop", "1", "-i", Repository.root + "/samples/ada.jpg", "-frames:v", "12",
                clip,
            ])
        #expect(made.exitCode == 0, "\(made.error)")
        // The networks are loaded beside the first frames, which a busy machine may show sooner.
        let run = try ProgramRun.bauta(
            ["live", "--headless", "--report", "report", "--no-config", "--mask", "skull", "--loop", clip],
            environment: ["XDG_DATA_HOME": folder.path], folder: folder.path
        ) {
            try $0.waitForError("masks are drawn over hands and hair")
            $0.interrupt()
        }
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(run.error.matches(of: /masks are drawn over hands and hair/).count == 1, "\(run.error)")
        #expect(run.error.contains("\(network.rawValue): is damaged"))
    }

    /// Photographs go on without it, too, unless somebody has asked for hands.
    @Test func aDamagedNetworkOfHandsInPhotographs() throws {
        try install(NetworkFolder.Network.mediaPipe, damaged: .palm)
        let ada = Repository.root + "/samples/ada.jpg"
        try FileManager.default.copyItem(atPath: ada, toPath: folder.path + "/twin.jpg")
        let run = try bauta(["photo", "--mask", "skull", "-o", "masked", ada, "twin.jpg"])
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(run.error.matches(of: /palm.*: is damaged.*; masks are drawn over hands/).count == 1, "\(run.error)")
        let asked = try bauta(["photo", "--mask", "skull", "--occluders", "hands", "-o", "asked", ada])
        #expect(asked.exitCode == 65 && asked.error.contains("is damaged"), "\(asked.error)")
        // The mask is drawn as if there were no such networks.
        let plain = try bauta(["photo", "--mask", "skull", "--occluders", "none", "-o", "plain", ada])
        #expect(plain.exitCode == 0, "\(plain.error)")
        #expect(
            try Data(contentsOf: URL(filePath: folder.path + "/masked/ada.jpg"))
                == Data(contentsOf: URL(filePath: folder.path + "/plain/ada.jpg")))
    }

    @Test func aDamagedNetworkOfEyesAndLips() throws {
        try install(NetworkFolder.Network.mediaPipe, damaged: .attention)
        let run = try bauta(["photo", "--mask", "wolf", Repository.root + "/samples/ada.jpg"])
        let words = "face_landmark_with_attention.tflite: is damaged, or not the one"
        #expect(run.exitCode == 65 && run.error.contains(words), "\(run.error)")
    }

    /// Where the network with attention is missing, eyes of masks look straight ahead; who asks for the gaze is told.
    @Test func aMissingNetworkOfEyesAndLips() throws {
        try install([.detector, .mesh])
        #expect(try bauta(["photo", "--mask", "owl", Repository.root + "/samples/ada.jpg"]).exitCode == 0)
        let run = try bauta(["track", "--gaze", "drawn", "--frames", "1"])
        #expect(run.exitCode == 69 && run.error.contains("face_landmark_with_attention.tflite"), "\(run.error)")
        #expect(run.error.contains("bauta fetch-networks"))
        let doctor = try bauta(["doctor"])
        let words = "lacks face_landmark_with_attention.tflite: without them, the eyes of masks"
        #expect(doctor.output.contains(words), "\(doctor.output)")
    }
}
