import Display
import MaskAuthoring
import Masks

/// Asks once for each mask, before it is first saved or exported, who made it and under which licence others may use it.
final class AuthorPanel {
    private let package: EditedPackage
    /// The question, while it is open; nil: it is not.
    private var question: Question?
    private var hasAsked = false
    /// Whether the mask is to stay without an author.
    private var isUnsigned = false
    private var takesKeyboard = false
    /// For how many frames the window has said that the mask is about to be saved; nil: it is not.
    private var toldFrames: Int?
    /// Is done once the mask has been saved.
    private var afterSaving: (() -> Void)?

    private struct Question {
        var author: String
        var license: String
        let step: Step
    }

    /// What the mask is about to have done to it.
    enum Step {
        case save
        /// What is to be done in place of saving, such as asking for a name.
        case saveAs(() -> Void)
        /// What is to be done with the mask once it is saved.
        case export(() -> Void)
    }

    private static let licenses = ["CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0"]

    init(_ package: EditedPackage) { self.package = package }

    var isOpen: Bool { question != nil }

    func save() { prepare(.save) }

    /// Does a step. If the mask says nothing of its author, the user is asked first, once for each mask; masks of a person's
    /// face are no one else's to license.
    func prepare(_ step: Step) {
        let manifest = package.history.current.manifest
        let kept = try? KeptAuthor()
        let isToAsk =
            !hasAsked && manifest["author"] == nil && manifest[MaskLoader.likenessKey] == nil
            && kept?.isUnsigned(package.folder) != true
        guard isToAsk, package.question == nil else { return go(on: step) }
        question = Question(
            author: kept?.author ?? "", license: manifest["license"]?.string ?? kept?.license ?? Self.licenses[0],
            step: step)
        takesKeyboard = true
    }

    private func go(on step: Step) {
        switch step {
        case .save: saveUnasked()
        case .saveAs(let choose): choose()
        case .export(let choose):
            // One that has just got its author is not saved yet.
            if package.history.isSaved { return choose() }
            afterSaving = choose
            saveUnasked()
        }
    }

    func press(_ key: WindowEvent.Key) {
        switch key {
        case .enter: accept()
        case .escape: question = nil
        default: break
        }
    }

    /// - Parameter isSigned: whether the mask gets the author that has been entered.
    private func accept(isSigned: Bool = true) {
        guard let question else { return }
        (self.question, hasAsked) = (nil, true)
        if isSigned, !question.author.isEmpty {
            package.change("set author") { document in
                document.manifest["author"] = .string(question.author)
                if !question.license.isEmpty { document.manifest["license"] = .string(question.license) }
            }
        } else {
            isUnsigned = true
            keepAnswer()
        }
        go(on: question.step)
    }

    /// Keeps that the mask stays without an author, under the name that it has now.
    func keepAnswer() {
        guard isUnsigned, var kept = try? KeptAuthor() else { return }
        // It can be asked again, should it be lost.
        try? kept.keepUnsigned(package.folder)
    }

    /// Saving takes seconds where the mask's thumbnail is drawn: the window says so before.
    func saveUnasked() { toldFrames = toldFrames ?? 0 }

    /// Whether the mask is about to be saved.
    var isSaving: Bool { toldFrames != nil }

    /// Saves what has been told. To be called before each frame is drawn; a text is there from its second frame on.
    func saveWhatIsTold() {
        guard let frames = toldFrames else { return }
        toldFrames = frames + 1
        if frames > 2 { saveAtOnce() }
    }

    /// Saves what is about to be saved.
    func saveAtOnce() {
        guard isSaving else { return }
        toldFrames = nil
        package.save()
        let next = afterSaving
        afterSaving = nil
        guard package.history.isSaved else { return }
        keepAnswer()
        next?()
    }

    func draw(_ panels: Panels) {
        guard var asked = question else { return }
        let (width, height) = panels.windowSize
        panels.area("author", x: width / 2 - 220, y: height / 2 - 105, width: 440, height: 210, isInFront: true) {
            panels.heading("Who made this mask?")
            panels.text("Your name, or nothing. The mask says it to those who get it; later masks get the same.")
            panels.itemWidth(-1)
            if takesKeyboard { panels.focusNext() }
            takesKeyboard = false
            asked.author = panels.field("author", asked.author, limit: 200)
            asked.license = panels.field("licence", asked.license, limit: 200)
            panels.hint("An SPDX identifier, such as \(Self.licenses.joined(separator: ", "))")
            for name in Self.licenses {
                if panels.button(name) { asked.license = name }
                panels.sameLine()
            }
            panels.text("")
            question = asked
            let isEmpty = asked.author.isEmpty
            let verb = if case .save = asked.step { "save" } else { "go on" }
            if panels.defaultButton(isEmpty ? "\(verb) without author" : verb, icon: .check) { accept() }
            panels.hint("Enter. You are asked once for each mask; author and licence can be changed under Mask")
            if !isEmpty {
                panels.sameLine()
                if panels.button("without author") { accept(isSigned: false) }
            }
            panels.sameLine()
            if panels.button("cancel") { question = nil }
            panels.hint("Esc")
        }
    }
}
