import Clips
import Files
import Glibc

/// Names of new files with the local time, such as "bauta 2025-03-01 14.05.09.png".
package enum TimedName {
    /// Whether a file has such a name, so that it is a recording or a snapshot of Bauta's.
    package static func isOwn(_ path: FilePath) -> Bool {
        let words = path.name.description.split(separator: " ")
        guard words.count > 2, words[0] == "bauta" else { return false }
        return words[1].split(separator: "-").compactMap { Int($0) }.count == 3
    }

    /// Paths at which no files exist, which differ by their extensions alone. Files of the same second get a number:
    /// "bauta 2025-03-01 14.05.09 2.png".
    private static func free(in folder: FilePath, fileExtensions: [String]) -> [FilePath] {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let stamp =
            "\(1900 + parts.tm_year)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) "
            + "\(two(parts.tm_hour)).\(two(parts.tm_min)).\(two(parts.tm_sec))"
        let base = folder / FilePath("bauta " + stamp)
        var paths = fileExtensions.map { base + ".\($0)" }
        var count = 2
        while paths.contains(where: \.exists) {
            paths = fileExtensions.map { base + " \(count).\($0)" }
            count += 1
        }
        return paths
    }

    /// Creates files of a free name, which nobody else gets then: if another thread or program takes the name first, the
    /// next one is tried. Each is removed with its value in the result while it is empty.
    static func newFiles(in folder: FilePath, fileExtensions: [String]) throws(FileError) -> [ClipFile] {
        while true {
            do {
                var files: [ClipFile] = []
                for path in free(in: folder, fileExtensions: fileExtensions) {
                    files.append(try ClipFile(path, replacing: false))
                }
                return files
            } catch  where error.kind == .alreadyExists {}
        }
    }

    /// Creates one file, likewise.
    static func newFile(in folder: FilePath, fileExtension: String) throws(FileError) -> ClipFile {
        try newFiles(in: folder, fileExtensions: [fileExtension])[0]
    }
}
