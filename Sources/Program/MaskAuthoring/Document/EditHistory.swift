/// The steps of an edited value, for undo and redo. Each step keeps the whole state before it; states are values, so
/// steps share what they have in common.
package struct EditHistory<State: Equatable> {
    private struct Step {
        let name: String
        /// Before the step in `past`, after it in `future`.
        let state: State
        /// The memory that no other step shares, as far as it counts.
        var bytes = 0
    }

    package private(set) var current: State
    private var past: [Step] = []
    private var future: [Step] = []
    /// The state on disk.
    package private(set) var saved: State
    /// The edit that further changes are added to; nil: the next change starts a new step.
    private var openEdit: String?
    /// Increases with every change of `current`.
    package private(set) var revision = 0

    package init(_ state: State) {
        current = state
        saved = state
    }

    package var isSaved: Bool { current == saved }
    /// The name of the step that `undo` takes back; nil if none exists.
    package var undoName: String? { past.last?.name }
    /// The name of the step that `redo` restores; nil if none exists.
    package var redoName: String? { future.last?.name }

    /// Changes the state. A change that leaves it equal is no step.
    /// - Parameters:
    ///   - name: the step's name for the user.
    ///   - edit: consecutive changes with the same identifier form one step until `endEdit` is called (a drag, a moved
    ///     slider); nil: the change is a step of its own.
    package mutating func change(_ name: String, edit: String? = nil, _ body: (inout State) -> Void) {
        var state = current
        body(&state)
        guard state != current else { return }
        if edit == nil || edit != openEdit { past.append(Step(name: name, state: current)) }
        openEdit = edit
        future = []
        current = state
        revision += 1
    }

    /// Changes all states alike: what no step takes back.
    package mutating func rewrite(_ body: (inout State) -> Void) {
        func changed(_ state: State) -> State {
            var state = state
            body(&state)
            return state
        }
        past = past.map { Step(name: $0.name, state: changed($0.state), bytes: $0.bytes) }
        future = future.map { Step(name: $0.name, state: changed($0.state), bytes: $0.bytes) }
        (current, saved) = (changed(current), changed(saved))
        revision += 1
    }

    /// Ends the current edit: the next change starts a new step.
    /// - Parameter bytes: the memory of the step that no other shares. When all steps take too much, the oldest are
    ///   forgotten.
    package mutating func endEdit(bytes: Int = 0) {
        openEdit = nil
        guard bytes > 0, let last = past.indices.last else { return }
        past[last].bytes += bytes
        var (sum, count) = (past.reduce(0) { $0 + $1.bytes }, 0)
        while sum > Self.mostBytes, count < last {
            sum -= past[count].bytes
            count += 1
        }
        past.removeFirst(count)
    }

    private static var mostBytes: Int { 256 << 20 }

    package mutating func undo() {
        guard let step = past.popLast() else { return }
        future.append(Step(name: step.name, state: current, bytes: step.bytes))
        restore(step.state)
    }

    package mutating func redo() {
        guard let step = future.popLast() else { return }
        past.append(Step(name: step.name, state: current, bytes: step.bytes))
        restore(step.state)
    }

    /// Forgets the steps that `redo` would restore if one of them leads to such a state.
    package mutating func forgetFuture(where isObsolete: (State) -> Bool) {
        if future.contains(where: { isObsolete($0.state) }) { future = [] }
    }

    private mutating func restore(_ state: State) {
        openEdit = nil
        current = state
        revision += 1
    }

    /// Records that the current state was written to disk.
    package mutating func markSaved() {
        saved = current
        openEdit = nil
    }

    /// Records that another program wrote `state` to disk.
    package mutating func markSaved(as state: State) { saved = state }
}
