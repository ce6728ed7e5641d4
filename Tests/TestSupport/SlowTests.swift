import Foundation
import Testing

/// Tests that take minutes run only on request (`scripts/test-slow`). Whole suites of them lie in folders `Slow`, and are compiled only
/// then, too.
package enum SlowTests {
    package static let areWanted = ProcessInfo.processInfo.environment["BAUTA_SLOW_TESTS"] == "1"
}

extension Trait where Self == ConditionTrait {
    /// Runs on request only, because it takes long, or because faster tests look at the same code.
    package static var slow: Self { .enabled(if: SlowTests.areWanted, "slow: scripts/test-slow runs it") }
}
