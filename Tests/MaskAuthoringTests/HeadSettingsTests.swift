import MaskEditor
import Testing

/// The drawn people who wear a mask in the editor.
struct HeadSettingsTests {
    @Test func upToThreePeopleAreBesideEachOther() {
        var head = HeadSettings(person: 1)
        #expect(head.people == [1] && !head.isSeveral)
        head.toggle(1)
        #expect(head.people == [1], "one stays")
        for person in [4, 0] { head.toggle(person) }
        #expect(head.people == [1, 4, 0] && head.isSeveral)
        head.toggle(2)
        #expect(head.people == [4, 0, 2])
        head.toggle(4)
        #expect(head.people == [0, 2])
        head.isSeveral = true
        #expect(head.people == [0, 2])
        head.isSeveral = false
        #expect(head.people == [0])
        head.isSeveral = true
        #expect(head.people == [0, 1, 2])
        head.show(2)
        #expect(head.people == [2, 1, 0], "nobody is there twice")
        head.show(4)
        #expect(head.people == [4, 1, 0])
    }
}
