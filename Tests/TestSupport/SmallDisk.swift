import Foundation

/// A file system in memory with a size, to be filled. Needs root and the right to mount.
package final class SmallDisk: Sendable {
    private let folder: TemporaryFolder
    package var path: String { folder.path }

    package static let isPossible: Bool = (try? SmallDisk(kilobytes: 4)) != nil

    package init(kilobytes: Int) throws {
        folder = try TemporaryFolder()
        let result = try ProgramRun.run(
            "/bin/mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", folder.path])
        guard result.exitCode == 0 else { throw CocoaError(.fileWriteNoPermission) }
    }

    deinit { _ = try? ProgramRun.run("/bin/umount", [folder.path]) }
}
