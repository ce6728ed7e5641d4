import CCamera
import Glibc
import ImageFiles
import Pixels
import Threads

/// A camera as a source. One that is busy, missing, forbidden or unplugged is waited for.
package final class CameraSource: FrameSource {
    /// What is asked of the camera.
    package struct Wishes: Sendable {
        /// Its number, path or a part of its name; nil: the first that works.
        package var camera: String?
        package var width: Int
        package var height: Int
        package var rate: Double
        package var controls: [(name: String, value: Int)]

        package init(
            camera: String? = nil, width: Int = 1280, height: Int = 720, rate: Double = 30,
            controls: [(name: String, value: Int)] = []
        ) {
            self.camera = camera
            self.width = width
            self.height = height
            self.rate = rate
            self.controls = controls
        }
    }

    private let wishes: Wishes
    private let stop: StopSignal
    /// Told what was asked for and what was got.
    private let report: @Sendable (String) -> Void
    private var handle: OpaquePointer?
    private var path = ""
    private var mode = Camera.Mode(format: .yuyv, width: 0, height: 0, rate: 0)
    /// The camera's own clock at the first frame, and what has been handed out.
    private var start: Double?
    private var offset = 0.0
    private var lastSeconds = -1.0
    private var lastFrame = ContinuousClock.now
    private var lastCapture = ContinuousClock.now
    private var damaged = 0
    private var nextTry = ContinuousClock.now

    /// Seconds without a frame after which a camera is opened anew.
    private static let patience = 3.0
    private static let secondsBetweenTries = 0.3

    init(_ wishes: Wishes, stop: StopSignal, report: @escaping @Sendable (String) -> Void) {
        self.wishes = wishes
        self.stop = stop
        self.report = report
    }

    deinit { if let handle { ccamera_close(handle) } }

    /// - Parameter report: told once for each time that a camera is opened, on the source's thread.
    package static func description(
        _ wishes: Wishes, report: @escaping @Sendable (String) -> Void
    ) -> FrameSourceDescription {
        FrameSourceDescription(
            name: wishes.camera.map { "camera \($0)" } ?? "the camera", isMirrored: true, isLive: true, canPause: false,
            frameRate: wishes.rate
        ) { stop in CameraSource(wishes, stop: stop, report: report) }
    }

    package func next(reusing spare: consuming PixelBuffer?) throws -> SourceEvent {
        guard !stop.isStopped else { return .ended }
        guard let handle else {
            let rest = (nextTry - .now) / .seconds(1)
            if rest > 0, !stop.sleep(seconds: rest) { return .ended }
            nextTry = .now + .seconds(Self.secondsBetweenTries)
            do {
                try open()
            } catch {
                return .waiting(error.description)
            }
            return .nothing
        }
        var frame = ccamera_frame()
        var error = ccamera_error()
        // Short enough to notice a stop.
        let result = ccamera_next(handle, 100, &frame, &error)
        if result < 0 { return lose(Camera.Failure(path: path, error).description) }
        if result == 0 {
            guard (.now - lastFrame) / .seconds(1) > Self.patience else { return .nothing }
            return lose("\(path): the camera gives no pictures; trying again")
        }
        lastFrame = .now
        let captured = ContinuousClock.now
        if start == nil {
            start = frame.seconds
            // After a pause, times go on from where they were, and the pause counts.
            if lastSeconds >= 0 { offset = lastSeconds + (captured - lastCapture) / .seconds(1) }
        }
        let seconds = offset + frame.seconds - (start ?? frame.seconds)
        lastCapture = captured
        var pixels = try PixelBuffer.reusing(spare, width: mode.width, height: mode.height, format: .rgba8)
        let isGood = decode(frame, into: &pixels)
        guard ccamera_done(handle, frame.index, &error) else {
            return lose(Camera.Failure(path: path, error).description)
        }
        guard isGood else {
            damaged += 1
            return damaged > 30
                ? .waiting("\(path): the camera sends nothing but damaged pictures") : .nothing
        }
        damaged = 0
        // Clocks of drivers may jump; ours only goes forward.
        lastSeconds = max(seconds, lastSeconds + 0.001)
        return .frame(SourceFrame(pixels, seconds: lastSeconds, captured: captured))
    }

    private func decode(_ frame: ccamera_frame, into pixels: inout PixelBuffer) -> Bool {
        guard let data = frame.data, frame.size > 0 else { return false }
        let bytes = UnsafeRawBufferPointer(start: data, count: frame.size)
        if mode.format == .motionJPEG { return MotionJPEG.decode(bytes, into: &pixels) }
        let (width, height, bytesPerRow) = (Int32(mode.width), Int32(mode.height), pixels.bytesPerRow)
        guard frame.size >= frame.bytes_per_row * (mode.height - 1) + 4 * ((mode.width + 1) / 2) else { return false }
        pixels.withUnsafeMutableBytes { target in
            guard let rgba = target.bindMemory(to: UInt8.self).baseAddress else { return }
            ccamera_convert_yuyv(data, frame.bytes_per_row, rgba, bytesPerRow, width, height)
        }
        return true
    }

    private func lose(_ reason: String) -> SourceEvent {
        if let handle { ccamera_close(handle) }
        handle = nil
        start = nil
        nextTry = .now + .seconds(Self.secondsBetweenTries)
        return .waiting(reason)
    }

    private func open() throws(Camera.Failure) {
        let camera = try find()
        guard let wanted = camera.bestMode(width: wishes.width, height: wishes.height, rate: wishes.rate) else {
            throw Camera.Failure(path: camera.path, code: ENOTTY, doing: "choosing a format")
        }
        var error = ccamera_error()
        guard let handle = ccamera_open(camera.path, &error) else {
            throw Camera.Failure(path: camera.path, error)
        }
        var asked = wanted
        asked.rate = wanted.rate == 0 ? wishes.rate : min(wanted.rate, max(wishes.rate, 1))
        var got = asked.foreign
        guard ccamera_start(handle, &got, &error) else {
            ccamera_close(handle)
            throw Camera.Failure(path: camera.path, error)
        }
        mode = Camera.Mode(got)
        if case .other = mode.format {
            ccamera_close(handle)
            throw Camera.Failure(path: camera.path, code: EINVAL, doing: "agreeing on MJPG or YUYV")
        }
        var notes: [String] = []
        for control in wishes.controls {
            guard let known = camera.controls.first(where: { $0.name == control.name }) else {
                notes.append("it has no control '\(control.name)'")
                continue
            }
            if !ccamera_set_control(handle, known.identifier, Int32(clamping: control.value), &error) {
                notes.append("'\(control.name)' cannot be \(control.value)")
            }
        }
        self.handle = handle
        path = camera.path
        start = nil
        lastFrame = .now
        let note = notes.isEmpty ? "" : "; " + notes.joined(separator: "; ")
        report(
            "\(camera.name) (\(camera.path)): asked for \(wishes.width)×\(wishes.height) at \(Int(wishes.rate)) frames/s, "
                + "got \(mode.description)\(note)")
    }

    private func find() throws(Camera.Failure) -> Camera {
        // A path or a number says where to look, and what is wrong there.
        if let wanted = wishes.camera {
            if wanted.hasPrefix("/") { return try Camera(path: wanted) }
            if Int(wanted) != nil { return try Camera(path: "/dev/video" + wanted) }
        }
        if let camera = Camera.find(wishes.camera, among: Camera.all()) { return camera }
        // One that exists and cannot be opened is the better explanation.
        for number in 0..<64 where access("/dev/video\(number)", F_OK) == 0 {
            do {
                _ = try Camera(path: "/dev/video\(number)")
            } catch {
                if error.code != ENOTTY { throw error }
            }
        }
        throw Camera.Failure(path: wishes.camera ?? "", code: 0, doing: Camera.Failure.looking)
    }
}
