import FaceGeometry
import NeuralNetworks
import Pixels
import Vision

/// MediaPipe's face mesh with attention (Grishchenko et al., "Attention Mesh: High-fidelity Face Mesh Prediction in
/// Real-time", arXiv:2006.10962, 2020): after the mesh, it looks at each eye and at the lips again. It belongs to one thread
/// at a time.
///
/// It knows lids, lips and irises better than `FaceMeshNetwork`, and worse what is a face: dogs, cloth and walls are faces
/// for it, too.
final class AttentionNetwork {
    static let range = NeuralNetwork.InputRange(black: 0, white: 1, repeatsEdge: true)

    /// The outputs, in pixels of the input: mesh, lips, the subject's right eye and left eye, right and left iris; then
    /// presence.
    private enum Output {
        static let sizes = [3 * FaceMeshMapping.vertexCount, 160, 142, 142, 10, 10, 1]
        static let (lips, rightEye, leftEye, rightIris, leftIris) = (1, 2, 3, 4, 5)
    }

    private let network: NeuralNetwork
    /// Of the input, in its pixels.
    let side: Float

    convenience init(_ folder: NetworkFolder) throws(VisionError) {
        try self.init(try folder.bytes(of: .attention), from: folder)
    }

    /// - Parameter bytes: of the file, which was read before.
    init(_ bytes: [UInt8], from folder: NetworkFolder) throws(VisionError) {
        network = try folder.network(bytes, of: .attention)
        let inputs = network.inputShapes
        guard inputs.count == 1, inputs[0].count == 4, inputs[0][1] == inputs[0][2], inputs[0][3] == 3,
            network.outputShapes.map({ $0.reduce(1, *) }) == Output.sizes
        else { throw folder.isNot("MediaPipe's face mesh with attention", .attention) }
        side = Float(inputs[0][1])
    }

    /// - Parameter other: a network that has been given the same region of a picture, in the same range and size.
    func evaluate(inputOf other: NeuralNetwork) throws(VisionError) {
        network.copyInput(of: other)
        try network.run()
    }

    /// - Parameters:
    ///   - picture: grey or RGBA with 8 bits.
    ///   - region: as of `FaceMeshNetwork`.
    func evaluate(in picture: borrowing PixelBuffer, region: OrientedBox) throws(VisionError) {
        try network.fill(from: picture, square: region, range: Self.range)
        try network.run()
    }

    /// Moves the vertices of eyes and lips to where this network has found them.
    /// - Parameter vertices: x, y and depth of each, in pixels of the input.
    func refine(_ vertices: inout [Float]) {
        refine(&vertices, Output.lips, FaceMeshMapping.refinedLips)
        refine(&vertices, Output.rightEye, FaceMeshMapping.refinedRightEye)
        refine(&vertices, Output.leftEye, FaceMeshMapping.refinedLeftEye)
    }

    private func refine(_ vertices: inout [Float], _ output: Int, _ indices: [Int]) {
        network.withOutput(output) { found in
            for (place, index) in indices.enumerated() {
                vertices[3 * index] = found[2 * place]
                vertices[3 * index + 1] = found[2 * place + 1]
            }
        }
    }

    /// What this network finds in one eye.
    struct Eye {
        /// The centre of the iris, in pixels of the input.
        var pupil: Point
        /// See `PupilFinder.Eye.opening`.
        var opening: Float
    }

    var eyes: (right: Eye, left: Eye) {
        (eye(Output.rightEye, Output.rightIris), eye(Output.leftEye, Output.leftIris))
    }

    private func eye(_ lids: Int, _ iris: Int) -> Eye {
        Eye(
            pupil: network.withOutput(iris) { Point($0[0], $0[1]) },
            opening: network.withOutput(lids, Self.opening))
    }

    /// Points 0 to 8 are the lower lid from the outer to the inner corner, 9 to 15 the upper lid without the corners.
    private static func opening(_ numbers: UnsafeBufferPointer<Float>) -> Float {
        func point(_ index: Int) -> Point { Point(numbers[2 * index], numbers[2 * index + 1]) }
        let heights = (3...5).reduce(Float(0)) { $0 + (point($1) - point($1 + 8)).length }
        return heights / (3 * max((point(8) - point(0)).length, 1e-3))
    }
}
