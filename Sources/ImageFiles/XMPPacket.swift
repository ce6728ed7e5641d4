/// The two things in an XMP packet (ISO 16684-1) that a masked, upright picture makes untrue, changed as text so that
/// all else stays as it was.
enum XMPPacket {
    static func describingMaskedPicture(_ packet: [UInt8]) -> [UInt8] {
        var bytes = packet
        for prefix in ["tiff:Orientation=\"", "tiff:Orientation='", "<tiff:Orientation>"] {
            guard let start = bytes.firstRange(of: Array(prefix.utf8))?.upperBound, start < bytes.count,
                (UInt8(ascii: "1")...UInt8(ascii: "8")).contains(bytes[start])
            else { continue }
            bytes[start] = UInt8(ascii: "1")
        }
        // Thumbnails show the bare face.
        if let start = bytes.firstRange(of: Array("<xmp:Thumbnails".utf8))?.lowerBound {
            let closing = Array("</xmp:Thumbnails>".utf8)
            if let end = bytes[start...].firstRange(of: closing)?.upperBound { bytes.removeSubrange(start..<end) }
        }
        return bytes
    }
}
