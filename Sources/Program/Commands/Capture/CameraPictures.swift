import Arguments
import Capture
import FaceTracking
import Files
import Glibc
import Graphics
import ImageFiles
import Installation
import LiveWindow
import Pixels

/// Good pictures of the person in front of a camera, for commands that work on pictures of a person: a mask, a description of a
/// face.
enum CameraPictures {
    /// The requirements for a portrait.
    static let portrait: [CaptureCondition] = [.alone, .still, .frontal, .eyesOpen, .mouthClosed, .lit, .sharp]

    /// Whether the place of a picture in a command line names a camera: a device, or the word "camera" where no file has
    /// that name.
    static func isCamera(_ name: FilePath) -> Bool {
        if let status = name.status() { return status.type == S_IFCHR }
        return name == "camera" || name.relative(to: "/dev") != nil
    }

    /// Takes pictures in a window, or without one where there is no display; says what is missing.
    /// - Parameters:
    ///   - name: for which `isCamera` holds.
    ///   - keep: gets each picture, `rgba8`, and what was found in it; false: the picture does not count.
    /// - Throws: `CommandFailure` if the user ends it before; the errors of `CaptureSession` and of `keep`.
    static func take(
        _ count: Int, from name: FilePath, when conditions: [CaptureCondition], models: FaceModels,
        keep: (borrowing PixelBuffer, FaceCapture.Result) throws -> Bool
    ) throws {
        Interrupt.install()
        var settings = CaptureSettings()
        settings.source.input = .camera(name == "camera" ? nil : name.string)
        settings.models = models
        settings.conditions = conditions
        settings.count = count
        let data = try DataFolder.find()
        let log: @Sendable (String) -> Void = { Console.error("bauta: \($0)\n") }
        var session: CaptureSession
        do {
            session = try CaptureSession(settings, data: data, log: log)
        } catch let error as GraphicsError where error.kind == .noOpenGL {
            settings.isHeadless = true
            session = try CaptureSession(settings, data: data, log: log)
        }
        let (taken, missing) = try session.run(isCancelled: { Interrupt.isRequested }) { pixels, _, result in
            try keep(pixels, result)
        }
        guard taken == count else {
            let reason = missing.first.map { "; \($0)" } ?? ""
            throw CommandFailure(
                Interrupt.isRequested ? .interrupted : .dataError,
                "\(taken) of \(count) pictures were taken from the camera\(reason)")
        }
    }

    /// Takes one portrait.
    /// - Returns: the file of the picture in a temporary folder, which is deleted with the returned value.
    static func portrait(from name: FilePath, models: FaceModels) throws -> TemporaryPortrait {
        let result = try TemporaryPortrait()
        try take(1, from: name, when: portrait, models: models) { pixels, _ in
            try PictureWriter.write(
                Picture(pixels: try pixels.copy()), to: result.path, options: .init(format: .png), replacing: false)
            return true
        }
        return result
    }
}

/// A picture in a temporary folder, which is deleted with this object.
final class TemporaryPortrait {
    private let folder: PendingFolder
    var path: FilePath { folder.path / "portrait.png" }

    fileprivate init() throws(FileError) {
        folder = try PendingFolder(in: FilePath(environment: "TMPDIR") ?? "/tmp")
        // Nobody else's business.
        _ = folder.path.withCString { chmod($0, 0o700) }
    }
}
