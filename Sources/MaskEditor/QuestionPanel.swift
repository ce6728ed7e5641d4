import Display
import Glibc
import MaskAuthoring

/// The question that the user has to answer before editing goes on.
struct QuestionPanel {
    private let package: EditedPackage

    init(_ package: EditedPackage) { self.package = package }

    /// - Returns: whether the user has answered with yes or no; nil: not yet.
    func draw(_ panels: Panels) -> Bool? {
        guard let question = package.question else { return nil }
        let (text, yes, no) = Self.texts(question)
        let (width, height) = panels.windowSize
        var answer: Bool?
        panels.area("question", x: width / 2 - 220, y: height / 2 - 60, width: 440, height: 120, isInFront: true) {
            panels.text(text)
            panels.text("")
            if panels.button(yes) { answer = true }
            panels.sameLine()
            if panels.button(no) { answer = false }
            if case .close = question {
                panels.sameLine()
                if panels.button("continue editing") { package.cancelClosing() }
            }
        }
        return answer
    }

    private static func texts(_ question: EditedPackage.Question) -> (text: String, yes: String, no: String) {
        switch question {
        case .recover(let content):
            (
                "There are unsaved changes of \(time(content.seconds)) from an earlier run of the editor. Restore them?",
                "restore them", "discard them"
            )
        case .changedOnDisk:
            (
                "Another program has changed mask.json or the points, and there are unsaved changes here. Which version "
                    + "do you want to keep? (Undo brings the other one back.)", "the one on disk", "the one here"
            )
        case .close: ("There are unsaved changes.", "save and close", "close without saving")
        }
    }

    /// Local date and time.
    private static func time(_ seconds: Int) -> String {
        var time = time_t(seconds)
        var parts = tm()
        localtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 64)
        strftime(&text, text.count, "%Y-%m-%d %H:%M", &parts)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
