import Arguments
import Capture
import FaceGeometry
import Files
import FrameProcessing
import ImageFiles
import JSON
import Pixels

/// Writes captured pictures with names of their own, and the report.
final class CaptureFiles {
    private let folder: FilePath
    private let format: PictureFormat
    private let report: GrowingFile?
    /// The file that the report becomes: no picture may have its name.
    private let reportPlace: FilePlace?
    /// Whether standard output is for the report alone.
    private var reportIsOutput: Bool { report?.path == "-" }
    /// How many pictures the strip has; nil: none.
    private let stripCount: Int?
    private var strip: PhotoStrip?
    /// The number of the next picture.
    private var next = 1
    private var taken = 0

    /// - Parameters:
    ///   - stripCount: how many pictures the strip has; nil: none is made.
    ///   - report: gets a line for each picture; nil: none.
    init(folder: FilePath, format: PictureFormat, stripCount: Int?, report: GrowingFile?) {
        (self.folder, self.format, self.stripCount, self.report) = (folder, format, stripCount, report)
        reportPlace = report.flatMap { FilePlace($0.path) }
    }

    /// Writes the strip, if it is whole, and completes the report.
    /// - Throws: `PictureError`, `OutOfMemory` or `FileError`.
    func finish() throws {
        if let strip = strip.take(), taken == stripCount {
            var number = 1
            let path = try written(strip.pixels, as: "strip", .png, from: &number)
            if reportIsOutput { Console.error("\(path)\n") } else { Console.output("\(path)\n") }
        }
        try report?.finish()
    }

    /// - Throws: `PictureError` or `OutOfMemory` for the picture, `FileError` or `GrowingFile.ClosedPipe` for the report.
    func write(_ pixels: borrowing PixelBuffer, at seconds: Double, _ result: FaceCapture.Result) throws {
        let path = try written(pixels, as: "picture", format, from: &next)
        taken += 1
        if let stripCount {
            if strip == nil {
                strip = try PhotoStrip(count: stripCount, width: pixels.width, height: pixels.height)
            }
            try strip?.add(pixels)
        }
        if !reportIsOutput { Console.output("\(path)\n") }
        let look = result.measures
        func rounded(_ value: Float) -> JSONValue { .number(DecimalText.rounded(Double(value), digits: 3)) }
        let face = result.face.map { face in
            JSONValue.object([JSONValue.Member("box", face.face.jsonBox)] + face.face.jsonGeometry)
        }
        let line = JSONValue.object(
            path.jsonMembers("path") + [
                .init("seconds", .number(DecimalText.rounded(seconds, digits: 3))),
                .init("width", .integer(pixels.width)), .init("height", .integer(pixels.height)),
                .init("faces", .array(face.map { [$0] } ?? [])), .init("motion", rounded(min(look.motion, 1000))),
                .init("blur", rounded(look.blur)), .init("brightness", rounded(look.brightness)),
                .init("eyeOpenness", rounded(look.eyeOpenness)), .init("smile", rounded(look.smile)),
            ])
        try report?.write(Console.printableText(of: line) + "\n")
    }

    /// - Parameters:
    ///   - number: the first that is tried; becomes that after the one that was free.
    /// - Returns: the path of the new file. One that is there already, also one that has just come, is left as it is.
    private func written(
        _ pixels: borrowing PixelBuffer, as kind: String, _ format: PictureFormat, from number: inout Int
    ) throws -> FilePath {
        while true {
            let digits = "\(number)"
            let name = kind + "-" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            let path = folder / FilePath(name + (format == .png ? ".png" : ".jpg"))
            number += 1
            if path.exists || reportPlace != nil && FilePlace(path) == reportPlace { continue }
            do {
                try PictureWriter.write(
                    Picture(pixels: try pixels.copy()), to: path, options: .init(format: format), replacing: false)
                return path
            } catch let error as PictureError where error.kind == .wouldOverwrite {
                continue
            }
        }
    }
}
