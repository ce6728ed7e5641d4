/// Options of a command that its help and its manual page show under one heading.
package struct OptionGroup: Sendable {
    package let title: String
    package let options: [any CommandOption]
    /// Where the options are described, if the help only names them: "'bauta help models'".
    package let place: String?

    /// - Parameter place: nil: the help describes them.
    package init(_ title: String, _ options: [any CommandOption], describedIn place: String? = nil) {
        self.title = title
        self.options = options
        self.place = place
    }

    /// Those that help names.
    var shownOptions: [OptionDefinition] { options.map(\.definition).filter { !$0.isHidden } }

    package static func input(_ options: any CommandOption...) -> OptionGroup { OptionGroup("Input", options) }
    package static func mask(_ options: any CommandOption...) -> OptionGroup { OptionGroup("Mask", options) }
    package static func output(_ options: any CommandOption...) -> OptionGroup { OptionGroup("Output", options) }
    package static func privacy(_ options: any CommandOption...) -> OptionGroup { OptionGroup("Privacy", options) }
    package static func integration(_ options: any CommandOption...) -> OptionGroup {
        OptionGroup("Integration", options)
    }
    package static func advanced(_ options: any CommandOption...) -> OptionGroup { OptionGroup("Advanced", options) }
}

/// A topic of `help`: options that many commands share.
package struct HelpTopic: Sendable {
    package let name: String
    package let overview: String
    package let discussion: String
    package let options: [any CommandOption]

    package init(name: String, overview: String, discussion: String, options: [any CommandOption]) {
        self.name = name
        self.overview = overview
        self.discussion = discussion
        self.options = options
    }
}
