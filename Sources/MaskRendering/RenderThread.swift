import Dispatch
import FaceGeometry
import Graphics
import Threads

/// A thread of its own for OpenGL: contexts belong to threads, and the workers that decode and detect are several.
package final class RenderThread: Sendable {
    private let shared = Shared()
    private let thread: DedicatedThread.Handle

    /// Starts the thread. The context is opened with the first piece of work.
    package init(shaders: MaskShaders, reference: ReferenceFace, mesh: FaceMesh) {
        let shared = shared
        thread = DedicatedThread.start {
            var renderer: MaskRenderer?
            shared.serve { body in
                if renderer == nil {
                    renderer = try MaskRenderer(
                        context: OffscreenContext(), shaders: shaders, reference: reference, mesh: mesh)
                }
                if let renderer { try body(renderer) }
            }
            renderer = nil
        }
    }

    /// The thread and its context are gone afterwards: a driver must not be at work while the process exits.
    deinit {
        shared.stop()
        thread.join()
    }

    /// Runs `body` on the thread and waits for it. Calls from several threads are served one after another.
    package func perform(_ body: (MaskRenderer) throws -> Void) throws {
        try withoutActuallyEscaping(body) { try shared.perform($0) }
    }

    /// The place where work is handed over. Everything in it is guarded by the semaphores: `free` lets one caller in,
    /// `ready` wakes the thread, `done` wakes the caller.
    private final class Shared: @unchecked Sendable {
        private let free = DispatchSemaphore(value: 1)
        private let ready = DispatchSemaphore(value: 0)
        private let done = DispatchSemaphore(value: 0)
        private var work: ((MaskRenderer) throws -> Void)?
        private var failure: (any Error)?

        func perform(_ body: @escaping (MaskRenderer) throws -> Void) throws {
            free.wait()
            defer { free.signal() }
            work = body
            ready.signal()
            done.wait()
            work = nil
            if let failure {
                self.failure = nil
                throw failure
            }
        }

        func serve(_ run: ((MaskRenderer) throws -> Void) throws -> Void) {
            while true {
                ready.wait()
                guard serveOnce(run) else { return }
                done.signal()
            }
        }

        /// A function of its own, so that the caller's closure is let go of before the caller goes on: it must not
        /// outlive its call.
        @inline(never)
        private func serveOnce(_ run: ((MaskRenderer) throws -> Void) throws -> Void) -> Bool {
            guard let work else { return false }
            do { try run(work) } catch { failure = error }
            return true
        }

        func stop() { ready.signal() }
    }
}
