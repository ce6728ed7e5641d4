import Files
import Glibc

/// The target of ffmpeg: a file, a device, a network address or standard output.
package struct ClipTarget {
    /// The descriptor under which a child process finds the file.
    private static let childDescriptor: Int32 = 11

    /// Its name for ffmpeg, also in its messages.
    let address: String
    /// ffmpeg's name of the format; nil: ffmpeg finds it.
    let format: String?
    /// Of a child process that writes it.
    let limits: ChildLimits
    /// Whether it is a file that ffmpeg completes: it never has to wait for another program, as with a named pipe.
    var isFile: Bool { file?.isRegular ?? false }
    /// Whether it is a file that has been removed or renamed since it was made.
    var isGone: Bool { file?.hasLostItsName ?? false }
    /// Keeps the file open.
    private let file: ClipFile?

    /// - Throws: `ClipError` of kind `unwritable`.
    init(_ settings: ClipWriter.Settings) throws(ClipError) {
        let target = settings.target
        var limits = ChildLimits()
        if settings.format == "v4l2" {
            try VirtualCamera.check(target)
            guard let device = target.string else {
                throw ClipError(.unwritable, path: target, "has a name that is not UTF-8, which ffmpeg does not accept")
            }
            limits.device = device
            (address, format, file) = (target.isAbsolute ? device : "./" + device, "v4l2", nil)
        } else if target == "-" {
            limits.files = [ChildLimits.File(descriptor: STDOUT_FILENO, childDescriptor: STDOUT_FILENO)]
            (address, format, file) = ("pipe:1", settings.format ?? "matroska", nil)
        } else if settings.file == nil, NetworkAddress.isUsable(target) {
            limits.usesNetwork = true
            (address, format, file) = (target.description, settings.format ?? ClipFormat.name(ofAddress: target), nil)
        } else {
            guard let format = settings.format ?? ClipFormat.name(ofFile: target) else {
                throw Self.unknownFormat(settings.name)
            }
            let file: ClipFile
            do throws(FileError) {
                if let made = settings.file { file = made } else { file = try ClipFile(target, replacing: false) }
            } catch {
                throw ClipError(.unwritable, path: settings.name, error.reason)
            }
            limits.files = [
                ChildLimits.File(
                    descriptor: file.descriptor, childDescriptor: Self.childDescriptor, isWritten: true)
            ]
            (address, self.format, self.file) = ("file:/dev/fd/\(Self.childDescriptor)", format, file)
        }
        self.limits = limits
    }

    private static func unknownFormat(_ target: some FilePathConvertible) -> ClipError {
        ClipError(
            .unwritable, path: target,
            "its name has no supported ending; use .mp4, .mov, .mkv, .webm, .avi, .gif or .apng")
    }

    /// Creates the file of a target with its folder, before there are frames to write.
    /// - Parameter replacing: whether an existing file is written over.
    /// - Returns: nil if the target is a network address or standard output ("-").
    /// - Throws: `FileError`, or `ClipError` if the format is unknown.
    package static func file(_ target: FilePath, replacing: Bool) throws -> ClipFile? {
        if target == "-" || NetworkAddress.isUsable(target) { return nil }
        guard !NetworkAddress.hasScheme(target) else {
            throw ClipError(.unwritable, path: target, NetworkAddress.refusal)
        }
        guard ClipFormat.name(ofFile: target) != nil else { throw unknownFormat(target) }
        try Folder.createParent(of: target)
        return try ClipFile(target, replacing: replacing)
    }

    /// Other programs may write to the file from now on.
    func unlock() { file?.unlock() }

    /// The last words of the child process that writes it.
    func words(of child: ChildProcess) -> String { child.standardErrorTail.replacing(address, with: "the file") }
}
