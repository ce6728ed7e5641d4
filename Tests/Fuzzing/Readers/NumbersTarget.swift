import COpticalFlow
import Detection
import FaceGeometry
import FaceTracking
import LandmarkModels
import MaskComposition
import Masks
import Pixels
import Vision

/// Landmarks and boxes that are not finite, or enormous, from a landmark model and a detector: into the tracker with its
/// optical flow, and into the composition of a mask.
enum NumbersTarget: FuzzTarget {
    static let name = "numbers"
    static let longest = 1200

    static func seeds() -> [[UInt8]] {
        let face: [Float] = (0..<68).flatMap { index in
            let point = setting.reference.landmarks[index]
            return [12 + 40 * point.x, 4 + 40 * point.y]
        }
        let box: [Float] = [12, 4, 40, 40]
        return [box + face, box + face.map { -$0 }, box.map { 1e30 * $0 } + face, box + face.map { $0 / 0 }].map {
            $0.flatMap { number in withUnsafeBytes(of: number.bitPattern.littleEndian, Array.init) }
        }
    }

    static func read(_ bytes: [UInt8]) {
        let numbers = stride(from: 0, to: bytes.count - 3, by: 4).map { (place: Int) -> Float in
            let pattern: UInt32 = (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
            return Float(bitPattern: pattern)
        }
        guard numbers.count >= 5 else { return }
        let points = (0..<68).map { index in
            Point(numbers[4 + 2 * index % (numbers.count - 4)], numbers[4 + (2 * index + 1) % (numbers.count - 4)])
        }
        guard let landmarks = Landmarks(points) else { return }
        do {
            try follow(landmarks, FaceBox(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
        } catch {}
        compose(landmarks)
        followPoints(numbers)
    }

    /// Points and places of patches as they come, without the tracker's checks.
    private static func followPoints(_ numbers: [Float]) {
        guard numbers.count >= 16, let picture = try? picture(.grey8, shift: 0) else { return }
        picture.withUnsafeBytes { bytes in
            var image = copticalflow_image(
                pixels: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), width: 64, height: 48, channels: 1,
                bytes_per_row: picture.bytesPerRow)
            var place = copticalflow_place(
                origin: (numbers[0], numbers[1]), across: (numbers[2], numbers[3]), down: (numbers[4], numbers[5]))
            let side: Int32 = numbers[6] > 0 ? 64 : Int32(COPTICALFLOW_LARGEST_SIDE)
            var patches = [Float](repeating: 0, count: 2 * Int(COPTICALFLOW_LARGEST_PIXELS))
            patches.withUnsafeMutableBufferPointer { patches in
                guard let first = patches.baseAddress else { return }
                let second = first + Int(COPTICALFLOW_LARGEST_PIXELS)
                copticalflow_cut(&image, &place, side, first)
                place = copticalflow_place(origin: (0, 0), across: (0.5, 0), down: (0, 0.4))
                copticalflow_cut(&image, &place, side, second)
                var moved = Array(numbers[8..<16])
                var residuals = [Float](repeating: 0, count: 4)
                copticalflow_follow(second, first, side, 4, Array(numbers[0..<8]), &moved, &residuals)
                copticalflow_follow(second, second, side, 4, moved, &moved, &residuals)
                var corners = [Float](repeating: 0, count: 200)
                _ = copticalflow_corners(
                    second, side, 4, Array(numbers[6..<8]), Array(numbers[8..<10]), &corners, 100)
            }
        }
    }

    private static func follow(_ landmarks: Landmarks, _ box: FaceBox) throws {
        var settings = FaceTracker.Settings()
        settings.searchesInBackground = false
        let tracker = try FaceTracker(
            model: GivenModel(landmarks), reference: setting.reference, settings: settings
        ) { GivenDetector(box) }
        for index in 0..<3 {
            try tracker.track(picture(.grey8, shift: index), at: Double(index) / 25)
        }
        for face in tracker.faces { compose(face.face.landmarks) }
    }

    private static func compose(_ landmarks: Landmarks) {
        guard let picture = try? picture(.rgba8, shift: 0) else { return }
        let face = Face(landmarks: landmarks, reference: setting.reference)
        // Without a time, nothing stays of one picture for the next.
        _ = setting.composer.drawList(setting.mask, on: [FaceInstance(face: face, trackID: 1)], in: picture)
    }

    /// Of noise, which optical flow can follow.
    private static func picture(_ format: PixelFormat, shift: Int) throws -> PixelBuffer {
        var picture = try PixelBuffer(width: 64, height: 48, format: format)
        let (stride, length) = (picture.bytesPerRow, 64 * format.bytesPerPixel)
        noise.withUnsafeBytes { noise in
            picture.withUnsafeMutableBytes { bytes in
                for y in 0..<48 {
                    let start = y * noiseStride + shift * format.bytesPerPixel
                    UnsafeMutableRawBufferPointer(rebasing: bytes[y * stride..<y * stride + length])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: noise[start..<start + length]))
                }
            }
        }
        return picture
    }

    private static let noiseStride = 4 * 80
    private static let noise: [UInt8] = (0..<48 * noiseStride).map { index in
        let (y, x) = index.quotientAndRemainder(dividingBy: noiseStride)
        return UInt8(truncatingIfNeeded: (x * 7919 ^ y * 104_729) >> 3)
    }

    private struct Setting: @unchecked Sendable {  // libFuzzer calls the target on one thread
        let reference: ReferenceFace
        let composer: MaskComposer
        let mask: Mask
    }

    private static let setting: Setting = {
        do {
            let reference = try ReferenceFace(
                points: PointsFile.parse(RepositoryFile.text("face/reference.pts")),
                depths: DepthsFile.parse(RepositoryFile.text("face/depths.txt")))
            let mesh = try FaceMesh(parsing: RepositoryFile.text("face/mesh.txt"))
            return Setting(
                // It takes much longer to make than to use.
                reference: reference, composer: MaskComposer(reference: reference, mesh: mesh),
                mask: try MaskLoader(reference: reference).load(folder: "masks/tiger"))
        } catch {
            fatalError("\(error)")
        }
    }()

    private final class GivenModel: LandmarkModel {
        private let landmarks: Landmarks
        init(_ landmarks: Landmarks) { self.landmarks = landmarks }

        func estimate(in picture: borrowing PixelBuffer, box: OrientedBox) throws(VisionError) -> LandmarkEstimate {
            // What every landmark model promises.
            for index in 0..<68 where !(landmarks[index].x + landmarks[index].y).isFinite {
                throw VisionError(.failed, "the landmarks are not finite")
            }
            return LandmarkEstimate(landmarks: landmarks)
        }
    }

    private final class GivenDetector: FaceDetector {
        let boxConvention = BoxConvention.dlib
        let smallestFace = 10
        let seesColor = false
        private let box: FaceBox
        init(_ box: FaceBox) { self.box = box }

        func detections(in picture: borrowing PixelBuffer) throws(VisionError) -> [FaceDetection] {
            [FaceDetection(box: box, score: 1)]
        }
    }
}
