import Files
import Glibc
import Synchronization

/// Folders that targets read and write in. The end of the process removes them.
enum TargetFolder {
    fileprivate static let made = Mutex<[FilePath]>([])

    static func new() -> FilePath {
        let parent = FilePath(environment: "TMPDIR") ?? "/tmp"
        var template = Array((parent / "bauta-fuzz-XXXXXX").description.utf8CString)
        guard let path = mkdtemp(&template) else { fatalError("no folder can be made in \(parent)") }
        let folder = FilePath(cString: path)
        let isFirst = made.withLock { folders in
            folders.append(folder)
            return folders.count == 1
        }
        if isFirst { atexit { TargetFolder.made.withLock { $0 }.forEach { Folder.delete($0) } } }
        return folder
    }
}
