import FaceGeometry
import Files
import ImageFiles
import Pixels
import SyntheticFaces

/// The wearer of the mask in the editor.
package enum EditModel: Equatable, Sendable {
    case syntheticHead
    /// The faces of a picture file.
    case photograph(String)
    /// A camera by number, device path or part of its name; nil: the first that works.
    case camera(String?)
    /// A video file, played in a loop.
    case clip(String)

    /// The faces of a file: a photograph or a clip, the same one under all its paths.
    package init(file path: String) {
        let path = FilePath(path).resolved?.string ?? path
        self = PictureReader.isPhotograph(FilePath(path)) ? .photograph(path) : .clip(path)
    }

    /// With the whole path of its file, so that one file is one wearer.
    var resolved: EditModel {
        func whole(_ path: String) -> String { FilePath(path).resolved?.string ?? path }
        return switch self {
        case .photograph(let path): .photograph(whole(path))
        case .clip(let path): .clip(whole(path))
        case .syntheticHead, .camera: self
        }
    }

    /// The arguments of `bauta live` for who wears the mask: the camera that has been chosen; otherwise the first one, or without
    /// a camera this wearer.
    /// - Parameter person: who the drawn head is, by the index in `Sample.all`.
    package func liveArguments(person: Int, hasCamera: Bool) -> [String] {
        switch self {
        case .camera(let name): name.map { [$0] } ?? []
        case _ where hasCamera: []
        case .syntheticHead: ["drawn:\(Sample.all[person % Sample.all.count].name)"]
        case .photograph(let path): [path]
        case .clip(let path): ["--loop", path]
        }
    }

    /// For the user.
    var name: String {
        switch self {
        case .syntheticHead: "Drawn head"
        case .camera(let name): name.map { "Camera \($0)" } ?? "Camera"
        case .photograph(let path), .clip(let path): FilePath(path).name.description
        }
    }
}

/// Produces pictures of a model on threads of its own.
protocol EditModelSource: AnyObject {
    /// The newest picture; nil if none exists since the last call. Does not wait.
    func next() throws -> EditPicture?
    /// Why no pictures come, for the user; nil if they do.
    var trouble: String? { get }
    /// No more pictures are needed.
    func stop()
}

/// A picture with unmasked faces.
struct EditPicture: ~Copyable, Sendable {
    /// `rgba8`.
    var pixels: PixelBuffer
    var instances: [FaceInstance]
    /// The time of the picture, for animations and light; nil for a still.
    var seconds: Double?
}
