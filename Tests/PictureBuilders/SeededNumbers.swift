/// The same numbers for the same seed, on every machine (SplitMix64; Steele et al., doi:10.1145/2660193.2660195).
package struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    /// A number of 0 ..< `count`.
    package mutating func below(_ count: Int) -> Int { Int.random(in: 0..<max(count, 1), using: &self) }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
