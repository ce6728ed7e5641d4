import CLandmarkCascade
import FaceGeometry
import Files
import Glibc
import Pixels
import Vision

/// A landmark model in dlib's format, evaluated by code of our own: an ensemble of regression trees (Kazemi & Sullivan,
/// "One Millisecond Face Alignment with an Ensemble of Regression Trees", CVPR 2014). Unlike dlib's own evaluation it
/// does not round landmarks to whole pixels. Evaluating changes nothing in it: any number of threads may share one.
package final class LandmarkCascade: LandmarkModel {
    /// The path of the model in Debian's package libdlib-data.
    package static let defaultModelPath = "/usr/share/dlib/shape_predictor_68_face_landmarks.dat"

    private let memory: CascadeMemory
    private let layout: CascadeLayout

    /// Opens a model. The first time, the model is converted, which takes about half a second; the result is kept in the
    /// user's cache and read from there afterwards.
    /// - Throws: `VisionError` with the path of the file.
    package init(modelPath: some FilePathConvertible) throws(VisionError) {
        let file = try ModelFile.open(modelPath.filePath)
        do throws(FileError) {
            let fingerprint = try ModelFingerprint(of: file)
            if let path = CascadeCache.path(fingerprint: fingerprint.value), let cached = CascadeMemory(reading: path),
                let view = CascadeView(checking: cached.bytes, fingerprint: fingerprint.value)
            {
                memory = cached
                layout = view.layout
                return
            }
        } catch {
            throw VisionError(error)
        }
        (memory, layout) = try Self.converted(file)
    }

    /// Converts a model's file, and keeps the result in the cache.
    private static func converted(_ file: borrowing RegularFile) throws(VisionError) -> (CascadeMemory, CascadeLayout) {
        do {
            let model = try FileBytes(file)
            return try model.withUnsafeBytes { bytes throws(DlibModelReader.FormatError) in
                // Of these bytes: the file may have changed since it was opened.
                let fingerprint = ModelFingerprint(of: bytes).value
                let result = try converted(bytes, fingerprint: fingerprint)
                if let path = CascadeCache.path(fingerprint: fingerprint) {
                    CascadeCache.write(result.0.bytes, to: path)
                }
                return result
            }
        } catch let error as FileError {
            throw VisionError(error)
        } catch {
            throw VisionError(
                .modelInvalid, "\(file.path): is not a model of \(Landmarks.count) landmarks in dlib's format: \(error)"
            )
        }
    }

    /// Converts a model in memory; the cache is neither read nor written.
    /// - Throws: `DlibModelReader.FormatError`.
    package init(model bytes: UnsafeRawBufferPointer) throws {
        (memory, layout) = try Self.converted(bytes, fingerprint: ModelFingerprint(of: bytes).value)
    }

    /// Takes over the content of a cache file, from `malloc`; nil if it is damaged or was made from another model.
    package init?(cache: UnsafeMutableRawBufferPointer, fingerprint: UInt64) {
        memory = CascadeMemory(owned: cache)
        guard let view = CascadeView(checking: memory.bytes, fingerprint: fingerprint) else { return nil }
        layout = view.layout
    }

    /// The content of the cache file.
    package var cacheContent: [UInt8] { Array(memory.bytes) }

    private static func converted(
        _ model: UnsafeRawBufferPointer, fingerprint: UInt64
    ) throws(DlibModelReader.FormatError) -> (CascadeMemory, CascadeLayout) {
        let memory = CascadeMemory(owned: try CascadeConverter.convert(model, fingerprint: fingerprint))
        guard let view = CascadeView(checking: memory.bytes, fingerprint: fingerprint) else {
            throw DlibModelReader.FormatError(description: "its trees cannot be evaluated")
        }
        return (memory, view.layout)
    }

    package func estimate(
        in picture: borrowing PixelBuffer, box: OrientedBox
    ) throws(VisionError) -> LandmarkEstimate {
        LandmarkEstimate(landmarks: try landmarks(in: picture, box: box))
    }

    package func estimate(
        in picture: borrowing PixelBuffer, detected box: FaceBox
    ) throws(VisionError) -> LandmarkEstimate {
        LandmarkEstimate(landmarks: try landmarks(in: picture, box: box))
    }

    /// The landmarks of the face in a box, in pixels.
    /// - Parameters:
    ///   - picture: grey or RGBA with 8 bits. In RGBA the model reads the mean of red, green and blue.
    ///   - box: in the detector's convention (square, from above the brows to below the lips).
    package func landmarks(in picture: borrowing PixelBuffer, box: FaceBox) throws(VisionError) -> Landmarks {
        // dlib's boxes consist of whole pixels and span from the centre of the first to the centre of the last.
        let (x, y) = (box.x.rounded(), box.y.rounded())
        let (width, height) = (box.width.rounded() - 1, box.height.rounded() - 1)
        let place = clandmarkcascade_box(origin: (x, y), across: (width, 0), down: (0, height))
        return try evaluate(in: picture, place)
    }

    /// The landmarks of the face in a box that may be rotated and need not lie on whole pixels.
    package func landmarks(in picture: borrowing PixelBuffer, box: OrientedBox) throws(VisionError) -> Landmarks {
        let (origin, across, down) = (box.origin - 0.5, box.across, box.down)
        return try evaluate(
            in: picture,
            clandmarkcascade_box(
                origin: (origin.x, origin.y), across: (across.x, across.y), down: (down.x, down.y)))
    }

    /// Allocates nothing.
    private func evaluate(
        in picture: borrowing PixelBuffer, _ place: clandmarkcascade_box
    ) throws(VisionError) -> Landmarks {
        precondition(picture.format != .rgba16, "the cascade takes 8 bits a component")
        var points = Landmarks.Storage(repeating: .zero)
        let (width, height) = (Int32(picture.width), Int32(picture.height))
        let (channels, bytesPerRow) = (Int32(picture.format.bytesPerPixel), picture.bytesPerRow)
        let view = CascadeView(layout: layout, bytes: memory.bytes)
        var place = place
        picture.withUnsafeBytes { bytes in
            var image = clandmarkcascade_image(
                pixels: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), width: width, height: height,
                channels: channels, bytes_per_row: bytesPerRow)
            withUnsafeMutableBytes(of: &points) { target in
                view.withModel { model in
                    clandmarkcascade_evaluate(
                        model, &image, &place, target.baseAddress?.assumingMemoryBound(to: Float.self))
                }
            }
        }
        // The cascade's origin is the centre of the first pixel, ours its corner.
        for index in points.indices { points[index] += 0.5 }
        guard let landmarks = Landmarks(points) else {
            throw VisionError(.failed, "the landmark model returned landmarks that are not finite")
        }
        return landmarks
    }

    /// The mean shape that the model starts from, in 0…1 of the detector's box.
    package var meanShape: [Point] {
        (0..<Landmarks.count).map {
            memory.bytes.load(fromByteOffset: layout.meanShape + 8 * $0, as: SIMD2<Float>.self)
        }
    }
}
