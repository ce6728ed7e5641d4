import FaceGeometry
import Foundation
import ImageFiles
import Pixels
import SyntheticFaces
import TestSupport
import Testing

extension ExclusiveWindowTests {
    /// Portraits that are dropped on the window of `bauta live`.
    @Suite(
        .serialized,
        .enabled(if: TestDisplay.isPossible, "Xvfb, xdotool and openbox are needed: scripts/test installs them"))
    struct LivePortraitTests {
        let folder: TemporaryFolder
        private let display: TestDisplay

        init() throws {
            folder = try TemporaryFolder()
            display = try TestDisplay(folder: folder.path)
        }

        /// Drawn people beside each other.
        /// - Parameters:
        ///   - center: of each face, as shares of its part of the picture.
        ///   - faceWidth: in pixels.
        ///   - hat: the colour of all that is above the brows.
        private func draw(
            _ name: String, yaw: Float = 0, pitch: Float = 0, count: Int = 1, center: Point = Point(0.5, 0.48),
            faceWidth: Float = 200, hat: SIMD4<UInt8>? = nil
        ) throws -> String {
            let side = 480
            var picture = try PixelBuffer(width: side * max(1, count), height: side, format: .rgba8)
            picture.fill(SIMD4(150, 158, 165, 255))
            for number in 0..<count {
                var face = Sample.all[number].face
                face.pose = Pose(yaw: yaw, pitch: pitch, roll: 0)
                let person = try SyntheticPortrait(
                    face, width: side, height: side,
                    placement: DrawnFacePlacement(center: Float(side) * center, faceWidth: faceWidth),
                    reference: Repository.referenceFace())
                picture.paste(person.pixels, x: number * side, y: 0)
                guard let hat else { continue }
                let brows = (17..<27).map { person.instance.face.landmarks[$0].y }.min() ?? 0
                for y in 0..<Int(brows - 0.04 * faceWidth) {
                    picture.withMutableRow(y) { row in
                        for x in number * side..<(number + 1) * side { row[x] = hat }
                    }
                }
            }
            let path = folder.path + "/" + name
            try PictureWriter.write(Picture(pixels: picture), to: path, options: .init(format: .png), replacing: false)
            return path
        }

        /// The same are refused as by `mask new`, each with its reason; the mask stays, and a good one is worn without its
        /// hat. Two people are shown with it: of none of them a mask is meant.
        @Test func unsuitablePortraitsAreRefused() throws {
            defer { display.stop() }
            let cases = [
                (try draw("aside.png", yaw: 0.75), "the face is turned to the side by"),
                (try draw("small.png", faceWidth: 60), "pixels wide; a mask needs at least 80"),
                (try draw("cut.png", center: Point(0.86, 0.48)), "part of the face is outside the picture"),
                (try draw("wall.png", count: 0), "no face was found in it"),
                (try folder.write("no picture", "text.jpg"), "text.jpg"),
            ]
            let two = try draw("two é.png", count: 2)
            let green = SIMD4<UInt8>(20, 220, 40, 255)
            let good = try draw("good##1.png", hat: green)
            let run = try ProgramRun.bauta(
                ["live", "drawn", "--no-config"], environment: display.environment, folder: folder.path
            ) { program in
                let window = try display.window(of: program)
                try display.waitForTitle("Bauta – mask: bauta", of: window)
                for (path, words) in cases {
                    try display.drop(path, on: window)
                    try program.wait(for: "'\(words)' about \(path)") {
                        program.errorSoFar
                    } until: {
                        let name = URL(fileURLWithPath: path).lastPathComponent
                        return $0.split(separator: "\n").contains { $0.contains(name) && $0.contains(words) }
                    }
                }
                try display.waitForTitle("Bauta – mask: bauta", of: window)
                try display.waitForPicture(window, WindowTests.isMasked)
                try display.press("space")
                let before = try display.settledPicture(window, in: .face)
                try display.drop(good, on: window)
                try display.waitForTitle("Bauta – mask: good##1.png", of: window)
                let worn = try display.waitForPicture(
                    window, .differs(from: before, "the one with the mask bauta", in: .face, by: 0.3))
                #expect(worn.share(of: .whole, near: green) < 0.0005)
                try display.press("space")
                try display.drop(two, on: window)
                try program.waitForError("Source: ")
                try display.press("q")
            }
            #expect(run.exitCode == 0, "\(run.error)")
        }
    }
}
