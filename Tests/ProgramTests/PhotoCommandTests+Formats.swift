import Files
import ImageFiles
import TestSupport
import Testing

/// Photographs in every format.
extension PhotoCommandTests {
    private func write(_ format: PictureFormat, _ name: String) throws {
        let picture = try PictureReader.read("\(samples)/ada.jpg")
        try PictureWriter.write(picture, to: folder.path + "/" + name, options: .init(format: format), replacing: false)
    }

    @Test func everyFormatStaysWhatItIs() throws {
        _ = try copy("bruno", to: "in/photo.jpg")
        let unmasked = try PictureReader.read("\(samples)/ada.jpg")
        for format in PictureFormat.allCases where format != .jpeg { try write(format, "in/a.\(format.fileExtension)") }
        // The content counts, not the name.
        try write(.webp, "in/wrong.jpg")
        let run = try photo(["in"])
        #expect(run.exitCode == 0 && run.error.contains("7 masked, 0 no face"), "\(run.error)")
        for format in PictureFormat.allCases where format != .jpeg {
            let masked = try PictureReader.read(folder.path + "/masked/a.\(format.fileExtension)")
            let found = masked.format
            #expect(found == format)
            #expect(try PictureDifference(unmasked.pixels, masked.pixels).share(above: 30) > 0.05, "\(format)")
        }
        let wrong = try PictureReader.read(folder.path + "/masked/wrong.jpg").format
        #expect(wrong == .webp)
    }

    /// A black-and-white photograph that is stored in colour gets a black-and-white mask.
    @Test func aBlackAndWhitePhotographStaysOne() throws {
        var picture = try PictureReader.read("\(samples)/ada.jpg")
        for y in 0..<picture.pixels.height {
            picture.pixels.withMutableRow(y) { row in
                for x in row.indices {
                    let (red, green, blue) = (Int(row[x].x), Int(row[x].y), Int(row[x].z))
                    let grey = UInt8((2 * red + 5 * green + blue) / 8)
                    row[x] = SIMD4(grey, grey, grey, 255)
                }
            }
        }
        let unmasked = try picture.pixels.copy()
        try PictureWriter.write(picture, to: folder.path + "/grey.png", options: .init(format: .png), replacing: false)
        let run = try photo(["--mask", "tiger", "grey.png"])
        #expect(run.exitCode == 0, "\(run.error)")
        let masked = try PictureReader.read(folder.path + "/masked/grey.png")
        let changed = try PictureDifference(unmasked, masked.pixels).share(above: 30)
        #expect(changed > 0.05)
        var coloured = 0
        for y in 0..<masked.pixels.height {
            for x in 0..<masked.pixels.width {
                let pixel = masked.pixels[x, y]
                if pixel.x != pixel.y || pixel.x != pixel.z { coloured += 1 }
            }
        }
        #expect(coloured == 0)
    }

    @Test func aGIFBecomesAPNG() throws {
        // A face of a few colours: the red, green and blue of each pixel have six steps.
        let unmasked = try PictureReader.read("\(samples)/ada.jpg")
        let pixels = try unmasked.pixels.copy()
        var builder = GIFBuilder(width: pixels.width, height: pixels.height) { _, _ in 0 }
        builder.palette = []
        for index in 0..<256 {
            builder.palette += [index / 36 * 51 % 256, index / 6 % 6 * 51, index % 6 * 51].map(UInt8.init)
        }
        var indices: [Int] = []
        for y in 0..<pixels.height {
            for x in 0..<pixels.width {
                let color = pixels[x, y]
                let steps = (0..<3).map { Int(color[$0]) / 43 }
                indices.append(36 * steps[0] + 6 * steps[1] + steps[2])
            }
        }
        let width = pixels.width
        builder.images = [.init(width: width, height: pixels.height) { x, y in indices[y * width + x] }]
        try folder.write(builder.bytes, "in/ada.gif")
        var moving = GIFBuilder(width: 8, height: 8) { _, _ in 1 }
        moving.images += moving.images
        try folder.write(moving.bytes, "in/moving.gif")
        // A name that lies.
        _ = try copy("bruno", to: "in/bruno.gif")
        let run = try photo(["in"])
        #expect(run.exitCode == 1 && run.error.contains("2 masked"), "\(run.error)")
        #expect(run.error.contains("in/moving.gif: is an animated GIF of 2 pictures"), "\(run.error)")
        #expect(run.error.contains("bauta video masks it"), "\(run.error)")
        #expect(folder.results(in: "masked") == ["ada.png", "bruno.gif"])
        let formats = try ["ada.png", "bruno.gif"].map { try PictureReader.read(folder.path + "/masked/" + $0).format }
        #expect(formats == [.png, .jpeg])
    }

    /// A copy of a GIF would have the wrong name.
    @Test func aGIFWithoutAFaceBecomesAPNG() throws {
        try folder.write(GIFBuilder(width: 90, height: 90) { _, _ in 100 }.bytes, "wall.gif")
        #expect(try photo(["wall.gif"]).exitCode == 0)
        let format = try PictureReader.read(folder.path + "/masked/wall.png").format
        #expect(format == .png)
    }

    @Test func rawFilesAreNotMaskedByTheirThumbnails() throws {
        var builder = TIFFBuilder(width: 90, height: 90) { _, _, _ in 100 }
        builder.entries = [.init(0xC612, 1, [1, 4, 0, 0])]
        try folder.write(builder.bytes, "in/photo.dng")
        let run = try photo(["in"])
        #expect(run.exitCode == 1 && run.error.contains("raw file (DNG)"), "\(run.error)")
        #expect(run.error.contains("darktable-cli"), "\(run.error)")
    }

    @Test func bitmapsBecomePNG() throws {
        let ada = try PictureReader.read("\(samples)/ada.jpg")
        let (width, height) = (ada.pixels.width, ada.pixels.height)
        var ppm = Array("P6\n\(width) \(height)\n255\n".utf8)
        for y in 0..<height {
            for x in 0..<width { ppm += (0..<3).map { UInt8(ada.pixels[x, y][$0]) } }
        }
        try folder.write(ppm, "in/ada.ppm")
        let start = ppm.count - 3 * width * height
        let bmp = BMPBuilder(width: width, height: height, bits: 24) { x, y in
            let place = start + 3 * (width * y + x)
            return Int(ppm[place]) << 16 | Int(ppm[place + 1]) << 8 | Int(ppm[place + 2])
        }
        try folder.write(bmp.bytes, "in/again.bmp")
        let run = try photo(["in"])
        #expect(run.exitCode == 0 && run.error.contains("2 masked"), "\(run.error)")
        #expect(folder.results(in: "masked") == ["ada.png", "again.png"])
        for name in ["ada.png", "again.png"] {
            let masked = try PictureReader.read(folder.path + "/masked/" + name)
            #expect(try PictureDifference(ada.pixels, masked.pixels).share(above: 30) > 0.05, "\(name)")
        }
    }
}
