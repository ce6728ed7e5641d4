import CBauta
import CFrameFormats
import Files
import Foundation
import ImageFiles
import Pixels
import TestSupport

/// The functions of the library, loaded as other programs load it. Any thread may call them.
struct Library: @unchecked Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Built beside the tests.
    static let path =
        URL(fileURLWithPath: Repository.executable).deletingLastPathComponent().path
        + "/libbauta-library.so"
    private static let loaded = Result { try Library() }
    static var shared: Library { get throws { try loaded.get() } }

    typealias Engine = OpaquePointer
    let errorText: @convention(c) () -> UnsafePointer<CChar>
    let version: @convention(c) () -> UnsafePointer<CChar>
    let open: @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<Engine?>?) -> bauta_result
    let close: @convention(c) (Engine?) -> Void
    let setMask: @convention(c) (Engine?, UnsafePointer<CChar>?) -> bauta_result
    let status: @convention(c) (Engine?) -> bauta_result
    let setOption: @convention(c) (Engine?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> bauta_result
    let process: @convention(c) (Engine?, UnsafeMutablePointer<bauta_picture>?, Double) -> bauta_result
    let reset: @convention(c) (Engine?) -> Void
    let faces: @convention(c) (Engine?, UnsafeMutablePointer<bauta_face>?, Int) -> Int
    let maskName: @convention(c) (Engine?, Int) -> UnsafePointer<CChar>?

    private init() throws {
        guard let handle = dlopen(Self.path, RTLD_NOW | RTLD_LOCAL) else {
            throw Failure(description: String(cString: dlerror()))
        }
        func function<Function>(_ name: String, _ type: Function.Type = Function.self) throws -> Function {
            guard let symbol = dlsym(handle, "bauta_" + name) else { throw Failure(description: "no bauta_\(name)") }
            return unsafeBitCast(symbol, to: Function.self)
        }
        (errorText, version) = (try function("error_text"), try function("version"))
        (open, close) = (try function("open"), try function("close"))
        (setMask, status, setOption) = (try function("set_mask"), try function("status"), try function("set_option"))
        (process, reset) = (try function("process"), try function("reset"))
        (faces, maskName) = (try function("faces"), try function("mask_name"))
    }

    var lastError: String { String(cString: errorText()) }
}

/// An engine of the library, closed with this object. Its landmark model is whichever is installed.
final class TestEngine: @unchecked Sendable {
    let library: Library
    let pointer: OpaquePointer

    /// - Parameter options: besides that of the landmark model.
    init(_ options: KeyValuePairs<String, String> = [:]) throws {
        library = try Library.shared
        var engine: OpaquePointer?
        guard library.open(Repository.root, &engine) == BAUTA_OK, let engine else {
            throw Library.Failure(description: library.lastError)
        }
        pointer = engine
        _ = library.setOption(pointer, "landmarks", "auto")
        for (name, value) in options { try set(name, value) }
    }

    deinit { library.close(pointer) }

    func set(_ name: String, _ value: String?) throws {
        guard library.setOption(pointer, name, value) == BAUTA_OK else {
            throw Library.Failure(description: library.lastError)
        }
    }

    /// Begins to wear a mask, and waits until models and mask are loaded or cannot be.
    @discardableResult
    func wear(_ mask: String?) throws -> bauta_result {
        _ = library.setMask(pointer, mask)
        return try wait(for: "the mask \(mask ?? "NULL")") {
            library.status(pointer)
        } until: {
            $0 != BAUTA_PENDING
        }
    }

    func process(_ picture: TestPicture, at seconds: Double) -> bauta_result {
        picture.withPicture { library.process(pointer, &$0, seconds) }
    }
}

/// A picture in memory of its own, with bytes between the rows that nobody may write.
final class TestPicture {
    private static let padding = 5
    private static let canary: UInt8 = 0xA5
    let (format, width, height): (bauta_format, Int, Int)
    private var memory: [UnsafeMutableBufferPointer<UInt8>] = []
    private var strides: [Int] = []
    var planes: [[UInt8]] { memory.map { Array($0) } }

