import Glibc
import Machine

/// The use of a thread's time so far.
package struct ThreadTime: Sendable {
    /// It was executed.
    package var executing = Duration.zero
    /// It could have gone on, but all processors were taken.
    package var ready = Duration.zero

    package init() {}

    /// That of this thread, from Linux's scheduler; where that does not say (no `/proc`), `ready` is 0.
    package static var ofThisThread: ThreadTime {
        var time = ThreadTime()
        let numbers = SystemFile.text("/proc/thread-self/schedstat").split(separator: " ").compactMap { Int64($0) }
        if numbers.count >= 2 {
            time.executing = .nanoseconds(numbers[0])
            time.ready = .nanoseconds(numbers[1])
        } else {
            var value = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &value)
            time.executing = .seconds(value.tv_sec) + .nanoseconds(value.tv_nsec)
        }
        return time
    }
}
