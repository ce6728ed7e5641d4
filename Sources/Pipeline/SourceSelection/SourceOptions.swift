import Cameras
import Clips
import FaceGeometry
import Files
import FrameSources
import ImageFiles

/// Which source to open, and how.
package struct SourceOptions: Sendable {
    package enum Input: Equatable, Sendable {
        /// By number, device path or a part of its name; nil: the first that works.
        case camera(String?)
        /// A video file, or a network address that ffmpeg can open.
        case clip(FilePath)
        /// The pictures of a folder, or one picture.
        case pictures(FilePath)
        /// Pictures that the user has chosen, one after another; at least one.
        case several([FilePath])
        /// A synthetic face that moves.
        case drawn
        /// Likewise one of `Sample.all`, by its index.
        case drawnPerson(Int)

        /// For the user.
        package var name: String {
            switch self {
            case .camera(let name): name.map { "camera \($0)" } ?? "camera"
            case .clip(let path), .pictures(let path): path.name.description
            case .several(let paths): "\(paths.count) pictures"
            case .drawn, .drawnPerson: "drawn clip"
            }
        }

        package var isDrawn: Bool {
            switch self {
            case .drawn, .drawnPerson: true
            case .camera, .clip, .pictures, .several: false
            }
        }

        /// The same, but a photograph is not taken for a clip of one frame: it stays.
        package var showingPhotographs: Input {
            guard case .clip(let path) = self, path.exists, PictureReader.isPhotograph(path) else { return self }
            return .pictures(path)
        }
    }

    package var input = Input.camera(nil)
    /// In pixels: what a camera is asked for (nil: 1280 × 720), or what a clip is scaled and cropped to (nil: its own).
    package var size: (width: Int, height: Int)?
    /// Frames per second that a camera is asked for, or that a synthetic face has.
    package var rate = 30
    /// Controls of the camera to set.
    package var controls: [(name: String, value: Int)] = []
    /// Whether a clip starts again at its end.
    package var loops = false
    /// Whether a clip or a synthetic face keeps to its own speed. Otherwise frames come as fast as they are taken.
    package var isPaced = true
    /// Whether the frames of a clip tell what is heard; nil: they never do.
    package var clipSound: ClipSoundRequest?

    package init() {}

    /// The source, to be opened by a `FramePipeline`.
    /// - Parameter report: takes sentences for the user about a camera, on the source's thread.
    /// - Throws: `ClipError` or `FileError` if there is nothing to open.
    package func description(
        reference: ReferenceFace, report: @escaping @Sendable (String) -> Void
    ) throws -> FrameSourceDescription {
        switch input {
        case .camera(let name):
            let size = size ?? (1280, 720)
            let request = CameraSource.Request(
                camera: name, width: size.width, height: size.height, rate: Double(rate), controls: controls)
            return CameraSource.description(request, report: report)
        case .clip(let path):
            let size = size.map { ClipReader.Size.filled(width: $0.width, height: $0.height) }
            return try ClipSource.description(path, size: size, loops: loops, isPaced: isPaced, sound: clipSound)
        case .pictures(let folder):
            return PictureFolderSource.description(try Self.pictures(in: folder), name: folder.description)
        case .several(let paths): return PictureFolderSource.description(paths, name: input.name)
        case .drawn: return drawn(0, reference)
        case .drawnPerson(let person): return drawn(person, reference)
        }
    }

    private func drawn(_ person: Int, _ reference: ReferenceFace) -> FrameSourceDescription {
        DrawnSource.description(
            person: person, reference: reference, frames: nil, frameRate: Double(rate), isPaced: isPaced)
    }

    private static func pictures(in folder: FilePath) throws(FileError) -> [FilePath] {
        guard Folder.exists(folder) || !folder.exists else { return [folder] }
        let names = try Folder.list(folder)
        let paths = names.filter { PictureFormat.isReadableName($0) && !$0.isHidden }.map { folder / $0 }
        guard !paths.isEmpty else {
            throw FileError(.unreadable, path: folder, "it contains no picture (\(PictureFormat.readableNames))")
        }
        return paths
    }
}
