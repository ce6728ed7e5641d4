import Arguments

/// `bauta doctor`.
enum DoctorCommand {
    static let definition = CommandDefinition(
        name: "doctor", overview: "Check the installation, and show how to fix problems.",
        options: [CommonOptions.model], examples: ["bauta doctor"], run: run)

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        let findings = InstallationCheck(model: arguments[CommonOptions.model]).findings()
        for finding in findings {
            let mark = finding.remedy == nil ? "ok     " : finding.isOptional ? "absent " : "MISSING"
            Console.output(
                "\(mark)  \(finding.name): \(finding.detail)\n",
                labels: ["ok ": .green, "absent": .yellow, "MISSING": .red])
            if let remedy = finding.remedy { Console.output("         fix it with: \(remedy)\n") }
        }
        Console.output(
            """

            The landmark model of libdlib-data is trained on iBUG 300-W, which
            excludes commercial use. Without it, MediaPipe's face networks
            detect faces and landmarks.

            """)
        return findings.allSatisfy { $0.remedy == nil || $0.isOptional } ? .success : .unavailable
    }
}
