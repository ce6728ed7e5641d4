/// The entries of a list that are chosen, by index: one of them has the keyboard.
package struct FileSelection: Equatable, Sendable {
    /// Nil: none is chosen.
    package private(set) var current: Int?
    /// In order.
    package var all: [Int] { chosen.sorted() }
    private var chosen: Set<Int> = []
    /// Where a range begins.
    private var anchor: Int?

    package init() {}

    package func contains(_ index: Int) -> Bool { chosen.contains(index) }

    /// Chooses one entry instead of all others.
    package mutating func choose(_ index: Int) { (current, chosen, anchor) = (index, [index], index) }

    /// Adds an entry, or takes it away.
    /// - Parameter isIncluded: whether an entry is one that can be chosen together with others; the rest is left.
    package mutating func toggle(_ index: Int, where isIncluded: (Int) -> Bool) {
        anchor = index
        chosen = chosen.filter(isIncluded)
        if chosen.remove(index) == nil {
            chosen.insert(index)
            current = index
        } else if current.map(chosen.contains) != true {
            current = chosen.max()
        }
    }

    /// Chooses all entries from the one that was chosen last up to this one, instead of all others.
    /// - Parameter isIncluded: whether an entry is one that can be chosen together with others.
    package mutating func extend(to index: Int, where isIncluded: (Int) -> Bool) {
        let first = anchor ?? index
        chosen = Set((min(first, index)...max(first, index)).filter(isIncluded))
        (current, anchor) = (chosen.contains(index) ? index : chosen.max(), first)
    }
}
