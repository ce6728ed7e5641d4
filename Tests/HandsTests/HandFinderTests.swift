import FaceGeometry
import Foundation
import Hands
import ImageFiles
import NeuralNetworks
import Pixels
import TestSupport
import Testing

private let clip = SharedData.root + "/clips/hands_eat.mkv"
private let canRun = NetworkFolder.standard.hasHands && FileManager.default.fileExists(atPath: clip)

/// On a real clip: a man brings his hand to his mouth (frames 16 to 32).
@Suite(.enabled(if: canRun, "the networks of hands, or \(SharedData.absence)")) struct HandFinderTests {
    private let folder: TemporaryFolder
    /// Around the face in those frames.
    private let target = HandTarget(
        vertices: [Point(264, 110), Point(336, 110), Point(336, 160), Point(300, 188), Point(264, 160)], width: 68)

    init() throws { folder = try TemporaryFolder() }

    private func frames(from first: Int, count: Int, of name: String = "hands_eat") throws -> [String] {
        let pattern = folder.path + "/%d.png"
        let clip = SharedData.root + "/clips/\(name).mkv"
        let run = try ProgramRun.run(
            "/usr/bin/env",
            ["ffmpeg", "-v", "error", "-i", clip, "-vf", "trim=start_frame=\(first)", "-frames:v", "\(count)", pattern])
        #expect(run.exitCode == 0, "\(run.error)")
        return (1...count).map { "\(folder.path)/\($0).png" }
    }

    @Test func aHandBeforeAMouthIsFound() throws {
        let finder = try HandFinder(.standard)
        let path = try frames(from: 26, count: 1)[0]
        let picture = try PictureReader.read(path)
        let hands = try finder.find(from: [], near: [target], in: picture.pixels, searching: [3.5])
        #expect(hands.count == 1)
        let hand = try #require(hands.first)
        #expect(hand.presence > 0.9 && (30...55).contains(hand.size))
        #expect(hand.wrist.y > 195, "the arm comes from below")
        #expect(hand.points.contains { (Point(298, 170) - $0).length < 8 }, "fingertips are at the lips")
        // Nobody has a hand there.
        let elsewhere = HandTarget(vertices: [Point(20, 20), Point(60, 20), Point(40, 60)], width: 40)
        #expect(try finder.find(from: [], near: [elsewhere], in: picture.pixels, searching: HandTarget.sides).isEmpty)
        #expect(try finder.find(from: [], near: [target], in: picture.pixels, searching: []).isEmpty)
    }

    /// The network of landmarks is not sure of a blurred hand, but its palm is seen.
    @Test func aBlurredHandIsFound() throws {
        let face = HandTarget(
            vertices: [Point(256, 72), Point(330, 72), Point(330, 130), Point(293, 166), Point(256, 130)], width: 71)
        let path = try frames(from: 15, count: 1, of: "hands_brother")[0]
        let picture = try PictureReader.read(path)
        let finder = try HandFinder(.standard)
        let hands = try finder.find(from: [], near: [face], in: picture.pixels, searching: [3.5])
        #expect(!hands.isEmpty)
        // In a photograph, nothing is blurred as much.
        #expect(try finder.find(near: face, in: picture.pixels, isThorough: false).isEmpty)
    }

    /// Of 16 bits, only a part is looked at, with 8.
    @Test func aHandInADeepPictureIsTheSame() throws {
        let path = try frames(from: 26, count: 1)[0]
        let picture = try PictureReader.read(path)
        var deep = try PixelBuffer(width: picture.pixels.width, height: picture.pixels.height, format: .rgba16)
        let stride = deep.bytesPerRow
        deep.withUnsafeMutableBytes { bytes in
            for y in 0..<picture.pixels.height {
                for x in 0..<picture.pixels.width {
                    let color = picture.pixels[x, y]
                    for channel in 0..<4 {
                        let value = UInt16(color[channel]) * 257
                        bytes.storeBytes(of: value, toByteOffset: y * stride + 8 * x + 2 * channel, as: UInt16.self)
                    }
                }
            }
        }
        let finder = try HandFinder(.standard)
        let ofShallow = try finder.find(near: target, in: picture.pixels)
        let ofDeep = try finder.find(near: target, in: deep)
        let (shallow, hand) = (try #require(ofShallow.first), try #require(ofDeep.first))
        for (point, other) in zip(hand.points, shallow.points) { #expect((point - other).length < 0.5) }
        let follower = try HandFollower(.standard, inBackground: false)
        let followedHands = try follower.follow([target], in: deep)
        let followed = try #require(followedHands.first)
        for (point, other) in zip(followed.points, shallow.points) { #expect((point - other).length < 0.5) }
        #expect(follower.isAlert)
        // Fingertips are at the lips, the wrist is below the chin, and the forehead is free.
        #expect(hand.contains(Point(298, 172)) && !hand.contains(Point(300, 115)))
    }

    /// A hand that comes fast is known with the first picture in which it moves, or as late as another thread is.
    @Test(arguments: [0, 1, 3]) func aHandThatComesIsKnownAsSoonAsItMoves(pictures: Int) throws {
        let follower =
            try pictures == 0
            ? HandFollower(.standard, inBackground: false) : HandFollower(.standard, pictures: pictures)
        let face = HandTarget(
            vertices: [Point(256, 72), Point(330, 72), Point(330, 130), Point(293, 166), Point(256, 130)], width: 70)
        var first: Int?
        for (index, path) in try frames(from: 8, count: 16, of: "hands_brother").enumerated() {
            let picture = try PictureReader.read(path)
            if try !follower.follow([face], in: picture.pixels).isEmpty, first == nil { first = 8 + index }
        }
        // Outlined by eye, the hand covers a part of the face from the 18th frame on.
        #expect(try #require(first) <= 17 + pictures, "\(String(describing: first))")
    }

    @Test(arguments: [false, true]) func aHandIsFollowed(inBackground: Bool) throws {
        let follower = try HandFollower(.standard, inBackground: inBackground)
        var found: [Int] = []
        for path in try frames(from: 18, count: 9) {
            let picture = try PictureReader.read(path)
            found.append(try follower.follow([target], in: picture.pixels).count)
            // Another thread takes its time: the last picture stands still until it has ended.
            for _ in 0..<6000 where inBackground && found.count == 9 && found.last != 1 {
                usleep(20_000)
                found[8] = try follower.follow([target], in: picture.pixels).count
            }
        }
        #expect(found.last == 1, "\(found)")
        if !inBackground { #expect(found.allSatisfy { $0 == 1 }, "\(found)") }
        follower.forget()
        let empty = try PixelBuffer(width: 64, height: 64, format: .rgba8)
        #expect(try follower.follow([], in: empty).isEmpty)
    }
}
