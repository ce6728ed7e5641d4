import FaceGeometry
import JSON
import MaskAuthoring
import Masks
import Testing

@Suite struct MaskDocumentTests {
    private static func layer(_ name: String) -> JSONValue {
        .object(["type": .string("warp"), "texture": .string(name)])
    }

    private static func group(_ layers: JSONValue...) -> JSONValue {
        .object(["type": .string("group"), "layers": .array(layers)])
    }

    /// a, (b, c), d from below.
    private static var document: MaskDocument {
        MaskDocument(
            manifest: .object([
                "format": .integer(1), "name": .string("x"),
                "layers": .array([layer("a"), group(layer("b"), layer("c")), layer("d")]),
            ]))
    }

    /// All textures from above, groups in brackets.
    private static func order(_ document: MaskDocument) -> String {
        func text(_ layers: [JSONValue]) -> String {
            layers.reversed().map { $0["texture"]?.string ?? "(\(text($0["layers"]?.elements ?? [])))" }.joined()
        }
        return text(document.manifest["layers"]?.elements ?? [])
    }

    @Test func layersAreFoundFromAbove() {
        let document = Self.document
        #expect(document.layerPaths == [[2], [1], [1, 1], [1, 0], [0]])
        #expect(MaskDocument.pointer([1, 0]) == "/layers/1/layers/0")
        #expect(document[layer: [1, 1]]?["texture"] == .string("c"))
        #expect(document[layer: [7]] == nil && document[layer: []] == nil && document[layer: [0, 0]] == nil)
    }

    @Test func layersAreSetInPlace() {
        var document = Self.document
        document[layer: [1, 0]]?["blend"] = .string("multiply")
        #expect(document[layer: [1, 0]]?["blend"] == .string("multiply"))
        document[layer: [1, 0]]?["blend"] = nil
        #expect(document == Self.document)
    }

    @Test(arguments: [
        ([0], 1, "d(cba)", [0, 0]), ([2], -1, "(dcb)a", [1, 2]), ([1], 1, "(cb)da", [2]), ([1], -1, "da(cb)", [0]),
        ([1, 0], 1, "d(bc)a", [1, 1]), ([1, 1], 1, "dc(b)a", [2]), ([1, 0], -1, "d(c)ba", [1]),
        ([0], -1, "d(cb)a", [0]),
        ([2], 1, "d(cb)a", [2]),
    ])
    func layersMoveThroughGroups(_ path: [Int], _ step: Int, _ order: String, _ place: [Int]) {
        var document = Self.document
        let (moved, identity) = (document[layer: path], document.identity(of: path))
        let found = document.move(path, by: step)
        #expect(identity != nil && document.identity(of: found) == identity)
        #expect(Self.order(document) == order && found == place)
        #expect(document[layer: found] == moved)
    }

    @Test func layersComeAndGo() {
        var document = Self.document
        #expect(document.insert(Self.layer("e"), above: [1, 0]) == [1, 1])
        #expect(Self.order(document) == "d(ceb)a")
        #expect(document.insert(Self.layer("f"), above: nil) == [3])
        document.remove([1])
        #expect(Self.order(document) == "fda")
        document.group([0])
        #expect(Self.order(document) == "fd(a)")
        document.ungroup([0])
        #expect(Self.order(document) == "fda")
        document.remove([9])
        #expect(Self.order(document) == "fda")
        #expect(document.insert(Self.layer("e"), below: nil) == [0])
        #expect(Self.order(document) == "fdae")
    }

    /// What is added is seen at once: nothing that is painted, and no model, covers it, and no group hides it.
    @Test func newLayersAreInSight() {
        let new = Self.layer("e")
        func order(_ selection: MaskDocument.LayerPath?, _ change: (inout MaskDocument) -> Void = { _ in }) -> String {
            var document = Self.document
            change(&document)
            let place = document.insert(new, inSightAt: selection)
            #expect(document[layer: place] == new)
            return Self.order(document)
        }
        func hide(_ paths: MaskDocument.LayerPath...) -> (inout MaskDocument) -> Void {
            { for path in paths { $0[layer: path]?["hidden"] = .bool(true) } }
        }
        #expect(order(nil) == "ed(cb)a" && order([0]) == "ed(cb)a" && order([1]) == "ed(cb)a")
        #expect(order([7]) == "ed(cb)a")
        #expect(order([1, 1], hide([2])) == "d(ecb)a")
        #expect(order([1, 0], hide([2])) == "ed(cb)a")
        #expect(order([1], hide([2])) == "de(cb)a")
        #expect(order([0], hide([2], [1])) == "d(cb)ea")
        #expect(order([1, 1], hide([2], [1])) == "ed(cb)a")
        // After "+ Deform", which comes below all that is painted.
        #expect(order([0]) { _ = $0.insert(.object(["type": .string("deform")]), below: [0]) }.hasPrefix("ed"))
        // Make-up, or what changes the shape, covers nothing.
        #expect(order([2]) { _ = $0.insert(.object(["type": .string("makeup")]), above: nil) }.hasSuffix("ed(cb)a"))
        #expect(order([2]) { _ = $0.insert(.object(["type": .string("prop")]), above: nil) }.hasPrefix("e"))
    }

