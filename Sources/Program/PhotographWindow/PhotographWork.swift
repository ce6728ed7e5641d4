import Files

/// The masking of all photographs.
package enum PhotographWork {
    case none
    case running(PhotographProgress)
    /// - Parameter before: runs that were done as a whole, without their folders, by the folders with their results.
    case done(PhotographRun, PhotographResults, before: [FilePath: PhotographRun] = [:])

    /// What is masked next. A run with the choice of the last one has its folder, too: results that are there stay.
    /// - Parameter run: what is chosen.
    /// - Returns: the run, and how many photographs of the last one are left; nil: it is a new one.
    package func next(_ run: PhotographRun) -> (run: PhotographRun, left: Int?) {
        guard case .done(var last, let results, _) = self, results.hasFolder else { return (run, nil) }
        last.folder = nil
        guard last == run else { return (run, nil) }
        last.folder = results.folder
        return (last, results.left)
    }

    /// Whether a choice is lost when the window closes: photographs have no results of it.
    /// - Parameter run: what is chosen now; of photographs, not of an empty window.
    package func lacksResults(of run: PhotographRun) -> Bool { next(run).left != 0 && !whole.values.contains(run) }

    /// The runs that were done as a whole, without their folders, by the folders with their results. A run of another choice
    /// has replaced those of the one before in its folder.
    private var whole: [FilePath: PhotographRun] {
        guard case .done(var last, let results, let before) = self else { return [:] }
        last.folder = nil
        var whole = before.filter { $0.key != results.folder && $0.value != last }
        if results.hasFolder, results.left == 0 { whole[results.folder] = last }
        return whole
    }

    /// Whether photographs have results, though of another choice than this one.
    package func hasOthers(than run: PhotographRun) -> Bool {
        next(run).left == nil && whole.values.contains { $0.inputs == run.inputs }
    }

    /// The state after a run. One that has failed leaves what was done before, or else what a stopped one would leave: it may
    /// have replaced results.
    /// - Parameter begun: what had been done when a run failed; nil: nothing.
    package func ended(
        _ run: PhotographRun, _ made: PhotographTasks.Made, begun: PhotographResults? = nil
    ) -> PhotographWork {
        if case .success(let results) = made { return .done(run, results, before: whole) }
        guard var begun, begun.done > 0 else { return self }
        begun.hasFolder = begun.done > begun.failed
        return .done(run, begun, before: whole)
    }
}
