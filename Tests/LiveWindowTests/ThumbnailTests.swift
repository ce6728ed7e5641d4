import Files
import ImageFiles
import Installation
import LiveWindow
import Pixels
import TestSupport
import Testing

@Suite struct ThumbnailTests {
    private static let side = 48

    /// The thumbnails that a thread has drawn, once there are so many.
    private func drawn(_ count: Int, by thread: ThumbnailThread) throws
        -> [(index: Int, thumbnail: ThumbnailThread.Thumbnail?)]
    {
        var drawn: [(index: Int, thumbnail: ThumbnailThread.Thumbnail?)] = []
        try wait(for: "\(count) thumbnails") {
            drawn += thread.take()
            return drawn.map(\.index)
        } until: {
            $0.count >= count
        }
        return drawn
    }

    /// In the order in which they are wanted, each once; a mask that cannot be loaded has none. The thread starts again
    /// when it has ended.
    @Test func eachIsDrawnOnceInOrder() throws {
        let data = DataFolder(path: FilePath(Repository.root))
        let thread = ThumbnailThread(
            data: data, reference: try data.referenceFace(), mesh: try data.mesh(), side: Self.side)
        let masks = try ["bauta", "trade", "skull"].map { try Repository.mask($0) }
        let requests = masks.enumerated().map { ThumbnailThread.Request(index: $0, folder: nil, mask: $1) }
        let broken = ThumbnailThread.Request(index: 7, folder: "/nowhere/at all", mask: nil)
        thread.draw([requests[2], requests[0], broken])
        // Whichever of them has been begun is not drawn again.
        thread.draw([requests[2], requests[0], broken])
        let first = try drawn(3, by: thread)
        #expect(first.map(\.index) == [2, 0, 7] && first[2].thumbnail == nil)
        thread.draw([requests[1]])
        let second = try drawn(1, by: thread)
        #expect(second.map(\.index) == [1])
        var colors: Set<SIMD4<UInt16>> = []
        for thumbnail in (first + second).compactMap(\.thumbnail) {
            #expect(thumbnail.pixels.width == Self.side && thumbnail.pixels.height == Self.side)
            // The forehead wears the mask.
            colors.insert(thumbnail.pixels[Self.side / 2, Self.side / 3])
        }
        #expect(colors.count == 3)
    }

    /// A mask that cannot be drawn shows the picture that its package brings: in the middle, as a whole, on grey.
    @Test func thePictureOfAPackageStandsIn() throws {
        let data = DataFolder(path: FilePath(Repository.root))
        let thread = ThumbnailThread(
            data: data, reference: try data.referenceFace(), mesh: try data.mesh(), side: Self.side)
        let folder = try TemporaryFolder()
        try folder.write("not a mask", "with/mask.json")
        try folder.write("not a mask", "without/mask.json")
        var pixels = try PixelBuffer(width: 20, height: 10, format: .rgba8)
        pixels.fill(SIMD4(200, 100, 0, 255))
        for y in 0..<10 { pixels.withMutableRow(y) { row in for x in 10..<20 { row[x].w = 0 } } }
        let place = FilePath(folder.path)
        try PictureWriter.write(
            Picture(pixels: pixels, hasAlpha: true), to: place / "with/thumbnail.png", options: .init(format: .png),
            replacing: false)
        thread.draw([
            .init(index: 0, folder: place / "with", mask: nil), .init(index: 1, folder: place / "without", mask: nil),
        ])
        let drawn = try drawn(2, by: thread)
        #expect(drawn[1].thumbnail == nil)
        let shown = try #require(drawn[0].thumbnail)
        let side = Self.side
        #expect(shown.pixels[side / 4, side / 2] == SIMD4(200, 100, 0, 255))
        let grey = shown.pixels[3 * side / 4, side / 2]
        #expect(grey == shown.pixels[side / 4, side / 8] && grey == shown.pixels[side / 4, 7 * side / 8])
        #expect(grey.x < 60 && grey.w == 255)
    }
}
