import Arguments
import Files
import LandmarkModels

/// Options that several commands share.
enum CommonOptions {
    static let json = Flag("json", help: "Print JSON instead of a table.")
    static let model = Option(
        "model", value: "file", default: FilePath(LandmarkCascade.defaultModelPath),
        defaultText: "the one of Debian's libdlib-data",
        help: "A landmark model with 68 landmarks in dlib's format."
    ).takes(.file(["dat"]))
    /// For commands that read videos for measurements.
    static let csv = Option<String?>("csv", value: "file", defaultText: "none", help: "Write the results as CSV.")
        .takes(.file(["csv"]))
    static let plot = Option<String?>("plot", value: "file", defaultText: "none", help: "Write a plot as SVG.").takes(
        .file(["svg"]))
    static let width = Option(
        "width", value: "pixels", in: 64...8192, default: 1280, help: "The width to scale frames to.")
}
