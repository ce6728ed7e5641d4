import Glibc
import Synchronization

/// The one thread that an object belongs to: the first that uses it. In debug builds, `check` stops the program on any other
/// thread; in release builds it costs nothing.
package struct OwningThread: ~Copyable, Sendable {
    #if DEBUG
        /// The thread's `pthread_t`; 0: nobody has used the object yet.
        private let thread = Atomic<UInt>(0)
    #endif

    package init() {}

    /// To be called where the object is used. An object may be made on another thread.
    package func check() {
        #if DEBUG
            let here = UInt(pthread_self())
            let (isFirst, owner) = thread.compareExchange(expected: 0, desired: here, ordering: .relaxed)
            precondition(isFirst || owner == here, "an object that belongs to one thread is used on a second one")
        #endif
    }
}
