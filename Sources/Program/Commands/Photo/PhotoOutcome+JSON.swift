import FaceGeometry
import FaceTracking
import Files
import JSON
import PhotoRecords

extension PhotoOutcome {
    /// The line of `--report`; `docs/reference/report.md` describes it.
    /// - Parameter isAnonymous: whether the shape of the faces is left out: people can be recognised by it.
    func json(isAnonymous: Bool) -> JSONValue {
        var members = input.jsonMembers("path")
        if let output { members += output.jsonMembers("output") } else { members.append(.init("output", .null)) }
        members.append(.init("status", .string(status.rawValue)))
        if isFromEarlierRun { members.append(.init("earlier", .bool(true))) }
        if let width, let height {
            members.append(.init("width", .integer(width)))
            members.append(.init("height", .integer(height)))
            if let doubt { members.append(.init("doubt", .number(doubt))) }
            if let earlierFindings {
                members += earlierFindings.faceMembers(withUnsure: isAnonymous || earlierFindings.unsureCount > 0)
            } else {
                members.append(.init("faces", .array(faces.map { $0.json(isAnonymous: isAnonymous) })))
                if isAnonymous || !unsureFaces.isEmpty {
                    members.append(.init("unsureFaces", .array(unsureFaces.map(\.json))))
                }
            }
        }
        let stages = PhotoTimes.Stage.allCases.map { stage in
            JSONValue.Member(stage.rawValue, .number(rounded(times[stage].milliseconds)))
        }
        members.append(.init("milliseconds", .object(stages)))
        if let error { members.append(.init("error", .string(error))) }
        return .object(members)
    }
}

extension Face {
    fileprivate func json(isAnonymous: Bool) -> JSONValue {
        let confidence = detectorScore.map { JSONValue.number(rounded($0)) } ?? .null
        return .object([.init("box", jsonBox), .init("confidence", confidence)] + (isAnonymous ? [] : jsonGeometry))
    }
}

extension UnsureFace {
    fileprivate var json: JSONValue {
        .object([.init("box", FaceBox(box).json), .init("confidence", .number(rounded(Double(score))))])
    }
}

private func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
