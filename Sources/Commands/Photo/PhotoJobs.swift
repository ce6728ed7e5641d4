import CommandLine
import Files
import Glibc
import ImageFiles
import Masking

/// Turns inputs into jobs: searches folders, decides on output paths, and finds clashes before anything is written.
package struct PhotoJobs {
    /// Whether folders inside the input folders are searched.
    package var recursive: Bool
    /// Nil: each result has the format of its input.
    package var format: PictureFormat?
    /// A folder, or for a single photograph a file.
    package var output: String

    package init(recursive: Bool = false, format: PictureFormat? = nil, output: String) {
        self.recursive = recursive
        self.format = format
        self.output = output
    }

    /// Whether `output` names the result itself: it ends like a picture and is not a folder.
    package static func isFile(_ output: String) -> Bool {
        PictureFormat(path: output) != nil && !output.hasSuffix("/") && !Folder.exists(output)
    }

    /// - Throws: `CommandFailure` if several photographs would go into one file.
    package func jobs(for inputs: [String]) throws -> [PhotoJob] {
        var jobs: [PhotoJob] = []
        for input in inputs {
            if Folder.exists(input) {
                let root = input.hasSuffix("/") ? String(input.dropLast()) : input
                collect(root, below: "", into: &jobs)
            } else {
                let name = input.split(separator: "/").last.map(String.init) ?? input
                jobs.append(PhotoJob(input: input, output: path(for: name), isNamed: true))
            }
        }
        if Self.isFile(output) {
            guard jobs.count == 1 else {
                throw CommandFailure(
                    .usage, "\(output): \(jobs.count) photographs cannot go into one file; name a folder")
            }
            jobs[0].output = output
        }
        markClashes(&jobs)
        return jobs
    }

    private func collect(_ root: String, below: String, into jobs: inout [PhotoJob]) {
        let folder = root.isEmpty ? "/" : root + below
        guard let names = Folder.entries(of: folder) else {
            let reason = "cannot be listed: \(String(cString: strerror(errno)))"
            jobs.append(PhotoJob(input: folder, output: "", isNamed: true, obstacle: reason))
            return
        }
        // Skip the results of an earlier run.
        if !below.isEmpty, let here = Identity(folder), here == Identity(output) { return }
        for name in names where !name.hasPrefix(".") {
            let path = folder + "/" + name
            var status = stat()
            guard stat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR where recursive && !Self.isLink(path):
                collect(root, below: below + "/" + name, into: &jobs)
            case S_IFREG:
                jobs.append(
                    PhotoJob(input: path, output: self.path(for: below.dropFirst() + "/" + name), isNamed: false))
            default: break
            }
        }
    }

    private func path(for relative: some StringProtocol) -> String {
        var name = String(relative.drop { $0 == "/" })
        if let format, PictureFormat(path: name) != format {
            if PictureFormat(path: name) != nil, let dot = name.lastIndex(of: ".") { name = String(name[..<dot]) }
            name += "." + format.fileExtension
        }
        return output.hasSuffix("/") ? output + name : output + "/" + name
    }

    /// Marks jobs that would overwrite an input or another result.
    private func markClashes(_ jobs: inout [PhotoJob]) {
        let inputs = Set(jobs.compactMap { Identity($0.input) })
        var outputs: [String: Int] = [:]
        var seen: Set<String> = []
        jobs = jobs.filter { seen.insert($0.input).inserted }
        for index in jobs.indices where jobs[index].obstacle == nil {
            let output = jobs[index].output
            if let there = Identity(output), inputs.contains(there) {
                jobs[index].obstacle =
                    "not masked: the result would overwrite an input (\(output)); choose another --output"
            } else if let other = outputs[output] {
                jobs[index].obstacle =
                    "not masked: the result would overwrite that of \(jobs[other].input) (\(output)); mask them into "
                    + "different folders"
            } else {
                outputs[output] = index
            }
        }
    }

    /// Identifies a file independently of its names.
    private struct Identity: Hashable {
        let device: UInt64
        let number: UInt64

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
        }
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}
