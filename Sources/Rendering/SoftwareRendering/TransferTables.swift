import CRasterizer
import MaskComposition

/// sRGB's transfer function and its inverse at equal steps, for pictures with colours of their own.
enum TransferTables {
    /// From encoded to linear.
    static let decode = TransferTable(steps: Int(CRASTERIZER_TRANSFER_STEPS), OklabColor.linear)
    /// From linear to encoded.
    static let encode = TransferTable(steps: Int(CRASTERIZER_TRANSFER_STEPS), OklabColor.encoded)
}
