/// How far each place of a picture belongs to a person.
package struct PersonMatte: Sendable {
    /// In cells.
    package let width: Int
    package let height: Int
    /// Row by row, at the centres of equal cells of the whole picture: 0 (something else) … 255 (a person).
    package let alpha: [UInt8]
}
