import Threads

/// A renderer on a thread of its own, for several threads: OpenGL's contexts belong to threads, and a driver must not be
/// at work while the process exits.
package typealias RenderThread = ThreadConfined<MaskRenderer>
