import CPipeWire
import Glibc
import PipeWire
import Pixels
import Synchronization
import TestSupport
import Testing
import Threads

/// Cameras of other programs.
@Suite(
    .serialized,
    .enabled(
        if: PipeWireSession.isPossible, "PipeWire, WirePlumber and GStreamer are needed: scripts/test installs them"))
struct PipeWireSourceTests {
    private static let (width, height) = (64, 48)
    private static let colours: [SIMD4<UInt8>] = [
        SIMD4(200, 180, 90, 255), SIMD4(20, 180, 90, 255), SIMD4(200, 40, 90, 255), SIMD4(20, 40, 90, 255),
    ]

    /// A camera of four colours, as another program has it.
    private final class OtherCamera: @unchecked Sendable {
        private let camera: OpaquePointer
        private let isOver = Atomic(false)
        private let thread = Mutex<DedicatedThread.Handle?>(nil)

        init(_ name: String, _ session: PipeWireSession) throws {
            camera = try #require(
                cpipewire_camera_new(name, UInt32(width), UInt32(height), 30, 1, session.socket))
            var pixels = [SIMD4<UInt8>](repeating: .zero, count: width * height)
            for y in 0..<height {
                for x in 0..<width { pixels[y * width + x] = colours[(2 * y / height) * 2 + 2 * x / width] }
            }
            let handle = try DedicatedThread.start { [self, pixels] in
                while !isOver.load(ordering: .relaxed) {
                    pixels.withUnsafeBytes {
                        cpipewire_camera_offer(camera, $0.assumingMemoryBound(to: UInt8.self).baseAddress, 4 * width)
                    }
                    usleep(20_000)
                }
            }
            thread.withLock { $0 = handle }
        }

        /// Unplugs it.
        func end() {
            isOver.store(true, ordering: .relaxed)
            guard let handle = thread.withLock({ $0.take() }) else { return }
            handle.join()
            cpipewire_camera_free(camera)
        }
    }

    private func frame(of reader: PipeWireReader) throws -> PipeWireReader.Frame {
        try #require(
            try wait(for: "a frame") {
                try reader.next(milliseconds: 100)
            } until: {
                $0 != nil
            })
    }

    /// What ends a reader that still gives frames, or gives none.
    private func loss(of reader: PipeWireReader, givesFrames: Bool = true) throws -> PipeWireReader.Loss? {
        try wait(for: "the reader's end", pause: 0) {
            do throws(PipeWireReader.Loss) {
                let frame = try reader.next(milliseconds: 100)
                #expect(givesFrames || frame == nil)
                return nil
            } catch {
                return Optional(error)
            }
        } until: {
            $0 != nil
        }
    }

    /// The modes of a camera are listed, and each gives its colours; Bauta's own camera is not among the cameras. Who unplugs
    /// the camera or ends PipeWire is known.
    @Test func camerasOfOthersAreRead() throws {
        let session = try PipeWireSession()
        let own = try PipeWireCamera(width: Self.width, height: Self.height, frameRate: 30, socket: session.socket)
        let other = try OtherCamera("Other", session)
        defer { other.end() }
        try wait(for: "both cameras") {
            let listed = try PipeWireSource.all(socket: session.socket)
            return try session.hasCamera() && listed.first?.modes.count == 4
        }
        let sources = try PipeWireSource.all(socket: session.socket)
        #expect(sources.map(\.name) == ["Other"] && sources.map(\.title) == ["Other"] && sources[0].device == nil)
        #expect(own.status.trouble == nil)
        let names = sources[0].modes.map { mode in
            #expect(mode.width == Self.width && mode.height == Self.height && mode.rate == 30)
            return String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: mode.format >> (8 * $0)) }, as: UTF8.self)
        }
        #expect(Set(names) == ["YUYV", "NV12", "YU12", "AB24"])
        var last: PipeWireReader?
        for mode in sources[0].modes {
            last = nil
            let reader = try PipeWireReader(sources[0], mode: mode)
            let frame = try frame(of: reader)
            #expect(frame.format == mode.format && frame.width == Self.width && frame.height == Self.height)
            var pixels = try PixelBuffer(width: frame.width, height: frame.height, format: .rgba8)
            frame.convert(into: &pixels)
            for (place, colour) in zip([(8, 8), (56, 8), (8, 40), (56, 40)], Self.colours) {
                let got = pixels.withRow(place.1) { $0[place.0] }
                let difference = (0..<4).map { abs(Int(got[$0]) - Int(colour[$0])) }.max() ?? 0
                #expect(difference <= 3, "\(names): \(got) in place of \(colour)")
            }
            last = reader
        }
        let reader = try #require(last)
        other.end()
        #expect(try loss(of: reader) == .camera)
        #expect(try PipeWireSource.all(socket: session.socket).isEmpty)
        // Another camera does not take the place of one that is gone.
        let second = try OtherCamera("Second", session)
        defer { second.end() }
        try wait(for: "the second camera") { try !PipeWireSource.all(socket: session.socket).isEmpty }
        let late = try PipeWireReader(sources[0], mode: sources[0].modes[0])
        #expect(try loss(of: late, givesFrames: false) == .camera)
        let found = try #require(try PipeWireSource.all(socket: session.socket).first)
        let surviving = try PipeWireReader(found, mode: sources[0].modes[0])
        _ = try frame(of: surviving)
        session.stop()
        #expect(try loss(of: surviving) == .server)
        #expect(throws: PipeWireError.notRunning) { try PipeWireSource.all(socket: session.socket) }
    }
}

