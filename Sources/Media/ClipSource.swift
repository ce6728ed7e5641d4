import Files
import Pixels
import Threads

/// Frames of a clip, at its own speed or as fast as possible, once or in a loop.
package final class ClipSource: FrameSource {
    private let reader: ClipReader
    private var pacemaker: Pacemaker?
    private let stop: StopSignal
    private var handler = 0

    init(
        _ path: FilePath, information: ClipInformation, size: ClipReader.Size?, frames: Int?, loops: Bool,
        isPaced: Bool,
        stop: StopSignal
    ) throws {
        reader = try ClipReader(path, information: information, size: size, frames: frames, loops: loops)
        pacemaker = isPaced ? Pacemaker(stop) : nil
        self.stop = stop
        handler = stop.onStop(reader.stopper())
    }

    deinit { stop.forget(handler) }

    package func next(reusing spare: consuming PixelBuffer?) throws -> SourceEvent {
        var frame = try PixelBuffer.reusing(spare, width: reader.width, height: reader.height, format: .rgba8)
        do {
            guard let seconds = try reader.read(into: &frame), !stop.isStopped else { return .ended }
            pacemaker?.wait(for: seconds)
            return .frame(SourceFrame(frame, seconds: seconds))
        } catch {
            // A reader that was stopped reports an error.
            if stop.isStopped || error.kind == .interrupted { return .ended }
            throw error
        }
    }

    /// - Parameters:
    ///   - path: a file, or an address that ffmpeg can open.
    ///   - isPaced: whether frames come at the clip's own speed, as from a camera.
    /// - Throws: `ClipError` when it cannot be read.
    package static func description(
        _ path: FilePath, size: ClipReader.Size? = nil, frames: Int? = nil, loops: Bool = false, isPaced: Bool = true
    ) throws(ClipError) -> FrameSourceDescription {
        let information = try ClipInformation.read(path)
        // A stream arrives at its own speed and has no end that is known. A file at an address has one.
        let isStream = NetworkAddress.hasScheme(path) && (information.duration ?? 0) <= 0
        return description(
            path, information: information, size: size, frames: frames, loops: loops, isPaced: isPaced && !isStream,
            isLive: isPaced || isStream)
    }

    /// A clip whose information has been read already.
    /// - Parameters:
    ///   - isPaced: whether frames come at the clip's own speed, as from a camera.
    ///   - isLive: whether frames that come too late may be dropped.
    package static func description(
        _ path: FilePath, information: ClipInformation, size: ClipReader.Size? = nil, frames: Int? = nil,
        loops: Bool = false, isPaced: Bool, isLive: Bool
    ) -> FrameSourceDescription {
        FrameSourceDescription(
            name: path.name.description, isLive: isLive,
            frameRate: information.frameRate
        ) { stop in
            try ClipSource(
                path, information: information, size: size, frames: frames, loops: loops, isPaced: isPaced, stop: stop)
        }
    }
}
