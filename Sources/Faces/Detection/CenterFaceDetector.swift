import FaceGeometry
import Glibc
import NeuralNetworks
import Pixels
import Vision

/// CenterFace, which finds the centre of each face in a heat map, and there its size and five points (Xu et al.,
/// "CenterFace: Joint Face Detection and Alignment Using Face as Point", arXiv:1911.03599). It finds small, dark and turned
/// faces that MediaPipe's detector misses, profiles included, and takes several times as long.
package final class CenterFaceDetector: FaceDetector {
    package let boxConvention = BoxConvention(scale: 0.92, centerShift: 0.075)
    /// In pixels of the picture: larger pictures of large faces are reduced, and take less time; pictures of small ones are
    /// magnified.
    package var smallestFace: Int
    package let seesColor = true

    /// The score from which on places are reported, 0…1.
    package var leastScore: Float = 0.5

    /// Pixels of the input for each place of the heat map, along one axis.
    private static let cell: Float = 4
    /// Above this intersection over union, two places are one face.
    private static let overlap: Float = 0.3
    /// Of a picture. More places cannot be faces, and would take long to compare.
    private static let mostPlaces = 4096
    private static let range = NeuralNetwork.InputRange(black: 0, white: 255, repeatsEdge: false)

    private let networks: SizedNetworks
    private let mostPixels: Int

    /// - Parameters:
    ///   - smallestFace: in pixels of the picture: larger pictures of large faces are reduced, and take less time.
    ///   - mostPixels: of the network's input, at most 2²². Larger pictures are reduced, and the smallest face that is found
    ///     is larger than `smallestFace`.
    /// - Throws: `VisionError` with the path of the file.
    package init(
        _ folder: NetworkFolder = .standard, smallestFace: Int = 12, mostPixels: Int = CenterFaceInput.mostPixels
    ) throws(VisionError) {
        self.smallestFace = smallestFace
        self.mostPixels = mostPixels
        networks = try SizedNetworks(
            folder, .centerFace, mostPixels: min(mostPixels, SizedNetworks.mostPixelsKept))
        let step = CenterFaceInput.step
        let side = step / Int(Self.cell)
        let network = try networks.network(for: NeuralNetwork.InputSize(width: step, height: step))
        guard network.inputShapes == [[1, step, step, 3]],
            network.outputShapes == [1, 2, 2, 10].map({ [1, side, side, $0] })
        else {
            throw folder.isNot("CenterFace", .centerFace)
        }
    }

    /// The side of the smallest face that is found in a picture of this size, in pixels of the picture.
    package func smallestFace(ofWidth width: Int, height: Int) -> Float {
        let input = CenterFaceInput(
            width: width, height: height, smallestFace: smallestFace, mostPixels: mostPixels)
        return CenterFaceInput.smallestFace / input.magnification
    }

    /// The faces in a picture. The score is the network's, 0…1.
    package func detections(in picture: borrowing PixelBuffer) throws(VisionError) -> [FaceDetection] {
        try places(in: picture).map(\.detection)
    }

    /// The faces in a picture, highest score first.
    package func places(in picture: borrowing PixelBuffer) throws(VisionError) -> [CenterFacePlace] {
        let input = CenterFaceInput(
            width: picture.width, height: picture.height, smallestFace: smallestFace, mostPixels: mostPixels)
        let network = try networks.network(for: input.size)
        try network.fill(from: picture, magnification: input.magnification, range: Self.range)
        try network.run()
        return Self.suppressed(found(by: network, magnification: input.magnification))
    }

    /// The places in the network's outputs, in pixels of the picture.
    private func found(by network: NeuralNetwork, magnification: Float) -> [CenterFacePlace] {
        let columns = network.outputShapes[0][2]
        let least = leastScore
        var scores = network.withOutput(0) { heat in heat.indices.filter { heat[$0] > least }.map { ($0, heat[$0]) } }
        scores.sort { ($1.1, $0.0) < ($0.1, $1.0) }
        return scores.prefix(Self.mostPlaces).compactMap { index, score in
            let scale = network.withOutput(1) { Point($0[2 * index + 1], $0[2 * index]) }
            let offset = network.withOutput(2) { Point($0[2 * index + 1], $0[2 * index]) }
            let size = Self.cell * Point(exp(scale.x), exp(scale.y)) / magnification
            let position = Point(Float(index % columns), Float(index / columns)) + offset + 0.5
            let corner = Self.cell * position / magnification - size / 2
            let points = network.withOutput(3) { numbers in
                (0..<5).map { corner + size * Point(numbers[10 * index + 2 * $0 + 1], numbers[10 * index + 2 * $0]) }
            }
            guard ([corner, size] + points).allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
            let box = FaceBox(x: corner.x, y: corner.y, width: size.x, height: size.y)
            let keyPoints = FaceKeyPoints(
                rightEye: points[0], leftEye: points[1], nose: points[2], rightMouthCorner: points[3],
                leftMouthCorner: points[4])
            return CenterFacePlace(box: box, score: score, points: keyPoints)
        }
    }

    /// Leaves out all but the best of the places that overlap. They are in the order of their scores.
    package static func suppressed(_ places: [CenterFacePlace]) -> [CenterFacePlace] {
        var result: [CenterFacePlace] = []
        for place in places {
            let isKnown = result.contains { intersectionOverUnion($0.box, place.box) > overlap }
            if !isKnown { result.append(place) }
        }
        return result
    }

    private static func intersectionOverUnion(_ one: FaceBox, _ other: FaceBox) -> Float {
        let across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
        let down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
        let common = max(0, across) * max(0, down)
        return common / (one.area + other.area - common)
    }
}
