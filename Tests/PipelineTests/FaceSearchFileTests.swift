import FaceGeometry
import FaceTracking
import Files
import Foundation
import Records
import TestSupport
import Testing

/// What was found in a clip, kept beside its result.
@Suite struct FaceSearchFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ checksum: UInt64 = 0xFE7D, _ settings: String = "0.1.0 centerface") -> FaceSearchFile {
        FaceSearchFile(folder: FilePath(folder.path), checksum: checksum, settings: settings)
    }

    private static func search() -> FaceBoxSearch {
        let boxes = (0..<7).map { (frame: Int) -> OrientedBox in
            let x: Float = (Float(1000 * frame) + 12345) / 100
            return OrientedBox(center: Point(x, -4.5), side: 0.37 + Float(frame), roll: 0)
        }
        let face = FaceBoxSearch.Detection(center: Point(1 / 3, 639.98765), side: 1.0000001, score: 0.20000002)
        return FaceBoxSearch(
            frames: [
                .init(number: 0, isThorough: true, faces: [face, face]),
                .init(number: 6, isThorough: false, faces: []),
            ],
            tracks: [
                .init(first: 0, boxes: boxes, score: 0.75, sightings: 3, scene: 1..<5),
                .init(first: 5, boxes: Array(boxes.prefix(2)), score: 1, sightings: 1, isAdded: true),
            ], times: (0..<7).map { Double($0) / 25 },
            marks: FaceBoxCorrections(added: [.init(frame: 5, box: boxes[0])]).marks)
    }

    /// To the last bit: with it, a run does what it would have done after a search.
    @Test func whatWasFoundIsReadAgain() throws {
        #expect(try file().read() == nil)
        try file().write(Self.search())
        #expect(try file().read() == Self.search())
        #expect(try file(1).read() == nil, "another clip")
        #expect(try file(0xFE7D, "0.1.1 centerface").read() == nil, "another search")
        #expect(folder.results(in: "").isEmpty, "it is hidden")
        file().remove()
        #expect(!file().path.exists)
    }

    @Test(arguments: [
        (#""version":1"#, #""version":2"#, "/version"), (#""checksum":"fe7d""#, #""checksum":"x""#, "/checksum"),
        (#""scene":[1,5]"#, #""scene":[5,5]"#, "/tracks/0/scene"),
        (#""scene":[1,5]"#, #""scene":[1,8]"#, "/tracks/0/scene/1"),
        (#""sightings":3"#, #""sightings":-1"#, "/tracks/0/sightings"),
        (#""first":5"#, #""first":6"#, "/tracks/1/boxes"),
        (#""number":6"#, #""number":7"#, "/frames/1/number"), (#""number":6"#, #""number":0"#, "/frames/1/number"),
        (#""score":0.75"#, #""score":1e300"#, "/tracks/0/score"), ("[0,0.04", "[null,0.04", "/times/0"),
        ("123.45", "1e7", "/tracks/0/boxes/0"), (#""faces":[0.3"#, #""faces":[7,0.3"#, "/frames/0/faces"),
        ("}", "", "line 1"),
    ])
    func whatIsDamagedIsAnError(_ text: String, _ wrong: String, _ place: String) throws {
        try file().write(Self.search())
        let good = try String(contentsOfFile: file().path.description, encoding: .utf8)
        try #require(good.contains(text), "\(good)")
        let bad = text == "}" ? String(good.dropLast(2)) : good.replacingOccurrences(of: text, with: wrong)
        try bad.write(toFile: file().path.description, atomically: true, encoding: .utf8)
        let error = try #require(throws: FileError.self) { try file().read() }
        #expect(error.kind == .damaged && error.description.contains(place), "\(error)")
    }
}
