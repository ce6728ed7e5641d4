import CommandLine
import FaceGeometry
import Files
import Glibc
import ImageFiles
import JSON
import Masking
import Media

/// `bauta live`: masks while it happens.
enum LiveCommand {
    static let definition = CommandDefinition(
        name: "live", overview: "Wear a mask in a window, a recording or a video call.",
        discussion: """
            Opens a window on a camera, a clip or a folder of pictures and puts masks on everyone in it. Keys: arrows and \
            1 to 9 choose the mask, L shows mesh and landmarks, M mirrors, F fills the screen, S saves a snapshot, R \
            records, space pauses, Tab opens the panel, H helps, Q or Esc ends. A mask's folder or a portrait photograph \
            may be dropped on the window. A mask is reloaded when its files change.
            """,
        options: LiveOptions.definitions,
        examples: [
            "bauta live                                     # the first camera that works",
            "bauta live --source drawn                      # no camera needed",
            "bauta live --clip film.mp4 --loop --mask skull",
            "bauta live --virtual-camera /dev/video10       # for video calls",
            "bauta live --clip film.mp4 --headless --as-fast-as-possible -o masked.mp4",
        ], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        Interrupt.install()
        let options = try LiveOptions(arguments)
        let data = try DataFolder.find()
        let session = try LiveSession(options: options, data: data)
        return try session.run()
    }

    static func source(_ options: LiveOptions, reference: ReferenceFace) throws -> FrameSourceDescription {
        switch options.input {
        case .clip(let path):
            let size = options.size.map { ClipReader.Size.filled(width: $0.width, height: $0.height) }
            return try ClipSource.description(path, size: size, loops: options.loops, isPaced: options.isPaced)
        case .pictures(let folder):
            guard let names = Folder.entries(of: folder) else {
                throw CommandFailure(.noInput, "\(folder): cannot be listed: \(String(cString: strerror(errno)))")
            }
            let paths = names.filter { PictureFormat(path: $0) != nil && !$0.hasPrefix(".") }.map { "\(folder)/\($0)" }
            guard !paths.isEmpty else { throw CommandFailure(.noInput, "\(folder): there is no JPEG or PNG in it") }
            return PictureFolderSource.description(paths, name: folder)
        case .drawn:
            return DrawnSource.description(reference: reference, frames: nil, isPaced: options.isPaced)
        case .camera(let name):
            let size = options.size ?? (1280, 720)
            let wishes = CameraSource.Wishes(
                camera: name, width: size.width, height: size.height, rate: Double(options.rate),
                controls: options.controls)
            return CameraSource.description(wishes) { Console.error("bauta: \($0)\n") }
        }
    }
}
