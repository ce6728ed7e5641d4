/// A table of text with aligned columns.
package struct TextTable: Sendable {
    package struct Column: Sendable {
        package enum Alignment: Sendable { case left, right }

        package let heading: String
        package let alignment: Alignment
        /// In characters; wider cells widen the column.
        package let minimumWidth: Int

        package static func left(_ heading: String, width: Int = 0) -> Column {
            Column(heading: heading, alignment: .left, minimumWidth: width)
        }

        package static func right(_ heading: String, width: Int = 0) -> Column {
            Column(heading: heading, alignment: .right, minimumWidth: width)
        }
    }

    package let columns: [Column]
    /// Cells in the order of the columns; missing ones at the end are empty.
    package var rows: [[String]] = []
    /// Between two columns.
    package var separator: String
    package var hasHeadings: Bool

    package init(_ columns: [Column], separator: String = "  ", hasHeadings: Bool = true) {
        self.columns = columns
        self.separator = separator
        self.hasHeadings = hasHeadings
    }

    /// The lines, each with a line break, without spaces at the end.
    package var text: String {
        let lines = (hasHeadings ? [columns.map(\.heading)] : []) + rows
        let widths = columns.indices.map { column in
            lines.reduce(columns[column].minimumWidth) { max($0, $1.count > column ? $1[column].count : 0) }
        }
        return lines.map { cells in
            var line = cells.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - cells[column].count)
                return columns[column].alignment == .left ? cells[column] + padding : padding + cells[column]
            }.joined(separator: separator)
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}
