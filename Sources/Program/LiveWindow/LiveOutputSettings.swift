import Files

/// Where a session saves.
struct LiveFolders: Sendable {
    /// Also for the last seconds.
    var recordings: FilePath
    var snapshots: FilePath
    /// Where something was saved last.
    var last: FilePath

    init(recordings: FilePath, snapshots: FilePath) {
        (self.recordings, self.snapshots, last) = (recordings, snapshots, recordings)
    }

    /// One for all.
    init(_ folder: FilePath) { self.init(recordings: folder, snapshots: folder) }

    func mapped(_ change: (FilePath) -> FilePath) -> LiveFolders {
        var result = LiveFolders(recordings: change(recordings), snapshots: change(snapshots))
        result.last = change(last)
        return result
    }
}

/// The outputs of a `LiveSession` besides its window.
package struct LiveOutputSettings: Sendable {
    /// A file, an address that ffmpeg can write to, or "-" for standard output; nil: none.
    package var target: FilePath?
    /// Nil: none.
    package var virtualCamera: VirtualCameraChoice?
    /// Whether a recording starts with the first frame.
    package var recordsAtOnce = false
    /// Whether `target` and recordings contain the sound of a microphone.
    package var recordsMicrophone = false
    /// Which microphone, by `Microphone.name`; nil: the default one.
    package var microphone: String?
    /// How much later than their sound frames come, in seconds.
    package var delay = 0.0
    /// The folder for recordings and snapshots. Nil: that of the last session; otherwise the user's folders for videos and
    /// pictures in a window, or the current one.
    package var folder: FilePath?
    /// Whether the target, the virtual camera, recordings and snapshots are mirrored.
    package var isMirrored = false
    /// Whether the target and recordings show only the part of `VerticalCrop`.
    package var isVertical = false
    /// Whether frames are transparent: the target, recordings and snapshots have alpha, all else shows a plain background.
    package var hasAlpha = false
    /// Whether an existing file at `target` is replaced.
    package var replaces = false

    package init() {}

    /// Whether a file or an address is asked for from the first frame on.
    var writesFromStart: Bool { target != nil || recordsAtOnce }
}
