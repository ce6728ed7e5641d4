import Compositing
import FaceGeometry
import FaceRecognition
import FaceTracking
import Foundation
import ImageFiles
import Pixels
import SyntheticFaces
import TestSupport
import Testing

/// Our own recogniser looks at what is covered, and is told where eyes, nose and mouth are.
@Suite(
    .enabled(
        if: FaceEmbedder.isInstalled(),
        "dlib's face recognition network is not installed; scripts/fetch-networks --people fetches it"))
struct CoverRecognitionTests {
    /// A face that fills its picture from the brows to the chin: the largest that can be there.
    private final class Portrait {
        let pixels: PixelBuffer
        let landmarks: Landmarks

        init(_ landmarks: Landmarks, in picture: borrowing PixelBuffer) throws {
            let box = landmarks.bounds
            let area = PixelRectangle(x: Int(box.x), y: Int(box.y), width: Int(box.width), height: Int(box.height))
                .intersection(picture.bounds)
            let scale = 400 / Float(max(area.width, area.height))
            pixels = try picture.copy(of: area).resized(
                width: Int(scale * Float(area.width)), height: Int(scale * Float(area.height)))
            self.landmarks = landmarks.mapped { scale * ($0 - Point(Float(area.x), Float(area.y))) }
        }
    }

    private let embedder: FaceEmbedder
    private let reference: ReferenceFace

    init() throws {
        embedder = try FaceEmbedder()
        reference = try Repository.referenceFace()
    }

    /// Twenty people who differ as synthetic people can.
    private func drawnPortraits() throws -> [Portrait] {
        try (0..<20).map { number in
            var face = Sample.all[number % Sample.all.count].face
            face.pose = .init(yaw: 0, pitch: 0, roll: 0)
            face.expression = .init()
            func varied(_ step: Int, _ range: ClosedRange<Float>) -> Float {
                range.lowerBound + (range.upperBound - range.lowerBound) * Float(number * step % 19) / 18
            }
            face.identity.width = varied(3, 0.9...1.1)
            face.identity.jawWidth = varied(5, 0.85...1.15)
            face.identity.noseWidth = varied(7, 0.8...1.3)
            face.identity.lipFullness = varied(11, 0.7...1.4)
            face.identity.browThickness = varied(13, 0.5...1.5)
            face.identity.skin *= varied(4, 0.8...1.1)
            let placement = DrawnFacePlacement(center: Point(240, 250), faceWidth: 220)
            let drawing = FaceDrawing(face, placement: placement, reference: reference)
            var picture = try PixelBuffer(width: 480, height: 500, format: .rgba8)
            drawing.draw(into: &picture, samples: 1)
            return try Portrait(drawing.landmarks, in: picture)
        }
    }

    private func realPortraits() throws -> [Portrait] {
        let finder = try PhotographFaces(reference: reference, models: FaceModels())
        let folder = SharedData.root + "/faces/"
        var paths = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jpg") }.sorted()
            .map { folder + $0 }
        paths += ["portrait_1080p", "two_people", "selfie", "surprised", "many_faces"].map {
            SharedData.root + "/photos/\($0).jpg"
        }
        var portraits: [Portrait] = []
        for path in paths {
            let picture = try PictureReader.read(path).pixels.withEightBits()
            for face in try finder.faces(in: picture).faces where face.box.width >= 60 {
                portraits.append(try Portrait(face.landmarks, in: picture))
            }
        }
        return portraits
    }

    private func embedding(_ landmarks: Landmarks, in picture: borrowing PixelBuffer) throws -> FaceEmbedding {
        try embedder.embedding(of: FaceChip(landmarks, in: picture))
    }

    /// Nobody is recognised, and the nearest of all is hardly more often the right one than by guessing.
    private func check(_ portraits: [Portrait]) throws {
        #expect(portraits.count >= 20)
        var people = EnrolledPeople()
        let names = try portraits.indices.map { try PersonName("person \($0)") }
        for (name, portrait) in zip(names, portraits) {
            _ = try people.enroll(name, [embedding(portrait.landmarks, in: portrait.pixels)], on: "2026-11-24")
        }
        let recognizer = FaceRecognizer(people)
        func count(
            _ portraits: [Portrait], _ cover: (Portrait) throws -> FaceEmbedding
        ) throws -> (recognised: Int, nearest: Int, all: Int) {
            var (recognised, nearest) = (0, 0)
            for (name, portrait) in zip(names, portraits) {
                let candidates = recognizer.candidates(for: try cover(portrait))
                if FaceRecognizer.identity(candidates) == .person(name.text) { recognised += 1 }
                if candidates.first?.name == name { nearest += 1 }
            }
            return (recognised, nearest, portraits.count)
        }
        // What is not covered is recognised at half the size.
        let unmasked = try count(portraits) { portrait in
            let half = try portrait.pixels.halved()
            return try embedding(portrait.landmarks.mapped { 0.5 * $0 }, in: half)
        }
        #expect(10 * unmasked.recognised > 9 * unmasked.all, "\(unmasked)")
        let picture = try count(portraits) { portrait in
            var pixels = try portrait.pixels.copy()
            pixels.makeUnrecognisable()
            return try embedding(portrait.landmarks, in: pixels)
        }
        func face(_ style: FaceCover.Style) throws -> (recognised: Int, nearest: Int, all: Int) {
            try count(portraits) { portrait in
                // With room for the cover.
                var pixels = try PixelBuffer(width: 800, height: 800, format: .rgba8)
                pixels.fill(SIMD4(120, 120, 120, 255))
                pixels.paste(portrait.pixels, x: 200, y: 200)
                let landmarks = portrait.landmarks.mapped { $0 + 200 }
                try FaceCover(Face(landmarks: landmarks, reference: reference)).draw(style, in: &pixels)
                return try embedding(landmarks, in: pixels)
            }
        }
        for cover in try [picture] + FaceCover.Style.allCases.map(face) {
            #expect(cover.recognised == 0 && cover.nearest <= 4, "\(cover)")
        }
    }

    @Test func drawnPortraitsAreNotRecognised() throws { try check(drawnPortraits()) }

    @Test(.enabled(if: SharedData.isAvailable, "\(SharedData.absence)"))
    func realPortraitsAreNotRecognised() throws { try check(realPortraits()) }
}
