import FaceGeometry
import Glibc
import NetworkBuilder
import NeuralNetworks
import Pixels
import TestSupport
import Testing
import Vision

private let hasEngine = NeuralNetwork.isAvailable
private let absence: Comment = "XNNPACK (libxnnpack0) is not installed"

/// What a reader of networks must do with right and wrong files.
@Suite(.enabled(if: hasEngine, absence)) struct NeuralNetworkTests {
    private static var options: [Int: NetworkBuilder.Value] { [0: .byte(1), 1: .int(1), 2: .int(1)] }

    /// A convolution of one pixel, 3 × 3 pixels, 2 channels to 1: 10·a + 100·b + 1, then twice of it.
    private static func builder() -> NetworkBuilder {
        NetworkBuilder(
            tensors: [
                .init(shape: [1, 3, 3, 2]),
                .init(shape: [1, 1, 1, 2], data: NetworkBuilder.bytes([Float(10), 100])),
                .init(shape: [1], data: NetworkBuilder.bytes([Float(1)])),
                .init(shape: [1, 3, 3, 1]), .init(shape: [1, 3, 3, 1]),
            ],
            operators: [
                .init(kind: 3, inputs: [0, 1, 2], outputs: [3], options: options),
                .init(kind: 0, inputs: [3, 3], outputs: [4]),
            ],
            outputs: [4])
    }

    private func outputs(of builder: NetworkBuilder, _ input: [Float]) throws -> [Float] {
        let network = try NeuralNetwork(builder.file, path: "net.tflite")
        network.setInput(input)
        try network.run()
        return network.withOutput(0) { Array($0) }
    }

    private static let input = (0..<18).map(Float.init)
    private static let expected: [Float] = (0..<9).map { pixel in
        let (a, b) = (2 * pixel, 2 * pixel + 1)
        return Float(2 * (10 * a + 100 * b + 1))
    }

    @Test func aSmallNetworkComputesWhatItSays() throws {
        let network = try NeuralNetwork(Self.builder().file, path: "net.tflite")
        #expect(network.inputShapes == [[1, 3, 3, 2]])
        #expect(network.outputShapes == [[1, 3, 3, 1]])
        #expect(try outputs(of: Self.builder(), Self.input) == Self.expected)
    }

    @Test func halfPrecisionWeightsAreUnpacked() throws {
        var builder = Self.builder()
        builder.tensors.append(.init(shape: [1, 1, 1, 2], type: 1, data: NetworkBuilder.bytes([Float16(10), 100])))
        builder.tensors[1].data = []
        builder.operators.insert(.init(kind: 6, inputs: [5], outputs: [1]), at: 0)
        #expect(try outputs(of: builder, Self.input) == Self.expected)
        // The smallest and other numbers of half precision.
        let smallest = Float(Float16.leastNonzeroMagnitude)
        builder.tensors[5].data = NetworkBuilder.bytes([Float16.leastNonzeroMagnitude, -Float16.leastNormalMagnitude])
        builder.tensors[2].data = NetworkBuilder.bytes([Float(0)])
        let found = try outputs(of: builder, [1, 0] + [Float](repeating: 0, count: 16))
        #expect(found[0] == 2 * smallest)
    }

    /// The terms of a concatenation are outputs.
    @Test func meansAndFullConnectionsAreComputed() throws {
        let network = try NeuralNetwork(NetworkBuilder.handSample.file, path: "net.tflite")
        #expect(network.outputShapes == [[1, 3], [1, 1]])
        network.setInput((0..<12).map(Float.init))
        try network.run()
        // The mean of each channel is 5 and 6.
        #expect(network.withOutput(0) { Array($0) } == [5, 6.5, 3])
        let logistic: Float = 1 / (1 + exp(-1))
        let found: Float = network.withOutput(1) { $0[0] }
        #expect(abs(found - logistic) < 1e-3)
    }

    private static let handDefects: [(String, @Sendable (inout NetworkBuilder) -> Void)] = [
        ("mean over rows and columns", { $0.tensors[1].data = NetworkBuilder.bytes([Int32(1), 3]) }),
        ("mean over rows and columns", { $0.tensors[0].shape = [1, 129, 2, 2] }),
        ("parameters are not 2", { $0.tensors[1].data.removeLast() }),
        ("has no axes", { $0.operators[0].inputs = [0] }),
        ("wrong shape", { $0.tensors[2].shape = [2, 1] }),
        ("wrong shape", { $0.tensors[2].shape = [1, 3] }),
        ("does not fit", { $0.tensors[4] = .init(shape: [2], data: NetworkBuilder.bytes([Float(1), 2])) }),
        ("does not fit", { $0.tensors[5].shape = [3, 1] }),
        ("does not fit", { $0.tensors[3].shape = [2, 3] }),
        ("order of its weights", { $0.operators[1].options[1] = .byte(1) }),
        ("no filter, no bias", { $0.operators[1].inputs = [2, 3] }),
        ("wrong shape", { $0.tensors[10].shape = [1, 2] }),
        ("differ in shape", { $0.operators[5].options[0] = .int(0) }),
        ("concatenates in a way", { $0.operators[5].options[0] = .int(2) }),
        ("concatenates in a way", { $0.operators[5].options[0] = .int(-1) }),
        ("concatenates in a way", { $0.operators[5].options[1] = .byte(1) }),
        ("wrong shape", { $0.tensors[11].shape = [1, 5] }),
        (
            "output 1 cannot be",
            {
                $0.operators[5].inputs = [5, 5]; $0.tensors[11].shape = [1, 6]
            }
        ),
        ("output 1 cannot be", { $0.outputs = [5, 11] }),
        ("not used", { $0.outputs = [5, 10] }),
        (
            "is a concatenation",
            {
                $0.tensors.append(.init(shape: [1, 4]))
                $0.operators.append(.init(kind: 14, inputs: [11], outputs: [12]))
                $0.outputs = [12]
            }
        ),
        (
            "cannot be tensor 0",
            {
                $0.tensors.append(.init(shape: [1, 6, 2, 2]))
                $0.operators.append(.init(kind: 2, inputs: [0, 0], outputs: [12], options: [0: .int(1)]))
                $0.outputs = [11, 12]
            }
        ),
    ]

    @Test(arguments: handDefects.indices) func aWrongNetworkOfHandsIsRefused(_ index: Int) {
        let (word, change) = Self.handDefects[index]
        var builder = NetworkBuilder.handSample
        change(&builder)
        let error = #expect(throws: VisionError.self) { try NeuralNetwork(builder.file, path: "net.tflite") }
        #expect(error?.reason.contains(word) == true, "\(index): \(error?.reason ?? "")")
    }

    @Test func operatorsOfPeopleAreComputed() throws {
        let input: [Float] = [1, -1, 4, 2, -4, 0.5, 0, -2]
        // x · relu6(x + 3) / 6
        let swish = input.map { (x: Float) -> Float in x * min(6, max(0, x + 3)) / 6 }
        let means = [0, 1].map { (channel: Int) -> Float in
            let sum: Float = (0..<4).reduce(0) { (sum: Float, pixel: Int) in sum + swish[2 * pixel + channel] }
            return sum / 4
        }
        let products = swish.indices.map { max(0, swish[$0] * means[$0 % 2]) }
        let expected = (0..<16).map { index -> Float in
            let (x, y) = (index % 4, index / 4)
            let (pixel, factor) = (y / 2 * 2 + x / 2, Float(y % 2 * 2 + x % 2 + 1))
            return 0.5 + factor * (products[2 * pixel] + 10 * products[2 * pixel + 1])
        }
        let found = try outputs(of: .personSample, input)
        #expect(found.count == 16 && Set(expected).count > 8)
        for (found, expected) in zip(found, expected) { #expect(abs(found - expected) < 1e-4) }
        // A factor for each value, and limits.
        var builder = NetworkBuilder.personSample
        builder.operators[2].inputs = [1, 1]
        builder.operators[2].options = [0: .byte(3)]
        builder.tensors[2].shape = [1, 1, 1, 2]
        builder.outputs = [7, 2]
        let sum: Float = 0.5 + swish[0] * swish[0] + 10 * swish[1] * swish[1]
        let first: Float = try outputs(of: builder, input)[0]
        #expect(abs(first - sum) < 1e-4)
    }

    private static let personDefects: [(String, @Sendable (inout NetworkBuilder) -> Void)] = [
        ("wrong shape", { $0.tensors[1].shape = [1, 2, 1, 4] }),
        ("mean over rows and columns", { $0.operators[1].options[3] = .int(1) }),
        ("mean over rows and columns", { $0.operators[1].options[4] = .int(-2) }),
        ("wrong shape", { $0.tensors[2].shape = [1, 1, 2, 1] }),
        ("mean over rows and columns", { $0.operators[1].options = [:] }),
        ("factors differ", { $0.operators[2].inputs = [2, 1] }),
        ("two factors", { $0.operators[2].inputs = [1] }),
        ("wrong shape", { $0.tensors[4].shape = [1, 4, 2, 1] }),
        ("does not define", { $0.operators[4].custom?.name = "Convolution2D" }),
        ("does not define", { $0.operators[4].custom = nil }),
        ("no options", { $0.operators[4].custom?.options.removeLast() }),
        ("side by side", { $0.operators[4].custom?.options = NetworkBuilder.bytes([Int32(1), 1, 2]) }),
        ("side by side", { $0.operators[4].custom?.options = NetworkBuilder.bytes([Int32(1), 2, -2]) }),
        ("does not fit", { $0.tensors[7].shape = [1, 4, 2, 2] }),
        ("does not fit", { $0.tensors[6] = .init(shape: [2], data: NetworkBuilder.bytes([Float(1), 2])) }),
        ("does not fit", { $0.tensors[5].shape = [2, 2, 2, 1] }),
    ]

    @Test(arguments: personDefects.indices) func aWrongNetworkOfPeopleIsRefused(_ index: Int) {
        let (word, change) = Self.personDefects[index]
        var builder = NetworkBuilder.personSample
        change(&builder)
        let error = #expect(throws: VisionError.self) { try NeuralNetwork(builder.file, path: "net.tflite") }
        #expect(error?.reason.contains(word) == true, "\(index): \(error?.reason ?? "")")
    }

    /// Pixels of one colour each, of which the first three are the landmarks (in half pixels) that are cropped.
    private static func picture(_ landmarks: [Point]) -> [Float] {
        let marked = landmarks.flatMap { (point: Point) -> [Float] in [2 * point.x, 2 * point.y, 7] }
        return marked + (3..<16).flatMap { (index: Int) -> [Float] in [Float(index), Float(10 * index), 1] }
    }

    /// The rectangle around the landmarks is 2 × 2 pixels large and starts at the corner; the crop has half its width.
    @Test func cropsAreComputed() throws {
        let network = try NeuralNetwork(NetworkBuilder.cropSample.file, path: "net.tflite")
        #expect(network.outputShapes == [[1, 2, 2, 3], [1, 6, 2]])
        let input = Self.picture([Point(0, 0), Point(2, 0), Point(1, 2)])
        network.setInput(input)
        for _ in 0..<2 { try network.run() }
        // Its columns are at 0.25 and 0.75 of a pixel.
        let row = { (y: Int, x: Float) in (0..<3).map { (1 - x) * input[12 * y + $0] + x * input[12 * y + 3 + $0] } }
        let expected = row(0, 0.25) + row(0, 0.75) + row(1, 0.25) + row(1, 0.75)
        let crop = network.withOutput(0) { Array($0) }
        for (found, expected) in zip(crop, expected) { #expect(abs(found - expected) < 1e-5) }
        let left = network.withOutput(1) { Array($0) }
        for index in 0..<6 {
            let x: Float = 0.5 * crop[2 * index] + 2
            #expect(abs(left[2 * index] - x) < 1e-4)
            #expect(abs(left[2 * index + 1] - crop[2 * index + 1]) < 1e-4)
        }
    }

    /// From the first to the second landmark, the crop's columns run down in the picture, and its rows to the left.
    @Test func aCropIsTurned() throws {
        let network = try NeuralNetwork(NetworkBuilder.cropSample.file, path: "net.tflite")
        let input = Self.picture([Point(1, 0), Point(1, 2), Point(0, 1)])
        network.setInput(input)
        try network.run()
        // The rectangle is 2 long and 1 wide, and the crop 1 × 1: columns 0.5 apart around 1, and rows around 0.5.
        let pixel = { (x: Float, y: Float) -> [Float] in
            let (u, v) = (x - 0.5, y - 0.5)
            guard u >= 0, v >= 0 else { return [0, 0, 0] }
            let (i, j) = (Int(u), Int(v))
            let (a, b) = (u - Float(i), v - Float(j))
            return (0..<3).map { channel in
                let at = { (y: Int, x: Int) in input[12 * y + 3 * x + channel] }
                return (1 - b) * ((1 - a) * at(j, i) + a * at(j, i + 1)) + b
                    * ((1 - a) * at(j + 1, i) + a * at(j + 1, i + 1))
            }
        }
        let expected = pixel(0.75, 0.75) + pixel(0.75, 1.25) + pixel(0.25, 0.75) + pixel(0.25, 1.25)
        #expect(expected[6...] == [0, 0, 0, 0, 0, 0] && expected[0] > 0)
        for (found, expected) in zip(network.withOutput(0) { Array($0) }, expected) {
            #expect(abs(found - expected) < 1e-4)
        }
        // Whatever the landmarks are, the crop is black where there is nothing.
        for landmark in [Float.nan, .infinity, 1e38] {
            network.setInput(Self.picture([Point(landmark, 0), Point(1, 2), Point(0, 1)]))
            try network.run()
            #expect(network.withOutput(0) { $0.allSatisfy { $0 == 0 } })
        }
    }

    private static func crop(_ key: String, _ value: NetworkBuilder.Option?) -> @Sendable (inout NetworkBuilder) -> Void
    {
        let options = NetworkBuilder.cropOptions.compactMap { option in
            option.key == key ? value.map { (key: key, value: $0) } : option
        }
        let bytes = NetworkBuilder.options(options)
        return { $0.operators[3].custom?.options = bytes }
    }

    private static let cropDefects: [(String, @Sendable (inout NetworkBuilder) -> Void)] = [
        ("does not define", { $0.operators[3].version = 1 }),
        ("does not define", { $0.operators[7].custom?.name = "TransformLandmark" }),
        ("kind does not exist", { $0.operators[3].kind = 1000 }),
        ("no options", { $0.operators[3].custom?.options = [] }),
        ("no landmarks", { $0.operators[3].custom?.options.removeFirst(40) }),
        ("no options", { $0.operators[4].custom?.options.removeLast() }),
        ("no landmarks", crop("subset_idxs", nil)), ("no landmarks", crop("subset_idxs", .whole(3))),
        ("no landmarks", crop("subset_idxs", .wholes([]))),
        ("does not exist", crop("subset_idxs", .wholes([0, 16]))),
        ("does not exist", crop("subset_idxs", .wholes([-1]))),
        ("options are unknown", crop("left_rotation_idx", .whole(16))),
        ("options are unknown", crop("right_rotation_idx", .whole(-1))),
        ("options are unknown", crop("right_rotation_idx", nil)),
        ("options are unknown", crop("right_rotation_idx", .number(0.5))),
        ("options are unknown", crop("scale_x", .number(.nan))), ("options are unknown", crop("scale_y", nil)),
        ("options are unknown", crop("target_rotation_radians", .number(.infinity))),
        ("options are unknown", crop("output_width", .whole(0))),
        ("options are unknown", crop("output_height", .whole(1 << 20))),
        (
            "not a matrix of landmarks",
            {
                $0.tensors[1].shape = [1, 24, 2]; $0.tensors[4].shape = [1, 24, 2]
            }
        ),
        (
            "not a matrix of landmarks",
            {
                $0.tensors[5].shape = [1, 16]; $0.tensors[7].shape = [1, 16]
            }
        ),
        ("wrong number of inputs", { $0.operators[4].inputs = [0] }),
        ("not a matrix", { $0.operators[4].inputs = [0, 4] }),
        ("wrong shape", { $0.tensors[6].shape = [1, 2, 3, 2] }),
        ("wrong shape", { $0.operators[4].custom?.options = NetworkBuilder.options([("output_width", .whole(2))]) }),
        ("wrong shape", { $0.tensors[9].shape = [1, 4, 3] }),
        ("wrong shape", { $0.tensors[10].shape = [1, 12, 1] }),
        ("whole tensor", { $0.tensors[11].data = NetworkBuilder.bytes([Int32(0), 1, 0]) }),
        ("whole tensor", { $0.tensors[12].data = NetworkBuilder.bytes([Int32(1), 5, 2]) }),
        ("whole tensor", { $0.tensors[13].data = NetworkBuilder.bytes([Int32(1), 1, -1]) }),
        ("whole tensor", { $0.operators[8].options[4] = .int(1) }),
        ("no beginning", { $0.operators[8].inputs = [10, 11, 12] }),
        ("factors differ", { $0.tensors[7].shape = [1, 16, 1] }),
        (
            "factors differ",
            {
                $0.tensors[2] = .init(shape: [2], type: 1, data: NetworkBuilder.bytes([Float16(1), 2]));
                $0.tensors[3].shape = [2]
            }
        ),
        (
            "crops too often",
            { builder in
                // Each turns the landmarks again.
                for step in 0..<4 {
                    let next = Int32(builder.tensors.count)
                    let last = step == 0 ? 14 : next - 1
                    builder.tensors += [.init(shape: [1, 6, 2]), .init(shape: [1, 6, 2])]
                    builder.operators += [
                        .init(kind: 22, inputs: [last], outputs: [next]),
                        .init(
                            kind: 32, inputs: [next, 8], outputs: [next + 1], custom: ("TransformLandmarks", []),
                            version: 2),
                    ]
                }
                builder.outputs = [6, Int32(builder.tensors.count - 1)]
            }
        ),
    ]

    @Test(arguments: cropDefects.indices) func aWrongNetworkWithCropsIsRefused(_ index: Int) {
        let (word, change) = Self.cropDefects[index]
        var builder = NetworkBuilder.cropSample
        change(&builder)
        let error = #expect(throws: VisionError.self) { try NeuralNetwork(builder.file, path: "net.tflite") }
        #expect(error?.reason.contains(word) == true, "\(index): \(error?.reason ?? "")")
    }

    private static func sparse(segments: [Int32], indices: [UInt8]) -> NetworkBuilder.Value {
        let dense = NetworkBuilder.Value.table([0: .byte(0), 1: .int(1)])
        let last = NetworkBuilder.Value.table([
            0: .byte(1), 2: .byte(1), 3: .table([0: .ints(segments)]), 4: .byte(3), 5: .table([0: .bytes(indices)]),
        ])
        return .table([0: .ints([0, 1, 2, 3]), 2: .tables([dense, dense, dense, last])])
    }

    private static func sparseBuilder(segments: [Int32], indices: [UInt8]) -> NetworkBuilder {
        var builder = builder()
        builder.tensors[1].data = []
        builder.tensors.append(
            .init(
                shape: [1, 1, 1, 2], data: NetworkBuilder.bytes([Float(100)]),
                sparsity: sparse(segments: segments, indices: indices)))
        builder.operators.insert(.init(kind: 124, inputs: [5], outputs: [1]), at: 0)
        return builder
    }

    @Test func sparseWeightsAreUnpacked() throws {
        let found = try outputs(of: Self.sparseBuilder(segments: [0, 1], indices: [1]), Self.input)
        let expected: [Float] = (0..<9).map { Float(400 * $0 + 202) }
        #expect(found == expected)
    }

    /// Each defect, and a word of the message.
    private static let defects: [(String, @Sendable (inout NetworkBuilder) -> Void)] = [
        ("version 3", { $0.version = 2 }),
        ("kind 99", { $0.operators[1].kind = 99 }),
        ("input 1 does not exist", { $0.operators[1].inputs = [3, 77] }),
        ("input 0 does not exist", { $0.operators[1].inputs = [-1, 3] }),
        ("does not exist", { $0.operators[1].outputs = [77] }),
        ("has a value already", { $0.operators[1].outputs = [3] }),
        ("has a value already", { $0.operators[0].outputs = [1] }),
        ("not computed", { $0.operators.swapAt(0, 1) }),
        ("computed by the network", { $0.tensors[1].data = [] }),
        ("bytes of weights", { $0.tensors[1].data.removeLast() }),
        ("does not fit", { $0.tensors[2] = .init(shape: [2], data: NetworkBuilder.bytes([Float(1), 2])) }),
        ("wrong shape", { $0.tensors[3].shape = [1, 3, 2, 1] }),
        ("differ in shape", { $0.tensors[4].shape = [1, 3, 1, 3] }),
        ("a dimension is 0", { $0.tensors[4].shape = [1, 0, 3, 1] }),
        ("too many elements", { $0.tensors[4].shape = [1, 65536, 65536, 1] }),
        ("dimensions", { $0.tensors[4].shape = [1, 1, 3, 3, 1] }),
        ("type 9", { $0.tensors[4].type = 9 }),
        ("output 0 cannot be", { $0.outputs = [1] }),
        ("0 outputs", { $0.outputs = [] }),
        ("input 0 cannot be", { $0.inputs = [1] }),
        ("not used", { $0.outputs = [3] }),
        ("padding", { $0.operators[0].options[1] = .int(0) }),
        ("padding", { $0.operators[0].options[1] = .int(Int32.max) }),
        ("dilation", { $0.operators[0].options[4] = .int(2) }),
        ("activation function 4", { $0.operators[0].options[3] = .byte(4) }),
    ]

    @Test(arguments: defects.indices) func aWrongFileIsRefused(_ index: Int) {
        let (word, change) = Self.defects[index]
        var builder = Self.builder()
        change(&builder)
        let error = #expect(throws: VisionError.self) { try NeuralNetwork(builder.file, path: "net.tflite") }
        #expect(error?.kind == .modelInvalid)
        #expect(error?.reason.contains(word) == true, "\(error?.reason ?? "")")
        #expect(error?.reason.hasPrefix("net.tflite: cannot be used: ") == true)
    }

    @Test(arguments: [([0, 2], [1]), ([1, 1], [1]), ([0, 1], [2]), ([0, 1], [0, 1]), ([0], [1]), ([2, 1], [1])])
    func wrongSparseRowsAreRefused(_ segments: [Int32], _ indices: [UInt8]) {
        let builder = Self.sparseBuilder(segments: segments, indices: indices)
        #expect(throws: VisionError.self) { try NeuralNetwork(builder.file, path: "net.tflite") }
    }

    /// No byte that is changed and no end that is missing makes the program crash.
    @Test(arguments: [NetworkBuilder.sample, .handSample, .personSample, .cropSample].map(\.file))
    func damagedFilesAreRefusedOrHarmless(_ file: [UInt8]) throws {
        _ = try NeuralNetwork(file, path: "net.tflite")
        for length in 0..<file.count { _ = try? NeuralNetwork(Array(file[..<length]), path: "net.tflite") }
        for place in file.indices {
            for value in [0, 1, 0x7f, 0xff] as [UInt8] {
                var changed = file
                changed[place] = value
                guard let network = try? NeuralNetwork(changed, path: "net.tflite") else { continue }
                try network.run()
            }
        }
    }

    /// A picture twice as large as the input is averaged, one that is smaller is interpolated, and black is around it.
    @Test func picturesBecomeInputs() throws {
        let network = try NeuralNetwork(
            NetworkBuilder(
                tensors: [.init(shape: [1, 2, 2, 3]), .init(shape: [1, 12])],
                operators: [.init(kind: 22, inputs: [0], outputs: [1])], outputs: [1]
            ).file, path: "net.tflite")
        var picture = try PixelBuffer(width: 4, height: 4, format: .rgba8)
        let stride = picture.bytesPerRow
        picture.withUnsafeMutableBytes { bytes in
            for (x, y) in (0..<16).map({ ($0 % 4, $0 / 4) }) {
                bytes[y * stride + 4 * x] = UInt8(x % 2 * 100)
                bytes[y * stride + 4 * x + 1] = UInt8(y * 50)
                bytes[y * stride + 4 * x + 2] = 255
            }
        }
        func values(_ square: OrientedBox, repeatsEdge: Bool = false) throws -> [Float] {
            try network.fill(
                from: picture, square: square, range: .init(black: 0, white: 255, repeatsEdge: repeatsEdge))
            try network.run()
            return network.withOutput(0) { $0.map { $0.rounded() } }
        }
        let whole = OrientedBox(center: Point(2, 2), side: 4, roll: 0)
        #expect(try values(whole) == [50, 25, 255, 50, 25, 255, 50, 125, 255, 50, 125, 255])
        // Turned by 90° clockwise: the input's rows run down in the picture.
        let turned = OrientedBox(center: Point(2, 2), side: 4, roll: .pi / 2)
        #expect(try values(turned) == [50, 25, 255, 50, 125, 255, 50, 25, 255, 50, 125, 255])
        let part = OrientedBox(center: Point(2, 2), side: 2, roll: 0)
        #expect(try values(part) == [100, 50, 255, 0, 50, 255, 100, 100, 255, 0, 100, 255])
        let corner = OrientedBox(center: Point(0, 0), side: 2, roll: 0)
        #expect(try values(corner) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255])
        #expect(try values(corner, repeatsEdge: true)[2] == 255)
        let nowhere = OrientedBox(center: Point(.nan, .infinity), side: .nan, roll: .nan)
        _ = try values(nowhere, repeatsEdge: true)
    }
}
