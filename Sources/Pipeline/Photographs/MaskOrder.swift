import Files
import PictureMasking

/// In which order the faces of each photograph wear several masks. The same photographs and options have the same order, on
/// any number of threads and machines.
package struct MaskOrder {
    private let count: Int
    private let seed: Int?

    package init(_ options: PhotoOptions) { (count, seed) = (options.masks.count, options.shuffle) }

    /// The places of the masks in the options, for the faces of a photograph from left to right; empty if there is one mask.
    /// - Parameters:
    ///   - number: of the photograph in the list of all.
    ///   - name: of its result. With a seed, only the name counts, so that a photograph keeps its masks in a longer list.
    package func masks(of number: Int, named name: FilePath) -> [Int] {
        if count == 1 { return [] }
        guard let seed else { return (0..<count).map { (number + $0) % count } }
        let base = [UInt64(bitPattern: Int64(seed)), name.bytes.withUnsafeBytes { Checksum.of($0) }]
        let keys = (0..<count).map { Checksum.of(base + [UInt64($0)]) }
        return keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    }
}
