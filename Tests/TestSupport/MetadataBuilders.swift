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
