import Machine
import Threads

/// The rows of a picture that is drawn.
enum Rows {
    /// Does rows on as many threads as there are processors, or as the system gives. (libdispatch would wait for ever where it
    /// gives none.)
    /// - Parameter body: gets the number of the row, from 0, on different threads at the same time.
    static func forEach(_ count: Int, _ body: (Int) -> Void) {
        withoutActuallyEscaping(body) { body in
            // Safe: the team's threads end with it, and it ends here.
            nonisolated(unsafe) let body = body
            let team = ThreadTeam(count: MachineProcessors.count) { row, _ in body(row) }
            team.run(count)
        }
    }
}
