import Foundation
import ImageFiles
import NeuralNetworks
import Pixels
import TestSupport
import Testing

private let clip = SharedData.root + "/clips/hands_eat.mkv"
private let canRun = NetworkFolder.standard.hasHands && FileManager.default.fileExists(atPath: clip)

/// A man whose hand is at his lips.
@Suite(.enabled(if: canRun, "the networks of hands, or \(SharedData.absence)")) struct ShownHandsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let run = try ProgramRun.run(
            "/usr/bin/env",
            [
                "ffmpeg", "-v", "error", "-i", clip, "-vf", "trim=start_frame=26", "-frames:v", "1",
                folder.path + "/man.png",
            ])
        #expect(run.exitCode == 0, "\(run.error)")
    }

    /// How many pixels differ from the photograph, in all and where the hand is.
    private func changed(_ options: [String], environment: [String: String] = [:]) throws -> (all: Int, hand: Int) {
        let run = try ProgramRun.bauta(
            ["photo", "--output", "out", "--force"] + options + ["man.png"], environment: environment,
            folder: folder.path)
        #expect(run.exitCode == 0, "\(run.error)")
        let before = try PictureReader.read(folder.path + "/man.png")
        let after = try PictureReader.read(folder.path + "/out/man.png")
        var (all, hand) = (0, 0)
        for y in 0..<before.pixels.height {
            for x in 0..<before.pixels.width where before.pixels[x, y] != after.pixels[x, y] {
                all += 1
                hand += (290..<310).contains(x) && (170..<182).contains(y) ? 1 : 0
            }
        }
        return (all, hand)
    }

    @Test func aHandIsBeforeTheMask() throws {
        let covered = try changed(["--mask", "skull", "--occluders", "none"])
        let shown = try changed(["--mask", "skull"])
        #expect(covered.hand > 200, "the mask lies where the hand is")
        #expect(shown.hand < covered.hand / 10 && shown.all > covered.all * 3 / 4, "\(shown) of \(covered)")
        // One that says nothing, and one that covers everything.
        func manifest(_ under: String) -> [UInt8] {
            Array(
                """
                {"format": 1, "name": "x", \(under) "layers": [{"type": "warp", "texture": "t.png", "openings": []}]}
                """.utf8)
        }
        let picture = PNGBuilder(
            width: 8, height: 8, colorType: 2,
            rows: Array(repeating: Array(repeating: [0, 0, 255], count: 8).flatMap { $0 }, count: 8))
        try folder.write(picture.bytes, "plain/t.png")
        try folder.write(manifest(""), "plain/mask.json")
        let plain = try changed(["--mask", "plain"]).hand
        #expect(plain < 80, "\(plain) of 240, with the edge")
        try folder.write(manifest("\"under\": [],"), "plain/mask.json")
        #expect(try changed(["--mask", "plain"]).hand == 240)
    }

    /// Without a message.
    @Test func withoutTheNetworksMasksAreDrawnOverHands() throws {
        let networks = folder.path + "/data/bauta/networks"
        for network in NetworkFolder.Network.mediaPipe {
            try folder.write(try NetworkFolder.standard.bytes(of: network), "data/bauta/networks/\(network.rawValue)")
        }
        let covered = try changed(["--mask", "skull", "--occluders", "none"])
        #expect(try changed(["--mask", "skull"], environment: ["XDG_DATA_HOME": folder.path + "/data"]) == covered)
        #expect(!FileManager.default.fileExists(atPath: networks + "/palm_detection_full.tflite"))
    }

    @Test func withoutTheNetworksNobodyWaitsForAHand() throws {
        let run = try ProgramRun.bauta(
            ["photo", "--occluders", "hands", "--landmarks", "cascade", "man.png"],
            environment: ["XDG_DATA_HOME": folder.path], folder: folder.path)
        #expect(run.exitCode == 69 && run.error.contains("bauta fetch-networks"), "\(run.error)")
    }

    /// Covers hide everything, whatever is before them.
    @Test func nothingIsBeforeACover() throws {
        for style in ["solid", "blur"] {
            let cover = try changed(["--anonymise", "--cover", style])
            #expect(cover.hand == 240, "\(style): \(cover)")
        }
    }
}
