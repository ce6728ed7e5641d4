import Files
import Glibc

/// Which detector and which landmark model are used, and where their files are.
package struct FaceModels: Equatable, Sendable {
    package enum Detector: String, CaseIterable, Sendable {
        /// MediaPipe's networks (`NetworkFaceDetector`).
        case network
        /// dlib's histograms of oriented gradients.
        case hog
        /// OpenCV's cascades.
        case haar
        case lbp
        /// OpenCV's YuNet.
        case yunet
    }

    package enum LandmarkModelChoice: String, CaseIterable, Sendable {
        /// The mesh for photographs and the cascade for moving pictures; where one of them is not installed, the other.
        case auto
        /// MediaPipe's face mesh.
        case mesh
        /// A cascade of dlib's format.
        case cascade
    }

    /// What the faces are found in.
    package enum Use: Sendable {
        case photographs
        case frames
    }

    /// The file of the landmark cascade, in dlib's format. One that the user has named is used even where the mesh would
    /// be.
    package var cascade = FilePath(LandmarkCascade.defaultModelPath)
    /// Nil: the networks where they are installed, otherwise dlib's.
    package var detector: Detector?
    package var landmarks = LandmarkModelChoice.auto
    /// The ONNX file of a YuNet network.
    package var yunet: FilePath?
    package var networks = NetworkFolder.standard

    package init() {}

    package init(cascade: FilePath) { self.cascade = cascade }

    /// A detector for the calling thread.
    /// - Throws: `VisionError` with the path of the missing or unusable file.
    package func makeDetector() throws(VisionError) -> any FaceDetector {
        switch detector ?? (networks.isUsable ? .network : .hog) {
        case .network: return try NetworkFaceDetector(networks)
        case .hog: return try HOGFaceDetector()
        case .haar: return try CascadeFaceDetector(.haar)
        case .lbp: return try CascadeFaceDetector(.lbp)
        case .yunet:
            guard let yunet else {
                throw VisionError(.modelUnreadable, "the detector yunet needs --yunet with the path of its ONNX file")
            }
            return try YuNetFaceDetector(path: yunet)
        }
    }

    /// - Throws: `VisionError` with the path of the missing or unusable file.
    package func loadLandmarkModel(for use: Use) throws(VisionError) -> any LandmarkModel {
        let isMeshPreferred =
            cascade == FaceModels().cascade && networks.isUsable
            && (use == .photographs || !cascade.isAccessible(R_OK))
        switch landmarks {
        case .mesh: return try MeshLandmarkModel(networks)
        case .auto where isMeshPreferred: return try MeshLandmarkModel(networks)
        case .auto, .cascade: return try LandmarkCascade(modelPath: cascade)
        }
    }
}
