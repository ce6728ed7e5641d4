/// One photograph to mask.
package struct PhotoJob: Sendable {
    package var input: String
    /// The file that the result is written to.
    package var output: String
    /// Whether the user named the file. One that was found in a folder is ignored if it is not a picture.
    package var isNamed: Bool
    /// Why the job cannot be done, if that is known before anything is read.
    package var obstacle: String?

    package init(input: String, output: String, isNamed: Bool, obstacle: String? = nil) {
        self.input = input
        self.output = output
        self.isNamed = isNamed
        self.obstacle = obstacle
    }
}
