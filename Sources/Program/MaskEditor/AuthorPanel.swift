import Display
import MaskAuthoring
import Masks

/// Asks once for each mask, before it is first saved or exported, who made it and under which licence others may use it.
package final class AuthorPanel {
    private let package: EditedPackage
    /// The question, while it is open; nil: it is not.
    package var question: Question?
    /// Whether this mask has been saved with the user's answer.
    private var hasAsked = false
    private var takesKeyboard = false
    /// For how many frames the window has said that the mask is about to be saved; nil: it is not.
    private var toldFrames: Int?
    /// Is done once the mask has been saved.
    private var afterSaving: [() -> Void] = []

    package struct Question {
        package var author: String
        package var license: String
        fileprivate let step: Step
    }

    /// What the mask is about to have done to it.
    package enum Step {
        case save
        /// What is to be done in place of saving, such as asking for a name: before the author, as in other programs. It calls
        /// what it gets once the mask is saved.
        case saveAs((_ done: @escaping () -> Void) -> Void)
        /// What is to be done with the mask once it is saved. It calls what it gets once the mask is exported.
        case export((_ done: @escaping () -> Void) -> Void)
    }

    /// With what they allow.
    private static let licenses = [
        ("CC0-1.0", "Others may do anything with the mask"),
        ("CC-BY-4.0", "Others may do anything with the mask if they name you"),
        ("CC-BY-SA-4.0", "Others may do anything with the mask if they name you and keep this licence"),
    ]

    package init(_ package: EditedPackage) { self.package = package }

    package var isOpen: Bool { question != nil }

    package func save() { prepare(.save) }

    /// Does a step. If the mask says nothing of its author, the user is asked, once for each mask; masks of a person's face are
    /// no one else's to license.
    package func prepare(_ step: Step) {
        if case .saveAs(let choose) = step {
            return choose { [weak self] in if let self, isToAsk { ask(before: .save) } }
        }
        if isToAsk { ask(before: step) } else { go(on: step) }
    }

    private var kept: KeptAuthor? { try? KeptAuthor(package.authorFile) }

    private var isToAsk: Bool {
        let manifest = package.history.current.manifest
        return !hasAsked && !isSaving && package.question == nil && manifest["author"] == nil
            && manifest[MaskLoader.likenessKey] == nil && kept?.isWithoutAuthor(package.folder) != true
    }

    /// Only a licence that the user has given before is proposed: it gives rights away.
    private func ask(before step: Step) {
        question = Question(
            author: kept?.author ?? "",
            license: package.history.current.manifest["license"]?.string ?? kept?.license ?? "", step: step)
        takesKeyboard = true
    }

    /// - Parameter done: is called once the mask is saved, or exported.
    private func go(on step: Step, done: @escaping () -> Void = {}) {
        switch step {
        case .save, .saveAs: saveUnasked(then: done)
        case .export(let choose):
            // One that has just got its author is not saved yet.
            if package.history.isSaved { return choose(done) }
            saveUnasked {
                done()
                choose {}
            }
        }
    }

    package func press(_ key: WindowEvent.Key) {
        switch key {
        case .enter: accept()
        case .escape: question = nil
        default: break
        }
    }

    /// Takes the answer. The licence may be given without a name.
    /// - Parameter isNamed: whether the mask gets the author that has been entered.
    package func accept(isNamed: Bool = true) {
        guard let question else { return }
        self.question = nil
        let isNamed = isNamed && !question.author.isEmpty
        package.change(isNamed ? "set author" : "set license") { document in
            if isNamed { document.manifest["author"] = .string(question.author) }
            document.manifest["license"] = question.license.isEmpty ? nil : .string(question.license)
        }
        go(on: question.step) { [weak self] in self?.keepAnswer(isNamed: isNamed) }
    }

    /// Keeps that the user has answered, for the mask as it is named now: an answer counts once the mask has been saved.
    private func keepAnswer(isNamed: Bool) {
        hasAsked = true
        guard !isNamed, var kept = try? KeptAuthor(package.authorFile) else { return }
        // It can be asked again, should it be lost.
        try? kept.keepWithoutAuthor(package.folder)
    }

    /// Saving takes seconds where the mask's thumbnail is drawn: the window says so before.
    /// - Parameter done: is called once the mask is saved.
    func saveUnasked(then done: @escaping () -> Void = {}) {
        toldFrames = toldFrames ?? 0
        afterSaving.append(done)
    }

    /// Whether the mask is about to be saved.
    package var isSaving: Bool { toldFrames != nil }

    /// Saves what has been told. To be called before each frame is drawn; a text is there from its second frame on.
    func saveWhatIsTold() {
        guard let frames = toldFrames else { return }
        toldFrames = frames + 1
        if frames > 2 { saveAtOnce() }
    }

    /// Saves what is about to be saved.
    package func saveAtOnce() {
        guard isSaving else { return }
        toldFrames = nil
        package.save()
        let next = afterSaving
        afterSaving = []
        guard package.history.isSaved else { return }
        for done in next { done() }
    }

    func draw(_ panels: Panels) {
        guard var asked = question else { return }
        let (width, height) = panels.windowSize
        panels.area("author", x: width / 2 - 220, y: height / 2 - 115, width: 440, height: 230, isInFront: true) {
            panels.heading("Who made this mask?")
            panels.text(
                "Everyone who gets the mask sees name and licence. You can leave both empty: others may not pass on a mask "
                    + "without a licence.")
            panels.itemWidth(-1)
            if takesKeyboard { panels.focusNext() }
            takesKeyboard = false
            asked.author = panels.field("author", asked.author, limit: 200)
            asked.license = panels.field("licence", asked.license, limit: 200)
            panels.hint("An SPDX identifier, such as those below")
            for (name, meaning) in Self.licenses {
                if panels.button(name) { asked.license = name }
                panels.hint(meaning)
                panels.sameLine()
            }
            panels.text("")
            question = asked
            let isEmpty = asked.author.isEmpty
            let verb = if case .save = asked.step { "save" } else { "go on" }
            if panels.defaultButton(isEmpty ? "\(verb) without author" : verb, icon: .check) { accept() }
            panels.hint(
                "Enter. You are asked once for each mask, and your next masks start with the same; author and licence can be "
                    + "changed under Mask")
            if !isEmpty {
                panels.sameLine()
                if panels.button("without author") { accept(isNamed: false) }
            }
            panels.sameLine()
            if panels.button("cancel") { question = nil }
            panels.hint("Esc")
        }
    }
}