/// What is read from the memory of another program.
@Suite struct ForeignFrameTests {
    private static func frame(_ code: String, _ width: UInt32, _ height: UInt32) -> cpipewire_frame {
        var frame = cpipewire_frame()
        frame.format = code.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        (frame.width, frame.height) = (width, height)
        return frame
    }

    /// - Returns: nil if it is refused.
    private static func read(
        _ frame: cpipewire_frame, _ block: [UInt8], offset: UInt32 = 0, size: UInt32? = nil, stride: Int32 = 0
    ) -> [UInt8]? {
        var rgba = [UInt8](repeating: 0, count: 4 * Int(frame.width * frame.height))
        let capacity = UInt32(block.count)
        let isWhole = withUnsafePointer(to: frame) {
            cpipewire_read_alone(
                $0, block, capacity, offset, size ?? capacity, stride, &rgba, 4 * Int(frame.width))
        }
        return isWhole ? rgba : nil
    }

    @Test(arguments: [
        ("AB24", [1, 2, 3, 4]), ("XB24", [1, 2, 3, 4]), ("AR24", [3, 2, 1, 4]), ("XR24", [3, 2, 1, 4]),
        ("RGB3", [1, 2, 3]), ("BGR3", [3, 2, 1]),
    ])
    func pixelsAreOpaqueAndKeepTheirColour(_ code: String, _ pixel: [UInt8]) {
        let block = [UInt8](repeating: 0, count: 5) + pixel + pixel + pixel + pixel
        #expect(
            Self.read(Self.frame(code, 2, 2), block, offset: 5, stride: Int32(2 * pixel.count))
                == [1, 2, 3, 255, 1, 2, 3, 255, 1, 2, 3, 255, 1, 2, 3, 255])
    }

    /// GStreamer leaves out how long rows are, which begin at multiples of 4; others have no padding.
    @Test func rowsOfUnknownLengthAreFound() {
        let row: [UInt8] = [9, 9, 9, 8, 8, 8]
        let wanted: [UInt8] = [9, 9, 9, 255, 8, 8, 8, 255]
        #expect(Self.read(Self.frame("RGB3", 2, 2), row + [0, 0] + row + [0, 0]) == wanted + wanted)
        #expect(Self.read(Self.frame("RGB3", 2, 2), row + row) == wanted + wanted)
        // Both colours have rows of 3 bytes at multiples of 4, after a brightness of 6 at multiples of 4.
        var planes = [UInt8](repeating: 126, count: 8 * 2)
        planes += [128, 128, 128, 0] + [128, 128, 128, 0]
        let grey = Self.read(Self.frame("YU12", 6, 2), planes)
        #expect(grey == [UInt8](repeating: 0, count: 48).indices.map { $0 % 4 == 3 ? 255 : 128 })
    }

    /// What another program says of its memory is not believed.
    @Test func framesThatDoNotFitAreRefused() {
        let frame = Self.frame("YUYV", 4, 2)
        let block = [UInt8](repeating: 128, count: 16)
        #expect(Self.read(frame, block) != nil && Self.read(frame, block, stride: 8) != nil)
        #expect(Self.read(frame, block, size: .max) != nil)
        #expect(Self.read(frame, block, offset: 1) == nil && Self.read(frame, block, offset: 17) == nil)
        #expect(Self.read(frame, block, offset: .max, size: .max) == nil)
        #expect(Self.read(frame, block, size: 15) == nil && Self.read(frame, block, size: 0) == nil)
        #expect(Self.read(frame, block, stride: 7) == nil && Self.read(frame, block, stride: 9) == nil)
        #expect(Self.read(frame, block, stride: .max) == nil)
        #expect(Self.read(frame, block, stride: -8) != nil)
        #expect(Self.read(Self.frame("YUYV", 3, 2), block) == nil)
        for code in ["YU12", "NV12"] {
            let frame = Self.frame(code, 4, 4)
            let block = [UInt8](repeating: 128, count: 24)
            #expect(Self.read(frame, block) != nil && Self.read(frame, block, size: 23) == nil)
            #expect(Self.read(frame, block, stride: 5) == nil)
        }
    }
}
