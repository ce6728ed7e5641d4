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
        let whole = try DrawnSource.draw(expression, rows: DrawnSource.Expression.rest.rows, reference: reference)
        #expect(whole != rest)
        #expect(try DrawnSource.draw(expression, over: rest, reference: reference) == whole)
    }
}
