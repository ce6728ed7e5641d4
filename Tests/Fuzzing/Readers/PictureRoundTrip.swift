import ImageFiles

/// What `bauta photo` does with a picture, but the search for faces.
enum PictureRoundTrip {
    /// In pixels: larger ones only take longer.
    private static let side = 256

    static func run(_ bytes: [UInt8]) {
        guard let picture = try? PictureReader.read(bytes, path: "fuzz", maximumSide: side) else { return }
        _ = picture.metadata.matrixFromSRGB
        // Video encoders are slow, and what they encode is no longer a stranger's.
        for format in PictureFormat.allCases where format != .heic && format != .avif {
            guard let written = try? PictureWriter.encode(picture, options: .init(format: format), path: "fuzz") else {
                continue
            }
            let again: Picture
            do {
                again = try PictureReader.read(written.bytes(), path: "fuzz", maximumSide: side)
            } catch {
                fatalError("what was written cannot be read: \(error)")
            }
            guard again.pixels.bounds == picture.pixels.bounds else { fatalError("the size has changed") }
        }
    }
}
