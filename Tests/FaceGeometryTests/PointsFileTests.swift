import FaceGeometry
import TestSupport
import Testing

@Suite struct PointsFileTests {
    @Test func theReferenceFaceIsSymmetric() throws {
        let reference = try Repository.referenceFace()
        for (index, other) in Landmarks.topology.mirrored.prefix(Landmarks.count).enumerated() {
            let (a, b) = (reference.vertices[index], reference.vertices[other])
            #expect(abs(a.x + b.x - 1) < 1e-5 && abs(a.y - b.y) < 1e-5, "landmark \(index)")
        }
        for point in HeadPoint.allCases {
            let (a, b) = (reference.vertices[point.vertex], reference.vertices[point.mirrored.vertex])
            #expect(abs(a.x + b.x - 1) < 1e-5 && abs(a.y - b.y) < 1e-5, "\(point)")
        }
    }

    @Test func pointsSurviveARoundTrip() throws {
        let points = [Point(1.5, 2.25), Point(-3, 0.125), Point(1000.001, 7)]
        #expect(try PointsFile.parse(PointsFile.text(points)) == points)
    }

    @Test func filesOfIBUGAreRead() throws {
        let text = "version: 1\r\nn_points:  2\r\n{\r\n1.0 2.0\r\n 3\t4 \r\n}\r\n"
        #expect(try PointsFile.parse(text) == [Point(1, 2), Point(3, 4)])
    }

    @Test(arguments: [
        ("version: 2\n{\n}", "line 1: version 2"), ("n_points: 2\n{\n1 2\n}", "announces 2"),
        ("n_points: 1\n{\n1 nan\n}", "line 3"), ("n_points: 1\n{\n1 inf\n}", "line 3"), ("{\n1 2", "closing"),
        ("n_points: 99999999999999999999\n{\n}", "1…1000"), ("n_points: 1\n{\n1 2\n3 4\n}", "more points"),
        ("{\n1 2\n}\nx", "line 4"), ("{\n1 2e9\n}", "line 2"), ("", "closing"), ("{\n1 2 3\n}", "two finite"),
    ])
    func brokenFilesSayWhere(_ text: String, _ message: String) {
        #expect { try PointsFile.parse(text) } throws: { "\($0)".contains(message) }
    }

    @Test func decimals() {
        #expect(decimal(1.5) == "1.5")
        #expect(decimal(2) == "2")
        #expect(decimal(0.12345) == "0.123")
        #expect(decimal(-0.0004) == "0")
    }
}
