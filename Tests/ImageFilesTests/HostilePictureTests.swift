import Foundation
import ImageFiles
import TestSupport
import Testing

/// Pictures that somebody made to stop the program.
@Suite struct HostilePictureTests {
    /// A picture in memory.
    private static let side = 4096

    private static func read(_ bytes: [UInt8]) throws(PictureError) -> Picture {
        try PictureReader.read(bytes, path: "hostile", maximumSide: side)
    }

    private static func encode(_ picture: borrowing Picture, _ format: PictureFormat) throws -> [UInt8] {
        try PictureWriter.encode(picture, options: .init(format: format), path: "result").bytes()
    }

    /// A segment of quantisation steps, two bytes each, for both tables.
    private static func tables(_ step: Int) -> [UInt8] {
        let table = (0..<64).flatMap { _ in [UInt8(step >> 8), UInt8(step & 0xFF)] }
        return [0x10] + table + [0x11] + table
    }

    /// libjpeg divides by the steps modulo 8192 when it compresses again: that ended the process with SIGFPE.
    @Test(arguments: [0, 1, 8191, 8192, 8193, 57_344, 65_535]) func quantisationStepsOfAnySize(_ step: Int) throws {
        let kind = WholePictures.jpeg(quality: 80)
        let start = try #require(kind.firstRange(of: [0xFF, 0xDA])).lowerBound
        var file = Array(kind[..<start])
        let segment = Self.tables(step)
        file += [0xFF, 0xDB, UInt8((segment.count + 2) >> 8), UInt8((segment.count + 2) & 0xFF)] + segment
        let picture = try Self.read(file + kind[start...])
        let again = try Self.read(try Self.encode(picture, .jpeg))
        #expect(again.pixels.bounds == picture.pixels.bounds)
    }

    /// libjpeg looks through the list of markers for each one that it keeps: a million took hours.
    @Test(arguments: [[0xFE, 0, 2], [0xE1, 0, 2], [0xED, 0, 2], [0xFF, 0xFF], [0xD0]] as [[UInt8]])
    func aMillionMarkers(_ marker: [UInt8]) throws {
        let file = WholePictures.jpeg(quality: 80)
        let markers = [[UInt8]](repeating: [0xFF] + marker, count: 1_000_000).flatMap { $0 }
        let picture = try Self.read(file[..<2] + markers + file[2...])
        #expect(try Self.encode(picture, .jpeg).count < 2 * file.count)
    }

    /// Resources that continue in the next marker were copied for each of them.
    @Test func resourcesInManyMarkers() throws {
        let file = WholePictures.jpeg(quality: 80)
        let part = Array("Photoshop 3.0\0".utf8) + [UInt8](repeating: 0, count: 1000)
        let marker: [UInt8] = [0xFF, 0xED, UInt8((part.count + 2) >> 8), UInt8((part.count + 2) & 0xFF)] + part
        let markers = [[UInt8]](repeating: marker, count: 20_000).flatMap { $0 }
        _ = try Self.read(file[..<2] + markers + file[2...])
    }

    /// A text that does not fit was decompressed up to the limit, again for each text.
    @Test func textsThatBecomeLargeInAPNG() throws {
        let bomb = PNGBuilder.chunk("zTXt", Array("Comment\0\0".utf8) + Deflate.zeros(40_000_000))
        let file = WholePictures.png()
        let bombs = [[UInt8]](repeating: bomb, count: 200).flatMap { $0 }
        let picture = try Self.read(file[..<33] + bombs + file[33...])
        #expect(try Self.encode(picture, .png).count < 20_000)
    }

    /// Many chunks of a kind that a file has once are kept once.
    @Test func chunksThatRepeatInAPNG() throws {
        let chunk = PNGBuilder.chunk("pHYs", PNGBuilder.big(1) + PNGBuilder.big(1) + [1])
        let file = WholePictures.png()
        let chunks = [[UInt8]](repeating: chunk, count: 100_000).flatMap { $0 }
        let picture = try Self.read(file[..<33] + chunks + file[33...])
        #expect(try Self.encode(picture, .png).count < 20_000)
    }

    /// Damaged files of the other formats: each is a picture or an error, and a picture can be written.
    @Test(arguments: [WholePictures.tiffs(), WholePictures.gifs(), WholePictures.webps()])
    func damagedFiles(_ files: [[UInt8]]) throws {
        var readCount = 0
        for seed in 0..<60 {
            let damaged = BrokenBytes.damaged(files[seed % files.count], seed: seed)
            guard let picture = try? Self.read(damaged) else { continue }
            readCount += 1
            let format = picture.format ?? .png
            let again = try Self.read(try Self.encode(picture, format))
            #expect(again.pixels.bounds == picture.pixels.bounds)
        }
        // Some damage does not matter, and most does.
        #expect((1..<50).contains(readCount), "\(readCount)")
    }

    /// Each is a picture or an error, and a picture can be written in a format, each in another, or the error says why not.
    @Test(arguments: 0..<3) func brokenPictures(_ part: Int) throws {
        for index in stride(from: part, to: 90, by: 3) {
            let broken = BrokenPictures.draw(index)
            do {
                let picture = try Self.read(broken.bytes)
                // What was written can be read.
                let format = PictureFormat.allCases[index % PictureFormat.allCases.count]
                _ = try Self.read(try Self.encode(picture, format))
            } catch let error as PictureError {
                #expect(!error.reason.hasSuffix(": "), "\(broken.name): \(error)")
            }
        }
    }
}
