import Display
import FaceGeometry
import Files

/// What is looked through in the window. The session shows it, and passes on what the user does. It belongs to the main
/// thread.
protocol ReviewSubject: AnyObject {
    /// What is shown.
    var scene: ReviewScene { get }
    /// The line at the bottom.
    var status: String { get }
    /// The height of what `drawTimeLine` draws, in window units; 0: nothing.
    var timeLineHeight: Float { get }
    /// Lines of the help for keys that only this has; a tab separates two columns.
    var help: String { get }
    /// What to say when a face was added; empty: nothing.
    var noteOnAdding: String { get }

    /// Takes what other threads have done.
    /// - Returns: whether something else is to be shown.
    /// - Throws: what makes going on impossible.
    func update() throws -> Bool

    /// - Throws: if it cannot be saved; then nothing has changed.
    func toggle(_ face: Int) throws(FileError)
    /// - Throws: if it cannot be saved; then nothing has changed.
    func add(_ box: FaceBox) throws(FileError)
    /// What is shown is right: goes on.
    /// - Returns: what to say; nil: nothing.
    /// - Throws: if it cannot be saved; then nothing has changed.
    func approve() throws(FileError) -> String?
    /// - Returns: false if there is nothing to take back.
    /// - Throws: if it cannot be saved; then nothing has changed.
    func undo() throws(FileError) -> Bool
    /// Goes to the next or the previous one.
    /// - Parameter step: 1 or -1.
    func move(by step: Int)
    /// - Returns: whether the key has a meaning here.
    func press(_ key: WindowEvent.Key) -> Bool
    /// - Returns: whether something has changed.
    func drawTimeLine(_ canvas: Canvas) -> Bool
    /// The user has chosen a face of the scene.
    func choose(_ face: Int)
    /// Waits for the threads.
    func stop()
}

extension ReviewSubject {
    func choose(_ face: Int) {}
}

/// What the window shows.
struct ReviewScene {
    enum Content {
        case picture(ReviewPicture)
        /// There is no picture yet.
        case waiting(String)
        /// There will be none: a sentence says why.
        case obstacle(String)
    }

    var content: Content
    /// Whether faces wear masks in the result, and are not covered in their place.
    var wearsMasks = false
    /// As it was written last, or why it cannot be shown: the beginning of a sentence; nil: it is known how covers look.
    var result: Result<ReviewPicture, ReviewPicture.Obstacle>?
    /// Of the picture.
    var faces: [ReviewFace] = []
    /// The one that keys act on at first; nil: none.
    var chosen: Int?

    var picture: ReviewPicture? { if case .picture(let picture) = content { picture } else { nil } }
}

extension FilePath {
    /// At most so long that there is room for something beside it. Of a longer one, the end tells it from others.
    var shortened: String {
        let (text, most) = (description, 48)
        return text.count > most ? "…" + text.suffix(most - 1) : text
    }
}
