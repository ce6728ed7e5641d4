import Detection
import FaceGeometry
import Glibc
import ImageFiles
import LandmarkModels
import NeuralNetworks
import Pixels
import SyntheticFaces
import TestSupport
import Testing
import Vision

private let hasCenterFace = NetworkFolder.standard.has(.centerFace) && NeuralNetwork.isAvailable
private let absence: Comment = "CenterFace is not installed; scripts/fetch-networks fetches it"

/// How pictures become inputs; needs no network.
@Suite struct CenterFaceInputTests {
    private func input(_ width: Int, _ height: Int, _ smallestFace: Int, _ mostPixels: Int = 1 << 21) -> CenterFaceInput
    {
        CenterFaceInput(width: width, height: height, smallestFace: smallestFace, mostPixels: mostPixels)
    }

    private func expect(_ input: CenterFaceInput, _ width: Int, _ height: Int, _ magnification: Float) {
        #expect(input.size == NeuralNetwork.InputSize(width: width, height: height))
        #expect(abs(input.magnification - magnification) < 0.001)
    }

    @Test func theSmallestFaceDecides() {
        expect(input(640, 360, 12), 640, 384, 1)
        expect(input(640, 360, 24), 320, 192, 0.5)
        expect(input(641, 384, 12), 672, 384, 1)
        // Magnified, but not by more than two.
        expect(input(640, 360, 8), 960, 544, 1.5)
        for face in [6, 1, 0, -5] { expect(input(100, 50, face), 224, 128, 2) }
        expect(input(1, 1, 1000), 32, 32, 0.012)
    }

    @Test func largePicturesAreReduced() {
        let sizes = [(6000, 4000), (1986, 1545), (100_000, 30), (20, 400_000), (65_536, 65_536)]
        for (width, height) in sizes {
            for most in [1 << 22, 1 << 21, 100_000, 1024] {
                let input = input(width, height, 12, most)
                #expect(input.size.pixelCount <= most, "\(width) × \(height)")
                #expect(input.size.width % 32 == 0 && input.size.height % 32 == 0)
                #expect(max(input.size.width, input.size.height) <= 65_536)
                // The whole picture is in it, and it is used.
                let share = Float(width) * input.magnification / Float(input.size.width)
                let other = Float(height) * input.magnification / Float(input.size.height)
                #expect(max(share, other) <= 1.0001 && max(share, other) > 0.4, "\(width) × \(height) \(most)")
            }
        }
        expect(input(6000, 4000, 12, 5), 32, 32, input(6000, 4000, 12, 5).magnification)
    }
}

