/// The masks that people wear in turn: those that are kept, and the current one.
package struct MaskChoice: Equatable, Sendable {
    private let count: Int
    /// Where the arrow keys are; always worn.
    package private(set) var current: Int
    /// The masks that stay when another one becomes current, in the order in which they are worn.
    package private(set) var kept: [Int] = []
    /// Those of them that the user has kept by hand: no search puts another one in their place.
    private var keptByHand: Set<Int> = []

    /// - Parameters:
    ///   - count: of all masks, from 1.
    ///   - chosen: indices, the last of which is the current mask; at least one.
    package init(count: Int, chosen: [Int]) {
        self.count = count
        current = chosen.last ?? 0
        kept = chosen.count > 1 ? chosen : []
    }

    /// In the order in which they are worn; never empty.
    package var all: [Int] { kept.contains(current) ? kept : kept + [current] }

    /// Chooses one mask instead of all others.
    package mutating func choose(_ index: Int) { (current, kept, keptByHand) = (index, [], []) }

    /// Makes another mask the current one.
    package mutating func move(to index: Int) { current = index }

    /// Makes another mask the current one, in place of one that is worn, unless the user has kept that.
    package mutating func replace(_ old: Int, with new: Int) {
        let all = all
        guard !keptByHand.contains(old), all.contains(old), !all.contains(new) else { return move(to: new) }
        kept = all.map { $0 == old ? new : $0 }
        (current, kept) = (new, kept.count > 1 ? kept : [])
    }

    /// Makes the mask so many places further the current one; past either end the order wraps around.
    /// - Parameter some: the indices of the masks that come into question; from another one, the first or the last of them is
    ///   next. Nil: all masks.
    package mutating func move(by step: Int, among some: [Int]? = nil) {
        let some = some ?? Array(0..<count)
        guard !some.isEmpty else { return }
        let place = some.firstIndex(of: current).map { $0 + step } ?? (step > 0 ? step - 1 : step)
        move(to: some[(place % some.count + some.count) % some.count])
    }

    /// Makes the next mask whose name begins with a letter the current one, in a circle.
    /// - Parameters:
    ///   - letter: a small one.
    ///   - names: of all masks.
    /// - Returns: whether there is another one.
    package mutating func move(toNextBeginning letter: Character, of names: [String]) -> Bool {
        let order = (1..<max(1, names.count)).map { (current + $0) % names.count }
        guard let next = order.first(where: { names[$0].lowercased().first == letter }) else { return false }
        move(to: next)
        return true
    }

    /// Adds a mask, or takes it away unless it is the only one.
    package mutating func toggle(_ index: Int) {
        let all = all
        if !all.contains(index) {
            (kept, current) = (all + [index], index)
        } else {
            kept = all.filter { $0 != index }
            if current == index { current = kept.last ?? index }
        }
        keptByHand = Set(kept)
    }

    /// Keeps the current mask when another one becomes current, or no longer.
    package mutating func toggleKept() {
        if kept.contains(current) {
            kept.removeAll { $0 == current }
            keptByHand.remove(current)
        } else {
            kept.append(current)
            keptByHand.insert(current)
        }
    }
}
