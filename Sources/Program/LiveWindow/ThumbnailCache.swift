import Files
import Glibc
import ImageFiles
import MaskAuthoring
import Pixels

/// Thumbnails of earlier runs: PNG files in `$XDG_CACHE_HOME/bauta/thumbnails` (XDG Base Directory Specification), at most
/// one for each mask package. It is valid until a file of the package changes.
package struct ThumbnailCache: Sendable {
    private let folder: FilePath
    private let side: Int
    /// Of how thumbnails are drawn.
    private static let version = 3

    /// - Parameter side: the width and height of thumbnails in pixels.
    /// - Returns: nil if there is no home folder.
    init?(side: Int) {
        guard let folder = Self.folder else { return nil }
        self.folder = folder
        self.side = side
    }

    /// The thumbnail of a package in its present state; nil: none.
    func kept(folder package: FilePath) -> PixelBuffer? {
        guard let picture = try? PictureReader.read(path(package)), picture.pixels.format == .rgba8,
            picture.pixels.width == side, picture.pixels.height == side
        else { return nil }
        return try? picture.pixels.copy()
    }

    /// Writes a thumbnail and deletes those of earlier states of the package. Errors are ignored: the thumbnail is then
    /// drawn again in the next run.
    func keep(_ pixels: borrowing PixelBuffer, folder package: FilePath) {
        guard let copy = try? pixels.copy(), (try? Folder.create(folder)) != nil else { return }
        Self.forget(package, in: folder)
        try? PictureWriter.write(
            Picture(pixels: copy), to: path(package), options: .init(format: .png), replacing: true)
    }

    /// Deletes the thumbnails of a package that is gone.
    package static func forget(_ package: FilePath) {
        if let folder { forget(package, in: folder) }
    }

    private static func forget(_ package: FilePath, in folder: FilePath) {
        let prefix = hash(package.bytes) + "-"
        for name in Folder.entries(of: folder) ?? [] where name.bytes.starts(with: prefix.utf8) {
            _ = (folder / name).withCString { unlink($0) }
        }
    }

    private static var folder: FilePath? { UserFolders.cache.map { $0 / "bauta/thumbnails" } }

    private func path(_ package: FilePath) -> FilePath {
        let stamps = PackageFolder.stamps(package).sorted { $0.key < $1.key }
        let state = Self.hash("\(side) \(Self.version) \(stamps)".utf8)
        return folder / FilePath("\(Self.hash(package.bytes))-\(state).png")
    }

    /// FNV-1a with 64 bits, in hexadecimal.
    private static func hash(_ bytes: some Sequence<UInt8>) -> String {
        let value = bytes.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        return String(value, radix: 16)
    }
}
