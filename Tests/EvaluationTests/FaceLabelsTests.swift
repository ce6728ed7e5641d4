import Evaluation
import FaceGeometry
import Testing

@Suite struct FaceLabelsTests {
    @Test func labelsAreRead() throws {
        let labels = try FaceLabels(
            parsing: """
                {"pictures": [
                  {"file": "a b é.jpg", "faces": [{"box": [1, 2, 30, 40.5], "view": "three-quarter"}]},
                  {"file": "/b.mp4", "frame": 3, "faces": [{"box": [-5, 2, 3, 4], "ignored": true}]}]}
                """)
        let first = FaceLabels.Face(
            box: FaceBox(x: 1, y: 2, width: 30, height: 40.5), view: .threeQuarter, isIgnored: false)
        let second = FaceLabels.Face(box: FaceBox(x: -5, y: 2, width: 3, height: 4), view: nil, isIgnored: true)
        #expect(labels.pictures.map(\.file) == ["a b é.jpg", "/b.mp4"])
        #expect(labels.pictures.map(\.frame) == [nil, 3])
        #expect(labels.pictures.map(\.faces) == [[first], [second]])
    }

    /// The message names the place.
    @Test(arguments: [
        ("", "line 1"), ("[]", "/pictures: must be an array"), (#"{"pictures": []}"#, "/pictures: is empty"),
        (#"{"pictures": [{"faces": []}]}"#, "/pictures/0/file: must be"),
        (#"{"pictures": [{"file": "a", "faces": 1}]}"#, "/pictures/0/faces: must be an array"),
        (#"{"pictures": [{"file": "a", "frame": -1, "faces": []}]}"#, "/pictures/0/frame: must be"),
        (#"{"pictures": [{"file": "a", "frame": 1e300, "faces": []}]}"#, "/pictures/0/frame: must be"),
        (#"{"pictures": [{"file": "a", "faces": [{"box": [1, 2, 3]}]}]}"#, "/pictures/0/faces/0/box: must be four"),
        (#"{"pictures": [{"file": "a", "faces": [{"box": [1, 2, 0, 3]}]}]}"#, "/pictures/0/faces/0/box: must be four"),
        (#"{"pictures": [{"file": "a", "faces": [{"box": [1, 2, 1e9, 3]}]}]}"#, "/pictures/0/faces/0/box: must be"),
        (#"{"pictures": [{"file": "a", "faces": [{"box": [1, 2, 3, 4], "view": "back"}]}]}"#, "/faces/0/view: must be"),
        (#"{"pictures": [{"file": "a", "faces": [{"box": [1, 2, 3, 4], "ignored": 1}]}]}"#, "/faces/0/ignored: must"),
    ])
    func wrongLabelsAreRefused(_ text: String, _ message: String) {
        let error = #expect(throws: EvaluationError.self) { try FaceLabels(parsing: text) }
        #expect(error?.description.contains(message) == true, "\(error.map { "\($0)" } ?? "")")
    }
}
