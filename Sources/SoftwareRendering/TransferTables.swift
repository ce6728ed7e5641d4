import CRasterizer
import MaskComposition

/// sRGB's transfer function and its inverse at equal steps, for pictures with colours of their own.
enum TransferTables {
    /// From encoded to linear.
    nonisolated(unsafe) static let decode = table(OklabColor.linear)
    /// From linear to encoded.
    nonisolated(unsafe) static let encode = table(OklabColor.encoded)

    /// Kept as long as the process lives.
    private static func table(_ function: (Float) -> Float) -> UnsafePointer<Float> {
        let steps = Int(CRASTERIZER_TRANSFER_STEPS)
        let values = UnsafeMutablePointer<Float>.allocate(capacity: steps + 1)
        for step in 0...steps { (values + step).initialize(to: function(Float(step) / Float(steps))) }
        return UnsafePointer(values)
    }
}
