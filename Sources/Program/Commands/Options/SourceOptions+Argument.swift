import Files
import Glibc
import SourceSelection

extension SourceOptions.Input {
    /// A clip or a camera from the command line: a video, a network address, a device or a number.
    init(argument path: FilePath) {
        // No camera has a name that is not text.
        guard let name = path.string else {
            self = .clip(path)
            return
        }
        if let status = path.status() {
            self = status.type == S_IFCHR ? .camera(name) : .clip(path)
        } else {
            self = Int(name) != nil || path.relative(to: "/dev") != nil ? .camera(name) : .clip(path)
        }
    }
}
