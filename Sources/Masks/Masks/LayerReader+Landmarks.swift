import FaceGeometry
import Files

/// Landmarks of a face on a texture.
extension LayerReader {
    /// The mesh's vertices on the texture, in its pixels; nil: the canonical UV.
    func points(_ object: ManifestObject) -> (points: [Point], path: FilePath, given: Int)? {
        guard let name = object.optionalString("landmarks"), name != "reference",
            let path = reading.path(name, "landmarks", object)
        else { return nil }
        var points: [Point]
        do {
            let bytes = try reading.bytes(path, limit: MaskLoader.maximumPointsFileSize)
            points = try PointsFile.parse(String(decoding: bytes, as: UTF8.self))
        } catch let error as ParseError {
            reading.add(
                MaskProblem(.landmarksUnreadable, path: path, at: error.line.map { .line($0) }, error.reason))
            return nil
        } catch {
            object.fault(.fileUnreadable, "landmarks", "\(error)")
            return nil
        }
        let given = points.count
        switch given {
        case ReferenceFace.vertexCount: break
        case Landmarks.count:
            // The face in the texture has no head points of its own: they are placed as on any face.
            guard let landmarks = Landmarks(points) else { return nil }
            points +=
                AffineCamera(fitting: landmarks, to: reference).headPoints(of: reference, landmarks: landmarks).points
        default:
            reading.add(
                MaskProblem(
                    .landmarksCount, path: path,
                    "has \(points.count) points; \(Landmarks.count) landmarks are needed, or "
                        + "\(ReferenceFace.vertexCount) with head points"))
            return nil
        }
        return (points, path, given)
    }
}
