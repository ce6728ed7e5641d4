import Files
import Foundation
import Synchronization
import TestSupport
import Testing

/// Temporary files and folders, and what killed processes leave of them.
@Suite struct TemporaryFileTests {
    let folder: TemporaryFolder
    static let stale = ".bauta-temporary-0123456789abcdef"

    init() throws { folder = try TemporaryFolder() }

    @Test func nothingIsLeftOfAnUnfinishedFile() throws {
        do {
            let file = try TemporaryFile(for: folder.path + "/file")
            #expect(try folder.names() == [file.path.name.description])
        }
        #expect(try folder.names() == [])
    }

    /// A folder with a file in it, under its temporary name.
    private func leaveFolder() throws {
        let elsewhere = try TemporaryFolder()
        let pending = try PendingFolder(in: FilePath(elsewhere.path))
        let name = pending.path.name.description
        try elsewhere.write("half", name + "/deep/file")
        #expect(rename(elsewhere.path + "/" + name, folder.path + "/" + name) == 0)
    }

    @Test func filesOfAKilledProcessAreCleared() throws {
        try folder.leaveTemporaryFile(in: "")
        try leaveFolder()
        // Killed before they had their names.
        try folder.write("", Self.stale)
        mkdir(folder.path + "/.bauta-temporary-0123456789abcde0", 0o700)
        #expect(try folder.names().count == 6)
        try AtomicFile.write("x", to: folder.path + "/file", replacing: false)
        #expect(try folder.names() == ["file"])
    }

    /// What somebody else has given such a name stays, whatever is in it.
    @Test func otherFilesWithSuchANameAreKept() throws {
        try folder.write("mine", Self.stale)
        try folder.write("mine", ".bauta-temporary-0123456789abcde0/deep/file")
        try AtomicFile.write("x", to: folder.path + "/file", replacing: false)
        let kept = [".bauta-temporary-0123456789abcde0", ".bauta-temporary-0123456789abcde0/deep"]
        #expect(try folder.names() == kept + [kept[1] + "/file", Self.stale, "file"])
    }

    /// Another program that begins in the same folder may see what was just made, and not locked yet.
    @Test(.slow) func whoClearsAtTheSameTimeDisturbsNobody() throws {
        let place = folder.path
        let isEnding = Mutex(false)
        let removals = Mutex(0)
        let clearing = Thread {
            while isEnding.withLock({ !$0 }) {
                for name in (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [] {
                    let descriptor = open(place + "/" + name, O_RDONLY | O_NOFOLLOW)
                    guard descriptor >= 0 else { continue }
                    let isFree = flock(descriptor, LOCK_EX | LOCK_NB) == 0
                    if isFree, remove(place + "/" + name) == 0 { removals.withLock { $0 += 1 } }
                    close(descriptor)
                }
            }
            isEnding.withLock { $0 = false }
        }
        clearing.start()
        defer {
            isEnding.withLock { $0 = true }
            while isEnding.withLock({ $0 }) { usleep(100) }
        }
        // Until a folder and a file have been removed in time, which is rare where the other thread has no processor.
        for round in 0..<20_000 where round < 500 || removals.withLock({ $0 < 3 }) {
            _ = try PendingFolder(in: FilePath(place))
            _ = try TemporaryFile(for: place + "/file")
        }
        #expect(removals.withLock { $0 } > 0)
    }

    @Test func filesOfARunningProcessAreKept() throws {
        try folder.leaveTemporaryFile(in: "")
        let name = try #require(try folder.names().first)
        let path = folder.path + "/" + name
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX) == 0)
        try AtomicFile.write("x", to: folder.path + "/file", replacing: false)
        #expect(try folder.names() == [name, "file"])
    }

    @Test func otherHiddenFilesAreKept() throws {
        let names = [
            ".bauta-backup", ".bauta-temporary-", ".bauta-temporary-0123456789abcdeg",
            "a.bauta-temporary-0123456789abcdef",
            ".bauta-temporary-0123456789abcdef0", ".bauta-temporary-0123456789ABCDEF",
        ]
        for name in names { try folder.write("mine", name) }
        symlink("/etc/passwd", folder.path + "/" + Self.stale)
        try AtomicFile.write("x", to: folder.path + "/file", replacing: false)
        #expect(try Set(folder.names()) == Set(names + [Self.stale, "file"]))
    }

    @Test func onlyRegularFilesAreReplaced() throws {
        let pipe = folder.path + "/pipe"
        mkfifo(pipe, 0o600)
        for path in [pipe, "/dev/null"] {
            #expect { try AtomicFile.write("x", to: path, replacing: true) } throws: { "\($0)".contains("not a file") }
        }
        var status = stat()
        #expect(stat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
        #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }

    @Test func aFolderIsReplacedInOneStep() throws {
        try folder.write("old", "mask/old")
        let target = FilePath(folder.path) / "mask"
        do {
            let pending = try PendingFolder(in: FilePath(folder.path))
            try AtomicFile.write("new", to: pending.path / "new", replacing: false)
            try pending.rename(to: target, replacing: true)
        }
        #expect(try folder.names() == ["mask", "mask/new"])
        #expect {
            try PendingFolder(in: FilePath(folder.path)).rename(to: target, replacing: false)
        } throws: {
            ($0 as? FileError)?.kind == .alreadyExists
        }
        #expect(try folder.names() == ["mask", "mask/new"])
    }
}
