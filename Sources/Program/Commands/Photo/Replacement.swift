import Files

/// Whether `bauta photo` may replace what is in the place of a report, a part of one, or a contact sheet: what it has made
/// itself, and makes again.
struct Replacement: Sendable {
    /// Throws if what is there may not be replaced. The reason completes a sentence that begins with its path.
    let check: @Sendable (FilePath) throws(FileError) -> Void
    /// Advice for that case.
    let advice: String
    /// Further advice if a file of the right kind exists, which the user could replace.
    var adviceOnForce = ""

    /// - Returns: whether there is something, which then may be replaced.
    /// - Throws: `FileError` of kind `alreadyExists`.
    func isNeeded(at path: FilePath) throws(FileError) -> Bool {
        guard path.status(followsLinks: false) != nil else { return false }
        try InputFiles.check(path, followsLinks: false)
        do throws(FileError) {
            try check(path)
        } catch {
            let more = error.kind == .alreadyExists ? adviceOnForce : ""
            throw FileError(.alreadyExists, path: path, "\(error.reason); \(advice)\(more)")
        }
        return true
    }
}

extension Replacement {
    private static let another = "name another file, or remove this one"
    static let onForce = " (--existing replace replaces it, and makes all results again)"

    /// Of a report.
    /// - Parameters:
    ///   - part: the first line, if the report is that of a shard. Its name is derived: nobody has asked for it.
    ///   - isForced: whether `--existing replace` was given.
    ///   - onForce: advice about that.
    ///   - isKnown: says why the line of an earlier report is not about a photograph of this run; nil if it is. Without
    ///     this function, no report is replaced.
    static func ofReport(
        part: PhotoReportPart?, isForced: Bool, onForce: String = onForce,
        _ isKnown: (@Sendable (PhotoReportLine) -> String?)?
    ) -> Replacement {
        if let part {
            return Replacement(
                check: { path throws(FileError) in try part.checkIsSame(path) }, advice: another)
        }
        if isForced {
            return Replacement(
                check: { path throws(FileError) in try AtomicFile.checkIsReplaceable(path) },
                advice: "name another file")
        }
        guard let isKnown else {
            return Replacement(
                check: { path throws(FileError) in throw FileError(.alreadyExists, path: path, "already exists") },
                advice: another, adviceOnForce: onForce)
        }
        return Replacement(
            check: { path throws(FileError) in try PhotoReportLine.checkAll(of: path, isKnown) },
            advice: another, adviceOnForce: onForce)
    }
}
