import FaceGeometry
import Files
import Foundation
import Masks
import Pixels
import Synchronization
import TestSupport
import Testing

/// Masks that somebody made to stop the program.
@Suite struct HostileMaskTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func problems(
        _ layers: [String], longestReading: Duration = .seconds(60), animations: MaskLoader.AnimationDecoder? = nil
    ) throws -> MaskProblems {
        try folder.write(
            #"{"format": 1, "name": "x", "layers": [\#(layers.joined(separator: ", "))]}"#, "mask.json")
        return MaskLoader(
            reference: try Repository.referenceFace(), animations: animations, longestReading: longestReading
        ).read(PackageFiles(folder: folder.path)).problems
    }

    /// Draws for minutes.
    private func writeSlowPicture(_ name: String) throws {
        let noise = String(repeating: #"<feTurbulence baseFrequency="0.05" numOctaves="20"/>"#, count: 50)
        try folder.write(
            #"<svg xmlns="http://www.w3.org/2000/svg" width="8192" height="8192">"#
                + #"<filter id="f" x="0" y="0" width="1" height="1">\#(noise)</filter>"#
                + ##"<rect width="8192" height="8192" filter="url(#f)"/></svg>"##, name)
    }

    /// Each frame of each layer was drawn again: hours.
    @Test func aPictureThatFailsIsTriedOnce() throws {
        try writeSlowPicture("slow.svg")
        let frames = #"{"type": "warp", "animation": {"frames": ["slow.svg", "slow.svg"]}}"#
        let found = try problems([frames, frames, frames], longestReading: .seconds(1)).errors
        // If it were tried again, no time would be left.
        #expect(found.errorCount == 6 && found.listed.allSatisfy { $0.code == .textureTooLarge }, "\(found.listed)")
    }

    @Test func allPicturesShareATime() throws {
        try writeSlowPicture("slow.svg")
        try writeSlowPicture("other.svg")
        let layers = ["slow", "other"].map { #"{"type": "warp", "texture": "\#($0).svg"}"# }
        // Each may take a second, of which it gets a part on a busy machine before three have passed.
        let found = try problems(layers, longestReading: .milliseconds(1)).errors.listed
        #expect(found.map(\.code) == [.textureTooLarge, .picturesTooSlow], "\(found)")
    }

    /// A program that was stopped meanwhile, or shares its processors with many others, has not used that time.
    @Test func timeThatOthersUseDoesNotCount() throws {
        for name in ["a", "b"] { try folder.write("film", name + ".gif") }
        let layers = ["a", "b"].map { #"{"type": "warp", "animation": {"file": "\#($0).gif"}}"# }
        let frame = Texture(path: "frame", pixels: try plain(300, 300, SIMD4(repeating: 255)))
        let found = try problems(layers, longestReading: .milliseconds(500)) { _, _ in
            usleep(700_000)
            return ([frame, frame], [0.1, 0.1])
        }.errors
        #expect(found.listed.isEmpty, "\(found.listed)")
    }

    private struct Refusal: Error {}

    @Test func anAnimationThatFailsIsTriedOnce() throws {
        try folder.write("no film", "a.gif")
        let calls = Mutex(0)
        let layers = [String](repeating: #"{"type": "warp", "animation": {"file": "a.gif"}}"#, count: 9)
        let found = try problems(layers) { _, _ in
            calls.withLock { $0 += 1 }
            throw Refusal()
        }
        #expect(found.errorCount == 9 && calls.withLock { $0 } == 1)
    }

    /// Layers that fail count: otherwise, a group could have any number of them.
    @Test func layersThatFailCount() throws {
        let layers = try (0..<100).map { index in
            try folder.write("no film", "\(index).gif")
            return #"{"type": "warp", "animation": {"file": "\#(index).gif"}}"#
        }
        let calls = Mutex(0)
        let group = #"{"type": "group", "layers": [\#(layers.joined(separator: ", "))]}"#
        let found = try problems([group, group]) { _, _ in
            calls.withLock { $0 += 1 }
            throw Refusal()
        }
        #expect(found.errorCount == 65 && calls.withLock { $0 } == 64)
    }

    /// Sixty-four animations of the largest size took 32 GB.
    @Test func allAnimationsShareTheLimitOfPixels() throws {
        let layers = try (0..<3).map { index in
            try folder.write("film", "\(index).gif")
            return #"{"type": "warp", "animation": {"file": "\#(index).gif"}}"#
        }
        let limits = Mutex<[Int]>([])
        _ = try problems(layers + layers) { path, limit in
            limits.withLock { $0.append(limit.pixels) }
            let frames = try (0..<2).map { _ in
                Texture(path: path, pixels: try PixelBuffer(width: 100, height: 50, format: .rgba8))
            }
            return (frames, [1, 1])
        }
        let most = MaskLoader.maximumAnimationPixels
        #expect(limits.withLock { $0 } == [most, most - 10_000, most - 20_000])
    }

    /// They were 50 MB of messages.
    @Test func halfAMillionProblemsAreCountedAndNotListed() throws {
        let keys = (0..<50_000).map { "\"\($0)\": 0" }.joined(separator: ", ")
        let found = try problems([#"{"type": "warp", \#(keys)}"#])
        #expect(found.errorCount == 50_001)
        #expect(found.errors.listed.count == MaskProblems.mostListed)
        #expect(found.omittedCount == 50_001 - MaskProblems.mostListed)
        #expect(found.listed.last?.code == .missingLicense, "warnings have a list of their own")
    }
}
