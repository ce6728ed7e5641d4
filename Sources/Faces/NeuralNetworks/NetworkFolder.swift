import Files
import Glibc
import Vision

/// The folder with MediaPipe's networks of faces, hands and people, and CenterFace, which `bauta fetch-networks` fetches.
package struct NetworkFolder: Equatable, Sendable {
    /// A network; the raw value is the name of its file.
    package enum Network: String, CaseIterable, Sendable {
        /// Finds faces: MediaPipe's "full range" detector, a sparse network of the kind of BlazeFace (Bazarevsky et al.
        /// 2019).
        case detector = "face_detection_full_range_sparse.tflite"
        /// Finds 468 landmarks of a face (Kartynnik et al., "Real-time Facial Surface Geometry from Monocular Video on
        /// Mobile GPUs", 2019).
        case mesh = "face_landmark.tflite"
        /// Finds eyes, irises and lips of a face (Grishchenko et al., "Attention Mesh: High-fidelity Face Mesh Prediction
        /// in Real-time", arXiv:2006.10962).
        case attention = "face_landmark_with_attention.tflite"
        /// Finds palms of hands (Zhang et al., "MediaPipe Hands: On-device Real-time Hand Tracking", arXiv:2006.10214).
        case palm = "palm_detection_full.tflite"
        /// Finds 21 landmarks of a hand (the same).
        case hand = "hand_landmark_full.tflite"
        /// Tells people from what is around them: MediaPipe's "selfie segmentation" of square pictures.
        case person = "selfie_segmentation.tflite"
        /// The same in pictures of 16 : 9.
        case personInWide = "selfie_segmentation_landscape.tflite"
        /// Finds more faces than `detector`, and takes longer (Xu et al., "CenterFace: Joint Face Detection and
        /// Alignment Using Face as Point", arXiv:1911.03599).
        case centerFace = "centerface.onnx"

        /// What finding, following and masking faces needs: the face networks from MediaPipe.
        package static let mediaPipe: [Network] = [.detector, .mesh, .attention]
        /// What finding hands needs, from MediaPipe, too.
        package static let hands: [Network] = [.palm, .hand]
        /// Of people, told from the background.
        package static let people: [Network] = [.person, .personInWide]

        /// Of the file, as `Checksum` computes it: a network with damaged weights runs, and finds no faces. The script that
        /// fetches networks checks them against manipulation.
        var checksum: UInt64 {
            switch self {
            case .detector: 0xE9D9_0D5D_F8C4_E015
            case .mesh: 0x7F93_BDF5_EE0E_4293
            case .attention: 0x8024_6776_F1FB_B8D9
            case .palm: 0xF175_2C45_24B0_F73D
            case .hand: 0x70BD_9854_8FB7_FC21
            case .person: 0xE54B_D27C_3B86_31F5
            case .personInWide: 0xBE0C_F048_013B_1E59
            case .centerFace: 0x17BF_AD58_6C1C_2362
            }
        }
    }

    /// The behaviour if networks are missing.
    package static let remedy = "bauta fetch-networks"
    /// Much more than the largest network has.
    private static let largestFile = 64 << 20

    /// Nil: there is no home folder, and no network.
    private let folder: FilePath?

    package init(path: some FilePathConvertible) { folder = path.filePath }

    private init() { folder = UserFolders.data.map { $0 / "bauta/networks" } }

    /// `$XDG_DATA_HOME/bauta/networks`.
    package static var standard: NetworkFolder { NetworkFolder() }

    /// - Throws: `FileError` if there is no home folder.
    package func path() throws(FileError) -> FilePath {
        guard let folder else { throw UserFolders.missing(.unreadable) }
        return folder
    }

    /// For messages.
    private func path(of network: Network) -> FilePath { (folder ?? "") / FilePath(network.rawValue) }

    /// Whether a file exists.
    package func has(_ name: FilePath) -> Bool { folder.map { ($0 / name).isAccessible(R_OK) } ?? false }
    package func has(_ network: Network) -> Bool { has(FilePath(network.rawValue)) }

    /// Whether detector and mesh are there, and XNNPACK, which evaluates them.
    package var isUsable: Bool { has(.detector) && has(.mesh) && NeuralNetwork.isAvailable }

    /// Why networks that are there are not used, for a message; nil: they are, or something is not installed.
    package var obstacle: String? {
        has(.detector) && has(.mesh) && NeuralNetwork.isInstalled ? NeuralNetwork.obstacle : nil
    }

    /// Whether the network that finds eyes, irises and lips is there, and XNNPACK.
    package var hasAttention: Bool { has(.attention) && NeuralNetwork.isAvailable }

    /// Whether the networks that find hands are there, and XNNPACK.
    package var hasHands: Bool { Network.hands.allSatisfy(has) && NeuralNetwork.isAvailable }

    /// Whether the networks that find people are there, and XNNPACK.
    package var hasPerson: Bool { Network.people.allSatisfy(has) && NeuralNetwork.isAvailable }

    /// Whether CenterFace is there, and XNNPACK.
    package var hasCenterFace: Bool { has(.centerFace) && NeuralNetwork.isAvailable }

    /// The content of a network's file, which is known to be right.
    /// - Throws: `VisionError` with the path and the remedy.
    package func bytes(of network: Network) throws(VisionError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileContents.read(try path() / FilePath(network.rawValue), limit: Self.largestFile)
        } catch {
            throw VisionError(.modelUnreadable, "\(error) (\(Self.remedy) fetches the face networks)")
        }
        guard bytes.withUnsafeBytes({ Checksum.of($0) }) == network.checksum else {
            throw VisionError(
                .modelInvalid,
                "\(path(of: network)): is damaged, or not the one that Bauta uses (\(Self.remedy) fetches it again)")
        }
        return bytes
    }

    package func load(_ network: Network) throws(VisionError) -> NeuralNetwork {
        try self.network(try bytes(of: network), of: network)
    }

    /// A network from the content of its file.
    /// - Parameter inputSize: of a network that takes pictures of any size; nil for one with a size of its own.
    /// - Throws: `VisionError` with the path and the remedy.
    package func network(
        _ bytes: [UInt8], of network: Network, inputSize: NeuralNetwork.InputSize? = nil
    ) throws(VisionError) -> NeuralNetwork {
        if NeuralNetwork.isInstalled, let obstacle = NeuralNetwork.obstacle {
            throw VisionError(.modelUnreadable, "\(path(of: network)): cannot be used: \(obstacle)")
        }
        do {
            return try NeuralNetwork(bytes, path: path(of: network), inputSize: inputSize)
        } catch {
            throw VisionError(error.kind, "\(error) (\(Self.remedy) fetches it again)")
        }
    }

    /// The error of a file that is a network, but another one.
    package func isNot(_ expected: String, _ network: Network) -> VisionError {
        VisionError(.modelInvalid, "\(path(of: network)): is not \(expected) (\(Self.remedy) fetches it again)")
    }
}
