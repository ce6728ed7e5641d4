import Vision

/// A network that takes pictures of any size. XNNPACK prepares it for each size anew, which takes about 20 ms, so the
/// networks for the sizes used last are kept. Belongs to one thread at a time.
package final class SizedNetworks {
    /// At most so many are kept, of at most so many pixels together, each with about 150 bytes a pixel and its own weights.
    /// The newest is kept in any case.
    package static let mostKept = 4
    package static let mostPixelsKept = 1 << 20

    private let mostPixels: Int
    private let folder: NetworkFolder
    private let network: NetworkFolder.Network
    private let bytes: [UInt8]
    /// That used last at the end.
    private var kept: [(size: NeuralNetwork.InputSize, network: NeuralNetwork)] = []

    /// - Parameter mostPixels: of all networks that are kept.
    /// - Throws: `VisionError` with the path and the remedy.
    package init(
        _ folder: NetworkFolder, _ network: NetworkFolder.Network, mostPixels: Int = mostPixelsKept
    ) throws(VisionError) {
        self.mostPixels = mostPixels
        self.folder = folder
        self.network = network
        bytes = try folder.bytes(of: network)
    }

    /// The sizes that are kept, that used last at the end.
    package var keptSizes: [NeuralNetwork.InputSize] { kept.map(\.size) }

    /// The network for a size of the input.
    /// - Throws: `VisionError` if the size is too large, or there is not enough memory.
    package func network(for size: NeuralNetwork.InputSize) throws(VisionError) -> NeuralNetwork {
        if let index = kept.firstIndex(where: { $0.size == size }) {
            kept.append(kept.remove(at: index))
        } else {
            // Room is made first: both would need memory at the same time.
            while kept.count >= Self.mostKept || pixelsKept + size.pixelCount > mostPixels, !kept.isEmpty {
                kept.removeFirst()
            }
            kept.append((size, try folder.network(bytes, of: network, inputSize: size)))
        }
        return kept[kept.count - 1].network
    }

    private var pixelsKept: Int { kept.reduce(0) { $0 + $1.size.pixelCount } }
}
