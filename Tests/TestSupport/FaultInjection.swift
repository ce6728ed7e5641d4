import Foundation

/// Makes one call of the system fail in a program, kills the program just before that call, or makes such calls wait as long
/// as a test wants (`Tests/FaultInjection/fault_injection.c`).
package struct FaultInjection {
    package struct Fault: Sendable {
        /// "open", "read", "write", "sync", "rename", "unlink", "mkdir", "memory", "thread" (also all later ones), "lookup" of a
        /// host, or "any" of those that concern files; "errno": memory that is freed changes `errno`.
        package var call: String
        /// An `errno`; nil: the program is killed.
        package var error: Int32?
        /// Instead, the first file takes the place of the second just before the call, which does not fail.
        package var replacement: (from: String, to: String)?

        package init(_ call: String, _ error: Int32? = nil) {
            self.call = call
            self.error = error
        }

        package init(_ call: String, replacing file: String, with other: String) {
            self.call = call
            replacement = (other, file)
        }
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private static let library = "fault_injection.so"
    /// As the kernel calls it: calls with another path to the same place do not fail.
    package let folder: String
    private var mark: String { folder + "/.fault-happened" }

    /// - Parameter folder: only calls that concern its files fail. Programs must run in it.
    package init(folder: String) throws {
        // The library compares with what the kernel says.
        guard let resolved = realpath(folder, nil) else { throw Failure(description: "\(folder): is not there") }
        defer { free(resolved) }
        self.folder = String(cString: resolved)
        let source = Repository.root + "/Tests/FaultInjection/fault_injection.c"
        let build = try ProgramRun.run(
            "/usr/bin/env", ["cc", "-shared", "-fPIC", "-O2", "-o", Self.library, source, "-ldl"], folder: folder)
        guard build.exitCode == 0 else { throw Failure(description: build.error) }
    }

    /// What makes a program fail.
    /// - Parameter number: which of these calls, from 1.
    package func environment(_ fault: Fault, number: Int) -> [String: String] {
        var result = [
            // The loader takes spaces as separators, hence a relative path.
            "LD_PRELOAD": "./" + Self.library, "FAULT_CALL": fault.call, "FAULT_NUMBER": "\(number)",
            "FAULT_PLACE": folder, "FAULT_MARK": mark,
        ]
        result["FAULT_ERROR"] = fault.error.map { "\($0)" }
        result["FAULT_FROM"] = fault.replacement?.from
        result["FAULT_TO"] = fault.replacement?.to
        return result
    }

    /// Whether the fault has happened since this was last asked.
    package func hasHappened() -> Bool { unlink(mark) == 0 }

    /// Calls that wait, or fail, while the gate is closed. At first it is open.
    package struct Gate {
        /// What makes a program wait, or calls in it fail.
        package let environment: [String: String]
        fileprivate let path: String
        fileprivate let mark: String

        /// - Parameter number: from which call on they fail, counted from now; calls that wait all do.
        package func close(from number: Int = 1) throws {
            unlink(mark)
            // A program that reads it sees a whole number.
            try Data("\(number)\n".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        }

        package func open() { unlink(path) }

        /// Whether a call waits or fails, or has done so since the gate was closed.
        package var isReached: Bool { FileManager.default.fileExists(atPath: mark) }
    }

    /// - Parameters:
    ///   - call: see `Fault`.
    ///   - place: a folder inside that of this value; only calls that concern its files wait.
    ///   - error: with which calls fail; nil: they wait.
    package func gate(_ call: String, place: String = "", error: Int32? = nil) -> Gate {
        let path = folder + "/.gate"
        var environment = environment(Fault(call, error), number: 0)
        environment["FAULT_PLACE"] = place.isEmpty ? folder : folder + "/" + place
        environment["FAULT_GATE"] = path
        return Gate(environment: environment, path: path, mark: mark)
    }

    /// Runs something with a fault in the first call of a kind, then in the second, and so on.
    /// - Parameters:
    ///   - numbers: which calls. It ends at the first one that does not happen; the first of all must.
    ///   - body: runs a program with this environment, and checks what it has left.
    package func each(
        _ fault: Fault, _ numbers: some Sequence<Int>, _ body: (Int, [String: String]) throws -> Void
    ) throws {
        var hasSeen = false
        for number in numbers {
            try body(number, environment(fault, number: number))
            guard hasHappened() else {
                if hasSeen { return }
                throw Failure(description: "\(fault.call) \(number) has not failed: the program makes no such call")
            }
            hasSeen = true
        }
    }
}
