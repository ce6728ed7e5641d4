/// An option without a value: present or absent. `arguments[flag]` is true if it was given.
package struct Flag: CommandOption {
    package private(set) var definition: OptionDefinition

    package init(
        _ name: String, letter: Character? = nil, deprecatedNames: [String] = [], help: String
    ) {
        var definition = OptionDefinition(name: name, letter: letter, help: help)
        definition.deprecatedNames = deprecatedNames
        self.definition = definition
    }

    /// The flag with the text of its manual page.
    package func details(_ text: String) -> Flag {
        var flag = self
        flag.definition.details = text
        return flag
    }

    /// The flag, which help, completions and manual pages leave out.
    package var hidden: Flag {
        var flag = self
        flag.definition.isHidden = true
        return flag
    }
}
