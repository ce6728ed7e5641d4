import Files
import ImageFiles
import Pixels
import TestSupport
import Testing

/// What a header says must be true of the picture, since memory is granted by it.
@Suite struct PictureHeaderTests {
    @Test func headersSayWhatIsRead() throws {
        let folder = try TemporaryFolder()
        var files =
            WholePictures.tiffs() + WholePictures.gifs() + WholePictures.webps() + WholePictures.bmps()
            + WholePictures.netpbms() + WholePictures.cmykJPEGs()
        for format in PictureFormat.allCases {
            for isDeep in [false, true] {
                let pixels = try PixelBuffer(width: 40, height: 30, format: isDeep ? .rgba16 : .rgba8)
                let picture = Picture(pixels: pixels)
                files.append(try PictureWriter.encode(picture, options: .init(format: format), path: "out").bytes())
            }
        }
        for (index, file) in files.enumerated() {
            let path = try folder.write(file, "\(index)")
            let header = try #require(PictureHeader(path: FilePath(path)), "\(index)")
            let picture = try PictureReader.read(file, path: path)
            let sides = [picture.pixels.width, picture.pixels.height]
            // Video encoders round sides up; the file says what to crop.
            let isRounded = header.format == .heic || header.format == .avif
            let stated = [header.width, header.height].sorted()
            #expect(isRounded ? stated[0] >= 30 && stated[1] >= 40 : stated == sides.sorted(), "\(index)")
            #expect((header.bitsPerComponent == 16) == (picture.pixels.format == .rgba16), "\(index)")
            let format = picture.format
            #expect(header.format == format, "\(index)")
        }
    }
}
