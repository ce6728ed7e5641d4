import Files
import Glibc

/// The kinds of files that are read as a clip.
package enum ClipKind: Sendable {
    case any
    /// Moving pictures: APNG and GIF.
    case animation
}

/// A clip that ffmpeg may read: a file or a network address.
///
/// This program opens the file and ffmpeg gets the descriptor. A name would not do: ffmpeg takes `%d` in it for a
/// sequence of pictures, `a:` for a protocol, and a file's extension for its format.
final class ClipInput {
    /// The descriptor under which a child process finds the file.
    static let childDescriptor: Int32 = 10
    private static let childPath = "/dev/fd/\(childDescriptor)"

    /// The opened file; nil for a network address.
    let descriptor: Int32?
    /// The name of the clip for ffmpeg, also in its messages.
    let address: String
    private let kind: ClipKind

    /// - Parameter path: a file, or an address of one of `NetworkAddress.schemes`.
    /// - Throws: `ClipError` of kind `unreadable`, or `notAVideo` if the file is empty.
    init(_ path: FilePath, _ kind: ClipKind = .any) throws(ClipError) {
        self.kind = kind
        let file = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        if file >= 0 {
            var status = stat()
            let isRegular = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            guard isRegular else {
                close(file)
                let isFolder = status.st_mode & S_IFMT == S_IFDIR
                throw ClipError(
                    .unreadable, path: path, isFolder ? "is a folder, not a clip" : "is not a regular file")
            }
            // So are the files that the kernel makes up, such as /proc/kmsg; reading those may wait for ever.
            guard status.st_size > 0 else {
                close(file)
                throw ClipError(.notAVideo, path: path, "is empty (0 bytes)")
            }
            (descriptor, address) = (file, "file:" + Self.childPath)
            return
        }
        let code = errno
        if code == ENOENT || code == ENOTDIR {
            guard NetworkAddress.hasScheme(path) else {
                throw ClipError(.unreadable, path: path, "there is no such file")
            }
            guard NetworkAddress.isUsable(path), let address = path.string else {
                throw ClipError(.unreadable, path: path, NetworkAddress.refusal)
            }
            (descriptor, self.address) = (nil, address)
            return
        }
        throw ClipError(.unreadable, path: path, "cannot be read: \(systemErrorText(code))")
    }

    deinit { if let descriptor { close(descriptor) } }

    /// The arguments of ffmpeg or ffprobe that open the clip.
    var arguments: [String] {
        let (protocols, formats) =
            switch kind {
            case .any where descriptor == nil: (NetworkAddress.protocols, Self.formats + Self.networkFormats)
            case .any: (["file"], Self.formats)
            case .animation: (["file"], Self.animationFormats)
            }
        return [
            "-protocol_whitelist", protocols.joined(separator: ","), "-format_whitelist",
            formats.joined(separator: ","), "-i", address,
        ]
    }

    /// The last words of a child process that reads the clip, without the clip's address.
    func words(of child: ChildProcess) -> String {
        if let limit = child.exceededCPUSeconds { return "it exceeds the limit of \(limit) s of processor time" }
        let words = child.standardErrorTail
        if let end = words.firstRange(of: "] Format not on whitelist"),
            let name = words[..<end.lowerBound].split(separator: "[").last?.split(separator: " ").first
        {
            return switch kind {
            case .any: "its format '\(name)' is not supported, because it could make ffmpeg open other files"
            case .animation: "it is neither an APNG nor a GIF"
            }
        }
        return descriptor == nil
            ? words.replacing(address + ": ", with: "", maxReplacements: 1)
            : words.replacing(address + ": ", with: "").replacing(address, with: "it")
    }

    /// Of a child process that reads the clip.
    var limits: ChildLimits {
        var limits = ChildLimits()
        if let descriptor {
            limits.files = [ChildLimits.File(descriptor: descriptor, childDescriptor: Self.childDescriptor)]
        }
        limits.usesNetwork = descriptor == nil
        return limits
    }

    /// ffmpeg's names of the formats that are read. All have their content in one file: no playlists, scripts or
    /// sequences of pictures, which make ffmpeg open other files.
    private static let formats = [
        "mov", "matroska", "avi", "asf", "flv", "mpeg", "mpegts", "mpegvideo", "gif", "apng", "ogg", "mxf", "nut",
        "ivf", "yuv4mpegpipe", "mjpeg", "rm", "h264", "hevc", "m4v", "av1", "obu", "vc1", "dv", "gxf", "wtv", "flic",
        "png_pipe", "jpeg_pipe", "webp_pipe", "wav", "mp3", "flac", "aac",
    ]

    /// Those of animations. A PNG that does not move is one of them, so that it is told apart by its frames.
    private static let animationFormats = ["apng", "gif", "png_pipe"]

    /// Those of network streams besides.
    private static let networkFormats = [
        "hls", "dash", "rtsp", "rtp", "sdp", "live_flv", "mpjpeg", "webvtt", "ac3", "eac3",
    ]
}

/// Addresses of the network that ffmpeg may read from and write to.
enum NetworkAddress {
    static let schemes = [
        "http", "https", "rtmp", "rtmps", "rtmpt", "rtmpe", "rtsp", "rtsps", "rtp", "srtp", "udp", "tcp", "tls", "srt",
        "rist", "mmsh", "mmst",
    ]

    /// The protocols that may be opened on the way to such a URL. A stream's playlist cannot name files of this
    /// machine.
    static let protocols = schemes + ["httpproxy", "rtmpte", "rtmpts", "ffrtmphttp", "ffrtmpcrypt", "crypto", "data"]

    static let refusal =
        "is neither a file nor a supported URL; URLs begin with http, https, rtmp, rtmps, rtsp, "
        + "rtp, srt, udp or tcp"

    /// Whether it looks like an address, of whatever scheme.
    static func hasScheme(_ path: FilePath) -> Bool { scheme(of: path) != nil }

    /// Whether it begins with one of the schemes.
    static func isUsable(_ path: FilePath) -> Bool { scheme(of: path).map(schemes.contains) ?? false }

    /// Nil if the text is none, or has none.
    static func scheme(of path: FilePath) -> String? {
        guard let text = path.string, let end = text.firstRange(of: "://") else { return nil }
        return String(text[..<end.lowerBound])
    }
}
