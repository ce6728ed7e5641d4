import FaceGeometry
import Files
import ImageFiles
import Pixels
import SyntheticFaces

/// Draws the pictures in `samples/` and computes the depths of the reference face from the same head.
enum DrawSamples {
    struct UsageError: Error, CustomStringConvertible {
        let description = """
            Usage, in the root folder of the repository:
              draw-samples pictures FOLDER     draw the sample pictures, with their landmarks (.pts)
              draw-samples sheet FILE COLUMNS PICTURE...   arrange pictures of equal size in a grid, at half size
              draw-samples sequence NAME FOLDER   draw the frames of a sequence, with their landmarks
              draw-samples depths FILE         compute the depths of face/reference.pts from the drawn head
            """
    }

    static func run(arguments: [String]) throws {
        let points = try PointsFile.parse(try FileContents.text("face/reference.pts"))
        // Only positions are needed here; `depths` computes the depths.
        let reference = try ReferenceFace(points: points, depths: points.map { _ in 0 })
        switch arguments.first {
        case "pictures" where arguments.count == 2:
            for sample in Sample.all { try draw(sample, reference: reference, folder: arguments[1]) }
        case "sheet" where arguments.count >= 4:
            guard let columns = Int(arguments[2]), columns > 0 else { throw UsageError() }
            try ContactSheet.write(Array(arguments[3...]), columns: columns, to: arguments[1])
        case "sequence" where arguments.count == 3:
            let all = DrawnSequence.all + DrawnSequence.hands + DrawnGesture.all.map(\.sequence)
            guard let sequence = all.first(where: { $0.name == arguments[1] }) else { throw UsageError() }
            try draw(sequence, reference: reference, folder: arguments[2])
        case "depths" where arguments.count == 2:
            let drawing = FaceDrawing(
                DrawnFace(), placement: DrawnFacePlacement(center: .zero, faceWidth: 1), reference: reference)
            let depths = reference.vertices.map { drawing.depth(atCanonicalPoint: $0) * ReferenceFace.canonicalSide }
            try AtomicFile.write(DepthsFile.text(depths), to: arguments[1], replacing: true)
        default:
            throw UsageError()
        }
    }

    private static func draw(_ sample: Sample, reference: ReferenceFace, folder: String) throws {
        let path = "\(folder)/\(sample.name)"
        let picture = Picture(pixels: try sample.picture(reference: reference))
        try PictureWriter.write(
            picture, to: path + ".jpg", options: PictureWriter.Options(format: .jpeg, quality: 92), replacing: true)
        let landmarks = sample.drawing(reference: reference).landmarks
        try AtomicFile.write(PointsFile.text(landmarks.points), to: path + ".pts", replacing: true)
        print(path + ".jpg")
    }

    private static func draw(_ sequence: DrawnSequence, reference: ReferenceFace, folder: String) throws {
        for index in 0..<sequence.frameCount {
            let number = "\(index)"
            let path = "\(folder)/\(sequence.name)-" + String(repeating: "0", count: max(0, 4 - number.count)) + number
            let picture = Picture(pixels: try sequence.picture(index, reference: reference))
            try PictureWriter.write(
                picture, to: path + ".png", options: PictureWriter.Options(format: .png), replacing: true)
            if let landmarks = sequence.landmarks(index, reference: reference).last {
                try AtomicFile.write(PointsFile.text(landmarks.points), to: path + ".pts", replacing: true)
            }
        }
    }
}
