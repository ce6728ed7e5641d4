import Foundation

/// Tests that take minutes run only on request (`scripts/test-slow`).
package enum SlowTests {
    package static var areWanted: Bool { ProcessInfo.processInfo.environment["BAUTA_SLOW_TESTS"] == "1" }
}
