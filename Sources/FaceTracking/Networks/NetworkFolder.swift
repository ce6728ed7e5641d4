import Files
import Glibc

/// The folder with MediaPipe's face networks, which `bauta fetch-networks` fetches.
package struct NetworkFolder: Equatable, Sendable {
    /// A network; the raw value is the name of its file.
    package enum Network: String, CaseIterable, Sendable {
        /// Finds faces: MediaPipe's "full range" detector, a sparse network of the kind of BlazeFace (Bazarevsky et al.
        /// 2019).
        case detector = "face_detection_full_range_sparse.tflite"
        /// Finds 468 landmarks of a face (Kartynnik et al., "Real-time Facial Surface Geometry from Monocular Video on
        /// Mobile GPUs", 2019).
        case mesh = "face_landmark.tflite"
        /// Finds eyelids and irises of an eye (Ablavatski et al., "Real-time Pupil Tracking from Monocular Video for
        /// Digital Puppetry", 2020).
        case iris = "iris_landmark.tflite"
    }

    /// What to do where networks are missing.
    package static let remedy = "bauta fetch-networks"
    /// Much more than the largest network has.
    private static let largestFile = 64 << 20

    package let path: FilePath

    package init(path: some FilePathConvertible) { self.path = path.filePath }

    /// `$XDG_DATA_HOME/bauta/networks`.
    package static var standard: NetworkFolder {
        NetworkFolder(path: UserFolders.data / "bauta/networks")
    }

    package func path(of network: Network) -> FilePath { path / FilePath(network.rawValue) }

    /// Whether detector and mesh are there, and XNNPACK, which evaluates them.
    package var isUsable: Bool {
        [.detector, .mesh].allSatisfy { path(of: $0).isAccessible(R_OK) } && NeuralNetwork.isAvailable
    }

    /// Whether the network that finds pupils is there, and XNNPACK.
    package var hasPupils: Bool { path(of: .iris).isAccessible(R_OK) && NeuralNetwork.isAvailable }

    /// The content of a network's file.
    /// - Throws: `VisionError` with the path and the remedy.
    package func bytes(of network: Network) throws(VisionError) -> [UInt8] {
        do {
            return try FileContents.read(path(of: network), limit: Self.largestFile)
        } catch {
            throw VisionError(.modelUnreadable, "\(error) (\(Self.remedy) fetches MediaPipe's face networks)")
        }
    }

    package func load(_ network: Network) throws(VisionError) -> NeuralNetwork {
        try self.network(try bytes(of: network), of: network)
    }

    /// A network from the content of its file.
    /// - Throws: `VisionError` with the path and the remedy.
    func network(_ bytes: [UInt8], of network: Network) throws(VisionError) -> NeuralNetwork {
        do {
            return try NeuralNetwork(bytes, path: path(of: network))
        } catch {
            throw VisionError(error.kind, "\(error) (\(Self.remedy) fetches it again)")
        }
    }

    /// The error of a file that is a network, but another one.
    func isNot(_ expected: String, _ network: Network) -> VisionError {
        VisionError(.modelInvalid, "\(path(of: network)): is not \(expected) (\(Self.remedy) fetches it again)")
    }
}
