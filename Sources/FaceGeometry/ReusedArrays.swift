/// Arrays that are made anew for every picture, in the memory of those of the picture before, so that a picture like the one
/// before allocates nothing. Who keeps an array longer than until the next picture keeps it as it is: then that one has memory
/// of its own.
package struct ReusedArrays<Element> {
    private var arrays: [[Element]] = []
    private var next = 0

    package init() {}

    /// The arrays of the last picture are no longer needed.
    package mutating func beginPicture() { next = 0 }

    /// - Parameter fill: gets an empty array.
    /// - Returns: the array as it has been filled.
    package mutating func make(_ fill: (inout [Element]) -> Void) -> [Element] {
        if next == arrays.count { arrays.append([]) }
        arrays[next].removeAll(keepingCapacity: true)
        fill(&arrays[next])
        next += 1
        return arrays[next - 1]
    }
}
