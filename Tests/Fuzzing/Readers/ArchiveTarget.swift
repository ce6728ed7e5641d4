import Files
import Glibc
import Masks

/// Packed masks and OpenRaster pictures, which are archives. Whatever an archive says, its files are written into the
/// folder that they are unpacked to, and nowhere else.
enum ArchiveTarget: FuzzTarget {
    static let name = "archive"
    static let longest = 8192

    static func seeds() -> [[UInt8]] { RepositoryFile.paths(in: "Tests/Fuzzing/Seeds").map(RepositoryFile.bytes) }

    static func read(_ bytes: [UInt8]) {
        if let picture = try? OpenRaster.painting(bytes, path: "fuzz.ora", maximumSide: 64) { _ = picture.hasAlpha }
        // What has no manifest is unpacked as well, but never written by the program.
        guard let files = try? MaskArchive.files(in: bytes) else { return }
        for file in files where !isInside(file.name.bytes) { fatalError("'\(file.name)' leads out of the folder") }
        if files.count <= 16 { write(files) }
    }

    /// A second opinion, which shares no code with the first: the depth below the folder after each slash.
    private static func isInside(_ name: [UInt8]) -> Bool {
        var depth = 0
        var part: [UInt8] = []
        for byte in name + [UInt8(ascii: "/")] {
            if byte != UInt8(ascii: "/") {
                part.append(byte)
                continue
            }
            if part.isEmpty || part == [46] || part == [46, 46] { return false }
            depth += 1
            part = []
        }
        return depth > 0 && depth <= MaskArchive.maximumDepth && !name.contains(0)
    }

    private static let place = TargetFolder.new()

    private static func write(_ files: [MaskArchive.File]) {
        let parent = place / "parent"
        do {
            try Folder.create(parent / "package")
            defer { Folder.delete(parent) }
            do {
                let opened = try OpenFolder(parent / "package")
                for file in files { try opened.create(file.name, file.bytes) }
            } catch  where error.reason.contains("File name too long") {
                return
            }
            guard Folder.entries(of: place) == ["parent"], Folder.entries(of: parent) == ["package"] else {
                fatalError("something was written outside of the folder")
            }
            let names = Set(names(in: parent / "package", below: ""))
            guard names == Set(files.map(\.name)) else { fatalError("\(names) were written, not \(files.map(\.name))") }
        } catch {
            fatalError("\(error)")
        }
    }

    private static func names(in folder: FilePath, below prefix: FilePath) -> [FilePath] {
        (Folder.entries(of: folder) ?? []).flatMap { name in
            Folder.exists(folder / name) ? names(in: folder / name, below: prefix / name) : [prefix / name]
        }
    }
}
