import Display
import FrameProcessing
import Graphics
import Installation
import Pixels
import Synchronization
import Threads

/// What passes between the thread of a session and that of its window: pictures and a state to show, and the user's commands
/// the other way. The session waits for the window only until it is open, and for OpenGL when that is first used: whatever else
/// delays the window, recordings and virtual cameras go on.
final class WindowExchange: Sendable {
    /// What the window shows besides the picture.
    struct Content: Sendable {
        var state: LiveState
        var title: String
        /// Whether the picture's mirror image is shown.
        var isMirrored: Bool
        /// In place of the mouse; nil: the mouse itself.
        var pointer: DisplayWindow.Pointer?
    }

    struct Picture: ~Copyable, Sendable {
        /// `rgba8`.
        let pixels: PixelBuffer
        /// When its frame was captured, and when it was drawn; nil: the durations of this one do not count.
        let times: (captured: ContinuousClock.Instant, drawn: ContinuousClock.Instant)?
    }

    /// How the window is to be opened.
    struct Opening: Sendable {
        var shaders: ShaderSources
        /// The size of the window's unit in the desktop's units; nil: as the desktop has it.
        var scale: Float?
        var isFullScreen: Bool
        var messages: WindowMessages
        var thumbnails: ThumbnailThread
        /// In which sources and backgrounds were chosen last.
        var folders: (sources: LastFolder, backgrounds: LastFolder)
    }

    private struct State {
        var content: Content?
        var commands: [SessionCommand] = []
        /// In milliseconds, for the last two of `LiveStatistics.stages`.
        var shown: [[Double]] = []
        var isPanelOpen = false
        var asksToQuit = false
        var wantsContext = false
    }

    private let state = Mutex(State())
    private let pictures = Mailbox<Picture>()
    private let openings = Mailbox<Opening>()
    /// The opened window: whether a graphics card draws it.
    private let opened = Mailbox<Result<Bool, GraphicsError>>()
    private let contexts = Mailbox<Result<ThreadContext, GraphicsError>>()
    private let spares = SparePixels()

    // MARK: The session

    /// Has the window opened, and waits for that.
    /// - Returns: whether a graphics card draws it.
    /// - Throws: `GraphicsError` of kind `noOpenGL` without a display or without OpenGL 3.3 on it.
    func open(_ opening: Opening) throws(GraphicsError) -> Bool {
        _ = openings.replace(opening)
        return try opened.take(waiting: nil)?.get() ?? false
    }

    /// An OpenGL context for the session's thread, which is current there. It is waited for.
    /// - Throws: `GraphicsError` of kind `noOpenGL`.
    func makeContext() throws(GraphicsError) -> ThreadContext {
        state.withLock { $0.wantsContext = true }
        guard let context = try contexts.take(waiting: nil)?.get() else { throw OffscreenContext.noOpenGL() }
        try context.makeCurrent()
        return context
    }

    /// Sets the picture that the window shows.
    /// - Returns: memory that the window does not need any more, for later frames; nil: none.
    func show(_ picture: consuming Picture) -> PixelBuffer? {
        if let old = pictures.replace(picture) { spares.give(old.intoPixels()) }
        return spares.take()
    }

    /// Sets what the window shows besides the picture.
    func show(_ content: Content) {
        state.withLock { state in
            // A click that the window has not taken yet is not lost.
            let isDown = state.content?.pointer?.isDown ?? false
            state.content = content
            if isDown { state.content?.pointer?.isDown = true }
        }
    }

    /// What the user has asked for since the last call, oldest first.
    func takeCommands() -> [SessionCommand] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// The durations of frames that have been shown since the last call, each for the last two of `LiveStatistics.stages`, in
    /// milliseconds.
    func takeShown() -> [[Double]] {
        state.withLock { state in
            defer { state.shown = [] }
            return state.shown
        }
    }

    var isPanelOpen: Bool { state.withLock { $0.isPanelOpen } }

    /// The window asks whether the session is to end although a recording runs or a GIF is made.
    func askToQuit() { state.withLock { $0.asksToQuit = true } }

    /// The session has ended.
    func end() {
        openings.close()
        pictures.close()
    }

    // MARK: The window

    /// Waits until the session wants the window.
    /// - Returns: nil: it has ended before.
    func takeOpening() -> Opening? { openings.take(waiting: nil) }
    func answerOpening(_ answer: Result<Bool, GraphicsError>) { _ = opened.replace(answer) }

    /// Makes what the session has asked for.
    func serveContext(_ make: () throws(GraphicsError) -> ThreadContext) {
        let isWanted = state.withLock { state in
            defer { state.wantsContext = false }
            return state.wantsContext
        }
        if isWanted { _ = contexts.replace(Result(catching: make)) }
    }

    var hasEnded: Bool { pictures.isClosed }

    /// The newest picture that has not been taken; nil: none has come within so many seconds.
    func takePicture(waiting seconds: Double) -> Picture? { pictures.take(waiting: seconds) }

    /// - Returns: nil: the session has shown nothing yet.
    func takeContent(isPanelOpen: Bool) -> Content? {
        state.withLock { state in
            state.isPanelOpen = isPanelOpen
            defer { state.content?.pointer?.isDown = false }
            return state.content
        }
    }

    /// Whether `askToQuit` has been called since the last call.
    func takeQuestion() -> Bool {
        state.withLock { state in
            defer { state.asksToQuit = false }
            return state.asksToQuit
        }
    }

    func send(_ command: SessionCommand) { state.withLock { $0.commands.append(command) } }

    /// A picture has been shown. Its memory is used again.
    func giveBack(_ picture: consuming Picture) {
        if let times = picture.times {
            let now = ContinuousClock.now
            let durations = [(now - times.drawn).milliseconds, (now - times.captured).milliseconds]
            state.withLock { $0.shown.append(durations) }
        }
        spares.give(picture.intoPixels())
    }
}

extension WindowExchange.Picture {
    consuming func intoPixels() -> PixelBuffer { pixels }
}
