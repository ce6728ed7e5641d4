import Pixels

/// What an open camera delivers. Belongs to one thread.
protocol CameraStream: AnyObject {
    /// Waits for the next picture, at most 100 ms: a stop is noticed in time.
    /// - Parameter spare: memory that may be reused for it.
    /// - Throws: `Camera.Failure` if the camera is lost; `OutOfMemory`.
    func next(reusing spare: consuming PixelBuffer?) throws -> CameraPicture
}

/// The answer of a camera that was asked for a picture.
enum CameraPicture: ~Copyable {
    /// None has come.
    case none
    case damaged
    /// `rgba8`, with its time by a clock of the camera's, in seconds.
    case whole(PixelBuffer, seconds: Double)
}
