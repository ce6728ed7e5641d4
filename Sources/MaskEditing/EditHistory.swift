/// What has been done to something, step by step, so that all of it can be undone and done again.
package struct EditHistory<State: Equatable> {
    /// One step: what it was called, and the state before it.
    private struct Step {
        let name: String
        let state: State
    }

    package private(set) var current: State
    private var past: [Step] = []
    private var future: [Step] = []
    /// The state as it is on disk.
    package private(set) var saved: State
    /// The edit that goes on as long as nothing ends it: many small changes are one step.
    private var openEdit: String?
    /// Grows with every change of the current state.
    package private(set) var revision = 0

    package init(_ state: State) {
        current = state
        saved = state
    }

    package var isSaved: Bool { current == saved }
    /// What undoing would take back; nil: there is nothing.
    package var undoName: String? { past.last?.name }
    package var redoName: String? { future.last?.name }

    /// Changes the state.
    /// - Parameters:
    ///   - name: what people call the step.
    ///   - edit: changes of the same edit, one after another, are one step until `endEdit` is called; nil: a step of
    ///     its own.
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

    /// The next change is a step of its own, whatever it belongs to.
    package mutating func endEdit() { openEdit = nil }

    package mutating func undo() {
        guard let step = past.popLast() else { return }
        future.append(Step(name: step.name, state: current))
        go(to: step.state)
    }

    package mutating func redo() {
        guard let step = future.popLast() else { return }
        past.append(Step(name: step.name, state: current))
        go(to: step.state)
    }

    private mutating func go(to state: State) {
        openEdit = nil
        current = state
        revision += 1
    }

    /// The current state is now what is on disk.
    package mutating func markSaved() {
        saved = current
        openEdit = nil
    }

    /// Something else is now on disk.
    package mutating func markSaved(as state: State) { saved = state }
}
