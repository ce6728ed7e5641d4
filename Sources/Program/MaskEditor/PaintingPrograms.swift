import Display
import Files
import Threads

/// Buttons that open the selected texture in the painting programs that are installed. What they save shows at once.
final class PaintingPrograms {
    private let messages: WindowMessages
    private let programs: [PaintingProgram]
    /// The names of those that could not be opened.
    private let failures = Mailbox<String>()

    /// Whether one has got a file, and may have it still.
    private(set) var hasOpened = false

    init(messages: WindowMessages) {
        self.messages = messages
        programs = PaintingProgram.installed()
    }

    func draw(_ file: FilePath, _ panels: Panels) {
        if let name = failures.take(waiting: 0) { messages.say("\(name) could not be opened", isAlarm: true) }
        if programs.isEmpty {
            panels.sameLine(ifRoomFor: "open in Krita", hasIcon: false)
            panels.disabled(true) { _ = panels.button("open in Krita") }
            panels.hint(
                "Neither Krita nor GIMP is installed. Install one with your system's programs (Debian: sudo apt install krita), "
                    + "and start the editor again")
        }
        for program in programs {
            panels.sameLine(ifRoomFor: "open in \(program.name)")
            if panels.button("open in \(program.name)") {
                hasOpened = true
                messages.say("Opening \(file.name) in \(program.name) ...")
                _ = DedicatedThread.startOrRun { [failures] in
                    program.open(file) { _ = failures.replace(program.name) }
                }
            }
            panels.hint("What you save there shows here at once")
        }
    }
}
