import Detection
import FaceGeometry
import LandmarkModels
import Testing

/// What the detector network's answers are made of, without the network.
@Suite struct FaceCandidateTests {
    private func candidate(_ x: Float, _ y: Float, side: Float, score: Float) -> FaceCandidate {
        FaceCandidate(
            box: OrientedBox(center: Point(x, y), side: side, roll: 0), rightEye: Point(x - side / 4, y),
            leftEye: Point(x + side / 4, y), score: score)
    }

    @Test func overlappingCandidatesBecomeTheirWeightedMean() throws {
        let merged = FaceCandidate.merged([
            candidate(100, 100, side: 40, score: 0.2), candidate(110, 100, side: 50, score: 0.8),
            candidate(300, 100, side: 40, score: 0.5),
        ])
        #expect(merged.map(\.score) == [0.8, 0.5])
        #expect(abs(merged[0].box.center.x - 108) < 0.01 && abs(merged[0].box.side - 48) < 0.01)
        #expect(merged[1] == candidate(300, 100, side: 40, score: 0.5))
        #expect(FaceCandidate.merged([]).isEmpty)
    }

    /// A tile that ends in a face shows a part of it as a smaller face.
    @Test func aCandidateInsideAnotherIsTheSameFace() {
        let merged = FaceCandidate.merged([
            candidate(100, 100, side: 100, score: 0.9), candidate(90, 120, side: 40, score: 0.6),
        ])
        #expect(merged.count == 1)
        #expect(abs(merged[0].box.side - 100) < 0.01)
        // However clearly a tile shows the part.
        let part = FaceCandidate.merged([
            candidate(100, 100, side: 100, score: 0.7), candidate(90, 120, side: 40, score: 0.9),
        ])
        #expect(part.count == 1 && abs(part[0].box.side - 100) < 0.01)
        #expect(
            FaceCandidate.merged([
                candidate(100, 100, side: 40, score: 0.9), candidate(150, 100, side: 40, score: 0.6),
            ]).count == 2)
    }

    @Test func theRegionTurnsWithTheEyes() {
        var candidate = candidate(0, 0, side: 100, score: 1)
        (candidate.rightEye, candidate.leftEye) = (Point(0, -25), Point(0, 25))
        #expect(abs(candidate.region.roll - .pi / 2) < 0.001)
        #expect(candidate.region.side == 150)
    }

    @Test func theEyesTurnWithTheBox() {
        let turned = candidate(50, 60, side: 40, score: 1).turned(to: .pi)
        #expect(turned.box.center == Point(50, 60) && turned.box.side == 40 && turned.box.roll == .pi)
        #expect((turned.rightEye - Point(60, 60)).length < 0.001 && (turned.leftEye - Point(40, 60)).length < 0.001)
    }

    /// Every face that is large enough lies wholly in a tile in which it is neither too small nor too large.
    @Test(arguments: [(1920, 1080, 80), (413, 551, 40), (640, 480, 14), (6000, 200, 20), (100, 100, 90)])
    func tilesCoverThePicture(_ width: Int, _ height: Int, _ smallest: Int) {
        let tiles = DetectionTiles.squares(width: width, height: height, smallestFace: Float(smallest))
        for side in stride(from: Float(smallest) * 1.05, to: Float(min(width, height)), by: 7) {
            for x in stride(from: side / 2, through: Float(width) - side / 2, by: 13) {
                let place = Point(x, Float(height) / 2)
                let isCovered = tiles.contains { tile in
                    let margin = tile.side / 2 - side / 2
                    let offset = place - tile.center
                    let pixels = side / tile.side * DetectionTiles.inputSide
                    return max(abs(offset.x), abs(offset.y)) <= margin + 0.01 && pixels >= 13.9
                }
                #expect(isCovered, "\(side) at \(x)")
            }
        }
    }

    /// Faces that do not fit into the picture are not searched for; nor are those that have no pixels.
    @Test func theNumberOfTilesIsLimited() {
        func count(_ width: Int, _ height: Int, smallest: Float) -> Int {
            DetectionTiles.squares(width: width, height: height, smallestFace: smallest).count
        }
        #expect(count(65_500, 1, smallest: 40) == 1)
        #expect(count(65_500, 30, smallest: 1) < 3000)
        #expect(count(65_500, 30, smallest: 1) > 65_500 / 192, "none are left out")
        #expect(count(20_000, 20_000, smallest: 1) < 40_000)
    }

    @Test func aSmallPictureIsOneTile() {
        #expect(DetectionTiles.squares(width: 320, height: 240, smallestFace: 32).count == 1)
        #expect(DetectionTiles.squares(width: 1, height: 1, smallestFace: .nan).count == 1)
    }
}
