import Foundation
import PictureBuilders

/// Draws a corpus of broken pictures into a folder, the same ones every time.
@main enum DrawBrokenPictures {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let folder = arguments.first, arguments.count <= 2,
            let count = Int(arguments.dropFirst().first ?? "\(BrokenPictures.count)"), count > 0
        else {
            FileHandle.standardError.write(Data("usage: draw-broken-pictures FOLDER [COUNT]\n".utf8))
            exit(64)
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for index in 0..<count {
            let picture = BrokenPictures.draw(index)
            // The number first, so that names differ and sort in this order.
            let number = String(10_000 + index).dropFirst()
            try Data(picture.bytes).write(to: URL(fileURLWithPath: "\(folder)/\(number) \(picture.name)"))
        }
    }
}
