import Files
import Masking
import Masks
import Pixels
import Synchronization
import Threads

/// Loads what thumbnails are made of, one mask at a time, on a thread of its own: the thumbnail of an earlier run, or the
/// mask.
final class ThumbnailLoader: Sendable {
    /// Pixels that several threads may read.
    final class Kept: Sendable {
        let pixels: PixelBuffer
        init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
    }

    enum Loaded: Sendable {
        case kept(Kept)
        case mask(Mask)
        /// The mask cannot be loaded.
        case nothing
    }

    private enum State: Sendable {
        case idle
        case loading(DedicatedThread.Handle?)
        case loaded(Int, Loaded)
    }

    let cache: ThumbnailCache?
    private let masks: MaskLoader
    private let state = Mutex(State.idle)

    /// - Parameter side: the width and height of thumbnails in pixels.
    init(_ masks: MaskLoader, side: Int) {
        self.masks = masks
        cache = ThumbnailCache(side: side)
    }

    /// Waits for the thread: nothing may run while the process ends.
    deinit { if case .loading(let thread) = state.withLock({ $0 }) { thread?.wait() } }

    var isIdle: Bool { state.withLock { if case .idle = $0 { true } else { false } } }

    /// Starts to load a mask. To be called only while idle.
    func load(_ index: Int, folder: FilePath) {
        state.withLock { $0 = .loading(nil) }
        let thread = DedicatedThread.start { [masks, cache, weak self] in
            let loaded: Loaded =
                if let kept = cache?.kept(folder: folder) {
                    .kept(Kept(kept))
                } else if let mask = try? masks.load(folder: folder) {
                    .mask(mask)
                } else {
                    .nothing
                }
            self?.state.withLock { $0 = .loaded(index, loaded) }
        }
        state.withLock { if case .loading = $0 { $0 = .loading(thread) } }
    }

    /// What has been loaded, and the index it was asked for with; nil: nothing new.
    func take() -> (index: Int, loaded: Loaded)? {
        state.withLock {
            guard case .loaded(let index, let loaded) = $0 else { return nil }
            $0 = .idle
            return (index, loaded)
        }
    }
}
