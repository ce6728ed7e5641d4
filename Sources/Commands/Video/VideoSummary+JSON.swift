import CommandLine
import JSON
import Masking

extension VideoMasker.Summary {
    /// The line of `--json`; `docs/video-report.md` describes it.
    var json: JSONValue {
        .object([
            "input": .string(input), "output": .string(output), "frames": .integer(frames),
            "maskedFrames": .integer(maskedFrames), "bareFrames": .integer(bareFaces.frameCount),
            "bare": .array(bareFaces.stretches.map(\.json)), "duration": .number(DecimalText.rounded(duration)),
            "seconds": .number(DecimalText.rounded(seconds)), "speed": .number(DecimalText.rounded(speed)),
        ])
    }
}

extension BareFaces.Stretch {
    fileprivate var json: JSONValue {
        .object([
            "track": .integer(trackID), "firstFrame": .integer(firstFrame), "lastFrame": .integer(lastFrame),
            "start": .number(DecimalText.rounded(start, digits: 3)),
            "end": .number(DecimalText.rounded(end, digits: 3)), "until": .string(until.rawValue),
        ])
    }
}
