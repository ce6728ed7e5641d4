import Foundation
import ImageFiles
import Pixels
import TestSupport
import Testing

/// `bauta photo --layers`.
@Suite struct PhotoLayersTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func photo(_ arguments: String...) throws -> ProgramRun {
        try ProgramRun.bauta(["photo"] + arguments, environment: ["HOME": folder.path], folder: folder.path)
    }

    private struct Layered {
        /// From the top down.
        var names: [String] = []
        /// The largest difference of a component between the layers over each other and a picture, of 255.
        var largestDifference = 0
        /// Of `mergedimage.png` from the same picture.
        var largestDifferenceOfMerged = 0
    }

    /// Unpacks a file with another reader of archives, and lays its layers over each other.
    /// - Parameter usual: the path of the picture that they are compared with.
    private func read(_ layered: String, usual: String) throws -> Layered {
        let place = folder.path + "/unpacked-\(UUID())"
        let unpacked = try ProgramRun.run("/usr/bin/env", ["python3", "-m", "zipfile", "-e", layered, place])
        try #require(unpacked.exitCode == 0, "\(unpacked.error)")
        // The first file names the format, and is not compressed.
        let start = try Data(contentsOf: URL(fileURLWithPath: layered)).prefix(38)
        #expect(Data(start[30...]) == Data("mimetype".utf8) && start[8] == 0 && start[9] == 0)
        #expect(try String(contentsOfFile: place + "/mimetype", encoding: .utf8) == "image/openraster")
        let stack = try String(contentsOfFile: place + "/stack.xml", encoding: .utf8)
        let usual = try PictureReader.read(usual).pixels.withEightBits()
        let (width, height) = (usual.width, usual.height)
        #expect(stack.contains("w=\"\(width)\" h=\"\(height)\""))
        var result = Layered()
        var pixels = [SIMD4<Double>](repeating: .zero, count: width * height)
        let layer = /<layer name="([^"]*)" src="([^"]*)" x="(\d+)" y="(\d+)" opacity="1.0" .*"svg:src-over"/
        for match in stack.matches(of: layer).reversed() {
            result.names.insert(String(match.1), at: 0)
            let (x, y) = (try #require(Int(match.3)), try #require(Int(match.4)))
            let part = try PictureReader.read("\(place)/\(match.2)").pixels.withEightBits()
            for row in 0..<part.height {
                for column in 0..<part.width {
                    let source = SIMD4<Double>(part[column, row]) / 255
                    let index = (y + row) * width + x + column
                    // Normal blending (W3C, Compositing and Blending Level 1, 5.1) on an opaque picture.
                    pixels[index] = source * source.w + pixels[index] * (1 - source.w)
                    pixels[index].w = 1
                }
            }
        }
        let merged = try PictureReader.read(place + "/mergedimage.png").pixels.withEightBits()
        for y in 0..<height {
            for x in 0..<width {
                let wanted = usual[x, y]
                for index in 0..<3 {
                    let value = Int((255 * pixels[y * width + x][index]).rounded())
                    result.largestDifference = max(result.largestDifference, abs(value - Int(wanted[index])))
                    let other = abs(Int(merged[x, y][index]) - Int(wanted[index]))
                    result.largestDifferenceOfMerged = max(result.largestDifferenceOfMerged, other)
                }
            }
        }
        let thumbnail = try PictureReader.read(place + "/Thumbnails/thumbnail.png")
        #expect((1...256).contains(thumbnail.pixels.width) && (1...256).contains(thumbnail.pixels.height))
        return result
    }

    private static let hasReader = (try? ProgramRun.run("/usr/bin/env", ["python3", "--version"]))?.exitCode == 0

    /// Wolf: props, stickers, multiplied layers; makeup: pigments; old-age: the person's own face, several blend modes.
    @Test(
        .enabled(if: hasReader, "python3 is needed"),
        arguments: [Repository.root + "/Tests/Masks/wolf", "makeup", "old-age"].prefix(SlowTests.areWanted ? 3 : 1))
    func layersMakeTheUsualResult(_ mask: String) throws {
        let input = try folder.write(try SmallSample.bytes("dalia"), "dalia.jpg")
        let layered = try photo("--mask", mask, "--layers", "--output", "layers", input)
        #expect(layered.exitCode == 0, "\(layered.error)")
        #expect(folder.results(in: "layers") == ["dalia.ora"])
        let usual = try photo("--mask", mask, "--format", "png", "--output", "usual", input)
        #expect(usual.exitCode == 0, "\(usual.error)")
        let found = try read(folder.path + "/layers/dalia.ora", usual: folder.path + "/usual/dalia.png")
        #expect(found.names.count >= 2 && found.names.last == "Photograph", "\(found.names)")
        #expect(found.largestDifference <= 1 && found.largestDifferenceOfMerged == 0, "\(found)")
    }

    /// Without a face, the file shows the photograph alone.
    @Test(.enabled(if: hasReader, "python3 is needed")) func aPhotographWithoutFacesHasOneLayer() throws {
        var wall = try PixelBuffer(width: 320, height: 240, format: .rgba8)
        wall.fill(SIMD4(120, 130, 140, 255))
        let path = folder.path + "/wall.png"
        try PictureWriter.write(
            Picture(pixels: wall), to: path, options: .init(format: .png), replacing: false)
        let run = try photo("--layers", "--output", "wall.ora", path)
        #expect(run.exitCode == 0, "\(run.error)")
        let found = try read(folder.path + "/wall.ora", usual: path)
        #expect(found.names == ["Photograph"] && found.largestDifference == 0, "\(found)")
    }

    @Test func contradictionsAreRefused() throws {
        let input = Repository.root + "/samples/ada.jpg"
        for arguments in [
            ["--anonymise"], ["--only", "Ada"], ["--format", "png"], ["--no-face", "blur"], ["--output", "ada.png"],
        ] {
            let run = try ProgramRun.bauta(
                ["photo", "--layers", input] + arguments, environment: ["HOME": folder.path], folder: folder.path)
            #expect(run.exitCode == 64 && run.error.contains("--layers"), "\(arguments): \(run.error)")
        }
        let unnamed = try photo("--output", "ada.ora", input)
        #expect(unnamed.exitCode == 64 && unnamed.error.contains("--layers"), "\(unnamed.error)")
        #expect(folder.results(in: ".").allSatisfy { !$0.hasPrefix("ada") })
    }
}
