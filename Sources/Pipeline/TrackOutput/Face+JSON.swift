import FaceGeometry
import JSON
import Records

// Faces as `report.md` and `tracks.md` in `docs/reference` describe them: lengths in pixels with two
// decimals, angles in radians with four.

extension Face {
    package var jsonBox: JSONValue { box.json }

    /// `landmarks`, `headPoints` and `pose`.
    package var jsonGeometry: [JSONValue.Member] {
        let pose: KeyValuePairs<String, JSONValue> = [
            "yaw": Self.rounded(pose.yaw), "pitch": Self.rounded(pose.pitch), "roll": Self.rounded(pose.roll),
        ]
        return [
            .init("landmarks", .array(landmarks.points.map(Self.json))),
            .init(
                "headPoints",
                .object(HeadPoint.allCases.map { JSONValue.Member("\($0)", Self.json(headPoints[$0])) })),
            .init("pose", .object(pose)),
        ]
    }

    /// Nil where they were not looked for.
    var jsonPupils: JSONValue? {
        pupils.map { .object(["right": Self.json($0.right), "left": Self.json($0.left)]) }
    }

    private static func json(_ value: Float) -> JSONValue { .number((Double(value) * 100).rounded() / 100) }
    private static func json(_ point: Point) -> JSONValue { .array([json(point.x), json(point.y)]) }
    static func rounded(_ value: Float) -> JSONValue { .number((Double(value) * 1e4).rounded() / 1e4) }
}

extension FaceInstance {
    /// A face of a line of `bauta track`.
    var json: JSONValue {
        let uncertainty = face.uncertainty
        let names = Expression.States.names.enumerated()
        let members: [JSONValue.Member] = [
            .init("track", .integer(trackID)), .init("isSeen", .bool(isSeen)), .init("box", face.jsonBox),
            .init("confidence", uncertainty.map { Face.rounded(Self.confidence($0)) } ?? .null),
            .init("uncertainty", uncertainty.map(Face.rounded) ?? .null),
        ]
        let pupils = face.jsonPupils.map { [JSONValue.Member("pupils", $0)] } ?? []
        let expression: [JSONValue.Member] = [
            .init(
                "signals",
                .object(
                    ExpressionSignals.Name.ofFace.filter { !$0.isGaze || face.pupils != nil }.map {
                        JSONValue.Member($0.rawValue, Face.rounded(signals[$0]))
                    })),
            .init(
                "states",
                .array(
                    names.filter { states.contains(.init(rawValue: 1 << $0.offset)) }.map { .string($0.element) })),
            .init("blinks", .integer(blinks)),
        ]
        return .object(members + face.jsonGeometry + pupils + expression)
    }

    /// 1 where the landmark model is as certain as on nearly every face, 0 where it would not be on a face
    /// (docs/decisions/0009).
    private static func confidence(_ uncertainty: Float) -> Float {
        max(0, min(1, (0.08 - uncertainty) / (0.08 - 0.02)))
    }
}
