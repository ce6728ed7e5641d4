import Files

/// A TIFF directory in memory, with the directories that it refers to.
struct TIFFTree: Equatable {
    var values: [Int: TIFFValue] = [:]
    var children: [Int: TIFFTree] = [:]

    /// The bytes of the directory, its values and its children, for a little-endian file.
    /// - Parameter start: the even offset in the file where they will stand.
    func serialized(at start: Int) -> [UInt8] {
        let tags = (Array(values.keys) + Array(children.keys)).sorted()
        var directory = TIFFValue.bytes(tags.count, 2)
        var rest: [UInt8] = []
        let restStart = start + 2 + 12 * tags.count + 4
        for tag in tags {
            // Values and directories begin at even offsets.
            if (restStart + rest.count) % 2 == 1 { rest.append(0) }
            let place = restStart + rest.count
            var value = values[tag] ?? .longs([place])
            if let child = children[tag] {
                value = .longs([place])
                rest += child.serialized(at: place)
            }
            directory += TIFFValue.bytes(tag, 2) + TIFFValue.bytes(value.type.rawValue, 2)
            directory += TIFFValue.bytes(value.count, 4)
            if value.bytes.count <= 4 {
                directory += value.bytes + [UInt8](repeating: 0, count: 4 - value.bytes.count)
            } else {
                directory += TIFFValue.bytes(place, 4)
                rest += value.bytes
            }
        }
        return directory + [0, 0, 0, 0] + rest
    }

    /// A complete TIFF structure with nothing but this directory.
    func block() -> [UInt8] { [0x49, 0x49, 42, 0, 8, 0, 0, 0] + serialized(at: 8) }
}

/// The tags of a photograph, besides its pixels.
enum TIFFTag {
    static let exifDirectory = 0x8769
    static let gpsDirectory = 0x8825
    static let interoperabilityDirectory = 0xA005
    static let makerNote = 0x927C
    static let orientation = 0x0112

    /// Texts, dates and resolution in the first directory. Others may hold a picture: layers, previews, makers' data.
    static let descriptive: Set<Int> = [
        0x010D, 0x010E, 0x010F, 0x0110, orientation, 0x011A, 0x011B, 0x011D, 0x0128, 0x0131, 0x0132, 0x013B, 0x013C,
        0x4746, 0x4749, 0x8298, 0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F,
    ]
}

extension TIFFDirectories {
    /// In bytes, of all values together: others are dropped. Those of a small file may lie over each other.
    private static var treeLimit: Int { 1 << 18 }

    /// The values of a directory that describe the photograph, with its EXIF and GPS directories. Values that may hold a
    /// picture are left out, and so is the maker's note: it has offsets that are true only in the file's old place.
    func descriptiveTree(of directory: Directory) -> TIFFTree {
        var budget = Self.treeLimit
        var tree = tree(directory, &budget) { TIFFTag.descriptive.contains($0) }
        for (tag, isKept) in [
            (TIFFTag.exifDirectory, { $0 != TIFFTag.makerNote && $0 != TIFFTag.interoperabilityDirectory }),
            (TIFFTag.gpsDirectory, { _ in true }),
        ] as [(Int, (Int) -> Bool)] {
            guard let offset = number(tag, in: directory), let child = self.directory(at: offset) else { continue }
            var childTree = self.tree(child, &budget, isKept)
            if let offset = number(TIFFTag.interoperabilityDirectory, in: child),
                let grandchild = self.directory(at: offset)
            {
                childTree.children[TIFFTag.interoperabilityDirectory] = self.tree(grandchild, &budget) { _ in true }
            }
            tree.children[tag] = childTree
        }
        return tree
    }

    private func tree(
        _ directory: Directory, _ budget: inout Int, _ isKept: (Int) -> Bool
    ) -> TIFFTree {
        var tree = TIFFTree()
        for tag in directory.entries.keys.sorted() where isKept(tag) {
            guard let value = value(tag, in: directory, limit: budget), value.type != .directory,
                !HiddenPicture.mayBe(in: value.bytes)
            else { continue }
            // With its entry.
            budget -= value.bytes.count + 12
            tree.values[tag] = value
        }
        return tree
    }
}
