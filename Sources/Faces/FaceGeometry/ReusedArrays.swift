/// Arrays that are made anew for every picture, in the memory of those of the picture before the last one, so that a picture
/// like those before allocates nothing. The last one's may still be needed. An array that somebody keeps for longer stays as it
/// is, and its successor has memory of its own.
package struct ReusedArrays<Element> {
    /// Of the picture, and of the last one.
    private var (arrays, last): ([[Element]], [[Element]]) = ([], [])
    private var next = 0

    package init() {}

    package mutating func beginPicture() {
        swap(&arrays, &last)
        next = 0
    }

    /// - Parameter fill: gets an empty array.
    /// - Returns: the array as it has been filled.
    package mutating func make(_ fill: (inout [Element]) -> Void) -> [Element] {
        if next == arrays.count { arrays.append([]) }
        arrays[next].removeAll(keepingCapacity: true)
        fill(&arrays[next])
        next += 1
        return arrays[next - 1]
    }

    /// Empties the arrays of this picture, so that what is in them is not kept alive.
    package mutating func removeElements() {
        for index in 0..<next { arrays[index].removeAll(keepingCapacity: true) }
    }
}
