import Files
import MaskAuthoring
import Masks
import Synchronization
import Threads

/// Loads the mask that has been chosen last, and loads it again whenever its files change, on a thread of its own: pictures
/// and models are decoded, other programs draw SVG and videos, and the disk may be slow.
final class MaskReader: Sendable {
    /// The mask that is wanted.
    struct Wish: Sendable {
        /// Of `MaskList.entries`.
        let index: Int
        /// Nil: the mask has no files.
        let folder: FilePath?
        /// The state of the files that has been loaded; nil: none has.
        var stamps: PackageFolder.Stamps?
    }

    struct Loaded: Sendable {
        let index: Int
        let folder: FilePath
        /// The state of the files just before they were read.
        let stamps: PackageFolder.Stamps
        let mask: Result<Mask, any Error>
    }

    /// Between two looks at the files, in seconds.
    private static let pause = 0.15

    private let wishes = Mailbox<Wish>()
    private let loaded = Mutex<[Loaded]>([])
    private let thread: Mutex<DedicatedThread.Handle?> = Mutex(nil)

    /// - Parameter load: is called on the thread.
    init(load: @escaping @Sendable (FilePath) throws -> Mask) throws(NoThread) {
        let handle = try DedicatedThread.start { [self] in serve(load) }
        thread.withLock { $0 = handle }
    }

    /// Takes the place of the mask that was wanted before. Does not wait; if that one is being loaded, it is loaded first.
    func want(_ wish: Wish) { _ = wishes.replace(wish) }

    /// The masks that were loaded since the last call, in this order.
    func take() -> [Loaded] {
        loaded.withLock { loaded in
            defer { loaded = [] }
            return loaded
        }
    }

    /// Waits for what is being loaded.
    func stop() {
        wishes.close()
        let handle = thread.withLock { handle in
            defer { handle = nil }
            return handle
        }
        handle?.join()
    }

    private func serve(_ load: (FilePath) throws -> Mask) {
        var wanted: Wish?
        while !wishes.isClosed {
            if let wish = wishes.take(waiting: Self.pause) { wanted = wish }
            guard let wish = wanted, let folder = wish.folder, !wishes.isClosed else { continue }
            let stamps = PackageFolder.stamps(folder)
            guard stamps != wish.stamps else { continue }
            let mask = Result { try load(folder) }
            wanted?.stamps = stamps
            loaded.withLock {
                $0.append(Loaded(index: wish.index, folder: folder, stamps: stamps, mask: mask))
            }
        }
    }
}
