import Display
import Graphics
import MaskRendering
import Pixels

/// What a session knows of its window, which another thread draws; or, without a window, only the messages. It gives what is
/// to be shown, and gets commands.
final class LiveView {
    private let exchange: WindowExchange?
    let messages: WindowMessages
    /// Whether a graphics card draws the window.
    private var isHardware = false
    /// For drawing masks with OpenGL, made when it is needed first.
    private var context: ThreadContext?
    private var title = ""
    /// Whether the window shows the source's mirror image.
    var isMirrored = false
    /// Whether mesh and landmarks are drawn on what the window shows.
    var showsMesh = false

    /// - Parameter exchange: nil: there is no window.
    init(_ exchange: WindowExchange?, _ messages: WindowMessages) {
        (self.exchange, self.messages) = (exchange, messages)
    }

    var hasWindow: Bool { exchange != nil }
    var isPanelOpen: Bool { exchange?.isPanelOpen ?? false }

    /// - Throws: `GraphicsError` of kind `noOpenGL`.
    func open(_ opening: @autoclosure () throws -> WindowExchange.Opening) throws {
        if let exchange { isHardware = try exchange.open(try opening()) }
    }

    /// The context to draw masks with, current on this thread; nil: they are drawn in software, or there is no window.
    /// - Throws: `GraphicsError` of kind `noOpenGL`.
    func context(for choice: RendererChoice) throws(GraphicsError) -> ThreadContext? {
        guard let exchange, choice == .opengl || (choice == .auto && isHardware) else { return nil }
        if context == nil { context = try exchange.makeContext() }
        return context
    }

    /// Passes on what the user has done since the last call.
    func takeCommands(_ perform: (SessionCommand) -> Void) { exchange?.takeCommands().forEach(perform) }

    /// The window asks whether the session is to end although a recording runs or a GIF is made.
    func askToQuit() { exchange?.askToQuit() }

    func say(_ text: String, isAlarm: Bool = false) { messages.say(text, isAlarm: isAlarm) }

    /// - Parameter mask: its name; nil: none is worn, and faces are covered.
    func showTitle(_ mask: String?) { title = mask.map { "Bauta – mask: \($0)" } ?? "Bauta – anonymised" }

    /// Shows a picture, `rgba8`.
    /// - Parameter times: when its frame was captured, and when it was drawn; nil: it is no new frame.
    /// - Returns: memory for later frames; nil: none is free.
    func show(
        _ pixels: consuming PixelBuffer,
        times: (captured: ContinuousClock.Instant, drawn: ContinuousClock.Instant)? = nil
    ) -> PixelBuffer? {
        guard let exchange else { return pixels }
        return exchange.show(WindowExchange.Picture(pixels: pixels, times: times))
    }

    /// Shows the state beside the picture.
    func show(_ state: LiveState, pointer: DisplayWindow.Pointer?) {
        exchange?.show(.init(state: state, title: title, isMirrored: isMirrored, pointer: pointer))
    }

    /// The durations of frames that the window has shown since the last call, each for the last two of
    /// `LiveStatistics.stages`, in milliseconds.
    func takeShown() -> [[Double]] { exchange?.takeShown() ?? [] }
}
