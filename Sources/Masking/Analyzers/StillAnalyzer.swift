import FaceGeometry
import FaceTracking
import Pixels

/// Finds the faces of photographs, each by itself. Track IDs count from 1, the largest face first.
package final class StillAnalyzer: FaceAnalyzer {
    package struct Settings: Sendable {
        /// Narrower faces are ignored, in pixels; nil: as small as a search of bounded cost finds them.
        package var minimumFaceWidth: Int?
        /// Whether a photograph without an upright face is searched for faces that lie on their side or head.
        package var searchesRotated = false
        /// Whether no face may be overlooked: what is perhaps one is found as well, at every rotation, from
        /// `minimumFaceWidth` on. This takes several times as long.
        package var isThorough = false

        package init() {}
    }

    private let finder: PhotographFaces
    private let settings: Settings
    private var analyzed: Frame?

    package init(_ finder: PhotographFaces, settings: Settings = Settings()) {
        self.finder = finder
        self.settings = settings
    }

    package func add(_ frame: consuming Frame) throws {
        let found =
            frame.pixels.format == .rgba16
            ? try find(in: frame.pixels.withEightBits()) : try find(in: frame.pixels)
        frame.faces = found.faces.enumerated().map { FaceInstance(face: $1, trackID: $0 + 1) }
        frame.unsureFaces = found.unsure
        frame.timings.detection = found.detectionTime
        frame.timings.landmarks = found.landmarkTime
        analyzed = consume frame
    }

    package func next(isEnding: Bool) -> Frame? { analyzed.take() }

    private func find(in photograph: borrowing PixelBuffer) throws -> PhotographFaces.Result {
        if settings.isThorough {
            return try finder.thoroughSearch(in: photograph, minimumFaceWidth: settings.minimumFaceWidth ?? 1)
        }
        return settings.searchesRotated
            ? try finder.facesAtAnyRotation(in: photograph, minimumFaceWidth: settings.minimumFaceWidth)
            : try finder.faces(in: photograph, minimumFaceWidth: settings.minimumFaceWidth)
    }
}
