import Arguments
import Graphics
import ImageFiles
import Installation
import JSON
import MaskRendering
import Vision

/// The output of `bauta --version`, from data that is loaded at the start anyway. `bauta doctor` looks further.
enum VersionText {
    static func text(_ version: String) -> String {
        var table = TextTable([.left(""), .left("")], hasHeadings: false)
        table.rows = [
            ["commit", commit(SourceCommit.find())],
            ["renderer", MaskRenderer.softwareDescription + "; OpenGL in windows that a graphics card draws"],
            [
                "libraries",
                [
                    VisionLibraries.versions, CodecLibraries.versions, JSONLibrary.version, GraphicsLibraries.versions,
                ].joined(separator: ", "),
            ],
            ["models", "the landmark model of libdlib-data excludes commercial use: see 'bauta help models'"],
            [
                "on demand",
                "XNNPACK, ffmpeg, libarchive, libheif, libpipewire, librsvg, libtiff, libv4lconvert, libwebp, libxml2, "
                    + "fontconfig",
            ],
        ]
        return "bauta \(version)\n\(table.text)"
    }

    private static func commit(_ commit: SourceCommit?) -> String {
        guard let commit else { return "unknown" }
        if let date = commit.date { return "\(commit.hash), \(date)" }
        return commit.isNewerThanProgram ? "older than the checkout of \(commit.hash)" : commit.hash
    }
}
