import Files

/// The data that Bauta takes from the directories of a TIFF file besides the pixels.
struct TIFFContents {
    let page: TIFFPage
    let metadata: PictureMetadata

    /// More directories than any photograph has.
    private static let directoryLimit = 64
    /// In bytes: larger blocks of metadata are dropped.
    private static let largestBlock = 16 << 20

    private enum Tag {
        static let subDirectories = 0x014A
        static let make = 0x010F
        static let xmp = 0x02BC
        static let iptc = 0x83BB
        static let photoshop = 0x8649
        static let profile = 0x8773
        static let dngVersion = 0xC612
    }

    /// - Throws: `PictureError`, also when it is a camera's raw file, or has several pages.
    init(_ bytes: UnsafeRawBufferPointer, path: String) throws(PictureError) {
        guard let file = TIFFDirectories(bytes), let first = file.directory(at: file.first),
            let page = TIFFPage(first, file)
        else { throw PictureError(.damaged, path: path, "is damaged or cut off: it has no valid directory") }
        try Self.check(first, page, file, path: path)
        if let refusal = page.refusal { throw PictureError(.unsupported, path: path, refusal) }
        self.page = page
        metadata = Self.metadata(first, file)
    }

    /// - Throws: `PictureError` when the first picture is not the photograph, or not the only one.
    private static func check(
        _ first: TIFFDirectories<UnsafeRawBufferPointer>.Directory, _ page: TIFFPage,
        _ file: TIFFDirectories<UnsafeRawBufferPointer>,
        path: String
    ) throws(PictureError) {
        let subDirectories = file.numbers(Tag.subDirectories, in: first)
        var (pages, seen, pageCount): ([TIFFPage], Set<Int>, Int) = ([page], [file.first], 1)
        for offset in subDirectories {
            if let directory = file.directory(at: offset), let page = TIFFPage(directory, file) { pages.append(page) }
        }
        var next = first.next
        while let offset = next, seen.count < directoryLimit, seen.insert(offset).inserted,
            let directory = file.directory(at: offset)
        {
            if let page = TIFFPage(directory, file) {
                pages.append(page)
                if page.isWhole { pageCount += 1 }
            }
            next = directory.next
        }
        let isDNG = first.entries[Tag.dngVersion] != nil
        if isDNG || pages.contains(where: \.isRaw) || (!page.isWhole && !subDirectories.isEmpty) {
            let make = file.value(Tag.make, in: first, limit: 64)?.bytes ?? []
            let name = isDNG ? "DNG" : String(decoding: make.prefix { $0 != 0 }, as: UTF8.self)
            throw PictureReader.rawError(name.isEmpty ? "of an unknown camera" : name, path: path)
        }
        // What follows the last directory that was looked at may be pages, too.
        let isLonger = seen.count >= directoryLimit && next.map { !seen.contains($0) } == true
        guard pageCount == 1, !isLonger else {
            throw PictureError(
                .unsupported, path: path,
                "is a TIFF of \(isLonger ? "more than \(directoryLimit)" : "\(pageCount)") pages; only the first "
                    + "would remain; split it first (tiffsplit)")
        }
    }

    private static func metadata(
        _ first: TIFFDirectories<UnsafeRawBufferPointer>.Directory, _ file: TIFFDirectories<UnsafeRawBufferPointer>
    ) -> PictureMetadata {
        func block(_ tag: Int) -> [UInt8]? {
            // Some programs call blocks of bytes numbers of four bytes.
            guard var entry = file.value(tag, in: first, limit: largestBlock) else { return nil }
            if file.isBigEndian, entry.type == .long {
                for start in stride(from: 0, to: entry.bytes.count, by: 4) {
                    entry.bytes[start..<(start + 4)].reverse()
                }
            }
            return entry.bytes
        }
        var metadata = PictureMetadata()
        metadata.exif = file.descriptiveTree(of: first).block()
        metadata.xmp = block(Tag.xmp)
        metadata.iccProfile = block(Tag.profile)
        metadata.photoshop = block(Tag.photoshop)
        if metadata.photoshop == nil, let records = block(Tag.iptc) {
            // Its length is rounded up to a multiple of four.
            metadata.photoshop = PhotoshopResources.resources(iptc: records)
        }
        return metadata
    }
}

