import Files

/// The type of a file by its first bytes.
enum FileSignature: Equatable {
    case picture(PictureFormat)
    /// A picture that is read, but not written.
    case readOnly(ReadOnlyFormat)
    /// A picture of a known format that cannot be read; the name is for the error message.
    case other(String)
    /// A camera's raw file, which has to be developed first. Those that are TIFF files are recognised by
    /// `TIFFContents`.
    case raw(String)
    case video
    /// A HEIC, an AVIF or a video that ends before its brand.
    case cutOff
    /// Another known type of file that is not a picture.
    case noPicture(String)
    case unknown

    /// How many bytes of a file are looked at.
    static let length = 128

    private static let rawFiles: [(name: String, signature: String, offset: Int)] = [
        ("Canon CR2", "CR\u{2}", 8), ("Canon CRW", "HEAPCCDR", 6), ("Canon CR3", "ftypcrx ", 4),
        ("Fujifilm RAF", "FUJIFILMCCD-RAW", 0), ("Olympus ORF", "IIRO", 0), ("Olympus ORF", "IIRS", 0),
        ("Olympus ORF", "MMOR", 0), ("Panasonic RW2", "IIU\0", 0), ("Sigma X3F", "FOVb", 0),
        ("Minolta MRW", "\0MRM", 0), ("Phase One IIQ", "IIII", 8),
    ]

    init(_ bytes: UnsafeRawBufferPointer) {
        func starts(_ signature: [UInt8], at offset: Int = 0) -> Bool {
            bytes.count >= offset + signature.count
                && signature.indices.allSatisfy { bytes[offset + $0] == signature[$0] }
        }
        func starts(_ text: String, at offset: Int = 0) -> Bool { starts(Array(text.utf8), at: offset) }
        let isTIFF = starts("II*\0") || starts("MM\0*")

        if starts([0xFF, 0xD8, 0xFF]) {
            self = .picture(.jpeg)
        } else if starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .picture(.png)
        } else if starts("RIFF") && starts("WEBP", at: 8) {
            self = .picture(.webp)
        } else if let raw = Self.rawFiles.first(where: { raw in
            // The place of the second signature means something else in other files.
            starts(raw.signature, at: raw.offset) && (raw.offset != 8 || isTIFF)
        }) {
            self = .raw(raw.name)
        } else if isTIFF {
            self = .picture(.tiff)
        } else if starts("II+\0") || starts("MM\0+") {
            self = .other("a BigTIFF, for files of more than 4 GiB")
        } else if starts("GIF8") {
            self = .readOnly(.gif)
        } else if let heif = Self.heif(bytes) {
            self = heif
        } else if starts("ftyp", at: 4) || starts([0x1A, 0x45, 0xDF, 0xA3]) {
            self = .video
        } else if starts("BM"), let size = bytes.little32(at: 14) {
            self = BMPPicture.headerSizes.contains(size) ? .readOnly(.bmp) : .other("a BMP of an unknown kind")
        } else if starts("8BPS") {
            self = .other("a Photoshop file (PSD)")
        } else if let kind = Self.netpbmKind(bytes) {
            self = kind == 7 ? .other("a Netpbm picture (P7)") : .readOnly(.netpbm)
        } else if starts([0xFF, 0x0A]) || starts("JXL ", at: 4) {
            self = .other("a JPEG XL")
        } else if starts("jP  ", at: 4) {
            self = .other("a JPEG 2000")
        } else if starts("%PDF") {
            self = .noPicture("a PDF")
        } else if starts("<svg") || starts("<?xml") {
            self = .noPicture("an SVG or another XML file")
        } else {
            self = .unknown
        }
    }

    /// The number after "P" of a PBM, PGM, PPM or PAM; nil: it is none.
    private static func netpbmKind(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= 3, bytes[0] == UInt8(ascii: "P"), (0x31...0x37).contains(bytes[1]),
            [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "#")].contains(bytes[2])
        else { return nil }
        return Int(bytes[1]) - 0x30
    }

    /// A file of ISO/IEC 23008-12, by its brands; nil: it is none.
    private static func heif(_ bytes: UnsafeRawBufferPointer) -> FileSignature? {
        guard let size = bytes.big32(at: 0), bytes.count >= 8, bytes[4..<8].elementsEqual("ftyp".utf8) else {
            return nil
        }
        // The main brand, its version, and those that the file is compatible with.
        let brands = stride(from: 8, to: min(size, bytes.count, length) - 3, by: 4).filter { $0 != 12 }.map {
            String(decoding: bytes[$0..<($0 + 4)], as: UTF8.self)
        }
        guard let main = brands.first else { return .cutOff }
        if main == "avis" { return .other("an animated AVIF") }
        if main == "msf1" || main == "hevc" || main == "hevx" { return .other("a sequence of pictures (HEIF)") }
        let stills: Set = ["mif1", "mif2", "heic", "heix", "heim", "heis", "avif"]
        guard stills.contains(main) else { return nil }
        if main == "avif" || (main != "heic" && main != "heix" && brands.contains("avif")) { return .picture(.avif) }
        return .picture(.heic)
    }
}
