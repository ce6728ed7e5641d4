/// What the markers of a JPEG say (EXIF in APP1, XMP in APP1, ICC in APP2, IPTC in APP13), read and written.
///
/// Kept are those and comments. Everything else is left behind on purpose: previews and depth pictures (MPF, extended
/// XMP, makers' own segments) show the face without its mask, and signatures of the old file are no longer true.
enum JPEGMetadata {
    private static let exifPrefix = Array("Exif\0\0".utf8)
    private static let xmpPrefix = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    private static let iccPrefix = Array("ICC_PROFILE\0".utf8)
    private static let photoshopPrefix = Array("Photoshop 3.0\0".utf8)
    private static let comment: Int32 = 0xFE
    private static let app1: Int32 = 0xE1
    private static let app2: Int32 = 0xE2
    private static let app13: Int32 = 0xED
    /// The most a marker can hold beside its length field.
    private static let markerCapacity = 65_533

    static func metadata(from markers: [JPEGMarker]) -> PictureMetadata {
        var metadata = PictureMetadata()
        var iccParts: [UInt8: [UInt8]] = [:]
        for marker in markers {
            switch marker.code {
            case app1 where marker.data.starts(with: exifPrefix) && metadata.exif == nil:
                metadata.exif = Array(marker.data.dropFirst(exifPrefix.count))
            case app1 where marker.data.starts(with: xmpPrefix) && metadata.xmp == nil:
                metadata.xmp = Array(marker.data.dropFirst(xmpPrefix.count))
            case app2 where marker.data.starts(with: iccPrefix) && marker.data.count > iccPrefix.count + 2:
                iccParts[marker.data[iccPrefix.count]] = Array(marker.data.dropFirst(iccPrefix.count + 2))
            case app13 where marker.data.starts(with: photoshopPrefix):
                metadata.jpegMarkers.append(
                    JPEGMarker(code: app13, data: withoutThumbnails(photoshop: marker.data)))
            case comment:
                metadata.jpegMarkers.append(marker)
            default:
                break
            }
        }
        if !iccParts.isEmpty { metadata.iccProfile = iccParts.sorted { $0.key < $1.key }.flatMap(\.value) }
        return metadata
    }

    static func markers(from metadata: PictureMetadata) -> [JPEGMarker] {
        var markers: [JPEGMarker] = []
        if let exif = metadata.exif { markers.append(JPEGMarker(code: app1, data: exifPrefix + exif)) }
        if let xmp = metadata.xmp { markers.append(JPEGMarker(code: app1, data: xmpPrefix + xmp)) }
        if let profile = metadata.iccProfile {
            let capacity = markerCapacity - iccPrefix.count - 2
            let count = (profile.count + capacity - 1) / capacity
            for index in 0..<min(count, 255) {
                let part = profile[(index * capacity)..<min(profile.count, (index + 1) * capacity)]
                markers.append(
                    JPEGMarker(code: app2, data: iccPrefix + [UInt8(index + 1), UInt8(count)] + part))
            }
        }
        // An EXIF block or XMP packet of a PNG may be larger than a marker can be.
        return (markers + metadata.jpegMarkers).filter { $0.data.count <= markerCapacity }
    }

    /// Photoshop's image resources with the thumbnails (0x0409, 0x040C) blanked, or unchanged where they cannot be
    /// parsed.
    private static func withoutThumbnails(photoshop data: [UInt8]) -> [UInt8] {
        var bytes = data
        var position = photoshopPrefix.count
        while position + 12 <= bytes.count, bytes[position...].starts(with: "8BIM".utf8) {
            let identifier = Int(bytes[position + 4]) << 8 | Int(bytes[position + 5])
            let nameLength = Int(bytes[position + 6]) + 1
            let sizeOffset = position + 6 + nameLength + nameLength % 2
            guard sizeOffset + 4 <= bytes.count else { break }
            let size = bytes[sizeOffset..<(sizeOffset + 4)].reduce(0) { $0 << 8 | Int($1) }
            let start = sizeOffset + 4
            guard start + size <= bytes.count else { break }
            if identifier == 0x0409 || identifier == 0x040C {
                for index in start..<(start + size) { bytes[index] = 0 }
            }
            position = start + size + size % 2
        }
        return bytes
    }
}
