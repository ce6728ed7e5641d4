import Display
import Glibc
import MaskAuthoring

/// The question that the user has to answer before editing goes on.
struct QuestionPanel {
    enum Answer { case yes, no, cancel }

    private let package: EditedPackage

    init(_ package: EditedPackage) { self.package = package }

    /// - Returns: nil: not yet.
    func draw(_ panels: Panels) -> Answer? {
        guard let question = package.question else { return nil }
        let texts = Self.texts(question)
        let (width, height) = panels.windowSize
        var answer: Answer?
        panels.area("question", x: width / 2 - 220, y: height / 2 - 75, width: 440, height: 150, isInFront: true) {
            panels.heading(texts.title)
            panels.text(texts.text)
            panels.text("")
            if panels.defaultButton(texts.yes) { answer = .yes }
            panels.hint("Enter")
            panels.sameLine()
            if panels.button(texts.no) { answer = .no }
            if case .close = question {
                panels.sameLine()
                if panels.button("keep editing") { answer = .cancel }
                panels.hint("Esc")
            }
        }
        return answer
    }

    /// Enter says yes. Escape withdraws a question that can be withdrawn; it never discards anything.
    func answer(to key: WindowEvent.Key) -> Answer? {
        switch (key, package.question) {
        case (.enter, .some): .yes
        case (.escape, .close): .cancel
        default: nil
        }
    }

    private static func texts(
        _ question: EditedPackage.Question
    ) -> (title: String, text: String, yes: String, no: String) {
        switch question {
        case .recover(let content):
            (
                "Changes from an earlier run",
                "An earlier run of the editor left unsaved changes, made at \(time(content.seconds)). Restore them?",
                "restore the changes", "discard the changes"
            )
        case .changedOnDisk:
            (
                "Changes by another program",
                "Another program has changed files of this mask, and you have unsaved changes. Which version do you want to "
                    + "keep? (Undo restores the other one.)", "keep the other program's", "keep mine"
            )
        case .close:
            (
                "Unsaved changes", "The mask has unsaved changes.\nClosing without saving discards them.",
                "save and close", "close without saving"
            )
        }
    }

    /// Local date and time.
    private static func time(_ seconds: Int) -> String {
        var time = time_t(seconds)
        var parts = tm()
        localtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 64)
        strftime(&text, text.count, "%Y-%m-%d %H:%M", &parts)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }
}
