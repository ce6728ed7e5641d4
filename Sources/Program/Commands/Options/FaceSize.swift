import Arguments
import FaceTracking

/// The size of a face as an option's value: 40px, or 10% of the picture's height.
enum FaceSize {
    static func smallest(_ text: String) throws(InvalidValue) -> SmallestFace {
        // Int and Float also take "+40" and "0x10".
        func isPlain(_ number: Substring) -> Bool { number.utf8.allSatisfy { "0123456789.".utf8.contains($0) } }
        let (pixels, percent) = (text.dropLast(2), text.dropLast())
        if text.hasSuffix("px"), isPlain(pixels), let pixels = Int(pixels), (1...100_000).contains(pixels) {
            return .pixels(pixels)
        }
        if text.hasSuffix("%"), isPlain(percent), let percent = Float(percent), (1...90).contains(percent) {
            return .share(percent / 100)
        }
        throw InvalidValue(
            "must be a number of pixels, such as 40px (1px to 100000px), or a share of the picture's height, such as 10% (1% to 90%)"
        )
    }
}
