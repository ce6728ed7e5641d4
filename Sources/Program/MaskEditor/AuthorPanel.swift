import Display
import MaskAuthoring
import Masks

/// Asks once, when a mask is saved first, who made it and under which licence others may use it.
final class AuthorPanel {
    private let package: EditedPackage
    private(set) var isOpen = false
    private var hasAsked = false
    private var author = ""
    private var license = ""
    private var takesKeyboard = false
    /// For how many frames the window has said that the mask is about to be saved; nil: it is not.
    private var toldFrames: Int?

    private static let licenses = ["CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0"]

    init(_ package: EditedPackage) { self.package = package }

    /// Saves the mask. If it says nothing of its author or its licence, the user is asked first; masks of a person's face are
    /// no one else's to license.
    func save() {
        let manifest = package.history.current.manifest
        let isComplete = manifest["author"] != nil && manifest["license"] != nil
        guard !hasAsked, !isComplete, manifest[MaskLoader.likenessKey] == nil, package.question == nil else {
            return saveUnasked()
        }
        let kept = try? KeptAuthor()
        author = manifest["author"]?.string ?? kept?.author ?? ""
        license = manifest["license"]?.string ?? kept?.license ?? Self.licenses[0]
        (isOpen, hasAsked, takesKeyboard) = (true, true, true)
    }

    func press(_ key: WindowEvent.Key) {
        switch key {
        case .enter: accept()
        case .escape: isOpen = false
        default: break
        }
    }

    private func accept() {
        isOpen = false
        let (author, license) = (author, license)
        if !author.isEmpty {
            package.change("set author") { document in
                document.manifest["author"] = .string(author)
                if !license.isEmpty { document.manifest["license"] = .string(license) }
            }
        }
        saveUnasked()
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
    }

    func draw(_ panels: Panels) {
        let (width, height) = panels.windowSize
        panels.area("author", x: width / 2 - 220, y: height / 2 - 105, width: 440, height: 210, isInFront: true) {
            panels.heading("Who made this mask?")
            panels.text("The mask says so to those who get it. Later masks get the same author and licence.")
            panels.itemWidth(-1)
            if takesKeyboard { panels.focusNext() }
            takesKeyboard = false
            author = panels.field("author", author, limit: 200)
            license = panels.field("licence", license, limit: 200)
            panels.hint("An SPDX identifier, such as \(Self.licenses.joined(separator: ", "))")
            for name in Self.licenses {
                if panels.button(name) { license = name }
                panels.sameLine()
            }
            panels.text("")
            panels.disabled(author.isEmpty) { if panels.defaultButton("save", icon: .save) { accept() } }
            panels.hint("Enter")
            panels.sameLine()
            if panels.button("save without author") {
                isOpen = false
                saveUnasked()
            }
            panels.sameLine()
            if panels.button("cancel") { isOpen = false }
            panels.hint("Esc")
        }
    }
}
