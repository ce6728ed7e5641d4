import Files
import Foundation
import Glibc
import Installation
import JSON
import MaskAuthoring
import TestSupport
import Testing

extension EditedPackage {
    /// Has the journal written as the editor does, frame by frame.
    func waitForJournal(isEditing: Bool = false) throws {
        try wait(for: "the journal", pause: 0.005) {
            keepJournal(isEditing: isEditing)
            return !isJournalBehind
        }
    }
}

/// What a journal is like once the editor has ended, whatever it was doing.
@Suite struct JournalEndTests {
    private let folder: TemporaryFolder
    private let assets: AuthoringAssets
    private var mask: String { folder.path + "/wolf" }
    private var journal: String { mask + ".journal" }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: Repository.root + "/Tests/Masks/wolf", toPath: folder.path + "/wolf")
        assets = try AuthoringAssets(DataFolder(path: FilePath(Repository.root)))
    }

    /// Collects what the editor would say.
    private final class Messages {
        var texts: [String] = []
    }

    private func open(_ messages: Messages = Messages()) throws -> EditedPackage {
        try EditedPackage(FilePath(mask), assets: assets, authorFile: nil) { text, _ in messages.texts.append(text) }
    }

    /// A change whose journal takes longer to write than a test takes to go on.
    private func change(_ package: EditedPackage, to name: String = "Mine") {
        package.change("set name") {
            $0.manifest["name"] = .string(name)
            $0.manifest["numbers"] = .array((0..<200_000).map { .integer($0) })
        }
    }

    private var isKept: Bool { FileManager.default.fileExists(atPath: journal) }
    private var keptName: JSONValue? {
        get throws { try EditJournal(folder: FilePath(mask)).read()?.document.manifest["name"] }
    }
    /// Whatever was being written is on the disk after that.
    private func pause() { usleep(600_000) }

    /// The write of what was undone meanwhile is not cut off, and does not come afterwards.
    @Test func whatWasUndoneIsNotKept() throws {
        let package = try open()
        change(package)
        package.keepJournal(isEditing: false)
        #expect(package.isJournalBehind, "it is being written")
        package.history.undo()
        #expect(try package.keepForNextStart() == nil && !isKept)
        pause()
        #expect(!isKept)
    }

    @Test func whatWasDiscardedIsNotKept() throws {
        for waits in [true, false] {
            let package = try open()
            change(package)
            if waits { try package.waitForJournal() } else { package.keepJournal(isEditing: false) }
            package.askToClose()
            #expect(package.answer(false) && !isKept)
            // The turn of the window goes on.
            package.keepJournal(isEditing: false)
            #expect(try package.keepForNextStart() == nil && !isKept)
            pause()
            #expect(!isKept)
        }
    }

    /// Two states, of which the second has not been handed over.
    @Test func theLastStateIsKept() throws {
        let package = try open()
        change(package)
        package.keepJournal(isEditing: true)
        change(package, to: "Second")
        #expect(try package.keepForNextStart() == EditJournal(folder: package.folder).path)
        #expect(try keptName == .string("Second"))
        pause()
        #expect(try keptName == .string("Second"))
    }

    /// Who closes the window without an answer is asked again.
    @Test func whatWasNotAnsweredIsKept() throws {
        do {
            let package = try open()
            change(package)
            #expect(try package.keepForNextStart() != nil)
        }
        for _ in 0..<2 {
            let package = try open()
            try package.offerJournal()
            guard case .recover? = package.question else {
                Issue.record("\(String(describing: package.question))")
                return
            }
            package.keepJournal(isEditing: false)
            #expect(try package.keepForNextStart() == EditJournal(folder: package.folder).path)
            #expect(try keptName == .string("Mine"))
        }
    }

    /// During a long edit, too, and however long the state before took.
    @Test func statesOfAnEditAreKept() throws {
        let package = try open()
        for name in ["First", "Second"] {
            change(package, to: name)
            try package.waitForJournal(isEditing: true)
            #expect(try keptName == .string(name))
        }
    }

    /// Said once, and tried again without another change.
    @Test func whatCannotBeWrittenIsTriedAgain() throws {
        let messages = Messages()
        let package = try open(messages)
        // In the journal's place.
        try folder.write("x", "wolf.journal/x")
        change(package)
        try wait(for: "the failure", pause: 0.005) {
            package.keepJournal(isEditing: false)
            return !messages.texts.isEmpty
        }
        #expect(package.isJournalBehind && messages.texts[0].contains("cannot be written"), "\(messages.texts)")
        // A try that fails again.
        let start = ContinuousClock.now
        while .now - start < .seconds(2.5) {
            package.keepJournal(isEditing: false)
            usleep(5000)
        }
        #expect(package.isJournalBehind && messages.texts.count == 1, "\(messages.texts)")
        #expect(throws: FileError.self) { try package.keepForNextStart() }
        try FileManager.default.removeItem(atPath: journal)
        try package.waitForJournal()
        #expect(try keptName == .string("Mine"))
    }

    /// All that was found is counted, also what is not listed.
    @Test func savingCountsWhatItFinds() throws {
        let messages = Messages()
        let package = try open(messages)
        func save(_ unknownKeys: Int) -> String {
            package.change("set keys") { document in
                for index in 0..<unknownKeys { document.manifest["unknown\(index)"] = .integer(index) }
            }
            _ = package.reread()
            package.save()
            return messages.texts.last ?? ""
        }
        #expect(save(0).hasPrefix("Saved."))
        #expect(save(1).hasPrefix("Saved. 1 problem, listed on the left: "), "\(messages.texts)")
        #expect(save(30).hasPrefix("Saved. 30 problems, listed on the left. The first: "), "\(messages.texts)")
    }
}
