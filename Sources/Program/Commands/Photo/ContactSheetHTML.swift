import Arguments
import Files
import PhotoRecords

/// The page of a contact sheet, as text. Filters are radio buttons and style sheets: nothing needs a script. All texts
/// that come from outside are escaped.
struct ContactSheetHTML {
    /// A photograph on the sheet.
    struct Entry {
        struct Picture {
            /// A relative URL.
            let source: String
            let width: Int
            let height: Int
        }

        let path: FilePath
        let findings: String
        let status: Status
        let doubt: Double?
        var before: Picture?
        var after: Picture?
        /// Relative URLs.
        var photograph: String?
        var result: String?

        init(_ outcome: PhotoOutcome) {
            path = outcome.input
            doubt = outcome.output == nil ? nil : outcome.doubt
            status = Status(outcome)
            findings =
                switch outcome.status {
                case .failed, .ignored: outcome.error ?? "failed"
                default: PhotoSummary.findings(outcome)
                }
        }

        var isDoubtful: Bool { (doubt ?? 0) > PhotoSummary.notableDoubt }

        /// The order of the groups on the page.
        var rank: Int { doubt != nil ? 0 : status == .failed ? 1 : status == .noFace ? 2 : status == .ignored ? 4 : 3 }
    }

    enum Status: String, CaseIterable {
        case masked
        case noFace
        case failed
        case ignored

        init(_ outcome: PhotoOutcome) {
            self =
                switch outcome.status {
                case .masked: .masked
                case .noFace: .noFace
                case .failed: .failed
                case .ignored: .ignored
                }
        }
    }

    struct Counts {
        private(set) var all = 0
        private(set) var doubtful = 0
        private(set) var byStatus: [Status: Int] = [:]

        mutating func note(_ entry: Entry) {
            all += 1
            doubtful += entry.isDoubtful ? 1 : 0
            byStatus[entry.status, default: 0] += 1
        }
    }

    /// Tells the run from others; hexadecimal digits, or empty.
    let run: String
    /// How photographs with faces are called.
    let success: String
    let notice: String?

    /// The beginning of every page, and of no other file: a folder without it is not replaced.
    private static let mark = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="generator" content="Bauta contact sheet
        """ + " "

    /// The run that has made a page; nil if it is none.
    static func run(ofPage file: borrowing RegularFile) -> String? {
        let mark = Array(mark.utf8)
        var bytes = [UInt8](repeating: 0, count: min(file.count, mark.count + 100))
        guard (try? bytes.withUnsafeMutableBytes { try file.read(into: $0) }) != nil, bytes.starts(with: mark) else {
            return nil
        }
        return String(decoding: bytes[mark.count...].prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }

    func beginning(_ counts: Counts, summary: String) -> String {
        let filters =
            [("all", "All", counts.all), ("doubtful", "To look at", counts.doubtful)]
            + Status.allCases.map { ($0.rawValue, name($0), counts.byStatus[$0] ?? 0) }
        let buttons = filters.map { id, name, count in
            #"<input type="radio" name="filter" id="\#(id)"\#(id == "all" ? " checked" : count == 0 ? " disabled" : "")>"#
                + #"<label for="\#(id)">\#(Self.escaped(name)) <b>\#(count)</b></label>"#
        }
        return """
            \(Self.mark)\(run)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; \
            style-src 'unsafe-inline'">
            <title>Contact sheet: \(counts.all) photographs</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            <header>
            <h1>Contact sheet</h1>
            <p>\(Self.escaped(summary))</p>
            \(noticeParagraph)
            </header>
            <div class="filters" role="radiogroup" aria-label="Which photographs are shown">
            \(buttons.joined(separator: "\n"))
            </div>
            <ol>

            """
    }

    private var noticeParagraph: String { notice.map { #"<p class="notice">\#(Self.escaped($0))</p>"# } ?? "" }

    let end = "</ol>\n</body>\n</html>\n"

    func item(_ entry: Entry) -> String {
        let name = Self.escaped(entry.path.name.description)
        let classes = entry.status.rawValue + (entry.isDoubtful ? " doubtful" : "")
        let pictures = [
            figure(entry.before, "before", entry.photograph, name), figure(entry.after, "after", entry.result, name),
        ].joined()
        let shown =
            pictures.isEmpty
            ? #"<p class="none">\#(entry.result == nil ? "nothing was written" : "no preview")</p>"# : pictures
        let doubt = entry.doubt.map {
            let text = DecimalText.fixed($0, digits: 2)
            return
                #"<span class="doubt">doubt <meter min="0" max="1" low="0.3" high="0.6" optimum="0" value="\#(text)"></meter> \#(text)</span>"#
        }
        let links = [("photograph", entry.photograph), ("result", entry.result)].compactMap { name, url in
            url.map { #"<a href="\#(Self.escaped($0))">\#(name)</a>"# }
        }
        return """
            <li class="\(classes)">
            <div class="pictures">\(shown)</div>
            <h2 title="\(Self.escaped(entry.path.description))">\(name)</h2>
            <p><span class="badge">\(Self.escaped(self.name(entry.status)))</span> \(Self.escaped(entry.findings))</p>
            <p class="more">\(([doubt].compactMap { $0 } + links).joined(separator: " "))</p>
            </li>

            """
    }

    /// - Parameter name: escaped.
    private func figure(_ picture: Entry.Picture?, _ caption: String, _ url: String?, _ name: String) -> String {
        guard let picture else { return "" }
        let image =
            #"<img src="\#(picture.source)" width="\#(picture.width)" height="\#(picture.height)" loading="lazy" "#
            + #"decoding="async" alt="\#(name), \#(caption)">"#
        let linked = url.map { #"<a href="\#(Self.escaped($0))">\#(image)</a>"# } ?? image
        return "<figure>\(linked)<figcaption>\(caption)</figcaption></figure>"
    }

    private func name(_ status: Status) -> String {
        switch status {
        case .masked: success
        case .noFace: "no face"
        case .failed: "failed"
        case .ignored: "no picture"
        }
    }

    /// A text in HTML, in an element or between quotation marks. Characters that change the direction of writing are
    /// written as their bytes, so that no name looks like another one.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.printable.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
