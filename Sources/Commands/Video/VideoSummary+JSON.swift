import CommandLine
import JSON
import Masking

extension VideoMasker.Summary {
    /// The line of `--json`.
    var json: JSONValue {
        .object([
            "input": .string(input), "output": .string(output), "frames": .integer(frames),
            "maskedFrames": .integer(maskedFrames), "duration": .number(DecimalText.rounded(duration)),
            "seconds": .number(DecimalText.rounded(seconds)), "speed": .number(DecimalText.rounded(speed)),
        ])
    }
}
