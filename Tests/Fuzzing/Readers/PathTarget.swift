import Files
import Glibc

/// Paths: what they are split into, and what an open folder lets through. The folder is a trap, full of links that lead
/// out of it.
enum PathTarget: FuzzTarget {
    static let name = "path"
    static let longest = 256

    static func seeds() -> [[UInt8]] {
        [
            "a/b.jpg", "../secret", "..//\u{301}secret", "in/back", "up/secret", "/etc/passwd", ".", "in/../in/file",
            "inner",
            "deep/up/up/up", "a.tar.gz/.b",
        ].map { Array($0.utf8) }
    }

    private static let trap: FilePath = {
        let folder = TargetFolder.new()
        do {
            try AtomicFile.write("secret", to: folder / "secret", replacing: true)
            try Folder.create(folder / "trap/in")
            try Folder.create(folder / "trap/deep")
            try AtomicFile.write("x", to: folder / "trap/in/file", replacing: true)
        } catch {
            fatalError("\(error)")
        }
        for (link, target) in [
            ("up", ".."), ("deep/up", "../.."), ("out", "../secret"), ("inner", "in/file"), ("in/back", "../in"),
            ("root", "/"), ("proc", "/proc/self/cwd"), ("loop", "loop"),
        ] { symlink(target, "\(folder)/trap/\(link)") }
        return folder / "trap"
    }()

    static func read(_ bytes: [UInt8]) {
        let path = FilePath(bytes: bytes)
        check(Array(path.parts.map(\.bytes).joined(separator: [UInt8(ascii: "/")])) == bytes, "parts")
        check(path.parts.allSatisfy { !$0.bytes.contains(UInt8(ascii: "/")) }, "a slash in a part")
        check(path.withCString { FilePath(cString: $0) }.bytes == (bytes.contains(0) ? [] : bytes), "C string")
        check(!path.description.unicodeScalars.contains { $0.properties.generalCategory == .control }, "description")
        check(path.string == nil || Array((path.string ?? "").utf8) == bytes, "text")
        check(path.withoutExtension.bytes.count <= bytes.count, "extension")
        check((FilePath("folder") / path).relative(to: "folder") == path, "relative")
        if path.staysBeneath {
            check(path.parent.isEmpty ? path.name == path : path.parent / path.name == path, "parent and name")
            check(!path.isAbsolute && path.parts.allSatisfy { $0 != ".." }, "beneath")
        }
        guard let opened = try? OpenFolder(trap) else { fatalError("\(trap) cannot be opened") }
        guard let file = try? opened.open(path) else { return }
        let place = FilePath("/proc/self/fd/\(file.descriptor)").resolved
        check(place?.relative(to: trap) != nil, "\(path) opened \(place?.description ?? "nothing")")
    }

    private static func check(_ holds: Bool, _ what: String) { if !holds { fatalError(what) } }
}
