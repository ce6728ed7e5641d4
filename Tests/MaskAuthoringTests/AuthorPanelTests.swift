import Files
import Foundation
import Installation
import JSON
import MaskAuthoring
import MaskEditor
import Masks
import TestSupport
import Testing

/// Whether the author is asked for, and what becomes of the answer.
struct AuthorPanelTests {
    private let folder: TemporaryFolder
    private let file: ConfigurationFile
    private let package: EditedPackage
    private let panel: AuthorPanel

    init() throws {
        folder = try TemporaryFolder()
        file = ConfigurationFile(FilePath(folder.path + "/author.json"))
        let mask = folder.path + "/wolf"
        try FileManager.default.copyItem(atPath: Repository.root + "/Tests/Masks/wolf", toPath: mask)
        package = try EditedPackage(
            FilePath(mask), assets: AuthoringAssets(DataFolder(path: FilePath(Repository.root))), authorFile: file
        ) { _, _ in }
        package.change("set author") { ($0.manifest["author"], $0.manifest["license"]) = (nil, nil) }
        package.save()
        #expect(package.history.isSaved)
        panel = AuthorPanel(package)
    }

    private var manifest: JSONValue { package.history.current.manifest }

    /// Whether it is kept that the mask has no author.
    private func isKept() throws -> Bool { try KeptAuthor(file).isWithoutAuthor(package.folder) }

    @Test func theAnswerIsSaved() throws {
        panel.prepare(.save)
        #expect(panel.question?.license == "", "nobody gives rights away by Enter")
        panel.question?.author = "A. Painter"
        panel.question?.license = "CC0-1.0"
        panel.press(.enter)
        #expect(!panel.isOpen && panel.isSaving)
        panel.saveAtOnce()
        #expect(package.history.isSaved && manifest["author"] == .string("A. Painter"))
        #expect(try manifest["license"] == .string("CC0-1.0") && !isKept())
        // The next mask of the same author.
        #expect(try KeptAuthor(file).author == "A. Painter")
        package.change("set author") { ($0.manifest["author"], $0.manifest["license"]) = (nil, nil) }
        let next = AuthorPanel(package)
        next.prepare(.save)
        #expect(next.question?.author == "A. Painter" && next.question?.license == "CC0-1.0")
    }

    /// Also what is typed beside the mask's name, and saved under another one, is for the next mask.
    @Test func theAnswerOfACopyIsKept() throws {
        package.change("set author") { $0.manifest["author"] = .string("A. Painter") }
        package.change("set license") { $0.manifest["license"] = .string("CC0-1.0") }
        try package.save(as: FilePath(folder.path + "/ram"))
        let kept = try KeptAuthor(file)
        #expect(kept.author == "A. Painter" && kept.license == "CC0-1.0")
    }

    @Test func aLicenceNeedsNoName() throws {
        panel.prepare(.save)
        panel.question?.license = "CC-BY-4.0"
        panel.press(.enter)
        #expect(try !isKept())
        panel.saveAtOnce()
        #expect(package.history.isSaved && manifest["author"] == nil)
        #expect(try manifest["license"] == .string("CC-BY-4.0") && isKept())
        panel.prepare(.save)
        #expect(!panel.isOpen)
        // Nor in another session.
        let later = AuthorPanel(package)
        later.prepare(.save)
        #expect(!later.isOpen)
    }

    @Test func aNameCanBeLeftOut() {
        panel.prepare(.save)
        panel.question?.author = "A. Painter"
        panel.question?.license = ""
        panel.accept(isNamed: false)
        #expect(manifest["author"] == nil && manifest["license"] == nil)
    }

    @Test func escapeChangesNothing() throws {
        panel.prepare(.save)
        panel.press(.escape)
        #expect(try !panel.isOpen && !panel.isSaving && package.history.isSaved && !isKept())
        panel.prepare(.save)
        #expect(panel.isOpen)
    }

    /// The dialog for the name of the copy is cancelled: nothing has been saved.
    @Test func aCancelledCopyLeavesTheQuestionOpen() throws {
        var dialogs = 0
        panel.prepare(.saveAs { _ in dialogs += 1 })
        #expect(try dialogs == 1 && !isKept() && !panel.isOpen, "the name comes first")
        panel.prepare(.save)
        #expect(panel.isOpen)
    }

    @Test func theAnswerIsKeptForTheCopy() throws {
        let (old, target) = (package.folder, FilePath(folder.path + "/copy"))
        var failure: FileError?
        panel.prepare(
            .saveAs { done in
                do throws(FileError) {
                    try package.save(as: target)
                    done()
                } catch {
                    failure = error
                }
            })
        #expect(failure == nil && package.folder.name == "copy" && panel.isOpen)
        panel.press(.enter)
        panel.saveAtOnce()
        #expect(try isKept() && !KeptAuthor(file).isWithoutAuthor(old))
    }

    /// The licence is saved before the mask is exported.
    @Test func anExportSavesFirst() throws {
        var dialogs = 0
        panel.prepare(.export { _ in dialogs += 1 })
        panel.question?.license = "CC0-1.0"
        panel.press(.enter)
        #expect(dialogs == 0 && panel.isSaving)
        panel.saveAtOnce()
        #expect(try dialogs == 1 && package.history.isSaved && isKept())
    }

    @Test func aCancelledExportOfASavedMaskLeavesTheQuestionOpen() throws {
        package.change("set license") { $0.manifest["license"] = .string("CC0-1.0") }
        package.save()
        var exported: (() -> Void)?
        panel.prepare(.export { exported = $0 })
        panel.press(.enter)
        #expect(try !panel.isSaving && !isKept())
        let finish = try #require(exported)
        finish()
        #expect(try isKept())
        panel.prepare(.save)
        #expect(!panel.isOpen)
    }

    @Test(arguments: ["author", MaskLoader.likenessKey]) func someMasksNeedNoQuestion(_ key: String) {
        package.change("set \(key)") { $0.manifest[key] = .string(Mask.Likeness.agreed.rawValue) }
        panel.prepare(.save)
        #expect(!panel.isOpen && panel.isSaving)
    }
}
