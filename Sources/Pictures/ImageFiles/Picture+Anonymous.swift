import CCodecs
import Pixels

extension Picture {
    /// Removes all that tells where the picture comes from and is not its visible pixels: metadata, colours of transparent
    /// pixels, and the tables of its compression. The colours are converted to sRGB, because colour profiles name cameras
    /// and screens, with serial numbers; a profile that cannot be used is dropped, as is that of a grey picture.
    package mutating func removeOrigin() {
        convertToSRGB()
        // Numbers without which a PNG's colours would change.
        let colorChunks =
            metadata.iccProfile == nil ? metadata.pngChunks.filter { ["gAMA", "cHRM", "sRGB"].contains($0.type) } : []
        let color = metadata.iccProfile == nil ? metadata.color : nil
        metadata = PictureMetadata()
        metadata.color = color
        metadata.pngChunks = colorChunks
        jpegTables = nil
        if hasAlpha { pixels.forgetTransparentColors() }
    }

    /// Converts the colours by the profile of a coloured picture; one that cannot be used counts as none. The profile stays.
    package mutating func convertToSRGB() {
        guard let profile = metadata.iccProfile, isColor else { return }
        let (width, height, stride) = (Int32(pixels.width), Int32(pixels.height), pixels.bytesPerRow)
        let bits: Int32 = pixels.format == .rgba16 ? 16 : 8
        _ = pixels.withUnsafeMutableBytes { bytes in
            ccodecs_icc_convert_to_srgb(profile, profile.count, bytes.baseAddress, width, height, stride, bits)
        }
    }
}
