import Detection
import FaceGeometry
import Files
import Glibc
import LandmarkModels
import NeuralNetworks
import Vision

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
        /// CenterFace: finds small and turned faces, and takes long.
        case centerFace = "centerface"
    }

    package enum LandmarkModelChoice: String, CaseIterable, Sendable {
        /// The mesh, together with the cascade in moving pictures; where one of them is not installed, the other.
        case auto
        /// MediaPipe's face mesh.
        case mesh
        /// A cascade of dlib's format.
        case cascade
    }

    /// The picture in which faces are detected.
    package enum Use: Sendable {
        case photographs
        case frames
    }

    /// The file of a landmark cascade in dlib's format that the user has named: it is used even where the mesh would be.
    /// Nil: Debian's.
    package var chosenCascade: FilePath?
    /// Nil: the networks where they are installed, otherwise dlib's.
    package var detector: Detector?
    package var landmarks = LandmarkModelChoice.auto
    package var networks = NetworkFolder.standard

    package init(cascade: FilePath? = nil) { chosenCascade = cascade }

    /// The file of the landmark cascade.
    package var cascade: FilePath { chosenCascade ?? FilePath(LandmarkCascade.defaultModelPath) }

    /// Whether faces are searched for with MediaPipe's network, which finds them at every angle.
    package var usesDetectorNetwork: Bool { (detector ?? (networks.isUsable ? .network : .hog)) == .network }

    /// A detector for the calling thread.
    /// - Throws: `VisionError` with the path of the missing or unusable file.
    package func makeDetector(for use: Use) throws(VisionError) -> any FaceDetector {
        switch detector ?? (networks.isUsable ? .network : .hog) {
        // In photographs, the landmark model itself confirms what is a face.
        case .network: return try NetworkFaceDetector(networks, confirms: use == .frames || !usesMesh)
        case .hog: return try HOGFaceDetector()
        case .haar: return try CascadeFaceDetector(.haar)
        case .lbp: return try CascadeFaceDetector(.lbp)
        case .centerFace: return try CenterFaceDetector(networks)
        }
    }

    /// A detector for the calling thread that finds as many faces in a frame as possible, turned, small and in the dark:
    /// CenterFace, or the one that was chosen.
    /// - Throws: `VisionError` with the path of the missing or unusable file.
    private func makeThoroughDetector() throws(VisionError) -> any FaceDetector {
        if ![nil, .centerFace].contains(detector) { return try makeDetector(for: .frames) }
        let finder = try CenterFaceDetector(networks, mostPixels: Self.mostThoroughPixels)
        finder.leastScore = 0.2
        return finder
    }

    /// A tracker for clips. Its thorough searches use CenterFace if `usesRecallDetector`.
    /// - Throws: `VisionError` with the path of the missing or unusable file.
    package func makeLookAheadTracker(
        model: any LandmarkModel, reference: ReferenceFace, settings: FaceTracker.Settings = FaceTracker.Settings()
    ) throws -> LookAheadTracker {
        var thoroughDetector: (@Sendable () throws -> any FaceDetector)?
        if usesRecallDetector {
            thoroughDetector = { [networks] in try CenterFaceDetector(networks, mostPixels: Self.mostThoroughPixels) }
        }
        return try LookAheadTracker(
            model: model, reference: reference, settings: settings,
            detector: { [self] in try makeDetector(for: .frames) }, thoroughDetector: thoroughDetector)
    }

    /// A tracker of boxes for clips in which faces are covered.
    /// - Parameter known: what it has found in the same clip before; nil: it searches.
    /// - Throws: `VisionError` with the path of the missing or unusable file.
    package func makeFaceBoxTracker(
        _ thoroughness: SearchThoroughness, corrections: FaceBoxCorrections = .init(), known: FaceBoxSearch? = nil
    ) throws(VisionError) -> FaceBoxTracker {
        if let known {
            return FaceBoxTracker(following: known, settings: boxTracking(thoroughness), corrections: corrections)
        }
        return FaceBoxTracker(
            detector: try makeThoroughDetector(), settings: boxTracking(thoroughness), corrections: corrections)
    }

    /// A tracker of boxes for a live picture in which faces are covered.
    /// - Parameter waits: whether frames wait for searches, so that the same frames always have the same result.
    /// - Throws: `VisionError` with the path of the missing or unusable file, or `NoThread`.
    package func makeLiveFaceBoxTracker(waits: Bool) throws -> LiveFaceBoxTracker {
        try LiveFaceBoxTracker(waits: waits, settings: boxTracking(.balanced)) { [self] in try makeThoroughDetector() }
    }

    /// A tracker of boxes for a live picture in which masks are worn, for faces that have no landmarks.
    /// - Parameter waits: whether frames wait for searches, so that the same frames always have the same result.
    /// It uses CenterFace, whatever detector finds the others.
    /// - Throws: `VisionError` with the path of the missing or unusable file, or `NoThread`.
    package func makePromptFaceBoxTracker(waits: Bool) throws -> PromptFaceBoxTracker {
        try PromptFaceBoxTracker(waits: waits) { [networks] in
            try CenterFaceDetector(networks, mostPixels: Self.mostThoroughPixels)
        }
    }

    private func boxTracking(_ thoroughness: SearchThoroughness) -> FaceBoxTracker.Settings {
        var settings = FaceBoxTracker.Settings(thoroughness)
        if ![nil, .centerFace].contains(detector) {
            // Their scores have other units: whatever they find counts.
            (settings.startingScore, settings.continuingScore) = (-1, -1)
            (settings.sureScore, settings.trustedScore) = (-1, -1)
        }
        return settings
    }

    /// What finds the faces of photographs: with MediaPipe's detector, and CenterFace if `usesRecallDetector`.
    /// - Parameter model: called for each face; until then the model may still be loading.
    /// - Throws: `VisionError` with the path of the missing or unusable file.
    package func makePhotographFaces(
        reference: ReferenceFace, model: @escaping @Sendable () throws -> any LandmarkModel
    ) throws(VisionError) -> PhotographFaces {
        try PhotographFaces(
            reference: reference, detector: makeDetector(for: .photographs),
            recallDetector: { [self] use throws(VisionError) in try makeRecallDetector(use) }, model: model)
    }

    /// Whether CenterFace is used beside MediaPipe's detector: if both are installed, and none was chosen.
    package var usesRecallDetector: Bool { detector == nil && usesDetectorNetwork && networks.hasCenterFace }

    /// What CenterFace looks at in photographs, beside MediaPipe's detector.
    package enum RecallUse: Sendable {
        /// Photographs in which MediaPipe's detector is in doubt, and parts of them. It must not take long: a quarter of a
        /// megapixel takes 0.07 s.
        case doubt
        /// Photographs in which no face may be overlooked.
        case thorough

        /// Of its input, at most.
        fileprivate var pixels: Int { self == .doubt ? 1 << 18 : mostThoroughPixels }
    }

    /// Whether videos and photographs can be searched for faces that are turned to a profile.
    package var findsProfiles: Bool { usesRecallDetector || detector == .centerFace }

    /// The memory that CenterFace takes for a photograph, in bytes: two megapixels take 330 MB.
    package func recallDetectorMemory(_ use: RecallUse) -> Int { usesRecallDetector ? 170 * use.pixels : 0 }

    /// - Returns: nil unless `usesRecallDetector`.
    /// - Throws: `VisionError` with the path of a damaged file.
    private func makeRecallDetector(_ use: RecallUse) throws(VisionError) -> CenterFaceDetector? {
        guard usesRecallDetector else { return nil }
        return try CenterFaceDetector(networks, mostPixels: use.pixels)
    }

    /// Of a picture: at 1280 × 720 faces of 12 pixels are found, at 1920 × 1080 of 18.
    private static let mostThoroughPixels = 1 << 20

    /// - Throws: `VisionError` with the path of the missing or unusable file.
    package func loadLandmarkModel(for use: Use) throws(VisionError) -> any LandmarkModel {
        guard usesMesh else { return try LandmarkCascade(modelPath: cascade) }
        let mesh = try MeshLandmarkModel(networks)
        guard use == .frames, landmarks == .auto, cascade.isAccessible(R_OK) else { return mesh }
        return CombinedLandmarkModel(mesh: mesh, cascade: try LandmarkCascade(modelPath: cascade))
    }

    private var usesMesh: Bool {
        switch landmarks {
        case .mesh: true
        case .cascade: false
        case .auto: chosenCascade == nil && networks.isUsable
        }
    }
}
