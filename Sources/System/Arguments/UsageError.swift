/// A command line that the program does not understand. The description is a sentence for the user.
package struct UsageError: Error, CustomStringConvertible {
    package let description: String
    /// The command whose help explains what is right: "bauta mask list".
    package let commandPath: String

    package init(_ description: String, _ commandPath: String) {
        self.description = description
        self.commandPath = commandPath
    }
}
