import CSandbox
import Foundation
import Testing

/// Functions that `csandbox_call` runs in a copy of the process. They use C only, as its documentation asks.
@Suite struct CallTests {
    /// A number that the child shares.
    private final class SharedNumber {
        let pointer: UnsafeMutablePointer<Int>

        init() throws {
            pointer = try #require(csandbox_shared_memory(MemoryLayout<Int>.size)).bindMemory(to: Int.self, capacity: 1)
        }

        deinit { csandbox_free_shared_memory(pointer, MemoryLayout<Int>.size) }
    }

    private func call(
        limits: csandbox_limits = csandbox_limits(), milliseconds: Int32 = 60_000,
        isCancelled: (@convention(c) () -> Bool)? = nil,
        _ body: @convention(c) (UnsafeMutableRawPointer?) -> Void
    ) throws -> (outcome: csandbox_outcome, number: Int) {
        let number = try SharedNumber()
        var limits = limits
        let outcome = csandbox_call(body, number.pointer, &limits, milliseconds, isCancelled)
        return (outcome, number.pointer.pointee)
    }

    @Test func dataInSharedMemoryComesBack() throws {
        let result = try call { $0?.storeBytes(of: 42, as: Int.self) }
        #expect(result == (CSANDBOX_FINISHED, 42))
    }

    @Test func aCrashEndsOnlyTheChild() throws {
        let result = try call { _ in abort() }
        #expect(result.outcome == CSANDBOX_CRASHED)
    }

    @Test func anEndlessLoopEndsAfterTheTime() throws {
        let result = try call(milliseconds: 200) { context in
            while true { context?.storeBytes(of: 1, as: Int.self) }
        }
        #expect(result.outcome == CSANDBOX_TIMED_OUT)
    }

    @Test func anEndlessLoopEndsWhenItIsCancelled() throws {
        let result = try call(isCancelled: { true }) { context in
            while true { context?.storeBytes(of: 1, as: Int.self) }
        }
        #expect(result.outcome == CSANDBOX_CANCELLED)
    }

    /// What the child of `timeInWhichTheProgramIsStoppedDoesNotCount` waits for, in shared memory, and how often its parent
    /// has looked for its end.
    private nonisolated(unsafe) static var goesOn: UnsafeMutableRawPointer?
    private nonisolated(unsafe) static var looks = 0

    /// Such as in a terminal after Ctrl-Z: the child is stopped, too.
    @Test func timeInWhichTheProgramIsStoppedDoesNotCount() throws {
        Self.goesOn = csandbox_shared_memory(MemoryLayout<Int>.size)
        Self.looks = 0
        let result = try call(
            milliseconds: 1000,
            isCancelled: {
                Self.looks += 1
                if Self.looks == 1 { usleep(1_500_000) }
                if Self.looks == 3 { Self.goesOn?.storeBytes(of: 1, as: Int.self) }
                return false
            }
        ) { context in
            while Self.goesOn?.load(as: Int.self) == 0 { usleep(1000) }
            context?.storeBytes(of: 42, as: Int.self)
        }
        #expect(result == (CSANDBOX_FINISHED, 42))
    }

    @Test func theProcessorTimeOfChildrenCounts() throws {
        let before = csandbox_processor_seconds()
        _ = try call(limits: csandbox_limits(cpuSeconds: 1)) { context in
            while true { context?.storeBytes(of: 1, as: Int.self) }
        }
        let after = csandbox_processor_seconds()
        usleep(300_000)
        // The kernel counts a little less than it allows.
        #expect(after - before > 0.5 && csandbox_processor_seconds() - after < 0.2)
    }

    @Test func anEndlessLoopEndsAfterTheProcessorTime() throws {
        let result = try call(limits: csandbox_limits(cpuSeconds: 1)) { context in
            while true { context?.storeBytes(of: 1, as: Int.self) }
        }
        #expect(result.outcome == CSANDBOX_TIMED_OUT)
    }

    @Test func memoryBeyondTheLimitIsRefused() throws {
        let body: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
            // The optimiser leaves out a call of malloc whose memory is not used.
            let memory = mmap(nil, 512 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            context?.storeBytes(of: memory == MAP_FAILED ? 1 : 2, as: Int.self)
        }
        #expect(try call(body) == (CSANDBOX_FINISHED, 2))
        #expect(try call(limits: csandbox_limits(memoryBytes: 256 << 20), body) == (CSANDBOX_FINISHED, 1))
    }

    @Test(.enabled(if: csandbox_walls() & Int32(CSANDBOX_WALL_PATHS) != 0, "the kernel has no Landlock"))
    func filesCanBeDenied() throws {
        let body: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
            context?.storeBytes(of: open("/etc/passwd", O_RDONLY) < 0 ? Int(errno) : 0, as: Int.self)
        }
        #expect(try call(body) == (CSANDBOX_FINISHED, 0))
        let none: [UnsafePointer<CChar>?] = [nil]
        let denied = try none.withUnsafeBufferPointer { paths in
            var limits = csandbox_limits()
            limits.readable_paths = paths.baseAddress
            return try call(limits: limits, body)
        }
        #expect(denied == (CSANDBOX_FINISHED, Int(EACCES)))
    }

    /// What outlives the child could change what it has left in shared memory, after that was checked.
    @Test(.enabled(if: csandbox_walls() & Int32(CSANDBOX_WALL_PROCESSES) != 0, "the kernel has no seccomp"))
    func processesCanBeDeniedAndThreadsStay() throws {
        let body: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
            var thread = pthread_t()
            let hasThread = pthread_create(&thread, nil, { $0 }, nil) == 0 && pthread_join(thread, nil) == 0
            let hasProcess = system("exit 7") >> 8 == 7
            context?.storeBytes(of: (hasThread ? 1 : 0) + (hasProcess ? 10 : 0), as: Int.self)
        }
        #expect(try call(body) == (CSANDBOX_FINISHED, 11))
        #expect(try call(limits: csandbox_limits(deniesProcesses: true), body) == (CSANDBOX_FINISHED, 1))
    }
}
