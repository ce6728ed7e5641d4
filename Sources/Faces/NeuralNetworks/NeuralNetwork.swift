import CNeuralNetwork
import FaceGeometry
import Files
import Machine
import Pixels
import Vision

/// A neural network from a TensorFlow Lite or ONNX file, evaluated by XNNPACK on the calling thread. It may be handed from
/// thread to thread, and is used by one at a time.
package final class NeuralNetwork {
    /// The numbers that stand for black and white in a network's input, and what surrounds a picture.
    package struct InputRange: Sendable {
        package var black: Float
        package var white: Float
        /// Whether the picture's edge is repeated around it; otherwise its surroundings are black.
        package var repeatsEdge: Bool

        package init(black: Float, white: Float, repeatsEdge: Bool) {
            self.black = black
            self.white = white
            self.repeatsEdge = repeatsEdge
        }
    }

    /// The size of a network's input, in its pixels: each at least 1, their product at most 2²² (4 megapixels).
    package struct InputSize: Hashable, Sendable {
        package var width: Int
        package var height: Int

        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }

        package var pixelCount: Int { width * height }
    }

    /// Whether XNNPACK is installed and runs here.
    package static var isAvailable: Bool { cneuralnetwork_is_available() }
    package static var isInstalled: Bool { cneuralnetwork_is_installed() }

    /// Why networks cannot be evaluated, for a message; nil: they can.
    package static var obstacle: String? {
        if isAvailable { return nil }
        guard isInstalled else { return "XNNPACK is not installed" }
        // It asks there what the processor can do.
        return SystemFile.text("/proc/cpuinfo").isEmpty
            ? "XNNPACK does not run here, because /proc/cpuinfo cannot be read"
            : "XNNPACK does not run on this processor"
    }

    private let handle: OpaquePointer

    /// - Parameters:
    ///   - bytes: of the file. They may come from anywhere: whatever is not a network of known operators is refused.
    ///   - path: for messages.
    ///   - inputSize: of the input of an ONNX file, which takes pictures of any size; nil for a TensorFlow Lite file, which
    ///     has a size.
    /// - Throws: `VisionError` with the path.
    package init(_ bytes: [UInt8], path: FilePath, inputSize: InputSize? = nil) throws(VisionError) {
        let length = Int(CNEURALNETWORK_MESSAGE)
        var message = [CChar](repeating: 0, count: length)
        // What is negative is refused as too large.
        let sides = inputSize.map { [$0.height, $0.width] }
        let handle = message.withUnsafeMutableBufferPointer { message in
            bytes.withUnsafeBytes { bytes in
                guard let sides else {
                    return cneuralnetwork_load(bytes.baseAddress, bytes.count, nil, message.baseAddress)
                }
                return cneuralnetwork_load(bytes.baseAddress, bytes.count, sides, message.baseAddress)
            }
        }
        guard let handle else {
            let text = message.prefix { $0 != 0 }.map(UInt8.init(truncatingIfNeeded:))
            let reason = String(decoding: text, as: UTF8.self)
            throw VisionError(.modelInvalid, "\(path): cannot be used: \(reason)")
        }
        self.handle = handle
    }

    deinit { cneuralnetwork_destroy(handle) }

    /// The sizes of the dimensions of the inputs: batch, row, column, channel, also of an ONNX file.
    package var inputShapes: [[Int]] {
        (0..<cneuralnetwork_input_count(handle)).map { Self.shape(cneuralnetwork_input(handle, $0)) }
    }

    /// The sizes of the dimensions of the outputs.
    package var outputShapes: [[Int]] {
        (0..<cneuralnetwork_output_count(handle)).map { Self.shape(cneuralnetwork_output(handle, $0)) }
    }

    private static func shape(_ tensor: cneuralnetwork_tensor) -> [Int] {
        withUnsafeBytes(of: tensor.dimensions) { bytes in
            bytes.bindMemory(to: Int.self).prefix(tensor.rank).map { $0 }
        }
    }

    /// Sets all numbers of an input.
    package func setInput(_ values: [Float], index: Int = 0) {
        let tensor = cneuralnetwork_input(handle, index)
        precondition(index < cneuralnetwork_input_count(handle) && values.count == tensor.count)
        for (index, value) in values.enumerated() { tensor.values[index] = value }
    }

    /// Sets the first input to that of another network, which has as many numbers.
    package func copyInput(of other: NeuralNetwork) {
        let (input, source) = (cneuralnetwork_input(handle, 0), cneuralnetwork_input(other.handle, 0))
        precondition(input.count == source.count)
        input.values.update(from: source.values, count: input.count)
    }

    /// Sets the first input, of the shape 1 × side × side × 3, to the red, green and blue of a square in a picture.
    /// Allocates nothing once it has seen a square as large.
    /// - Parameters:
    ///   - picture: grey or RGBA with 8 bits.
    ///   - isMirrored: whether the right side of the square becomes the left side of the input.
    package func fill(
        from picture: borrowing PixelBuffer, square: OrientedBox, range: InputRange, isMirrored: Bool = false
    ) throws(VisionError) {
        try fill(from: picture, Self.description(of: square, isMirrored: isMirrored), range: range)
    }

    /// Sets the first input, of the shape 1 × height × width × 3, to the red, green and blue of a rectangle in a picture, which
    /// is stretched to it. Allocates nothing once it has seen a rectangle as large.
    /// - Parameters:
    ///   - picture: grey or RGBA with 8 bits.
    ///   - area: in pixels of the picture.
    package func fill(
        from picture: borrowing PixelBuffer, area: FaceBox, range: InputRange
    ) throws(VisionError) {
        let part = cneuralnetwork_square(
            origin: (area.x, area.y), across: (area.width, 0), down: (0, area.height))
        try fill(from: picture, part, range: range)
    }

    /// Sets the first input, of the shape 1 × height × width × 3, to the red, green and blue of a picture. The top left
    /// corner of the picture is that of the input. Allocates nothing once it has seen a picture as large.
    /// - Parameters:
    ///   - picture: grey or RGBA with 8 bits.
    ///   - magnification: pixels of the input for each of the picture, above 0.
    package func fill(
        from picture: borrowing PixelBuffer, magnification: Float, range: InputRange
    ) throws(VisionError) {
        let shape = inputShapes[0]
        precondition(shape.count == 4)
        let across = Float(shape[2]) / magnification
        let down = Float(shape[1]) / magnification
        let part = cneuralnetwork_square(origin: (0, 0), across: (across, 0), down: (0, down))
        try fill(from: picture, part, range: range)
    }

    private func fill(
        from picture: borrowing PixelBuffer, _ square: cneuralnetwork_square, range: InputRange
    ) throws(VisionError) {
        let isFilled = Self.withDescription(of: picture) { image in
            withUnsafePointer(to: square) {
                cneuralnetwork_fill(handle, 0, &image, $0, range.black, range.white, range.repeatsEdge)
            }
        }
        guard isFilled else { throw VisionError(.outOfMemory, "there is not enough memory for a network's input") }
    }

    /// Red, green and blue of a square in a picture, side × side × 3 numbers from 0 (black) to 255 (white), sampled as
    /// `fill` does. Outside the picture is black. Needs no network.
    /// - Parameter picture: grey or RGBA with 8 bits.
    package static func sample(
        _ picture: borrowing PixelBuffer, square: OrientedBox, side: Int
    ) throws(VisionError) -> [Float] {
        var values = [Float](repeating: 0, count: 3 * side * side)
        let isDone = values.withUnsafeMutableBufferPointer { values in
            withDescription(of: picture) { image in
                withUnsafePointer(to: description(of: square)) {
                    cneuralnetwork_sample(&image, $0, side, 0, 255, values.baseAddress)
                }
            }
        }
        guard isDone else { throw VisionError(.outOfMemory, "there is not enough memory for an aligned face") }
        return values
    }

    private static func withDescription<Result>(
        of picture: borrowing PixelBuffer, _ body: (inout cneuralnetwork_picture) -> Result
    ) -> Result {
        precondition(picture.format != .rgba16, "networks take 8 bits a component")
        let (width, height) = (Int32(picture.width), Int32(picture.height))
        let (channels, bytesPerRow) = (Int32(picture.format.bytesPerPixel), picture.bytesPerRow)
        return picture.withUnsafeBytes { bytes in
            var image = cneuralnetwork_picture(
                pixels: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), width: width, height: height,
                channels: channels, bytes_per_row: bytesPerRow)
            return body(&image)
        }
    }

    private static func description(of square: OrientedBox, isMirrored: Bool = false) -> cneuralnetwork_square {
        let down = square.down
        let origin = isMirrored ? square.origin + square.across : square.origin
        let across = isMirrored ? -square.across : square.across
        return cneuralnetwork_square(
            origin: (origin.x, origin.y), across: (across.x, across.y), down: (down.x, down.y))
    }

    /// Computes the outputs. Allocates nothing.
    package func run() throws(VisionError) {
        guard cneuralnetwork_run(handle) else { throw VisionError(.failed, "XNNPACK cannot evaluate the network") }
    }

    /// Calls `body` with all numbers of an output.
    package func withOutput<Result>(_ index: Int, _ body: (UnsafeBufferPointer<Float>) -> Result) -> Result {
        precondition(index < cneuralnetwork_output_count(handle))
        let tensor = cneuralnetwork_output(handle, index)
        return body(UnsafeBufferPointer(start: tensor.values, count: tensor.count))
    }
}
