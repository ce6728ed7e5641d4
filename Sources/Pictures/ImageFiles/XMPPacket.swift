import XML

/// XMP packets (ISO 16684-1). Properties are found by the URI of their namespace, whatever its prefix: "xmp" and the
/// older "xap" are the same.
enum XMPPacket {
    private enum Namespace {
        static let xmp = "http://ns.adobe.com/xap/1.0/"
        static let tiff = "http://ns.adobe.com/tiff/1.0/"
        /// Their properties hold pictures: previews, depth pictures, and the picture before it was edited.
        static let ofPictures: Set<String> = [
            "http://ns.adobe.com/xap/1.0/g/img/", "http://ns.google.com/photos/1.0/image/",
            "http://ns.google.com/photos/1.0/depthmap/",
        ]
    }

    private static let prologue = "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
    private static let epilogue = "\n<?xpacket end=\"w\"?>"

    /// Makes a packet true of an upright picture whose faces are covered: the orientation is "upright", and properties
    /// that hold a picture are removed. Comments and padding are removed too.
    /// - Returns: the packet; nil when it cannot be parsed, as it may then hold a picture.
    static func describingMaskedPicture(_ packet: [UInt8]) -> [UInt8]? {
        guard var document = try? XMLDocument(parsing: packet) else { return nil }
        document.edit { element in
            if holdsPicture(element) { return .remove }
            if isOrientation(element) { element.setText("1") }
            element.editAttributes { attribute in
                if holdsPicture(attribute) { return .remove }
                if isOrientation(attribute) { attribute.setText("1") }
                return .keep
            }
            return .keep
        }
        return document.text().map { Array((prologue + $0 + epilogue).utf8) }
    }

    private static func isOrientation(_ node: XMLNode) -> Bool {
        node.name == "Orientation" && node.namespace == Namespace.tiff
    }

    private static func holdsPicture(_ node: XMLNode) -> Bool {
        let namespace = node.namespace
        if Namespace.ofPictures.contains(namespace) { return true }
        // Page information of layout programs has a thumbnail for each page.
        if namespace == Namespace.xmp, node.name == "Thumbnails" || node.name == "PageInfo" { return true }
        return HiddenPicture.mayBe(in: node.text.utf8)
    }
}
