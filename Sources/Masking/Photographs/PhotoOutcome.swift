import FaceGeometry
import Files

/// The result of masking one photograph.
package struct PhotoOutcome: Sendable {
    package enum Status: String, Sendable {
        case masked
        case noFace
        case failed
        /// Found in a folder, and a picture neither by its content nor by its name.
        case ignored
    }

    package var input: FilePath
    /// Nil when nothing was written.
    package var output: FilePath?
    package var status: Status
    /// Whether it was done in an earlier run, and nothing was done now.
    package var isFromEarlierRun = false
    /// Of the photograph, in pixels; nil if it could not be read.
    package var width: Int?
    package var height: Int?
    /// The chosen faces, largest first.
    package var faces: [Face] = []
    package var times = PhotoTimes()
    /// Why it failed or was ignored: a sentence for the user.
    package var error: String?

    package init(input: FilePath, output: FilePath?, status: Status) {
        self.input = input
        self.output = output
        self.status = status
    }

    mutating func fail(_ error: String) {
        status = .failed
        self.error = error
    }
}

/// How long each stage of masking a photograph took.
package struct PhotoTimes: Sendable {
    package var decode = Duration.zero
    package var detect = Duration.zero
    package var landmarks = Duration.zero
    package var render = Duration.zero
    package var encode = Duration.zero

    package static let names = ["decode", "detect", "landmarks", "render", "encode"]

    /// In the order of `names`.
    package var milliseconds: [Double] { [decode, detect, landmarks, render, encode].map(\.milliseconds) }
}

extension Duration {
    package var milliseconds: Double { Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15 }
}
