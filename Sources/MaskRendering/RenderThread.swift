import Dispatch
import FaceGeometry
import Glibc
import Masks
import Pixels

/// A thread of its own for OpenGL: contexts belong to threads, and the workers that decode and detect are several.
package final class RenderThread: Sendable {
    private let shared = Shared()

    /// Starts the thread. The context is opened with the first piece of work.
    package init(shaders: ShaderSources, reference: ReferenceFace, mesh: FaceMesh) {
        let shared = shared
        DedicatedThread.start {
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

    deinit { shared.stop() }

    /// Runs `body` on the thread and waits for it. Calls from several threads are served one after another.
    package func perform(_ body: (MaskRenderer) throws -> Void) throws {
        try withoutActuallyEscaping(body) { try shared.perform($0) }
    }

    /// The place where work is handed over. Everything in it is guarded by the semaphores: `free` lets one caller in, `ready` wakes the thread, `done` wakes the caller.
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

        /// A function of its own, so that the caller's closure is let go of before the caller goes on: it must not outlive its call.
        @inline(never)
        private func serveOnce(_ run: ((MaskRenderer) throws -> Void) throws -> Void) -> Bool {
            guard let work else { return false }
            do { try run(work) } catch { failure = error }
            return true
        }

        func stop() { ready.signal() }
    }
}

/// Threads for work that blocks or runs long, which would starve Swift's cooperative pool.
package enum DedicatedThread {
    /// - Returns: a handle to wait for the end of `body`.
    @discardableResult
    package static func start(_ body: @escaping @Sendable () -> Void) -> Handle {
        let handle = Handle()
        let box = Unmanaged.passRetained(Job { 
            body()
            handle.finished.signal()
        })
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // dlib's recursion and Mesa's compiler want more than the 512 KiB of some systems.
        pthread_attr_setstacksize(&attributes, 8 << 20)
        var thread = pthread_t()
        let result = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        pthread_attr_destroy(&attributes)
        precondition(result == 0, "the system gives no more threads")
        return handle
    }

    package final class Handle: Sendable {
        fileprivate let finished = DispatchSemaphore(value: 0)

        package func wait() {
            finished.wait()
            finished.signal()
        }
    }

    private final class Job: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