    /// - Parameter pixels: `rgba8`; converted as BT.601 with limited range.
    init(_ pixels: borrowing PixelBuffer, _ format: bauta_format = BAUTA_RGBA) {
        (self.format, width, height) = (format, pixels.width, pixels.height)
        let own = cframe_format(rawValue: format.rawValue)
        for plane in 0..<cframe_planes(own) {
            let stride = cframe_row_bytes(own, plane, UInt32(width)) + Self.padding
            strides.append(stride)
            let rows = Int(cframe_rows(own, plane, UInt32(height)))
            memory.append(.allocate(capacity: stride * rows))
            memory[Int(plane)].initialize(repeating: Self.canary)
        }
        let stride = pixels.bytesPerRow
        withPicture { picture in
            var frame = cframe_picture()
            (frame.format, frame.width, frame.height) = (own, picture.width, picture.height)
            frame.planes = picture.planes
            frame.strides = (Int(picture.strides.0), Int(picture.strides.1), Int(picture.strides.2))
            pixels.withUnsafeBytes { bytes in
                guard let rgba = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
                cframe_from_rgba(&frame, rgba, stride)
            }
        }
    }

    var firstByte: UInt8 {
        get { memory[0][0] }
        set { memory[0][0] = newValue }
    }

    deinit { for plane in memory { plane.deallocate() } }

    func withPicture<Result>(_ body: (inout bauta_picture) -> Result) -> Result {
        var picture = bauta_picture()
        picture.size = MemoryLayout<bauta_picture>.size
        (picture.format, picture.width, picture.height) = (format, UInt32(width), UInt32(height))
        func last(_ index: Int) -> Int { min(index, memory.count - 1) }
        picture.planes = (memory[0].baseAddress, memory[last(1)].baseAddress, memory[last(2)].baseAddress)
        picture.strides = (strides[0], strides[last(1)], strides[last(2)])
        return withExtendedLifetime(self) { body(&picture) }
    }

    /// Whether the bytes between the rows are as they were.
    var isIntact: Bool {
        let own = cframe_format(rawValue: format.rawValue)
        return memory.indices.allSatisfy { plane in
            let count = cframe_row_bytes(own, Int32(plane), UInt32(width))
            return memory[plane].indices.allSatisfy {
                $0 % strides[plane] < count || memory[plane][$0] == Self.canary
            }
        }
    }

    /// How many bytes differ.
    func difference(from other: TestPicture) -> Int {
        zip(memory, other.memory).reduce(0) { sum, planes in sum + zip(planes.0, planes.1).count { $0 != $1 } }
    }
}

/// A face that moves to and fro: a part of a sample that moves.
struct MovingFace {
    private let sample: PixelBufferBox
    let width: Int
    let height: Int

    /// Of a frame's rate.
    static let framesPerSecond = 25.0

    init(width: Int = 300, height: Int = 360) throws {
        let sample = try PictureReader.read(FilePath(Repository.root + "/samples/ada.jpg")).pixels
            .resized(width: 360, height: 450)
        (self.sample, self.width, self.height) = (PixelBufferBox(sample), width, height)
    }

    func frame(_ number: Int) throws -> PixelBuffer {
        let x = 30 + Int(25 * sin(3 * Double(number) / Self.framesPerSecond))
        return try sample.pixels.copy(of: PixelRectangle(x: x, y: 40, width: width, height: height))
    }

    /// Masks so many frames.
    /// - Returns: the results.
    func masked(_ frames: Int, with engine: TestEngine, _ format: bauta_format = BAUTA_RGBA) throws -> [TestPicture] {
        try (0..<frames).map { number in
            let picture = TestPicture(try frame(number), format)
            let result = engine.process(picture, at: Double(number) / Self.framesPerSecond)
            guard result == BAUTA_OK else { throw Library.Failure(description: engine.library.lastError) }
            return picture
        }
    }

    private final class PixelBufferBox: Sendable {
        let pixels: PixelBuffer
        init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
    }
}
