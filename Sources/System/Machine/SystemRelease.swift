/// Which distribution this is, as far as names of packages depend on it.
package struct SystemRelease: Sendable {
    package enum Family: Equatable, Sendable {
        /// With the release: 12, 13; testing and unstable have the highest there is.
        case debian(Int)
        case ubuntu, fedora, arch
    }

    /// Nil: another one.
    package let family: Family?

    /// This system. https://www.freedesktop.org/software/systemd/man/os-release.html
    package static let current = SystemRelease(
        osRelease: SystemFile.text("/etc/os-release"), otherwise: SystemFile.text("/usr/lib/os-release"))

    /// - Parameters:
    ///   - osRelease: the file's content. What else it may hold is passed over.
    ///   - fallback: what counts if it is empty.
    package init(osRelease: String, otherwise fallback: String = "") {
        var values: [Substring: String] = [:]
        for line in (osRelease.isEmpty ? fallback : osRelease).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            values[parts[0]] = String(parts[1].filter { $0 != "\"" && $0 != "'" }).lowercased()
        }
        let names = "\(values["ID"] ?? "") \(values["ID_LIKE"] ?? "")".split(separator: " ")
        // Only a Debian's own number is one of Debian's.
        let isDebian = names.first == "debian" || names.first == "raspbian"
        let version = values["VERSION_ID"].flatMap { Int($0) }
        family =
            names.lazy.compactMap { name -> Family? in
                switch name {
                case "debian", "raspbian": .debian(isDebian ? version ?? .max : .max)
                case "ubuntu": .ubuntu
                case "fedora", "rhel", "centos": .fedora
                case "arch": .arch
                default: nil
                }
            }.first
    }

    /// What installs parts, for messages: a command, and what has no package here by its own name.
    package func remedy(_ parts: [SystemPart]) -> String {
        let packages = Self.unique(
            parts.compactMap { $0.packages(on: self) }.flatMap { $0.split(separator: " ").map(String.init) })
        let others = Self.unique(parts.filter { $0.packages(on: self) == nil }.map(\.name))
        var words: [String] = []
        if let installer, !packages.isEmpty { words.append("\(installer) \(packages.joined(separator: " "))") }
        if !others.isEmpty {
            words.append(
                "install \(others.joined(separator: ", "))"
                    + (family == nil ? "" : ", which this system has no package of"))
        }
        return words.joined(separator: "; ")
    }

    package func remedy(_ part: SystemPart) -> String { remedy([part]) }

    /// Each once, in the order in which they come.
    private static func unique(_ names: [String]) -> [String] {
        names.enumerated().filter { names.firstIndex(of: $0.element) == $0.offset }.map(\.element)
    }

    private var installer: String? {
        switch family {
        case .debian, .ubuntu: "sudo apt-get install"
        case .fedora: "sudo dnf install"
        case .arch: "sudo pacman -S"
        case nil: nil
        }
    }
}
