/// An option without a value: present or absent. `arguments[flag]` is true if it was given.
package struct Flag: CommandOption {
    package let definition: OptionDefinition

    package init(
        _ name: String, letter: Character? = nil, deprecatedNames: [String] = [], help: String
    ) {
        var definition = OptionDefinition(name: name, letter: letter, help: help)
        definition.deprecatedNames = deprecatedNames
        self.definition = definition
    }
}