/// A picture of a TIFF file, as its directory describes it.
struct TIFFPage: Equatable {
    let width: Int
    let height: Int
    /// Of the first sample; 0 if others differ.
    let bitsPerSample: Int
    let samplesPerPixel: Int
    let photometric: Photometric?
    let isRaw: Bool
    /// Neither a smaller version nor a mask of another picture.
    let isWhole: Bool
    let compression: Int
    private let isInteger: Bool
    private let isFloat: Bool
    private let extraSample: Int?

    enum Photometric: Int {
        case whiteIsZero = 0
        case blackIsZero = 1
        case rgb = 2
        case palette = 3
        case cmyk = 5
        case yCbCr = 6
    }

    enum Alpha: Int {
        case premultiplied = 1
        case straight = 2
    }

    /// - Returns: nil when the directory describes no picture.
    init?<Source: ByteSource>(
        _ directory: TIFFDirectories<Source>.Directory, _ file: TIFFDirectories<Source>
    ) {
        guard let width = file.number(0x0100, in: directory), let height = file.number(0x0101, in: directory),
            width > 0, height > 0
        else { return nil }
        (self.width, self.height) = (width, height)
        let bits = file.numbers(0x0102, in: directory)
        bitsPerSample = bits.allSatisfy { $0 == bits.first } ? bits.first ?? 1 : 0
        samplesPerPixel = file.number(0x0115, in: directory) ?? 1
        let color = file.number(0x0106, in: directory)
        photometric = color.flatMap(Photometric.init(rawValue:))
        isRaw = color == 32803 || color == 34892  // a colour filter array, and one that was made linear
        isWhole = (file.number(0x00FE, in: directory) ?? 0) & 0b101 == 0 && file.number(0x00FF, in: directory) != 2
        compression = file.number(0x0103, in: directory) ?? 1
        let formats = file.numbers(0x0153, in: directory)
        isInteger = formats.allSatisfy { $0 == 1 || $0 == 4 }
        isFloat = formats.contains(3)
        extraSample = file.number(0x0152, in: directory)
    }

    /// The samples of a colour.
    private var colorCount: Int { isColor ? 3 : 1 }

    var isColor: Bool { photometric != .whiteIsZero && photometric != .blackIsZero }

    /// Whether libtiff makes RGBA with 8 bits of it.
    var isConverted: Bool { photometric == .palette || photometric == .yCbCr || bitsPerSample < 8 }

    /// Whether the picture has 16 bits a component in memory.
    var isDeep: Bool { bitsPerSample == 16 && !isConverted }

    var alpha: Alpha? {
        samplesPerPixel > colorCount && !isConverted ? extraSample.flatMap(Alpha.init(rawValue:)) : nil
    }

    /// Why the picture cannot be read; nil if it may be.
    var refusal: String? {
        let advice = "convert it to RGB with 8 or 16 bits first"
        if photometric == .cmyk { return "is a CMYK TIFF, made for printing; \(advice)" }
        guard let photometric else { return "is a TIFF in an unusual colour space; \(advice)" }
        if isFloat { return "is a TIFF of floating-point numbers; \(advice)" }
        if !isInteger { return "is a TIFF of signed numbers; \(advice)" }
        if compression == 6 { return "is a TIFF with the old kind of JPEG compression; compress it again first" }
        let known: Set<Int> =
            switch photometric {
            case .palette: [1, 2, 4, 8]
            case .yCbCr: [8]
            case .rgb: [8, 16]
            default: [1, 2, 4, 8, 16]
            }
        if !known.contains(bitsPerSample) {
            let bits =
                switch bitsPerSample {
                case 0: "a different number of bits for each colour"
                case 1: "1 bit a colour"
                default: "\(bitsPerSample) bits a colour"
                }
            return "is a TIFF with \(bits); \(advice)"
        }
        let least = photometric == .yCbCr || photometric == .rgb ? 3 : 1
        if samplesPerPixel < least || samplesPerPixel > 16 || (isConverted && samplesPerPixel != least) {
            return "is a TIFF with \(samplesPerPixel) channel\(samplesPerPixel == 1 ? "" : "s"); \(advice)"
        }
        return nil
    }
}
