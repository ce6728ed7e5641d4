import Clips
import Files
import Glibc

/// Names of new files with the local time, such as "bauta 2025-03-01 14.05.09.png".
enum TimedName {
    /// A path at which no file exists. Files of the same second get a number: "bauta 2025-03-01 14.05.09 2.png".
    private static func free(in folder: FilePath, fileExtension: String) -> FilePath {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let stamp =
            "\(1900 + parts.tm_year)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) "
            + "\(two(parts.tm_hour)).\(two(parts.tm_min)).\(two(parts.tm_sec))"
        let base = folder / FilePath("bauta " + stamp)
        var path = base + ".\(fileExtension)"
        var count = 2
        while path.exists {
            path = base + " \(count).\(fileExtension)"
            count += 1
        }
        return path
    }

    /// Creates a file of a free name, which nobody else gets then: if another thread or program takes the name first, the
    /// next one is tried. It is removed with the value that is returned while it is empty.
    static func newFile(in folder: FilePath, fileExtension: String) throws(FileError) -> ClipFile {
        while true {
            do {
                return try ClipFile(free(in: folder, fileExtension: fileExtension), replacing: false)
            } catch  where error.kind == .alreadyExists {}
        }
    }
}
