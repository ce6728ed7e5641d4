import FuzzTargets
import PictureBuilders
import Testing

/// Every reader that `scripts/fuzz` feeds for minutes reads its seeds and a few changed ones here, so that a target that
/// no longer works, or a reader that crashes at once, shows in each run of the tests. Without sanitizers.
@Suite struct FuzzTargetTests {
    @Test(arguments: FuzzTargets.names) func seedsAndChangedSeedsAreRead(_ name: String) throws {
        let target = try #require(FuzzTargets.all.first { $0.name == name })
        let seeds = try target.seeds()
        #expect(!seeds.isEmpty && seeds.contains { !$0.isEmpty })
        for seed in seeds { target.read(seed) }
        // libheif allocates whatever a file asks for; in the program it is in a child process with a limit.
        guard name != "heif" else { return }
        var random = SeededNumbers(seed: 5)
        for number in 0..<12 {
            var bytes = seeds[random.below(seeds.count)]
            for _ in 0..<(1 + random.below(4)) where !bytes.isEmpty {
                let place = random.below(bytes.count)
                switch random.below(4) {
                case 0: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(16)))
                case 1: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                case 2: bytes[place] = [0, 0x7F, 0x80, 0xFF][random.below(4)]
                default: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                }
            }
            if number % 6 == 5 { bytes.removeLast(random.below(bytes.count + 1)) }
            target.read(Array(bytes.prefix(target.longest)))
        }
    }
}
