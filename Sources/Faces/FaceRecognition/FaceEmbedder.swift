import CVision
import FaceGeometry
import Files
import Glibc
import NeuralNetworks
import Pixels
import Synchronization
import Vision

/// dlib's face recognition network, a ResNet with 29 convolutions that was trained with a metric loss (King, "High Quality
/// Face Recognition with Deep Metric Learning", 2017). It may be shared by threads, which then take turns.
package final class FaceEmbedder: Sendable {
    /// The network's file in the folder of networks.
    package static let fileName: FilePath = "dlib_face_recognition_resnet_model_v1.dat"
    /// The command that fetches it.
    package static let remedy = "bauta fetch-networks --people"
    /// Its purpose, for messages where it is missing.
    private static let purpose = "dlib's face recognition network, which tells people apart"
    /// dlib trusts what it reads. So only the file is read that is known to be right.
    private static let size = 22_466_066
    private static let checksum: UInt64 = 0xE7F3637357F959E3

    private struct Handle: ~Copyable, @unchecked Sendable {
        let pointer: OpaquePointer

        deinit { cvision_face_embedder_destroy(pointer) }
    }

    private let handle: Mutex<Handle>

    /// Whether the network is in a folder.
    package static func isInstalled(in folder: NetworkFolder = .standard) -> Bool {
        folder.has(fileName)
    }

    /// Loads the network, which takes a fifth of a second.
    /// - Throws: `VisionError` with the path and the remedy.
    package init(_ folder: NetworkFolder = .standard) throws(VisionError) {
        let path: FilePath
        do throws(FileError) {
            path = try folder.path() / Self.fileName
        } catch {
            throw VisionError(.modelUnreadable, "\(error)")
        }
        guard try Self.isRight(path) else {
            throw VisionError(.modelInvalid, "\(path): is not \(Self.purpose) (\(Self.remedy) fetches it again)")
        }
        var status = cvision_status()
        guard let pointer = path.withCString({ cvision_face_embedder_load($0, &status) }) else {
            throw VisionError(status, modelPath: path, of: "face recognition network")
        }
        handle = Mutex(Handle(pointer: pointer))
    }

    private static func isRight(_ path: FilePath) throws(VisionError) -> Bool {
        do throws(FileError) {
            guard try RegularFile(path).count == size else { return false }
            return try Checksum.ofFile(path) == checksum
        } catch {
            throw VisionError(.modelUnreadable, "\(error) (\(remedy) fetches \(purpose))")
        }
    }

    package func embedding(of chip: FaceChip) throws(VisionError) -> FaceEmbedding {
        var values = [Float](repeating: 0, count: FaceEmbedding.count)
        var status = cvision_status()
        let isDone = handle.withLock { handle in
            cvision_face_embedder_describe(handle.pointer, chip.pixels, &values, &status)
        }
        guard isDone else { throw VisionError(status) }
        guard let embedding = FaceEmbedding(values) else {
            throw VisionError(.failed, "dlib's face recognition network returned impossible numbers")
        }
        return embedding
    }
}
