import Files

/// Photoshop's image resources: a row of blocks "8BIM", identifier (2 bytes), Pascal string padded to an even length,
/// size (4 bytes), data padded to an even length. IPTC captions are stored in one of them.
enum PhotoshopResources {
    private enum Identifier {
        static let resolution = 0x03ED
        static let iptc = 0x0404
        static let copyrightFlag = 0x040A
        static let address = 0x040B
        static let captionDigest = 0x0425
        /// All others may hold a picture: thumbnails, EXIF and XMP blocks with previews of their own, data of plug-ins.
        static let kept: Set<Int> = [resolution, iptc, copyrightFlag, address, captionDigest]
    }

    private static let signature = Array("8BIM".utf8)

    /// The resources that cannot hold a picture.
    /// - Returns: nil when nothing is left, or the resources cannot be parsed and so may hold a picture.
    static func withoutPictures(_ bytes: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            guard position + 7 <= bytes.count, bytes[position...].starts(with: signature),
                let identifier = bytes.big16(at: position + 4)
            else {
                // Some programs pad the end.
                return bytes[position...].allSatisfy { $0 == 0 } && !result.isEmpty ? result : nil
            }
            let nameLength = Int(bytes[position + 6]) + 1
            let sizeOffset = position + 6 + nameLength + nameLength % 2
            guard let size = bytes.big32(at: sizeOffset) else { return nil }
            let start = sizeOffset + 4
            guard start + size <= bytes.count else { return nil }
            let data = Array(bytes[start..<(start + size)])
            if identifier == Identifier.iptc {
                if let records = IPTCRecords.withoutPictures(data) { result += block(identifier, records) }
            } else if Identifier.kept.contains(identifier) {
                result += block(identifier, data)
            }
            position = start + size + size % 2
        }
        return result.isEmpty ? nil : result
    }

    /// Resources that hold IPTC records and nothing else.
    static func resources(iptc records: [UInt8]) -> [UInt8] { block(Identifier.iptc, records) }

    private static func block(_ identifier: Int, _ data: [UInt8]) -> [UInt8] {
        let size = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: data.count >> $0) }
        return signature + [UInt8(identifier >> 8), UInt8(identifier & 0xFF), 0, 0] + size + data
            + (data.count % 2 == 1 ? [0] : [])
    }
}
