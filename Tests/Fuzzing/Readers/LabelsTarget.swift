import Evaluation

/// Labels of faces for `bauta lab evaluate recall`.
enum LabelsTarget: FuzzTarget {
    static let name = "labels"
    static let longest = 4096

    static func seeds() -> [[UInt8]] {
        [
            #"{"pictures": [{"file": "a.jpg", "faces": [{"box": [1, 2, 30, 40.5], "view": "front"}]}]}"#,
            #"{"pictures": [{"file": "b.mp4", "frame": 3, "faces": [{"box": [-1, 2, 3, 4], "ignored": true}]}]}"#,
            #"{"pictures": [{"file": "/c.gif", "frame": 0, "faces": []}, {"file": "d.png", "faces": []}]}"#,
        ].map { Array($0.utf8) }
    }

    static func read(_ bytes: [UInt8]) {
        guard let labels = try? FaceLabels(parsing: String(decoding: bytes, as: UTF8.self)) else { return }
        for face in labels.pictures.flatMap(\.faces) where !(face.box.width > 0 && face.box.area.isFinite) {
            fatalError("a box of \(face.box) was accepted")
        }
    }
}
