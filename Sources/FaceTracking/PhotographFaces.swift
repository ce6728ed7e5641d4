import FaceGeometry
import Pixels

/// Finds the faces of single photographs. One to a thread; the landmark cascade is shared.
package final class PhotographFaces {
    /// What was found, and what it cost.
    package struct Result: Sendable {
        /// Largest first.
        package var faces: [Face]
        package var detectionTime: Duration
        package var landmarkTime: Duration
    }

    private let detector: HOGFaceDetector
    private let cascade: @Sendable () throws -> LandmarkCascade
    private let reference: ReferenceFace

    /// - Parameter cascade: called when there is a face; until then it may still be loading.
    package init(
        reference: ReferenceFace, cascade: @escaping @Sendable () throws -> LandmarkCascade
    ) throws(VisionError) {
        detector = try HOGFaceDetector()
        self.cascade = cascade
        self.reference = reference
    }

    /// The faces in an `rgba8` photograph that may lie on its side or on its head: where it shows no face as it is,
    /// it is searched turned.
    package func facesAtAnyRotation(
        in photograph: borrowing PixelBuffer, minimumFaceWidth: Int? = nil
    ) throws -> Result {
        var result = try faces(in: photograph, minimumFaceWidth: minimumFaceWidth)
        for orientation in [Orientation.turnRight, .turnLeft, .upsideDown] where result.faces.isEmpty {
            let turned = try photograph.copy().turnedUpright(from: orientation)
            let size = Point(Float(photograph.width), Float(photograph.height))
            let found = try faces(in: turned, minimumFaceWidth: minimumFaceWidth)
            result.detectionTime += found.detectionTime
            result.landmarkTime += found.landmarkTime
            result.faces = found.faces.map { face in
                let corners = [face.box.x, face.box.x + face.box.width].flatMap { x in
                    [face.box.y, face.box.y + face.box.height].map { y in
                        orientation.source(of: Point(x, y), size: size)
                    }
                }
                return Face(
                    landmarks: face.landmarks.mapped { orientation.source(of: $0, size: size) }, reference: reference,
                    box: FaceBox(around: corners), detectorScore: face.detectorScore)
            }
        }
        return result
    }

    /// The faces in an `rgba8` photograph.
    /// - Parameter minimumFaceWidth: narrower faces are left alone, in pixels. Nil: as small as a search at a bounded
    ///   cost finds them (see `DetectionPlan`).
    package func faces(in photograph: borrowing PixelBuffer, minimumFaceWidth: Int? = nil) throws -> Result {
        let clock = ContinuousClock()
        let start = clock.now
        let scales = DetectionPlan.scales(
            width: photograph.width, height: photograph.height, minimumFaceWidth: minimumFaceWidth)
        for (attempt, scale) in scales.enumerated() {
            let grey = try photograph.grey(
                width: max(1, Int((Double(photograph.width) * scale).rounded())),
                height: max(1, Int((Double(photograph.height) * scale).rounded())))
            let detections = try detector.detections(in: grey)
            guard !detections.isEmpty || attempt == scales.count - 1 else { continue }
            let detected = clock.now
            let faces =
                try detections
                .map { try face($0, scale: Float(scale), in: photograph, grey: grey) }
                .filter { $0.box.width >= Float(minimumFaceWidth ?? 0) }
                .sorted { $0.box.area > $1.box.area }
            return Result(
                faces: faces, detectionTime: detected - start, landmarkTime: clock.now - detected)
        }
        return Result(faces: [], detectionTime: clock.now - start, landmarkTime: .zero)
    }

    private func face(
        _ detection: FaceDetection, scale: Float, in photograph: borrowing PixelBuffer,
        grey: borrowing PixelBuffer
    ) throws -> Face {
        let box = detection.box.scaled(by: 1 / scale)
        // A small face has few pixels for the trees to look at; in the magnified picture there are values between them.
        let landmarks =
            scale > 1
            ? try cascade().landmarks(in: grey, box: detection.box).mapped { $0 / scale }
            : try cascade().landmarks(in: photograph, box: box)
        return Face(landmarks: landmarks, reference: reference, box: box, detectorScore: detection.score)
    }
}

extension FaceBox {
    func scaled(by factor: Float) -> FaceBox {
        FaceBox(x: x * factor, y: y * factor, width: width * factor, height: height * factor)
    }
}