@Suite(.enabled(if: hasCenterFace, absence)) struct CenterFaceDetectorTests {
    private func photograph(_ path: String) throws -> PixelBuffer {
        try PictureReader.read(path).pixels.withEightBits()
    }

    /// The network computes what ONNX Runtime 1.32.0 computed on the same input: a face of ellipses.
    @Test func outputsAreThoseOfTheReference() throws {
        let networks = try SizedNetworks(.standard, .centerFace)
        let side = 96
        let network = try networks.network(for: .init(width: side, height: side))
        network.setInput(ConformanceOfNetworksTests.drawing(side: side).map(Float.init))
        try network.run()
        // Every how manieth number of the output, and these numbers.
        let expected: [(step: Int, values: [Float])] = [
            (96, [0.0009, 0.0013, 0.0012, 0.0013, 0.0011, 0.0014]),
            (192, [1.9239, 1.6691, 2.0324, 2.2068, 2.3517, 1.9797]),
            (192, [-0.0324, -0.0956, -0.0729, -0.0505, -0.0391, -0.0299]),
            (960, [0.4779, 0.3823, 0.3838, 0.3852, 0.4332, 0.4495]),
        ]
        for (output, (step, values)) in expected.enumerated() {
            let found = network.withOutput(output) { numbers in values.indices.map { numbers[$0 * step] } }
            for (found, expected) in zip(found, values) { #expect(abs(found - expected) < 0.0002, "output \(output)") }
        }
        #expect(abs(network.withOutput(0) { $0.max() ?? 0 } - 0.3304) < 0.0002)
    }

    /// Where the samples' faces are, converted to dlib's convention, and the points at their places.
    @Test func drawnFacesAreFound() throws {
        let (detector, reference) = (try CenterFaceDetector(), try Repository.referenceFace())
        var ratios: [Float] = []
        for sample in Sample.all {
            let picture = try photograph("\(Repository.root)/samples/\(sample.name).jpg")
            let landmarks = sample.drawing(reference: reference).landmarks
            let truth = OrientedBox(around: landmarks)
            let places = try detector.places(in: picture)
            try #require(places.count == 1, "\(sample.name): \(places.count)")
            let expected = [
                landmarks.center(of: Landmarks.topology.rightEye.outline),
                landmarks.center(of: Landmarks.topology.leftEye.outline), landmarks[30], landmarks[48], landmarks[54],
            ]
            for (point, truth) in zip(places[0].points.points, expected) {
                #expect((point - truth).length < 0.12 * OrientedBox(around: landmarks).side, "\(sample.name)")
            }
            let detection = try #require(try detector.detections(in: picture).first)
            let box = detector.boxConvention.landmarkBox(detection)
            #expect((box.center - truth.center).length < 0.12 * truth.side, "\(sample.name)")
            #expect(abs(box.roll - truth.roll) < 0.1, "\(sample.name)")
            ratios.append(box.side / truth.side)
        }
        #expect(abs(ratios.sorted()[ratios.count / 2] - 1) < 0.1, "\(ratios)")
    }

    private func head(_ pose: Pose, width: Float, at center: Point) throws -> FaceDrawing {
        var face = Sample.all[2].face
        face.pose = pose
        return FaceDrawing(
            face, placement: DrawnFacePlacement(center: center, faceWidth: width),
            reference: try Repository.referenceFace())
    }

    /// Of a head on grey.
    private func picture(of drawing: FaceDrawing, side: Int) throws -> PixelBuffer {
        var picture = try PixelBuffer(width: side, height: side, format: .rgba8)
        picture.fill(SIMD4(120, 120, 120, 255))
        drawing.draw(into: &picture, samples: 1)
        return picture
    }

    /// Of turned and tilted heads, also small ones, the boxes lie where dlib's would.
    @Test(
        .slow,
        arguments: [
            Pose(yaw: 0, pitch: 0, roll: 0), Pose(yaw: 0.9, pitch: 0, roll: 0), Pose(yaw: -0.9, pitch: 0.2, roll: 0),
            Pose(yaw: 0, pitch: 0, roll: 0.5), Pose(yaw: 0, pitch: 0, roll: -0.5), Pose(yaw: 0.4, pitch: 0, roll: 0.6),
        ])
    func turnedHeadsAreFound(_ pose: Pose) throws {
        let detector = try CenterFaceDetector()
        for width in [Float(16), 40, 160] {
            let head = try head(pose, width: width, at: Point(180, 170))
            let truth = OrientedBox(around: head.landmarks)
            let found = try detector.detections(in: picture(of: head, side: 400))
            try #require(found.count == 1, "width \(width): \(found.count)")
            let box = detector.boxConvention.landmarkBox(found[0])
            #expect((box.center - truth.center).length < 0.16 * truth.side, "width \(width)")
            #expect(abs(box.side / truth.side - 1) < 0.25, "width \(width): \(box.side / truth.side)")
            // The eyes of the smallest are a few pixels apart.
            let tolerance: Float = width < 20 ? 0.35 : 0.2
            #expect(abs(box.roll - truth.roll) < tolerance, "width \(width): \(box.roll) \(truth.roll)")
        }
    }

    /// A picture is reduced for a detector of large faces, or if it has too many pixels; boxes are in its own pixels.
    @Test func placesAreInPixelsOfThePicture() throws {
        let head = try head(Pose(yaw: 0, pitch: 0, roll: 0), width: 90, at: Point(300, 250))
        let picture = try picture(of: head, side: 500)
        let truth = OrientedBox(around: head.landmarks)
        for detector in [
            try CenterFaceDetector(), try CenterFaceDetector(smallestFace: 40), try CenterFaceDetector(smallestFace: 8),
            try CenterFaceDetector(mostPixels: 40_000),
        ] {
            let found = try detector.detections(in: picture)
            try #require(found.count == 1)
            let box = detector.boxConvention.landmarkBox(found[0])
            #expect((box.center - truth.center).length < 0.12 * truth.side)
            #expect(abs(box.side / truth.side - 1) < 0.15)
        }
        // A face of 90 pixels has five there, which are too few.
        #expect(try CenterFaceDetector(smallestFace: 220).detections(in: picture).isEmpty)
    }

    /// Grey pictures are searched, too.
    @Test func greyPictures() throws {
        let ada = try photograph("\(Repository.root)/samples/ada.jpg")
        #expect(try CenterFaceDetector().detections(in: ada.grey(width: ada.width, height: ada.height)).count == 1)
    }

    /// The face mesh confirms what it is given, where the drawn face is.
    @Test(.enabled(if: hasNetworks, absenceOfNetworks)) func candidatesSuitTheMesh() throws {
        let (detector, mesh) = (try CenterFaceDetector(), try FaceMeshNetwork(.standard))
        let reference = try Repository.referenceFace()
        for sample in Sample.all {
            let picture = try photograph("\(Repository.root)/samples/\(sample.name).jpg")
            let place = try #require(try detector.places(in: picture).first)
            let estimate = try #require(try mesh.confirm(place.candidate, in: picture), "\(sample.name)")
            let truth = OrientedBox(around: sample.drawing(reference: reference).landmarks)
            let box = OrientedBox(around: estimate.landmarks)
            #expect((box.center - truth.center).length < 0.1 * truth.side, "\(sample.name)")
        }
    }

    /// The score decides, and one face is found once.
    @Test func fewerPlacesHaveHigherScores() throws {
        let detector = try CenterFaceDetector()
        let ada = try photograph("\(Repository.root)/samples/ada.jpg")
        let score = Float(try #require(try detector.detections(in: ada).first).score)
        detector.leastScore = score + 0.001
        #expect(try detector.detections(in: ada).isEmpty)
        detector.leastScore = 0.01
        let found = try detector.detections(in: ada)
        #expect(found.first?.score == Double(score))
        #expect(found.map(\.score) == found.map(\.score).sorted(by: >))
    }

    /// The networks of the sizes used last are kept.
    @Test func sizesAreKept() throws {
        let networks = try SizedNetworks(.standard, .centerFace)
        let sizes = (1...5).map { NeuralNetwork.InputSize(width: 32 * $0, height: 32) }
        let first = try networks.network(for: sizes[0])
        for size in sizes[1..<4] { _ = try networks.network(for: size) }
        #expect(try networks.network(for: sizes[0]) === first)
        _ = try networks.network(for: sizes[4])
        #expect(networks.keptSizes == [sizes[2], sizes[3], sizes[0], sizes[4]])
        let large = NeuralNetwork.InputSize(width: 1024, height: 992)
        _ = try networks.network(for: large)
        #expect(networks.keptSizes == [sizes[4], large] || networks.keptSizes.last == large)
        #expect(networks.keptSizes.reduce(0) { $0 + $1.pixelCount } <= SizedNetworks.mostPixelsKept)
    }

    @Test func whatIsNotCenterFaceIsRefused() throws {
        let folder = try TemporaryFolder()
        let networks = NetworkFolder(path: folder.path)
        let missing = #expect(throws: VisionError.self) { try CenterFaceDetector(networks) }
        #expect(missing?.reason.contains("bauta fetch-networks") == true)
        var bytes = try NetworkFolder.standard.bytes(of: .centerFace)
        bytes[bytes.count / 2] ^= 16
        try folder.write(bytes, NetworkFolder.Network.centerFace.rawValue)
        let error = #expect(throws: VisionError.self) { try CenterFaceDetector(networks) }
        #expect(error?.reason.contains("is damaged, or not the one") == true)
    }

    /// As many as the reference implementation finds in these photographs, and no dogs.
    @Test(
        .slow, .enabled(if: SharedData.isAvailable, "\(SharedData.absence)"),
        arguments: [("many_faces", 25), ("parade", 9), ("two_people", 2), ("no_face_dogs", 0)])
    func facesOfPhotographs(_ name: String, _ count: Int) throws {
        let detector = try CenterFaceDetector(mostPixels: 1 << 22)
        let found = try detector.places(in: photograph("\(SharedData.root)/photos/\(name).jpg"))
        #expect(found.filter { min($0.box.width, $0.box.height) >= 14 }.count == count)
    }
}
