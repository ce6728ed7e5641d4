import SourceSelection
import TestSupport
import Testing

@Suite struct DrawnSourceTests {
    /// Expressions are drawn only where they differ from the face at rest.
    @Test(arguments: [DrawnSource.Expression.closed, .open]) func onlyRowsThatDifferAreDrawn(
        _ expression: DrawnSource.Expression
    ) throws {
        let reference = try Repository.referenceFace()
        let rest = try DrawnSource.draw(.rest, reference: reference)
        let whole = try DrawnSource.draw(expression, reference: reference)
        let drawn = try DrawnSource.draw(expression, over: rest, reference: reference)
        func largestDifference(_ other: [SIMD4<UInt8>]) -> UInt8 {
            zip(whole, other).map { (pointwiseMax($0, $1) &- pointwiseMin($0, $1)).max() }.max() ?? 0
        }
        #expect(largestDifference(rest) > 100 && largestDifference(drawn) <= 1, "\(largestDifference(drawn))")
    }
}
