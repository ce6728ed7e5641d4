import Files
import Glibc
import ImageFiles
import Pixels
import Threads

/// The pictures of a folder in a loop, each for four seconds; a single one stays.
package final class PictureFolderSource: FrameSource {
    /// Frames per second; the tracker and the window keep running while a picture is shown.
    private static let frameRate = 25.0
    private static let secondsEach = 4.0
    /// Larger pictures, in pixels, are halved until they fit.
    private static let largestSide = 2200

    private let paths: [FilePath]
    private let stop: StopSignal
    private var pacemaker: Pacemaker
    private var index = 0
    private var framesLeft = 0
    private var count = 0
    private var failures = 0
    private var picture: PixelBuffer?

    init(_ paths: [FilePath], stop: StopSignal) {
        self.paths = paths
        self.stop = stop
        pacemaker = Pacemaker(stop)
    }

    package func next(reusing spare: consuming PixelBuffer?) throws -> SourceEvent {
        if stop.isStopped { return .ended }
        // A single picture is not read again.
        if framesLeft == 0, paths.count > 1 || count == 0 {
            guard failures < paths.count else { return .ended }
            let path = paths[index % paths.count]
            index += 1
            do {
                picture = try Self.load(path)
                failures = 0
                framesLeft = Int(Self.frameRate * Self.secondsEach)
            } catch {
                failures += 1
                if failures == paths.count { throw error }
                return .waiting("\(error)")
            }
        }
        framesLeft = max(0, framesLeft - 1)
        guard let shown = picture.take() else { return .ended }
        var frame = try PixelBuffer.reusing(spare, width: shown.width, height: shown.height, format: .rgba8)
        frame.overwrite(with: shown)
        picture = consume shown
        let seconds = Double(count) / Self.frameRate
        count += 1
        pacemaker.wait(for: seconds)
        return .frame(SourceFrame(frame, seconds: seconds, scene: index))
    }

    private static func load(_ path: FilePath) throws -> PixelBuffer {
        let picture = try PictureReader.read(path)
        var pixels = try picture.pixels.format == .rgba8 ? picture.pixels.copy() : picture.pixels.withEightBits()
        while max(pixels.width, pixels.height) > largestSide { pixels = try pixels.halved() }
        // Frames are opaque.
        for y in 0..<pixels.height {
            pixels.withMutableRow(y) { row in for x in row.indices { row[x].w = 255 } }
        }
        return pixels
    }

    /// - Parameter paths: pictures, in the order in which they are shown.
    package static func description(_ paths: [FilePath], name: String) -> FrameSourceDescription {
        FrameSourceDescription(name: name, isLive: true, showsStills: true, frameRate: frameRate) { stop in
            PictureFolderSource(paths, stop: stop)
        }
    }
}
