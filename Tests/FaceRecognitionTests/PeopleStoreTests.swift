import FaceRecognition
import Files
import Foundation
import Testing

@Suite final class PeopleStoreTests {
    private let home: FilePath
    private let store: PeopleStore
    private let ada: PersonName

    init() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("people-\(UUID().uuidString)").path
        home = FilePath(path)
        try Folder.create(home)
        store = PeopleStore(folder: home / "data/people")
        ada = try PersonName("Ana María")
    }

    deinit { Folder.delete(home) }

    private func enroll() throws {
        try store.update(report: { _ in }) {
            _ = try $0.enroll(ada, [EnrolledPeopleTests.embedding(0)], on: "2026-11-23")
        }
    }

    private func mode(_ path: FilePath) -> mode_t { (path.status()?.st_mode ?? 0) & 0o777 }

    @Test func aMissingStoreIsEmpty() throws {
        #expect(try store.load { Issue.record("\($0)") } == EnrolledPeople())
        #expect(!store.folder.exists)
    }

    @Test func onlyTheOwnerCanReadIt() throws {
        let old = umask(0)
        defer { umask(old) }
        try enroll()
        let picture = try store.keep([1, 2, 3], of: ada)
        #expect(mode(store.folder) == 0o700 && mode(store.path) == 0o600)
        #expect(mode(picture) == 0o600 && mode(picture.parent) == 0o700 && mode(picture.parent.parent) == 0o700)
        #expect(try store.load { Issue.record("\($0)") }.names == [ada])
    }

    @Test func aStoreThatOthersCanReadIsClosedWithAWord() throws {
        try enroll()
        chmod(store.path.description, 0o644)
        chmod(store.folder.description, 0o755)
        var words: [String] = []
        #expect(try store.load { words.append($0) }.names == [ada])
        #expect(words.count == 2 && words.allSatisfy { $0.contains("other users could read it") }, "\(words)")
        #expect(mode(store.folder) == 0o700 && mode(store.path) == 0o600)
    }

    @Test func linksAreRefused() throws {
        try enroll()
        let elsewhere = home / "elsewhere.json"
        #expect(rename(store.path.description, elsewhere.description) == 0)
        #expect(symlink(elsewhere.description, store.path.description) == 0)
        let error = #expect(throws: FileError.self) { try store.load { _ in } }
        #expect(error?.kind == .unreadable && error?.reason.contains("link") == true)
    }

    @Test func damageNamesTheFileAndThePlaceAndIsNotOverwritten() throws {
        try enroll()
        let damaged = try FileContents.text(store.path).replacing("\"format\":1", with: "\"format\":9")
        try AtomicFile.write(damaged, to: store.path, replacing: true)
        let error = #expect(throws: FileError.self) { try store.load { _ in } }
        #expect(error?.kind == .damaged && error?.description.contains("people.json: /format") == true)
        #expect(throws: FileError.self) { try enroll() }
        #expect(try FileContents.text(store.path) == damaged)
    }

    @Test func forgettingDeletesThePictures() throws {
        try enroll()
        let picture = try store.keep([1], of: ada)
        #expect(try store.keep([2], of: ada) != picture)
        try store.update(report: { _ in }) { people in
            let isForgotten = people.forget(ada)
            #expect(isForgotten)
        }
        try store.deletePictures(of: ada)
        #expect(!picture.parent.exists)
        #expect(try store.load { _ in }.people.isEmpty)
        #expect(!(try FileContents.text(store.path)).contains("Mar"))
    }

    @Test func twoProcessesDoNotChangeItAtOnce() throws {
        try enroll()
        #expect(throws: PeopleStore.Busy.self) {
            try store.update(report: { _ in }) { _ in
                try store.update(report: { _ in }) { _ in Issue.record("both changed it") }
            }
        }
    }
}
