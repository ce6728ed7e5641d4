import Clips
import Files
import Masks
import Pixels

/// Reads animations (APNG, GIF) with ffmpeg.
package enum MovingPicture {
    /// - Returns: the frames, and how long each is shown, in seconds.
    /// - Throws: `ClipError`, or `MaskLoader.AnimationExcess` if it is larger than allowed.
    package static func frames(
        of path: FilePath, limits: MaskLoader.AnimationLimits
    ) throws -> (frames: [Texture], seconds: [Double]) {
        let reader = try ClipReader(path, kind: .animation, cpuSeconds: limits.seconds)
        var frames: [Texture] = []
        var starts: [Double] = []
        while true {
            var pixels = try reader.makeFrame()
            guard let seconds = try reader.read(into: &pixels) else { break }
            if let excess = limits.excess(frames: frames.count + 1, width: reader.width, height: reader.height) {
                throw MaskLoader.AnimationExcess(reason: excess)
            }
            frames.append(Texture(path: path, pixels: pixels))
            starts.append(seconds)
        }
        guard frames.count > 1 else {
            throw ClipError(.unreadable, path: path.description, "it has no moving frames")
        }
        var seconds = zip(starts, starts.dropFirst()).map { $1 - $0 }
        seconds.append(seconds.reduce(0, +) / Double(seconds.count))
        return (frames, seconds)
    }
}
