import FaceGeometry
import JSON
import Masking

extension PhotoOutcome {
    /// The line of `--report`; `docs/report.md` describes it.
    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("path", .string(input)),
            .init("output", output.map(JSONValue.string) ?? .null),
            .init("status", .string(status.rawValue)),
        ]
        if let width, let height {
            members.append(.init("width", .integer(width)))
            members.append(.init("height", .integer(height)))
            members.append(.init("faces", .array(faces.map(\.json))))
        }
        let stages = zip(PhotoTimes.names, times.milliseconds).map { name, milliseconds in
            JSONValue.Member(name, .number((milliseconds * 1000).rounded() / 1000))
        }
        members.append(.init("milliseconds", .object(stages)))
        if let error { members.append(.init("error", .string(error))) }
        return .object(members)
    }
}

extension Face {
    fileprivate var json: JSONValue {
        .object([
            "box": .object([
                "x": Self.json(box.x), "y": Self.json(box.y), "width": Self.json(box.width),
                "height": Self.json(box.height),
            ]),
            "confidence": detectorScore.map { .number(($0 * 1000).rounded() / 1000) } ?? .null,
            "landmarks": .array(landmarks.points.map(Self.json)),
            "headPoints": .object(
                HeadPoint.allCases.map { JSONValue.Member("\($0)", Self.json(headPoints[$0])) }),
            "pose": .object([
                "yaw": .number((Double(pose.yaw) * 1e4).rounded() / 1e4),
                "pitch": .number((Double(pose.pitch) * 1e4).rounded() / 1e4),
                "roll": .number((Double(pose.roll) * 1e4).rounded() / 1e4),
            ]),
        ])
    }

    private static func json(_ value: Float) -> JSONValue { .number((Double(value) * 100).rounded() / 100) }
    private static func json(_ point: Point) -> JSONValue { .array([json(point.x), json(point.y)]) }
}
