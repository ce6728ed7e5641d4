import Pixels

/// The safe key: the whole picture is blurred at once, or replaced by a still one, in the window and for every output.
extension LiveSession {
    /// How long a covered picture waits for the source's next frame, in seconds.
    private static let patience = 0.1

    func setCovered(_ isCovered: Bool) {
        self.isCovered = isCovered
        if !isCovered { coverSince = nil }
    }

    func cover(_ pixels: inout PixelBuffer) throws {
        if let coverPicture { try coverPicture.fill(&pixels) } else { pixels.makeUnrecognisable() }
    }

    /// Covers what the window and the outputs show if the source gives no frame: a camera that does not answer, or a clip
    /// that has ended.
    func coverLastFrame() throws {
        guard let coverSince, let last, ContinuousClock.now - coverSince > .seconds(Self.patience) else { return }
        var pixels = try PixelBuffer(width: last.width, height: last.height, format: .rgba8)
        if let coverPicture { try coverPicture.fill(&pixels) } else { pixels.fill(CoverPicture.background) }
        lastSeconds = secondsNow
        self.last?.time = .now
        outputs.take(pixels, at: lastSeconds, isFirst: false)
        self.coverSince = nil
        window?.upload(pixels)
    }

    /// The time of a picture that the source has not given: later than the last frame, and no later than the next one.
    var secondsNow: Double {
        let interval = 1 / (source.description.frameRate ?? 30)
        // The clock of a source that can pause stands still during a pause.
        guard !source.description.canPause, let last else { return lastSeconds + interval }
        return lastSeconds + max(interval, (ContinuousClock.now - last.time) / .seconds(1))
    }
}
