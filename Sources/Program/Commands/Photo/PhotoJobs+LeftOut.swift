extension PhotoJobs {
    /// The files of the given folders that are not masked.
    package struct LeftOut: Equatable, Sendable {
        /// Files whose names begin with a dot, and whose content is that of a picture.
        package internal(set) var photographs = 0
        /// Folders that would be searched if their names did not begin with a dot.
        package internal(set) var folders = 0
        /// Results of earlier runs, whose photographs are masked.
        package internal(set) var results = 0

        package init() {}

        /// Sentences, each with a line break; empty if nothing was left out.
        var text: String { hiddenText + (resultsText.isEmpty ? "" : resultsText + "\n") }

        /// A sentence; empty if no results were left out.
        var resultsText: String {
            if results == 0 { return "" }
            let isOne = results == 1
            return "\(results) result\(isOne ? "" : "s") of earlier runs \(isOne ? "was" : "were") left out, because "
                + "\(isOne ? "its photograph is" : "their photographs are") here, too; name the folder of results to mask "
                + "\(isOne ? "it" : "them")"
        }

        private var hiddenText: String {
            let parts = [(photographs, "photograph"), (folders, "folder")].filter { $0.0 > 0 }
                .map { "\($0) hidden \($1)\($0 == 1 ? "" : "s")" }
            if parts.isEmpty { return "" }
            let count = photographs + folders
            return "\(parts.joined(separator: " and ")) \(count == 1 ? "was" : "were") left out, because "
                + "\(count == 1 ? "its name begins" : "their names begin") with a dot; name "
                + "\(count == 1 ? "it" : "them") to mask \(count == 1 ? "it" : "them")\n"
        }
    }
}
