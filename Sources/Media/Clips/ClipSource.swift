import Files
import FrameSources
import Pixels
import Sound
import Threads

/// Frames of a clip, at its own speed or as fast as possible, once or in a loop.
package final class ClipSource: FrameSource {
    private let reader: ClipReader
    private var pacemaker: Pacemaker?
    private let stop: StopSignal
    private var handler = 0
    private let path: FilePath
    private let loops: Bool
    /// Nil: nobody will want the clip's sound.
    private let soundRequest: ClipSoundRequest?
    private var soundtrack: (sound: ClipSoundtrack, handler: Int)?

    init(
        _ path: FilePath, information: ClipInformation, size: ClipReader.Size?, frames: Int?, loops: Bool,
        isPaced: Bool, sound: ClipSoundRequest?, stop: StopSignal
    ) throws {
        self.path = path
        self.loops = loops
        soundRequest = sound
        reader = try ClipReader(path, information: information, size: size, frames: frames, loops: loops)
        pacemaker = isPaced ? Pacemaker(stop) : nil
        self.stop = stop
        handler = stop.onStop(reader.stopper())
    }

    deinit {
        stop.forget(handler)
        closeSoundtrack()
    }

    package func next(reusing spare: consuming PixelBuffer?) throws -> SourceEvent {
        var frame = try PixelBuffer.reusing(spare, width: reader.width, height: reader.height, format: .rgba8)
        do {
            guard let seconds = try reader.read(into: &frame), !stop.isStopped else { return .ended }
            let sound = sound(at: seconds)
            pacemaker?.wait(for: seconds)
            return .frame(SourceFrame(frame, seconds: seconds, sound: sound))
        } catch {
            // A reader that was stopped reports an error.
            if stop.isStopped || error.kind == .interrupted { return .ended }
            throw error
        }
    }

    private func sound(at seconds: Double) -> SoundSignals? {
        guard let soundRequest, soundRequest.isWanted else {
            closeSoundtrack()
            return nil
        }
        if soundtrack == nil {
            let new = ClipSoundtrack(
                path, at: seconds, loopDuration: loops ? reader.information.duration : nil, request: soundRequest)
            soundtrack = (new, stop.onStop { [stopper = new.stopper] in stopper.stop() })
        }
        return soundtrack?.sound.signals(at: seconds)
    }

    private func closeSoundtrack() {
        if let soundtrack { stop.forget(soundtrack.handler) }
        soundtrack = nil
    }

    /// - Parameters:
    ///   - path: a file, or an address that ffmpeg can open.
    ///   - isPaced: whether frames come at the clip's own speed, as from a camera.
    ///   - sound: whether frames tell what is heard; nil: they never do.
    /// - Throws: `ClipError` when it cannot be read.
    package static func description(
        _ path: FilePath, size: ClipReader.Size? = nil, frames: Int? = nil, loops: Bool = false, isPaced: Bool = true,
        sound: ClipSoundRequest? = nil
    ) throws(ClipError) -> FrameSourceDescription {
        let information = try ClipInformation.read(path)
        let isStream = Self.isStream(path, information)
        return description(
            path, information: information, size: size, frames: frames, loops: loops, isPaced: isPaced && !isStream,
            isLive: isPaced || isStream, sound: sound)
    }

    /// A stream arrives at its own speed and has no end that is known. A file at an address has one.
    private static func isStream(_ path: FilePath, _ information: ClipInformation) -> Bool {
        NetworkAddress.hasScheme(path) && (information.duration ?? 0) <= 0
    }

    /// A clip whose information has been read already.
    /// - Parameters:
    ///   - isPaced: whether frames come at the clip's own speed, as from a camera.
    ///   - isLive: whether frames that come too late may be dropped.
    package static func description(
        _ path: FilePath, information: ClipInformation, size: ClipReader.Size? = nil, frames: Int? = nil,
        loops: Bool = false, isPaced: Bool, isLive: Bool, sound: ClipSoundRequest? = nil
    ) -> FrameSourceDescription {
        FrameSourceDescription(
            name: path.name.description, isLive: isLive, canPause: !isStream(path, information),
            frameRate: information.frameRate
        ) { stop in
            try ClipSource(
                path, information: information, size: size, frames: frames, loops: loops, isPaced: isPaced,
                sound: sound, stop: stop)
        }
    }
}
