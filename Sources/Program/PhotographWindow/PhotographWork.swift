import Files

/// The masking of all photographs.
package enum PhotographWork {
    case none
    case running(PhotographProgress)
    /// - Parameter before: runs that were done as a whole, by the folders with their results.
    case done(PhotographRun, PhotographResults, before: [FilePath: Done] = [:])

    /// A run without its folder, and its results.
    package typealias Done = (run: PhotographRun, results: PhotographResults)

    /// What is lost when the window closes.
    package enum Lack {
        /// What is chosen has not been used.
        case choice
        /// Photographs have no results of it.
        case photographs
    }

    /// The results of a choice that are there: those of the last run, or those of one before that was done as a whole.
    package func results(of run: PhotographRun) -> Done? {
        guard case .done(var last, let results, _) = self else { return nil }
        last.folder = nil
        return last == run && results.hasFolder ? (last, results) : whole.values.first { $0.run == run }
    }

    /// What is masked next. A run whose choice has results has their folder, too: what is there stays.
    /// - Parameter run: what is chosen.
    /// - Returns: the run, and how many photographs of it are left; nil: it is a new one.
    package func next(_ run: PhotographRun) -> (run: PhotographRun, left: Int?) {
        guard var done = results(of: run) else { return (run, nil) }
        done.run.folder = done.results.folder
        return (done.run, done.results.left)
    }

    /// What is lost when the window closes. Who has chosen and masked nothing loses nothing.
    /// - Parameters:
    ///   - run: what is chosen now; of photographs, not of an empty window.
    ///   - first: what was chosen before the user chose anything, for the same photographs.
    package func lack(of run: PhotographRun, first: PhotographRun) -> Lack? {
        guard case .done(let last, _, _) = self else { return run == first ? nil : .choice }
        return switch next(run).left {
        case 0: nil
        // Others may have been opened since.
        case nil: run.inputs == last.inputs ? .choice : .photographs
        default: .photographs
        }
    }

    /// The runs that were done as a whole, by the folders with their results. A run of another choice has replaced those of
    /// the one before in its folder.
    private var whole: [FilePath: Done] {
        guard case .done(var last, let results, let before) = self else { return [:] }
        last.folder = nil
        var whole = before.filter { $0.key != results.folder && $0.value.run != last }
        if results.hasFolder, results.left == 0 { whole[results.folder] = (last, results) }
        return whole
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
