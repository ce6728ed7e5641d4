import Files

/// Who wears what in a photograph, for the user.
package struct WornText: Equatable {
    /// Every face with its mask.
    package let whole: String
    /// The numbers of faces and masks, for a photograph with many.
    package let short: String

    /// - Parameters:
    ///   - faces: from left to right; none: nobody knows them.
    ///   - masks: the names of those that are worn.
    ///   - count: of them.
    ///   - name: what a face wears; of nil: no mask.
    package init(_ faces: [ShownFace], masks: String, count: Int, name: (FilePath?) -> String) {
        let number = count == 1 ? "1 mask" : "\(count) masks"
        if count == 1, faces.allSatisfy({ $0.mask != nil }) {
            (whole, short) = (masks, masks)
        } else if faces.isEmpty {
            (whole, short) = ("\(masks): one face after another", "\(number): one face after another")
        } else if faces.count == 1 {
            let face = "this face wears \(name(faces[0].mask))"
            (whole, short) = ("\(masks): \(face)", "\(number): \(face)")
        } else {
            let list = faces.enumerated().map { "\($0 + 1) \(name($1.mask))" }
            let own = faces.count { $0.mask != $0.usual }
            whole = "From the left: " + list.joined(separator: ", ")
            let chosen = own > 0 ? ", \(own) chosen by you" : ""
            short = "\(faces.count) faces, \(number)\(count > 1 ? " in turn" : "")\(chosen)"
        }
    }
}
