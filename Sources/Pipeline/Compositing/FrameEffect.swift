import Pixels

/// What is done to the pixels of frames before masks are drawn, after faces have been found in them. It belongs to one stream.
package protocol FrameEffect: AnyObject {
    /// - Parameter picture: `rgba8`.
    /// - Throws: an error that ends the stream: nothing is shown without the effect.
    func apply(to picture: inout PixelBuffer) throws

    /// The next picture shows another scene.
    func interrupt()
}
