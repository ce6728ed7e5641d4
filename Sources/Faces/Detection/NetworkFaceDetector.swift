import FaceGeometry
import Glibc
import LandmarkModels
import NeuralNetworks
import Pixels
import Vision

/// MediaPipe's face detector for full range (a sparse network of the kind of BlazeFace: Bazarevsky et al., "BlazeFace:
/// Sub-millisecond Neural Face Detection on Mobile GPUs", 2019), and the face mesh, which decides what is a face and where
/// exactly. Finds faces that are turned far aside or tilted by up to about 75°.
package final class NetworkFaceDetector: FaceDetector {
    package let boxConvention = BoxConvention.dlib
    package let smallestFace = Int(DetectionTiles.smallestFace)
    package let seesColor = true

    /// The detector's score from which on a place is a candidate.
    package static let candidateScore: Float = 0.3
    /// The score from which on the next searches report a place: lower than `candidateScore` where what is only perhaps a
    /// face must be found as well.
    package var leastScore = candidateScore
    private static let range = NeuralNetwork.InputRange(black: -1, white: 1, repeatsEdge: false)
    /// At another rotation than that of most faces, a candidate must be clearly better: at wrong ones, the scores of faces
    /// are lower by about this factor.
    private static let otherRotation: Float = 0.85
    /// Smaller candidates are no faces that the network can know, in pixels of its input.
    private static let smallestCandidate: Float = 8
    /// Anchors along one side of the input.
    private static let anchors = 48
    /// Numbers for each anchor: a box's centre and size, and six points.
    private static let numbers = 16

    private let network: NeuralNetwork
    /// Nil: others confirm what is a face.
    private let mesh: FaceMeshNetwork?
    private var wholeCandidates: [(roll: Float, found: [FaceCandidate])] = []

    /// - Parameter confirms: whether the detector is asked for `detections` or `confirmedBox`, for which it needs the mesh.
    /// - Throws: `VisionError` with the path of the file.
    package init(_ folder: NetworkFolder = .standard, confirms: Bool = true) throws(VisionError) {
        network = try folder.load(.detector)
        let side = Int(DetectionTiles.inputSide)
        guard network.inputShapes == [[1, side, side, 3]],
            network.outputShapes.map({ $0.reduce(1, *) / (Self.anchors * Self.anchors) }) == [Self.numbers, 1]
        else {
            throw folder.isNot("MediaPipe's face detector", .detector)
        }
        mesh = confirms ? try FaceMeshNetwork(folder) : nil
    }

    /// The faces in a picture. The score is the network's, 0…1.
    package func detections(in picture: borrowing PixelBuffer) throws(VisionError) -> [FaceDetection] {
        let squares = DetectionTiles.squares(
            width: picture.width, height: picture.height, smallestFace: DetectionTiles.smallestFace)
        var candidates: [FaceCandidate] = []
        for square in squares { candidates += try search(picture, in: square) }
        var result: [FaceDetection] = []
        for candidate in FaceCandidate.merged(candidates) {
            guard let box = try confirmedBox(of: candidate, in: picture) else { continue }
            let isKnown = result.contains { ($0.box.center - box.center).length < 0.5 * max(box.side, $0.box.width) }
            if !isKnown { result.append(FaceDetection(box: box, score: Double(candidate.score))) }
        }
        return result
    }

    /// The box of a face in dlib's convention, by the mesh; nil when there is no face.
    package func confirmedBox(
        of candidate: FaceCandidate, in picture: borrowing PixelBuffer
    ) throws(VisionError) -> OrientedBox? {
        guard let mesh else { throw VisionError(.failed, "the detector was made without the face mesh") }
        return try mesh.confirm(candidate, in: picture).map { OrientedBox(around: $0.landmarks) }
    }

    /// How sure the mesh is that there is a face at the place of a candidate, 0…1.
    package func presence(of candidate: FaceCandidate, in picture: borrowing PixelBuffer) throws(VisionError) -> Float {
        guard let mesh else { throw VisionError(.failed, "the detector was made without the face mesh") }
        return try mesh.presence(of: candidate, in: picture)
    }

    /// Searches a picture as a whole at each of the four rotations, and keeps the candidates for `candidates`.
    /// - Returns: the rotations, that with the most and clearest candidates first.
    package func searchWhole(_ picture: borrowing PixelBuffer) throws(VisionError) -> [Float] {
        let (width, height) = (picture.width, picture.height)
        wholeCandidates = []
        var sums: [(roll: Float, sum: Float)] = []
        for roll in [0, .pi, .pi / 2, -.pi / 2] as [Float] {
            let found = try search(picture, in: DetectionTiles.whole(width: width, height: height, roll: roll))
            wholeCandidates.append((roll, found))
            let likely = FaceCandidate.merged(found.filter { $0.score > Self.candidateScore })
            sums.append((roll, likely.reduce(0) { $0 + $1.score }))
        }
        // Of equal ones, upright stays first.
        return sums.enumerated().sorted { ($1.element.sum, $0.offset) < ($0.element.sum, $1.offset) }.map(
            \.element.roll)
    }

    /// The candidates for faces, after `searchWhole`: the likeliest first. There may be several at the place of a face,
    /// found at different rotations; the first that the mesh confirms is right.
    /// - Parameters:
    ///   - smallestFace: in pixels.
    ///   - roll: the rotation at which small faces are searched for, in radians.
    package func candidates(
        in picture: borrowing PixelBuffer, smallestFace: Float, roll: Float
    ) throws(VisionError) -> [FaceCandidate] {
        let tiles = DetectionTiles.squares(
            width: picture.width, height: picture.height, smallestFace: smallestFace, roll: roll)
        var own = wholeCandidates.first { $0.roll == roll }?.found ?? []
        for tile in tiles.dropFirst() { own += try search(picture, in: tile) }
        let others = wholeCandidates.filter { $0.roll != roll }.flatMap { FaceCandidate.merged($0.found) }
        let all =
            FaceCandidate.merged(own).map { (weight: $0.score, candidate: $0) }
            + others.map { (weight: Self.otherRotation * $0.score, candidate: $0) }
        return all.sorted { $0.weight > $1.weight }.map(\.candidate)
    }

    private func search(
        _ picture: borrowing PixelBuffer, in square: OrientedBox
    ) throws(VisionError) -> [FaceCandidate] {
        try network.fill(from: picture, square: square, range: Self.range)
        try network.run()
        return found(in: square)
    }

    /// The candidates in the network's outputs.
    private func found(in square: OrientedBox) -> [FaceCandidate] {
        let least = log(leastScore / (1 - leastScore))
        let indices = network.withOutput(1) { scores in scores.indices.filter { scores[$0] > least } }
        return network.withOutput(0) { numbers in
            indices.compactMap { index in
                candidate(numbers.extracting(index * Self.numbers..<(index + 1) * Self.numbers), index, square)
            }
        }
    }

    /// Decodes the numbers of an anchor: all are offsets from the anchor in pixels of the input.
    private func candidate(
        _ numbers: UnsafeBufferPointer<Float>, _ index: Int, _ square: OrientedBox
    ) -> FaceCandidate? {
        guard numbers.allSatisfy(\.isFinite) else { return nil }
        let anchor = (Point(Float(index % Self.anchors), Float(index / Self.anchors)) + 0.5) / Float(Self.anchors)
        func place(_ first: Int) -> Point {
            let share = anchor + Point(numbers[first], numbers[first + 1]) / DetectionTiles.inputSide
            return square.origin + share.x * square.across + share.y * square.down
        }
        let side = max(numbers[2], numbers[3]) / DetectionTiles.inputSide * square.side
        guard side / square.side * DetectionTiles.inputSide > Self.smallestCandidate else { return nil }
        let score = network.withOutput(1) { 1 / (1 + exp(-$0[index])) }
        return FaceCandidate(
            box: OrientedBox(center: place(0), side: side, roll: square.roll), rightEye: place(4), leftEye: place(6),
            score: score)
    }
}
