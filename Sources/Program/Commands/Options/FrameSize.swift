import Arguments
import FrameProcessing

/// The size of frames in pixels, as an option's value: 1280x720.
struct FrameSize: Equatable, Sendable {
    let width: Int
    let height: Int

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    init(_ text: String) throws(InvalidValue) {
        let parts = text.lowercased().split(separator: "x").map { Int($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1], (16...8192).contains(width),
            (16...8192).contains(height)
        else { throw InvalidValue("must be from 16x16 to 8192x8192, such as 1280x720") }
        self.init(width: width, height: height)
    }
}

/// A camera control to set, as an option's value: exposure=200.
struct CameraControl: Equatable, Sendable {
    let name: String
    let value: Int

    /// Several, separated by commas.
    static func list(_ text: String) throws(InvalidValue) -> [CameraControl] {
        var controls: [CameraControl] = []
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2, let value = Int(pair[1]) else {
                throw InvalidValue("must have the form exposure=200,focus_automatic=0")
            }
            controls.append(CameraControl(name: pair[0], value: value))
        }
        return controls
    }
}
