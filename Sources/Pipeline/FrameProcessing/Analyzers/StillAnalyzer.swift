import Compositing
import FaceGeometry
import FaceRecognition
import FaceTracking
import Pixels

/// Finds the faces of photographs, each by itself. Track IDs count from 1, the largest face first.
package struct StillAnalyzer {
    package struct Settings: Sendable {
        /// Narrower faces are ignored; nil: as small as a search of bounded cost finds them.
        package var smallestFace: SmallestFace?
        /// Whether a photograph without an upright face is searched for faces that lie on their side or head.
        package var searchesRotated = false
        /// If no face may be overlooked: what is perhaps one is found as well, from `smallestFace` on. This takes several
        /// times as long. Nil: only what certainly is a face.
        package var thoroughness: SearchThoroughness?

        package init() {}
    }

    private let finder: PhotographFaces
    private let settings: Settings
    /// Nil: nobody is looked for.
    private let identifier: FaceIdentifier?

    package init(_ finder: PhotographFaces, settings: Settings = Settings(), identifier: FaceIdentifier? = nil) {
        self.finder = finder
        self.settings = settings
        self.identifier = identifier
    }

    /// A photograph with its faces.
    package func analyzed(_ frame: consuming Frame) throws -> Frame {
        let found =
            frame.pixels.format == .rgba16
            ? try find(in: frame.pixels.withEightBits()) : try find(in: frame.pixels)
        frame.faces = found.faces.faces.enumerated().map { number, face in
            var instance = FaceInstance(face: face, trackID: number + 1)
            if !found.identities.isEmpty { instance.identity = found.identities[number] }
            return instance
        }
        frame.unsureFaces = found.faces.unsure
        frame.timings.detection = found.faces.detectionTime
        frame.timings.landmarks = found.faces.landmarkTime
        return frame
    }

    /// The faces, and whose they are, in the same order; no identities where nobody is looked for.
    private func find(
        in photograph: borrowing PixelBuffer
    ) throws -> (faces: PhotographFaces.Result, identities: [FaceIdentity]) {
        let found = try search(photograph)
        return (found, try identifier?.identities(of: found.faces, in: photograph) ?? [])
    }

    private func search(_ photograph: borrowing PixelBuffer) throws -> PhotographFaces.Result {
        let width = settings.smallestFace?.pixels(ofHeight: photograph.height)
        if let thoroughness = settings.thoroughness {
            return try finder.thoroughSearch(in: photograph, minimumFaceWidth: width ?? 1, thoroughness)
        }
        return settings.searchesRotated
            ? try finder.facesAtAnyRotation(in: photograph, minimumFaceWidth: width)
            : try finder.faces(in: photograph, minimumFaceWidth: width)
    }
}
