import Files

/// Metadata in the markers of a JPEG: EXIF and XMP in APP1, ICC in APP2, Photoshop's resources with IPTC in APP13.
///
/// These and comments are kept. Everything else is dropped on purpose: previews and depth pictures (MPF, extended XMP,
/// makers' own segments) show the face without its mask, and signatures of the old file no longer hold.
enum JPEGMetadata {
    static let exifPrefix = Array("Exif\0\0".utf8)
    static let xmpPrefix = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    private static let iccPrefix = Array("ICC_PROFILE\0".utf8)
    static let photoshopPrefix = Array("Photoshop 3.0\0".utf8)
    private static let comment: Int32 = 0xFE
    private static let app1: Int32 = 0xE1
    private static let app2: Int32 = 0xE2
    private static let app13: Int32 = 0xED
    /// Bytes that a marker can hold beside its length field.
    private static let markerCapacity = 65_533

    /// The limits for kept comments and resources, in bytes and in number: files may have a million of them.
    private static let commentBudget = (bytes: 1 << 20, count: 256)
    private static let resourceBudget = 64 << 20

    /// The metadata of a JPEG file, from the segments before its first scan.
    static func metadata(of file: UnsafeRawBufferPointer) -> PictureMetadata {
        var metadata = PictureMetadata()
        var iccParts: [UInt8: [UInt8]] = [:]
        var resources: [UInt8] = []
        var comments = commentBudget
        var segments = JPEGSegments(file)
        while let segment = segments.next() {
            let data = file[segment.data]
            switch Int32(segment.code) {
            case app1 where data.starts(with: exifPrefix) && metadata.exif == nil:
                metadata.exif = Array(data.dropFirst(exifPrefix.count))
            case app1 where data.starts(with: xmpPrefix) && metadata.xmp == nil:
                metadata.xmp = Array(data.dropFirst(xmpPrefix.count))
            case app2 where data.starts(with: iccPrefix) && data.count > iccPrefix.count + 2:
                let rest = data.dropFirst(iccPrefix.count)
                iccParts[rest[rest.startIndex]] = Array(rest.dropFirst(2))
            case app13 where data.starts(with: photoshopPrefix) && resources.count + data.count <= resourceBudget:
                // Resources may be continued in the next marker, anywhere.
                resources += data.dropFirst(photoshopPrefix.count)
            case comment where comments.count > 0 && data.count <= comments.bytes && !HiddenPicture.mayBe(in: data):
                comments = (comments.bytes - data.count, comments.count - 1)
                metadata.jpegMarkers.append(JPEGMarker(code: comment, data: Array(data)))
            default:
                break
            }
        }
        if !resources.isEmpty { metadata.photoshop = resources }
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
            // Of a profile that needs more parts than can be numbered, none is written.
            for index in 0..<(count <= 255 ? count : 0) {
                let part = profile[(index * capacity)..<min(profile.count, (index + 1) * capacity)]
                markers.append(
                    JPEGMarker(code: app2, data: iccPrefix + [UInt8(index + 1), UInt8(count)] + part))
            }
        }
        if let resources = metadata.photoshop {
            let capacity = markerCapacity - photoshopPrefix.count
            for start in stride(from: 0, to: resources.count, by: capacity) {
                let part = resources[start..<min(resources.count, start + capacity)]
                markers.append(JPEGMarker(code: app13, data: photoshopPrefix + part))
            }
        }
        // An EXIF block or XMP packet of a PNG may be larger than a marker can be.
        return (markers + metadata.jpegMarkers).filter { $0.data.count <= markerCapacity }
    }
}
