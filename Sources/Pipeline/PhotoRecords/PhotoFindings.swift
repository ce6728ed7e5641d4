import FaceGeometry
import JSON
import Records

/// The findings in a photograph, without the shape of its faces. The journal keeps it, so that a run that goes on can
/// say it again.
package struct PhotoFindings: Equatable, Sendable {
    private struct Found: Equatable, Sendable {
        let box: FaceBox
        /// The detector's; nil if it has none.
        let confidence: Double?

        init(_ box: FaceBox, _ confidence: Double?) { (self.box, self.confidence) = (box, confidence) }

        init?(_ value: JSONValue) {
            guard let box = FaceBox(value["box"]) else { return nil }
            self.init(box, value["confidence"]?.number)
        }

        var json: JSONValue {
            .object(["box": box.json, "confidence": confidence.map { .number(Self.rounded($0)) } ?? .null])
        }

        static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
    }

    /// Of the photograph, in pixels.
    package let width: Int
    package let height: Int
    /// See `PhotoOutcome`.
    package let doubt: Double?
    private let faces: [Found]
    private let unsureFaces: [Found]
    /// See `PhotoOutcome`.
    package let spared: Int
    /// See `PhotoReview`.
    package let isReviewed: Bool
    private let uncovered: [FaceBox]
    private let addedCount: Int

    /// What was found, in pixels of the upright photograph: faces, those that somebody has uncovered, and uncertain detections,
    /// without those that somebody has added.
    package var boxes: [FaceBox] { faces.map(\.box) + uncovered + unsureFaces.dropLast(addedCount).map(\.box) }
    /// The first so many of these are faces for certain.
    package var certainCount: Int { faces.count + uncovered.count }
    package var faceCount: Int { faces.count }
    package var unsureCount: Int { unsureFaces.count }

    /// Nil if the photograph was not read.
    package init?(_ outcome: PhotoOutcome) {
        guard let width = outcome.width, let height = outcome.height else { return nil }
        (self.width, self.height) = (width, height)
        doubt = outcome.doubt
        faces = outcome.faces.map { Found($0.box, $0.detectorScore) }
        unsureFaces = outcome.unsureFaces.map { Found(FaceBox($0.box), Double($0.score)) }
        spared = outcome.spared
        isReviewed = outcome.review.isComplete
        (uncovered, addedCount) = (outcome.review.uncovered, outcome.review.addedCount)
    }

    /// Reads what `json` wrote.
    init?(_ value: JSONValue?) {
        let sides = 0.0...1e9
        guard let value, let width = value["width"]?.number, let height = value["height"]?.number,
            sides.contains(width), sides.contains(height)
        else { return nil }
        (self.width, self.height) = (Int(width), Int(height))
        doubt = value["doubt"]?.number
        faces = (value["faces"]?.elements ?? []).compactMap(Found.init)
        unsureFaces = (value["unsureFaces"]?.elements ?? []).compactMap(Found.init)
        let spared = value["spared"]?.number ?? 0
        self.spared = sides.contains(spared) ? Int(spared) : 0
        isReviewed = value["reviewed"]?.bool ?? false
        uncovered = (value["uncovered"]?.elements ?? []).compactMap { FaceBox($0) }
        let added = value["added"]?.number ?? 0
        addedCount = (0...Double(unsureFaces.count)).contains(added) ? Int(added) : 0
    }

    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("width", .integer(width)), .init("height", .integer(height))]
        if let doubt { members.append(.init("doubt", .number(doubt))) }
        if spared > 0 { members.append(.init("spared", .integer(spared))) }
        if isReviewed { members.append(.init("reviewed", .bool(true))) }
        if !uncovered.isEmpty { members.append(.init("uncovered", .array(uncovered.map(\.json)))) }
        if addedCount > 0 { members.append(.init("added", .integer(addedCount))) }
        return .object(members + faceMembers(withUnsure: !unsureFaces.isEmpty))
    }

    /// `faces` and `unsureFaces` of a line of the report: docs/reference/report.md.
    package func faceMembers(withUnsure: Bool) -> [JSONValue.Member] {
        [.init("faces", .array(faces.map(\.json)))]
            + (withUnsure ? [.init("unsureFaces", .array(unsureFaces.map(\.json)))] : [])
    }
}
