import CXML

/// An XML document from an untrusted source. Hides libxml2, which is loaded when the first document is parsed.
///
/// Refused are documents that are not well-formed, have a document type declaration or undeclared prefixes, or nest
/// elements more than 256 deep. Comments and processing instructions are dropped. Belongs to one thread.
package struct XMLDocument: ~Copyable {
    /// Why a document is refused.
    package struct Refusal: Error, CustomStringConvertible {
        package let description: String
    }

    /// In bytes. libxml2's time grows with the square of an element's attributes.
    package static let maximumSize = 1 << 19

    private let handle: OpaquePointer

    package init(parsing bytes: [UInt8]) throws(Refusal) {
        guard bytes.count <= Self.maximumSize else {
            throw Refusal(description: "has \(bytes.count) bytes, the limit is \(Self.maximumSize)")
        }
        var message = [CChar](repeating: 0, count: Int(CXML_MESSAGE))
        guard let handle = bytes.withUnsafeBytes({ cxml_open($0.baseAddress, $0.count, &message) }) else {
            let text = message.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
            throw Refusal(description: String(decoding: text, as: UTF8.self))
        }
        self.handle = handle
    }

    deinit { cxml_close(handle) }

    /// The action for an element after it has been visited.
    package enum Verdict {
        case keep
        /// Removes it with everything inside it, which is not visited.
        case remove
    }

    /// Visits all elements in document order.
    package mutating func edit(_ visit: (XMLNode) -> Verdict) {
        var next = cxml_next(handle, nil)
        while let element = next {
            switch visit(XMLNode(handle: element)) {
            case .keep:
                next = cxml_next(handle, element)
            case .remove:
                next = cxml_next_outside(element)
                cxml_remove(element)
            }
        }
    }

    /// Visits all elements in document order.
    package borrowing func forEachElement(_ visit: (XMLNode) -> Void) {
        var next = cxml_next(handle, nil)
        while let element = next {
            visit(XMLNode(handle: element))
            next = cxml_next(handle, element)
        }
    }

    /// The root element as UTF-8, without an XML declaration; nil when it has been removed.
    package borrowing func text() -> String? {
        guard let text = cxml_write(handle) else { return nil }
        defer { cxml_free(text) }
        return String(cString: text)
    }
}

/// An element or an attribute of a document. Must not be used after its document has ended or the node is removed.
package struct XMLNode {
    fileprivate let handle: OpaquePointer

    /// Without a prefix.
    package var name: String { String(cString: cxml_name(handle)) }
    /// The URI of its namespace; empty for none.
    package var namespace: String { String(cString: cxml_namespace(handle)) }

    /// An attribute's value, or the text directly inside an element, without that of elements inside it.
    package var text: String {
        guard let text = cxml_text(handle) else { return "" }
        defer { cxml_free(text) }
        return String(cString: text)
    }

    /// Replaces the whole content.
    /// - Parameter text: without "&" and "<".
    package func setText(_ text: String) { cxml_set_text(handle, text) }

    /// The value of an element's attribute that has no namespace.
    package func attribute(_ name: String) -> String? {
        var next = cxml_next_attribute(handle, nil)
        while let attribute = next {
            let node = XMLNode(handle: attribute)
            if node.name == name, node.namespace.isEmpty { return node.text }
            next = cxml_next_attribute(handle, attribute)
        }
        return nil
    }

    /// Visits all attributes of an element.
    package func editAttributes(_ visit: (XMLNode) -> XMLDocument.Verdict) {
        var next = cxml_next_attribute(handle, nil)
        while let attribute = next {
            next = cxml_next_attribute(handle, attribute)
            if visit(XMLNode(handle: attribute)) == .remove { cxml_remove(attribute) }
        }
    }
}
