/// XMP packets with a title, as programs write them.
package enum XMPBuilder {
    /// - Parameters:
    ///   - attributes: further attributes of the description; the prefixes tiff, dc, GDepth and the one of XMP are declared.
    ///   - prefix: of XMP's own namespace: "xmp", and "xap" in old files.
    ///   - thumbnail: the content of the thumbnail's image.
    package static func packet(attributes: String = "", prefix: String = "xmp", thumbnail: String? = nil) -> [UInt8] {
        let thumbnails =
            thumbnail.map {
                "<\(prefix):Thumbnails><rdf:Alt><rdf:li rdf:parseType=\"Resource\"><xmpGImg:format>JPEG</xmpGImg:format>"
                    + "<xmpGImg:image>\($0)</xmpGImg:image></rdf:li></rdf:Alt></\(prefix):Thumbnails>"
            } ?? ""
        let text = """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:\(prefix)="http://ns.adobe.com/xap/1.0/"
              xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
              xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/"
              xmlns:xmpGImg="http://ns.adobe.com/xap/1.0/g/img/" \(attributes)>
            <dc:title>kept title</dc:title>\(thumbnails)
            </rdf:Description></rdf:RDF></x:xmpmeta>
            <?xpacket end="w"?>
            """
        return Array(text.utf8)
    }
}

/// IPTC records and Photoshop's image resources.
package enum IPTCBuilder {
    /// A data set of record 2.
    package static func dataSet(_ number: UInt8, _ text: String) -> [UInt8] {
        [0x1C, 2, number, UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 0xFF)] + Array(text.utf8)
    }

    /// A resource 0x04….
    package static func resource(_ identifier: UInt8, _ data: [UInt8]) -> [UInt8] {
        Array("8BIM".utf8) + [0x04, identifier, 0, 0] + PNGBuilder.big(data.count) + data
            + (data.count % 2 == 1 ? [0] : [])
    }
}

/// A little-endian EXIF block with an orientation, sizes and a thumbnail.
package enum ExifBuilder {
    package static let thumbnail: [UInt8] = [0xFF, 0xD8] + Array("bare face".utf8) + [0xFF, 0xD9]

    package static func block(orientation: UInt16, width: UInt32, height: UInt32) -> [UInt8] {
        func short(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
        func long(_ value: UInt32) -> [UInt8] { [0, 8, 16, 24].map { UInt8(value >> $0 & 0xFF) } }
        func entry(_ tag: UInt16, _ value: UInt16) -> [UInt8] {
            short(tag) + short(3) + long(1) + short(value) + short(0)
        }
        func entry(_ tag: UInt16, _ value: UInt32) -> [UInt8] { short(tag) + short(4) + long(1) + long(value) }
        let first = 8
        let exif = first + 2 + 2 * 12 + 4
        let second = exif + 2 + 2 * 12 + 4
        let thumbnailOffset = second + 2 + 2 * 12 + 4
        var block: [UInt8] = [0x49, 0x49, 42, 0] + long(UInt32(first))
        block += short(2) + entry(0x0112, orientation) + entry(0x8769, UInt32(exif)) + long(UInt32(second))
        block += short(2) + entry(0xA002, width) + entry(0xA003, height) + long(0)
        block += short(2) + entry(0x0201, UInt32(thumbnailOffset)) + entry(0x0202, UInt32(thumbnail.count)) + long(0)
        return block + thumbnail
    }
}

/// Puts segments into a JPEG file, after its first marker.
package func jpeg(_ file: [UInt8], inserting segments: [(code: UInt8, data: [UInt8])]) -> [UInt8] {
    let inserted = segments.flatMap { segment -> [UInt8] in
        let length = segment.data.count + 2
        return [0xFF, segment.code, UInt8(length >> 8), UInt8(length & 0xFF)] + segment.data
    }
    return Array(file[..<2]) + inserted + Array(file[2...])
}

/// Colour profiles (ISO 15076-1) of the matrix kind.
package enum ICCBuilder {
    /// A display profile with the primaries of sRGB and a gamma of 2.2.
    /// - Parameter columns: of its matrix, in 1/65536.
    package static func profile(
        columns: [[Int]] = [[28578, 14581, 912], [25238, 46988, 6363], [9377, 3967, 46799]]
    ) -> [UInt8] {
        func tag(_ type: String, _ data: [UInt8]) -> [UInt8] { Array(type.utf8) + [0, 0, 0, 0] + data }
        let colors = columns.map { tag("XYZ ", $0.flatMap(PNGBuilder.big)) }
        let curve = tag("curv", PNGBuilder.big(1) + [2, 51, 0, 0])
        let names = ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"]
        let data = colors + [curve, curve, curve]
        var offset = 128 + 4 + 12 * names.count
        var table = PNGBuilder.big(names.count)
        for (name, data) in zip(names, data) {
            table += Array(name.utf8) + PNGBuilder.big(offset) + PNGBuilder.big(data.count)
            offset += data.count
        }
        var header = PNGBuilder.big(offset) + Array("lcms".utf8) + [2, 0x40, 0, 0] + Array("mntrRGB XYZ ".utf8)
        header += [UInt8](repeating: 0, count: 12) + Array("acspAPPL".utf8) + [UInt8](repeating: 0, count: 24)
        header += PNGBuilder.big(63190) + PNGBuilder.big(65536) + PNGBuilder.big(54061)
        header += [UInt8](repeating: 0, count: 128 - header.count)
        return header + table + data.flatMap { $0 }
    }
}
