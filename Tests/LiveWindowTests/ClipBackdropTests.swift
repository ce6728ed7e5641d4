import Backgrounds
import Glibc
import ImageFiles
import LiveWindow
import NeuralNetworks
import Pixels
import TestSupport
import Testing

private let absence: Comment = "MediaPipe's networks of people are not installed; scripts/fetch-networks fetches them"

/// A clip behind people.
@Suite struct ClipBackdropTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Half a second of red, and as much of blue.
    private func makeClip() throws -> ClipBackdrop {
        let path = folder.path + "/red and blue é.mp4"
        let colours = ["red", "blue"].flatMap { ["-f", "lavfi", "-i", "color=\($0):size=64x64:rate=20:duration=0.5"] }
        let run = try ProgramRun.run(
            "/usr/bin/env",
            ["ffmpeg", "-v", "error"] + colours
                + ["-filter_complex", "concat=n=2", "-pix_fmt", "yuv420p", path])
        #expect(run.exitCode == 0, "\(run.error)")
        return try ClipBackdrop(.init(path))
    }

    @Test(.enabled(if: NetworkFolder.standard.hasPerson, absence))
    func aClipIsPlayedBehindAPersonInALoop() throws {
        let portrait = try PictureReader.read(Repository.root + "/samples/ada.jpg").pixels.copy()
        let replacer = try BackgroundReplacer(moving: makeClip(), networks: .standard)
        func corner() throws -> SIMD4<UInt16> {
            var picture = try portrait.copy()
            try replacer.apply(to: &picture)
            #expect(
                picture[picture.width / 2, picture.height / 2] == portrait[picture.width / 2, picture.height / 2],
                "the face stays as it is")
            return picture[2, 2]
        }
        let first = try corner()
        #expect(first == SIMD4(0, 0, 0, 255), "the room is not shown before the clip")
        for (index, part) in [0, 2, 0, 2].enumerated() {
            try wait(for: "part \(index)") {
                try corner()
            } until: { (color: SIMD4<UInt16>) -> Bool in
                let others = max(color[1], color[2 - part])
                return color[part] > 200 && others < 60
            }
        }
    }
}
