import Arguments
import Compositing
import JSON
import Videos

extension VideoMasker.Summary {
    /// The line of `--report`; `docs/reference/video-report.md` describes it.
    var json: JSONValue {
        .object(
            input.jsonMembers("input") + output.jsonMembers("output") + [
                .init("frames", .integer(frames)), .init("maskedFrames", .integer(maskedFrames)),
                // Who anonymises must not read that nobody is bare: nobody knows.
                .init("bareFrames", coveredFaces == nil ? .integer(unmaskedFaces.frameCount) : .null),
                .init("bare", coveredFaces == nil ? .array(unmaskedFaces.stretches.map(\.json)) : .null),
                .init("coveredFaces", coveredFaces.map { .integer($0) } ?? .null),
                .init("uncoveredInReview", coveredFaces == nil ? .null : .integer(uncoveredInReview)),
                .init("framesWithBlurredFaces", framesWithBlurredFaces.map { .integer($0) } ?? .null),
                .init("heard", sound.map { .bool($0 == .sound) } ?? .null),
                .init("duration", .number(DecimalText.rounded(duration))),
                .init("seconds", .number(DecimalText.rounded(seconds))),
                .init("speed", .number(DecimalText.rounded(speed))),
            ])
    }
}

extension UnmaskedFaces.Stretch {
    fileprivate var json: JSONValue {
        .object([
            "track": .integer(trackID), "firstFrame": .integer(firstFrame), "lastFrame": .integer(lastFrame),
            "start": .number(DecimalText.rounded(start, digits: 3)),
            "end": .number(DecimalText.rounded(end, digits: 3)), "until": .string(until.rawValue),
        ])
    }
}
