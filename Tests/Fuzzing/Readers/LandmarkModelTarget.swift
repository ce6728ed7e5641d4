import CLandmarkCascade
import FaceGeometry
import Files
import Glibc
import LandmarkModels
import Pixels

/// Landmark models in dlib's format, which users download from anywhere.
enum LandmarkModelTarget: FuzzTarget {
    static let name = "landmark-model"
    static let longest = 16384

    static func seeds() -> [[UInt8]] { [seed(trees: 1, depth: 1), seed(trees: 2, depth: 2)] }

    static func read(_ bytes: [UInt8]) {
        guard let cascade = bytes.withUnsafeBytes({ try? LandmarkCascade(model: $0) }) else { return }
        use(cascade)
    }

    /// Evaluates a model as the program does, on a small picture. Landmarks that are not finite are an error.
    static func use(_ cascade: LandmarkCascade) {
        guard var picture = try? PixelBuffer(width: 24, height: 20, format: .rgba8) else { fatalError("no memory") }
        picture.fill(SIMD4<UInt8>(200, 100, 50, 255))
        for box in [
            FaceBox(x: 3, y: 4, width: 14, height: 14), FaceBox(x: -40, y: 9, width: 90, height: 30),
        ] { _ = try? cascade.landmarks(in: picture, box: box) }
    }

    /// A model of one level with small trees of zeros.
    static func seed(trees: Int, depth: Int) -> [UInt8] {
        let leaves = 1 << depth
        var bytes = integer(1)
        let shape = column(2 * Landmarks.count) { $0 % 7 }
        bytes += shape + integer(1) + integer(trees)
        for _ in 0..<trees {
            bytes += integer(leaves - 1)
            for split in 1..<leaves { bytes += integer(split % 3) + integer((split + 1) % 3) + float(split) }
            bytes += integer(leaves)
            for leaf in 0..<leaves { bytes += column(2 * Landmarks.count) { ($0 + leaf) % 5 } }
        }
        bytes += integer(1) + integer(3)
        for anchor in [0, 30, 67] { bytes += integer(anchor) }
        bytes += integer(1) + integer(3)
        for delta in 0..<3 { bytes += float(delta) + float(-delta) }
        return bytes
    }

    /// dlib's serialisation: a control byte with sign and length, then the bytes, lowest first.
    private static func integer(_ value: Int) -> [UInt8] { [value < 0 ? 0x81 : 0x01, UInt8(abs(value))] }
    private static func float(_ value: Int) -> [UInt8] { integer(value) + integer(-4) }

    private static func column(_ count: Int, _ value: (Int) -> Int) -> [UInt8] {
        [0x82, UInt8(count & 255), UInt8(count >> 8)] + integer(-1) + (0..<count).flatMap { float(value($0)) }
    }
}

/// The cache of converted models. The checksum is made right, so that what follows it is reached.
enum LandmarkCacheTarget: FuzzTarget {
    static let name = "landmark-cache"
    static let longest = 16384
    private static let headerSize = 256

    static func seeds() throws -> [[UInt8]] {
        try LandmarkModelTarget.seeds().map { model in
            try model.withUnsafeBytes { try LandmarkCascade(model: $0).cacheContent }
        }
    }

    static func read(_ bytes: [UInt8]) {
        guard let start = malloc(max(bytes.count, 1)) else { return }
        let memory = UnsafeMutableRawBufferPointer(start: start, count: bytes.count)
        memory.copyBytes(from: bytes)
        var fingerprint: UInt64 = 0
        if bytes.count >= headerSize {
            fingerprint = memory.load(fromByteOffset: 8, as: UInt64.self)
            let payload = memory[headerSize...]
            memory.storeBytes(
                of: Checksum.of(UnsafeRawBufferPointer(rebasing: payload)), toByteOffset: 16, as: UInt64.self)
        }
        if let cascade = LandmarkCascade(cache: memory, fingerprint: fingerprint) { LandmarkModelTarget.use(cascade) }
    }
}
