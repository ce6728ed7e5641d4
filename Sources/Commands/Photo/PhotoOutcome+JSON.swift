import FaceGeometry
import Files
import JSON
import Masking

extension PhotoOutcome {
    /// The line of `--report`; `docs/report.md` describes it.
    var json: JSONValue {
        var members = input.jsonMembers("path")
        if let output { members += output.jsonMembers("output") } else { members.append(.init("output", .null)) }
        members.append(.init("status", .string(status.rawValue)))
        if isFromEarlierRun { members.append(.init("earlier", .bool(true))) }
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
        let confidence = detectorScore.map { JSONValue.number(($0 * 1000).rounded() / 1000) } ?? .null
        return .object([.init("box", jsonBox), .init("confidence", confidence)] + jsonGeometry)
    }
}
