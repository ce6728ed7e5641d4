import Files
import Glibc
import ImageFiles

/// The file of `--report`: a line of JSON for each photograph, as each is done. It grows beside its final name and
/// takes it at the end, so that whoever finds the name finds the whole report.
final class PhotoReport: @unchecked Sendable {  // used under the queue's lock
    private let path: String
    private let partialPath: String
    private let descriptor: Int32

    /// - Parameter path: "-" is standard output.
    init(path: String, replacing: Bool) throws {
        self.path = path
        guard path != "-" else {
            descriptor = STDOUT_FILENO
            partialPath = path
            return
        }
        if !replacing { try AtomicFile.checkIsFree(path) }
        try Folder.make(for: path)
        partialPath = path + ".partial"
        descriptor = open(partialPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw CommandFailure(.cannotCreate, "\(path): cannot be written: \(String(cString: strerror(errno)))")
        }
    }

    deinit { if path != "-" { close(descriptor) } }

    func append(_ outcome: PhotoOutcome) throws {
        let line = Array((outcome.json.text() + "\n").utf8)
        guard line.withUnsafeBytes({ writeAll($0, to: descriptor) }) else {
            throw CommandFailure(
                .cannotCreate, "\(path): the report cannot be written: \(String(cString: strerror(errno)))")
        }
    }

    func finish() throws {
        guard path != "-", rename(partialPath, path) != 0 else { return }
        throw CommandFailure(.cannotCreate, "\(path): cannot be written: \(String(cString: strerror(errno)))")
    }
}

/// Folders for results.
enum Folder {
    /// Makes the folder that a file is to go into, with all its parents.
    static func make(for path: String) throws(PictureError) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let folder = String(path[..<slash])
        if PhotoJobs.isFolder(folder) { return }
        try make(for: folder)
        // Another worker may have been faster.
        if mkdir(folder, 0o777) == 0 || (errno == EEXIST && PhotoJobs.isFolder(folder)) { return }
        let reason = errno == EEXIST ? "a file has that name" : String(cString: strerror(errno))
        throw PictureError(.unwritable, path: folder, "the folder cannot be made: \(reason)")
    }
}
