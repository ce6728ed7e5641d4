import CPipeWire
import Glibc
import PipeWire
import Pixels
import Synchronization
import TestSupport
import Testing
import Threads

/// The camera that other programs see, with GStreamer as such a program.
@Suite(
    .serialized,
    .enabled(
        if: PipeWireSession.isPossible, "PipeWire, WirePlumber and GStreamer are needed: scripts/test installs them"))
struct PipeWireCameraTests {
    private static let (width, height) = (64, 48)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A picture of four colours that differs from those with other numbers.
    private static func picture(_ number: Int) throws -> PixelBuffer {
        var pixels = try PixelBuffer(width: width, height: height, format: .rgba8)
        for y in 0..<height {
            pixels.withMutableRow(y) { row in
                for x in row.indices {
                    row[x] = SIMD4(
                        x < width / 2 ? 200 : 20, y < height / 2 ? 180 : 40, UInt8(truncatingIfNeeded: number), 255)
                }
            }
        }
        return pixels
    }

    /// What a program gets of a picture.
    private static func bytes(_ format: cpipewire_format, of number: Int) throws -> [UInt8] {
        let pixels = try picture(number)
        var result = [UInt8](repeating: 0, count: cpipewire_size(format, UInt32(width), UInt32(height)))
        pixels.withUnsafeBytes {
            cpipewire_convert(
                format, UInt32(width), UInt32(height), $0.baseAddress, pixels.bytesPerRow, &result)
        }
        return result
    }

    /// A camera that gets pictures, numbered from 0, all the time.
    private final class Filming: Sendable {
        let camera: PipeWireCamera
        private let isOver = Atomic(false)
        private let thread = Mutex<DedicatedThread.Handle?>(nil)

        init(_ session: PipeWireSession) throws {
            let camera = try PipeWireCamera(
                width: width, height: height, frameRate: 30, socket: session.socket)
            self.camera = camera
            let handle = try DedicatedThread.start { [self] in
                var number = 0
                while !isOver.load(ordering: .relaxed) {
                    if let pixels = try? picture(number) { camera.offer(pixels) }
                    number += 1
                    usleep(10_000)
                }
            }
            thread.withLock { $0 = handle }
            try wait(for: "the camera", until: session.hasCamera)
        }

        func stop() {
            isOver.store(true, ordering: .relaxed)
            thread.withLock { $0.take() }?.join()
        }
    }

    /// Each frame is one of the pictures, and they come in their order.
    private func check(_ frames: [UInt8], _ format: cpipewire_format, count: Int) throws {
        let size = cpipewire_size(format, UInt32(Self.width), UInt32(Self.height))
        try #require(frames.count == count * size)
        let known = try (0..<256).map { try Self.bytes(format, of: $0) }
        let numbers = (0..<count).map { index in
            known.firstIndex { $0.elementsEqual(frames[(index * size)..<((index + 1) * size)]) }
        }
        #expect(!numbers.contains(nil), "\(numbers)")
        for (last, next) in zip(numbers, numbers.dropFirst()) {
            guard let last, let next else { continue }
            #expect((next - last + 256) % 256 < 128, "\(numbers)")
        }
        #expect(Set(numbers).count > count / 2, "\(numbers)")
    }

    /// Without a program, nothing is converted; several get the same; when PipeWire is started anew, the camera is there again.
    @Test func programsGetThePicture() throws {
        let session = try PipeWireSession()
        let filming = try Filming(session)
        defer { filming.stop() }
        #expect(!filming.camera.status.isWatched && filming.camera.status.sentPictures == 0)
        try check(try session.read(15, format: "NV12"), CPIPEWIRE_NV12, count: 15)
        #expect(filming.camera.status.sentPictures >= 15)
        try wait(for: "the program's end") { !filming.camera.status.isWatched }

        let other = Mutex<Result<[UInt8], any Error>?>(nil)
        let thread = try DedicatedThread.start {
            let read = Result { try session.read(40, format: "I420") }
            other.withLock { $0 = read }
        }
        try check(try session.read(40, format: "I420"), CPIPEWIRE_I420, count: 40)
        thread.join()
        try check(try #require(try other.withLock { $0 }?.get()), CPIPEWIRE_I420, count: 40)

        session.stop()
        try wait(for: "the loss") { filming.camera.status.trouble == .notRunning }
        try session.start()
        try wait(for: "the camera again", until: session.hasCamera)
        try check(try session.read(15, format: "YUY2"), CPIPEWIRE_YUY2, count: 15)
        #expect(filming.camera.status.trouble == nil)
    }

    /// A program that begins where no new picture comes says so, and then gets the last one again and again. What was there
    /// before it began is not shown.
    @Test func aStillPictureIsRepeated() throws {
        let session = try PipeWireSession()
        let camera = try PipeWireCamera(
            width: Self.width, height: Self.height, frameRate: 30, socket: session.socket)
        try wait(for: "the camera", until: session.hasCamera)
        for number in [2, 4] {
            camera.offer(try Self.picture(number - 1))
            let frames = Mutex<Result<[UInt8], any Error>?>(nil)
            let thread = try DedicatedThread.start {
                let read = Result { try session.read(4, format: "RGBA") }
                frames.withLock { $0 = read }
            }
            try wait(for: "a program that waits") { camera.status.awaitsPicture }
            // Longer than until a picture is repeated.
            usleep(400_000)
            camera.offer(try Self.picture(number))
            thread.join()
            let wanted = try Self.bytes(CPIPEWIRE_RGBA, of: number)
            #expect(try #require(try frames.withLock { $0 }?.get()) == wanted + wanted + wanted + wanted)
            try wait(for: "the program's end") { !camera.status.isWatched }
        }
        #expect(!camera.status.awaitsPicture)
    }

    @Test func aMissingSessionIsNamed() throws {
        let nowhere = folder.path + "/pipewire-0"
        #expect(throws: PipeWireError.notRunning) { try PipeWireCamera.check(socket: nowhere) }
        let camera = try PipeWireCamera(
            width: Self.width, height: Self.height, frameRate: 30, socket: nowhere)
        try wait(for: "the trouble") { camera.status.trouble == .notRunning }
        #expect(PipeWireError.notRunning.description.contains("systemctl --user start pipewire wireplumber"))
    }

    @Test func sizesThatNoCameraHasAreRefused() {
        for (width, height) in [(1, 48), (64, 1), (16_385, 48)] {
            #expect(throws: PipeWireError.size(width, height)) {
                _ = try PipeWireCamera(width: width, height: height, frameRate: 30)
            }
        }
    }

    /// A program that stands still with all buffers holds up no other.
    @Test(.slow) func aStalledProgramHoldsUpNoOther() throws {
        let session = try PipeWireSession()
        let filming = try Filming(session)
        defer { filming.stop() }
        let stalled = try session.startReader(format: "I420", "identity", "sleep-time=5000000")
        try wait(for: "the program") { filming.camera.status.sentPictures > 20 }
        let start = ContinuousClock.now
        try check(try session.read(100, format: "I420"), CPIPEWIRE_I420, count: 100)
        #expect(ContinuousClock.now - start < .seconds(10))
        stalled.terminate()
        stalled.waitUntilExit()
        try check(try session.read(30, format: "I420"), CPIPEWIRE_I420, count: 30)
    }
}
