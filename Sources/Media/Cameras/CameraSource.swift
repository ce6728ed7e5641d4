import CCamera
import FrameSources
import Glibc
import ImageFiles
import Pixels
import Threads

/// Frames of a camera. While it is busy, missing, forbidden or unplugged, the source waits for it.
package final class CameraSource: FrameSource {
    /// Which camera, and what it is asked for.
    package struct Request: Sendable {
        /// Its device number, its path or a part of its name; nil: the first that works.
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

    private let request: Request
    private let stop: StopSignal
    /// Takes a sentence about what was asked for and what the camera does.
    private let report: @Sendable (String) -> Void
    private var handle: OpaquePointer?
    private var path = ""
    private var mode = Camera.Mode(format: .yuyv, width: 0, height: 0, rate: 0)
    /// The camera's clock at the first frame, in seconds.
    private var start: Double?
    private var offset = 0.0
    private var lastSeconds = -1.0
    private var lastFrame = ContinuousClock.now
    private var lastCapture = ContinuousClock.now
    private var damaged = 0
    private var nextTry = ContinuousClock.now
    /// Why the camera was lost, until it is open again.
    private var loss: String?

    /// Seconds without a frame after which the camera is reopened.
    private static let patience = 3.0
    private static let secondsBetweenTries = 0.3

    init(_ request: Request, stop: StopSignal, report: @escaping @Sendable (String) -> Void) {
        self.request = request
        self.stop = stop
        self.report = report
    }

    deinit { if let handle { ccamera_close(handle) } }

    /// - Parameter report: called each time that a camera is opened, on the source's thread.
    package static func description(
        _ request: Request, report: @escaping @Sendable (String) -> Void
    ) -> FrameSourceDescription {
        FrameSourceDescription(
            name: request.camera.map { "camera \($0)" } ?? "the camera", isMirrored: true, isLive: true,
            canPause: false, frameRate: request.rate
        ) { stop in CameraSource(request, stop: stop, report: report) }
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
                // That it is missing follows from the loss, and says less about it.
                return .waiting(error.isMissing ? loss ?? error.description : error.description)
            }
            return .nothing
        }
        var frame = ccamera_frame()
        var error = ccamera_error()
        // 100 ms: a stop is noticed in time.
        let result = ccamera_next(handle, 100, &frame, &error)
        if result < 0 { return lose(Camera.Failure(path: path, error).description) }
        if result == 0 {
            guard (.now - lastFrame) / .seconds(1) > Self.patience else { return .nothing }
            return lose("\(path): the camera delivers no pictures; trying again")
        }
        lastFrame = .now
        let captured = ContinuousClock.now
        if start == nil {
            start = frame.seconds
            // After a pause, times go on from the last one, plus the pause.
            if lastSeconds >= 0 { offset = lastSeconds + (captured - lastCapture) / .seconds(1) }
        }
        let seconds = offset + frame.seconds - (start ?? frame.seconds)
        lastCapture = captured
        var pixels = try PixelBuffer.reusing(spare, width: mode.width, height: mode.height, format: .rgba8)
        let isGood = decode(frame, from: handle, into: &pixels)
        guard ccamera_done(handle, frame.index, &error) else {
            return lose(Camera.Failure(path: path, error).description)
        }
        guard isGood else {
            damaged += 1
            return damaged > 30
                ? .waiting("\(path): the camera sends only damaged pictures") : .nothing
        }
        damaged = 0
        // Drivers' clocks may jump; times of frames only grow.
        lastSeconds = max(seconds, lastSeconds + 0.001)
        return .frame(SourceFrame(pixels, seconds: lastSeconds, captured: captured))
    }

    private func decode(
        _ frame: ccamera_frame, from handle: OpaquePointer, into pixels: inout PixelBuffer
    ) -> Bool {
        guard let data = frame.data, frame.size > 0 else { return false }
        if mode.format == .motionJPEG {
            return MotionJPEG.decode(UnsafeRawBufferPointer(start: data, count: frame.size), into: &pixels)
        }
        let bytesPerRow = pixels.bytesPerRow
        var frame = frame
        return pixels.withUnsafeMutableBytes { target in
            guard let rgba = target.bindMemory(to: UInt8.self).baseAddress else { return false }
            return ccamera_convert(handle, &frame, rgba, bytesPerRow)
        }
    }

    private func lose(_ reason: String) -> SourceEvent {
        if let handle { ccamera_close(handle) }
        handle = nil
        start = nil
        loss = reason
        nextTry = .now + .seconds(Self.secondsBetweenTries)
        return .waiting(reason)
    }

    private func open() throws(Camera.Failure) {
        let camera = try find()
        guard let wanted = camera.bestMode(width: request.width, height: request.height, rate: request.rate) else {
            throw Camera.Failure(unreadableFormatsOf: camera)
        }
        var error = ccamera_error()
        guard let handle = ccamera_open(camera.path, &error) else {
            throw Camera.Failure(path: camera.path, error)
        }
        var asked = wanted
        asked.rate = wanted.rate == 0 ? request.rate : min(wanted.rate, max(request.rate, 1))
        var got = asked.foreign
        guard ccamera_start(handle, &got, &error) else {
            ccamera_close(handle)
            throw Camera.Failure(path: camera.path, error)
        }
        mode = Camera.Mode(got)
        let notes = set(handle, camera.controls)
        self.handle = handle
        loss = nil
        path = camera.path
        start = nil
        lastFrame = .now
        report(
            "\(camera.name) (\(camera.path)): asked for \(request.width)×\(request.height) at \(Int(request.rate)) frames/s, "
                + "got \(mode.description)" + notes.map { "; " + $0 }.joined())
    }

    /// Sets the controls that were asked for.
    /// - Returns: messages about the controls that could not be set.
    private func set(_ handle: OpaquePointer, _ known: [Camera.Control]) -> [String] {
        var error = ccamera_error()
        return request.controls.compactMap { wish in
            guard let control = known.first(where: { $0.name == wish.name }) else {
                return "it has no control '\(wish.name)'"
            }
            let isSet = ccamera_set_control(handle, control.identifier, Int32(clamping: wish.value), &error)
            return isSet ? nil : "'\(wish.name)' cannot be \(wish.value)"
        }
    }

    private func find() throws(Camera.Failure) -> Camera {
        // With a path or a number, the error of that device is reported.
        if let wanted = request.camera {
            if wanted.utf8.first == UInt8(ascii: "/") { return try Camera(path: wanted) }
            if Int(wanted) != nil { return try Camera(path: "/dev/video" + wanted) }
        }
        if let camera = Camera.find(request.camera, among: Camera.all()) { return camera }
        // The error of a device that exists explains more than that there is none.
        for number in 0..<64 where access("/dev/video\(number)", F_OK) == 0 {
            do {
                _ = try Camera(path: "/dev/video\(number)")
            } catch {
                if error.code != ENOTTY { throw error }
            }
        }
        throw Camera.Failure(path: request.camera ?? "", code: 0, doing: Camera.Failure.looking)
    }
}
