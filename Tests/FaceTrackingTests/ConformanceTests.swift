import FaceGeometry
import FaceTracking
import Foundation
import ImageFiles
import Pixels
import TestSupport
import Testing

/// The landmarks that dlib's own model gave for the faces of its example pictures, and ours.
@Suite(.enabled(if: SharedData.isAvailable, "\(SharedData.absence)")) struct ConformanceTests {
    struct Annotation {
        var file: String
        var box: FaceBox
        var landmarks: [Point]
    }

    @Test func landmarksAgreeWithThoseListed() throws {
        let cascade = try sharedCascade.get()
        var exact = 0
        let annotations = try Self.annotations()
        #expect(annotations.count == 43)
        for annotation in annotations {
            let picture = try PictureReader.read("\(SharedData.root)/faces/\(annotation.file)")
            let color = try meanError(cascade.landmarks(in: picture.pixels, box: annotation.box), annotation)
            if color == 0 { exact += 1 }
            #expect(color <= 1.2, "\(annotation.file), colour: \(color) px")
            let greyPicture = try picture.pixels.grey(width: picture.pixels.width, height: picture.pixels.height)
            let grey = try meanError(cascade.landmarks(in: greyPicture, box: annotation.box), annotation)
            #expect(grey <= 1.4, "\(annotation.file), grey: \(grey) px")
        }
        #expect(exact >= 36, "only \(exact) of 43 agree exactly")
    }

    private func meanError(_ landmarks: Landmarks, _ annotation: Annotation) throws -> Float {
        // The list was made by dlib, which rounds to whole pixels.
        let distances = zip(landmarks.points, annotation.landmarks).map { point, listed in
            ((point - Point(0.5, 0.5)).rounded(.toNearestOrAwayFromZero) + Point(0.5, 0.5) - listed).length
        }
        return distances.reduce(0, +) / 68
    }

    /// Boxes and parts of dlib's XML files; its pixel centres are whole numbers, ours end in .5.
    static func annotations() throws -> [Annotation] {
        var annotations: [Annotation] = []
        for name in ["testing", "training"] {
            let path = "\(SharedData.root)/faces/\(name)_with_face_landmarks.xml"
            var file = ""
            for line in try String(contentsOfFile: path, encoding: .isoLatin1).split(separator: "\n") {
                func attribute(_ name: String) -> String? {
                    line.range(of: "\(name)='").map { String(line[$0.upperBound...].prefix { $0 != "'" }) }
                }
                func number(_ name: String) -> Float { attribute(name).flatMap { Float($0) } ?? .nan }
                if line.contains("<image ") { file = attribute("file") ?? "" }
                if line.contains("<box ") {
                    let box = FaceBox(
                        x: number("left"), y: number("top"), width: number("width"), height: number("height"))
                    annotations.append(Annotation(file: file, box: box, landmarks: []))
                }
                if line.contains("<part ") {
                    annotations[annotations.count - 1].landmarks.append(Point(number(" x") + 0.5, number(" y") + 0.5))
                }
            }
        }
        return annotations
    }
}