    /// A group is another layer than the one in it, which stays what it is.
    @Test func groupedLayersStayTheSame() {
        var document = Self.document
        let identity = document.identity(of: [0])
        document.group([0])
        #expect(document.identity(of: [0]) != identity && document.identity(of: [0, 0]) == identity)
        document.ungroup([0])
        #expect(document.identity(of: [0]) == identity)
        #expect(document.insert(Self.layer("a"), above: [0]) == [1])
        #expect(document.identity(of: [0]) == identity && document.identity(of: [1]) != identity)
        #expect(document.identity(of: [9]) == nil && document.identity(of: []) == nil)
    }

    /// Below a sticker, but above what is painted, a deformation would change nothing.
    @Test func deformationsComeBelowWhatIsPainted() {
        var document = Self.document
        let sticker = document.insert(.object(["type": .string("sticker")]), above: nil)
        #expect(document.deformed(with: sticker) == [0])
        #expect(document.deformed(with: [1, 1]) == [1, 1])
        #expect(document.deformed(with: nil) == [0])
        for _ in 0..<3 { document.remove([0]) }
        #expect(document.deformed(with: [0]) == nil)
    }

    /// The last layer of a group does not leave it: a group without layers is none.
    @Test func groupsAreNeverLeftEmpty() {
        var document = Self.document
        document.remove([1, 1])
        #expect(document.move([1, 0], by: 1) == [1, 0])
        #expect(Self.order(document) == "d(b)a")
    }

    @Test func newNamesAreFree() {
        var document = Self.document
        document.points["a.pts"] = []
        #expect(document.newPointsName(for: "a.png", taken: ["a-2.pts"]) == "a-3.pts")
        #expect(document.newPointsName(for: "é b.png", taken: []) == "é b.pts")
    }
}

@Suite struct EditHistoryTests {
    /// Strokes do not take memory without end: the oldest steps are forgotten, and never the last one.
    @Test func stepsThatTakeMuchMemoryAreForgotten() {
        var history = EditHistory(0)
        for value in 1...6 {
            history.change("stroke", edit: "\(value)") { $0 = value }
            history.endEdit(bytes: 100 << 20)
        }
        history.undo()
        history.undo()
        #expect(history.current == 4 && history.undoName == nil)
        history.redo()
        history.redo()
        #expect(history.current == 6 && history.saved == 0)
        history.change("stroke") { $0 = 7 }
        history.endEdit(bytes: 1 << 30)
        history.undo()
        #expect(history.current == 6 && history.undoName == nil)
    }

    @Test func everyStepCanBeTakenBack() {
        var history = EditHistory(0)
        for number in 1...1000 { history.change("count") { $0 = number } }
        for number in (0..<1000).reversed() {
            #expect(history.undoName == "count")
            history.undo()
            #expect(history.current == number)
        }
        #expect(history.undoName == nil && history.isSaved)
        history.undo()
        for number in 1...1000 {
            history.redo()
            #expect(history.current == number)
        }
        #expect(history.redoName == nil)
        // What was done again can be undone again.
        #expect(history.undoName == "count")
        history.undo()
        #expect(history.current == 999 && history.redoName == "count")
    }

    @Test func changesOfOneEditAreOneStep() {
        var history = EditHistory("a")
        history.change("drag", edit: "1") { $0 = "b" }
        history.change("drag", edit: "1") { $0 = "c" }
        history.endEdit()
        history.change("drag", edit: "1") { $0 = "d" }
        history.change("other", edit: "2") { $0 = "e" }
        history.change("nothing") { _ in }
        history.undo()
        #expect(history.current == "d")
        history.undo()
        #expect(history.current == "c")
        history.undo()
        #expect(history.current == "a" && history.undoName == nil)
    }

    @Test func anotherWayEndsWhatWasUndone() {
        var history = EditHistory(0)
        history.change("one") { $0 = 1 }
        history.undo()
        history.change("two") { $0 = 2 }
        #expect(history.redoName == nil)
        history.undo()
        #expect(history.current == 0)
    }

    @Test func savedIsWhatIsOnDisk() {
        var history = EditHistory(0)
        history.change("one") { $0 = 1 }
        #expect(!history.isSaved)
        history.markSaved()
        #expect(history.isSaved)
        history.undo()
        #expect(!history.isSaved)
        history.redo()
        #expect(history.isSaved)
        history.markSaved(as: 7)
        #expect(!history.isSaved && history.current == 1 && history.saved == 7)
    }
}
