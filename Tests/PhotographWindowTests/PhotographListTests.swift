import Clips
import FaceGeometry
import Files
import PhotographWindow
import Testing

@Suite struct PhotographListTests {
    private func found(_ inputs: [FilePath], _ photographs: [FilePath]? = nil) -> PhotographSelection {
        PhotographSelection(inputs: inputs, photographs: photographs ?? inputs, refusal: nil)
    }

    @Test func photographsAreAddedOnce() {
        var list = PhotographList()
        #expect(list.shown == nil)
        list.move(by: 1)
        list.add(found(["/a.jpg"]))
        list.add(found(["/b.jpg", "/a.jpg"]))
        #expect(list.photographs == ["/a.jpg", "/b.jpg"] && list.inputs == ["/a.jpg", "/b.jpg"])
        #expect(list.shown == "/b.jpg", "the first new one is shown")
        list.add(found(["/folder"], ["/a.jpg", "/folder/c.jpg"]))
        #expect(list.photographs.count == 3 && list.shown == "/folder/c.jpg")
    }

    @Test func whatAddsNothingShowsNothingElse() {
        var list = PhotographList()
        list.add(found(["/a.jpg", "/b.jpg"]))
        list.move(by: 1)
        let old = list
        list.add(found([]))
        list.add(found(["/a.jpg"]))
        #expect(list == old)
    }

    private let masks: [FilePath] = ["/wolf", "/tiger"]
    private let middle = Point(0.5, 0.5)

    /// Faces of a photograph of 400 × 200 pixels that wear the masks in turn.
    private func shown(_ boxes: FaceBox..., masks: [FilePath]) -> ShownFaces {
        let faces = boxes.enumerated().map { index, box in
            ShownFace(box: box, mask: masks[index % masks.count], usual: masks[index % masks.count])
        }
        return ShownFaces(faces, masks: masks, in: (width: 400, height: 200))
    }

    /// A click goes on to the next of the chosen masks, and after the last one to none. Two quick clicks are two steps, though
    /// no preview has been drawn between them.
    @Test func facesChooseAmongTheMasks() {
        let faces = shown(FaceBox(x: 100, y: 50, width: 200, height: 100), masks: masks)
        var list = PhotographList()
        list.wearNext(of: masks, onFace: 0, of: faces)
        #expect(list.wearing(masks).isEmpty, "there is no photograph")
        list.add(found(["/a.jpg", "/b.jpg"]))
        let untouched = list
        list.wearNext(of: masks, onFace: 1, of: faces)
        #expect(list == untouched, "there is no such face")
        list.wearNext(of: masks, onFace: 0, of: faces)
        #expect(list.wearing(masks) == ["/a.jpg": [ChosenMask(place: middle, mask: 1)]])
        #expect(list.wearing(["/wolf"]).isEmpty, "a mask that is not chosen any more is not worn")
        list.wearNext(of: masks, onFace: 0, of: faces)
        let bare = [ChosenMask(place: middle, mask: nil)]
        #expect(list.wearing(["/wolf"]) == ["/a.jpg": bare], "in place of the choice before")
        let run = PhotographRun(inputs: [], masks: ["/wolf"], wearing: list.wearing(["/wolf"]))
        #expect(run != PhotographRun(inputs: [], masks: ["/wolf"]), "results with other choices are other results")
        #expect(PhotographRun(inputs: [], masks: [], wearing: run.wearing, cover: .solid).wearing.isEmpty)
    }

    /// A face keeps its choice while its photograph is turned: the right end comes to the bottom, or to the top.
    @Test func choicesTurnWithThePhotograph() {
        let faces = shown(
            FaceBox(x: 20, y: 40, width: 60, height: 80), FaceBox(x: 220, y: 110, width: 60, height: 80),
            masks: ["/wolf", "/tiger"])
        var list = PhotographList()
        list.add(found(["/a.jpg", "/b.jpg"]))
        for index in [0, 1] { list.wearNext(of: masks, onFace: index, of: faces) }
        let upright = list
        func places() -> [Point] { list.wearing(masks)["/a.jpg", default: []].map(\.place) }
        #expect(places() == [Point(0.125, 0.4), Point(0.625, 0.75)])
        list.turn(toRight: true)
        #expect(places() == [Point(0.25, 0.625), Point(0.6, 0.125)])
        #expect(list.wearing(masks)["/a.jpg"]?.map(\.mask) == [nil, 1], "each face keeps its own")
        list.turn(toRight: false)
        #expect(list == upright)
        list.turn(toRight: false)
        #expect(places() == [Point(0.4, 0.875), Point(0.75, 0.375)])
        for _ in 0..<3 { list.turn(toRight: false) }
        #expect(list == upright)
        list.move(by: 1)
        list.turn(toRight: true)
        #expect(places() == [Point(0.125, 0.4), Point(0.625, 0.75)], "another photograph was turned")
    }

    /// A face gets a mask by its name.
    @Test func aFaceWearsWhatIsSearchedFor() {
        let faces = shown(FaceBox(x: 100, y: 50, width: 200, height: 100), masks: masks)
        var list = PhotographList()
        list.add(found(["/a.jpg", "/b.jpg"]))
        let more = masks + ["/owl"]
        list.wear("/owl", of: more, onFace: 0, of: faces)
        #expect(list.wearing(more) == ["/a.jpg": [ChosenMask(place: middle, mask: masks.count)]])
        #expect(!list.isWornElsewhere("/owl"))
        #expect(list.worn(of: more, byFace: 0, of: faces) == "/owl", "before the preview is drawn, too")
        #expect(list.worn(of: masks, byFace: 0, of: faces) == "/wolf")
        list.move(by: 1)
        #expect(list.isWornElsewhere("/owl") && !list.isWornElsewhere("/wolf"))
    }

    /// Nothing has to be made again.
    @Test func whoClicksThroughToTheBeginningHasChosenNothing() {
        let faces = shown(
            FaceBox(x: 20, y: 50, width: 60, height: 80), FaceBox(x: 220, y: 50, width: 60, height: 80), masks: masks)
        var list = PhotographList()
        list.add(found(["/a.jpg"]))
        let untouched = list
        for index in [0, 1] {
            for _ in 0..<3 { list.wearNext(of: masks, onFace: index, of: faces) }
            #expect(list == untouched, "face \(index)")
        }
        // Nor does the order of the choices count.
        var other = list
        for index in [0, 1] { list.wearNext(of: masks, onFace: index, of: faces) }
        for index in [1, 0] { other.wearNext(of: masks, onFace: index, of: faces) }
        #expect(list == other && list.wearing(masks)["/a.jpg"]?.count == 2)
        // The preview shows what was chosen before: with these masks, the face may wear another one by itself.
        let old = shown(FaceBox(x: 20, y: 50, width: 60, height: 80), masks: ["/fox", "/wolf"])
        var changed = untouched
        changed.wearNext(of: masks, onFace: 0, of: old)
        #expect(changed.wearing(masks)["/a.jpg"]?.map(\.mask) == [0])
    }

    /// A choice for one of two faces whose boxes overlap leaves the other's.
    @Test func facesOverEachOtherKeepTheirChoices() {
        let faces = shown(
            FaceBox(x: 100, y: 50, width: 80, height: 80), FaceBox(x: 130, y: 50, width: 80, height: 80),
            masks: ["/wolf"])
        #expect(faces.face(at: Point(0.36, 0.45)) == 0 && faces.face(at: Point(0.41, 0.45)) == 1)
        var list = PhotographList()
        list.add(found(["/a.jpg"]))
        for index in [0, 1] { list.wearNext(of: ["/wolf"], onFace: index, of: faces) }
        let places = [Point(0.35, 0.45), Point(0.425, 0.45)]
        #expect(list.wearing(["/wolf"]) == ["/a.jpg": places.map { ChosenMask(place: $0, mask: nil) }])
        list.wearNext(of: ["/wolf"], onFace: 0, of: faces)
        #expect(list.wearing(["/wolf"]) == ["/a.jpg": [ChosenMask(place: places[1], mask: nil)]])
    }

    @Test func theOrderWrapsAround() {
        var list = PhotographList()
        list.add(found(["/a.jpg", "/b.jpg", "/c.jpg"]))
        list.move(by: -1)
        #expect(list.shown == "/c.jpg")
        list.move(by: 2)
        #expect(list.shown == "/b.jpg")
    }
}

@Suite struct ResultFolderTests {
    @Test func itIsKnownBeforehandAndCanBeChosen() {
        var list = PhotographList()
        #expect(list.resultFolder(ending: " masked") == nil)
        list.add(PhotographSelection(inputs: ["/a.jpg"], photographs: ["/a.jpg"], refusal: nil, base: "/a"))
        #expect(list.resultFolder(ending: PhotographRun.ending(nil)) == "/a masked")
        #expect(list.resultFolder(ending: PhotographRun.ending(.solid)) == "/a covered")
        list.chosenFolders[" masked"] = "/elsewhere"
        #expect(list.resultFolder(ending: " masked") == "/elsewhere")
        #expect(list.resultFolder(ending: " covered") == "/a covered", "not among recognisable ones")
        // What is refused changes nothing.
        list.add(PhotographSelection(inputs: [], photographs: [], refusal: "no"))
        #expect(list.resultFolder(ending: " masked") == "/elsewhere")
    }

    /// Results of another choice go elsewhere.
    @Test func anotherFolderOrCoverIsAnotherRun() {
        var results = PhotographResults(folder: "/in masked")
        results.hasFolder = true
        let run = PhotographRun(inputs: ["/in"], masks: ["/masks/wolf"])
        let work = PhotographWork.none.ended(run, .success(results))
        #expect(work.next(PhotographRun(inputs: ["/in"], masks: ["/masks/wolf"], cover: .blur)).left == nil)
        #expect(work.next(PhotographRun(inputs: ["/in"], masks: ["/masks/wolf"], chosenFolder: "/x")).left == nil)
    }

    /// Who only tries masks on sees no text that comes and goes.
    @Test func meanwhileTheFolderOfAnotherMaskIsShown() {
        func run(_ input: FilePath, _ mask: FilePath, chosenFolder: FilePath? = nil) -> PhotographRun {
            PhotographRun(inputs: [input], masks: [mask], chosenFolder: chosenFolder)
        }
        let found = PhotographList.FoundFolder(run: run("/in", "/wolf"), folder: "/in masked")
        #expect(found.shown(before: run("/in", "/owl")) == "/in masked")
        #expect(found.shown(before: run("/other", "/wolf")) == nil)
        #expect(found.shown(before: run("/in", "/wolf", chosenFolder: "/x")) == nil)
        #expect(found.shown(before: PhotographRun(inputs: ["/in"], masks: [], cover: .blur)) == nil)
    }

    /// The mask that was worn before decides nothing.
    @Test func theSameCoversAreTheSameRun() {
        var results = PhotographResults(folder: "/in covered", areCovered: true)
        results.hasFolder = true
        let run = PhotographRun(inputs: ["/in"], masks: ["/masks/wolf"], cover: .blur)
        let work = PhotographWork.none.ended(run, .success(results))
        let next = work.next(PhotographRun(inputs: ["/in"], masks: ["/masks/owl", "/masks/fox"], cover: .blur))
        #expect(next.left == 0 && next.run.folder == "/in covered" && next.run.masks.isEmpty)
        #expect(work.next(PhotographRun(inputs: ["/in"], masks: [], cover: .solid)).left == nil)
    }

    @Test func coveredPhotographsAreCalledSo() {
        var results = PhotographResults(folder: "/in covered", areCovered: true)
        results.masked = 3
        results.noteFaceless("sea.jpg")
        #expect(results.text == "3 covered, 1 without a face, left out (sea.jpg)")
    }
}

@Suite struct WornTextTests {
    /// In a photograph with a crowd, a list would push the masks away.
    @Test func manyFacesAreCounted() {
        func text(_ masks: [FilePath?]) -> WornText {
            let faces = masks.map { ShownFace(box: FaceBox(x: 0, y: 0, width: 9, height: 9), mask: $0, usual: "/wolf") }
            return WornText(faces, masks: "wolf, owl", count: 2) { $0.map { "\($0.name)" } ?? "no mask" }
        }
        #expect(text([]).whole == "wolf, owl: one face after another")
        #expect(
            text([nil]).whole == "wolf, owl: this face wears no mask"
                && text([nil]).short == "2 masks: this face wears no mask")
        #expect(text(["/wolf", "/owl", nil]).whole == "From the left: 1 wolf, 2 owl, 3 no mask")
        #expect(text(["/wolf", "/owl", nil]).short == "3 faces, 2 masks in turn, 2 chosen by you")
        #expect(text(["/wolf", "/wolf"]).short == "2 faces, 2 masks in turn")
    }
}

@Suite struct FaceLabelsTests {
    private let view = Point(200, 100)

    private func face(_ x: Float, _ y: Float) -> FaceLabels.Face {
        FaceLabels.Face(corner: Point(x, y), size: Point(30, 30), number: Point(20, 22), whole: Point(80, 22))
    }

    @Test func labelsStayInSight() {
        let labels = FaceLabels.arranged([face(0, 0), face(180, 60), face(300, 50)], in: view)
        #expect(labels[0]?.label.place == Point(4, 4) && labels[0]?.isWhole == true)
        #expect(labels[1]?.label.place == Point(116, 36) && labels[1]?.isWhole == true)
        #expect(labels[2] == nil, "the face is out of sight")
        #expect(FaceLabels.whole(face(180, 60), in: view).place == Point(116, 36))
    }

    /// Where names have no room, all numbers are seen.
    @Test func labelsLeaveEachOtherRoom() {
        let apart = FaceLabels.arranged([face(10, 40), face(100, 40)], in: view)
        #expect(apart.allSatisfy { $0?.isWhole == true })
        let crowd = (0..<6).map { face(30 * Float($0), 40) }
        let labels = FaceLabels.arranged(crowd, in: view).compactMap { $0 }
        #expect(labels.count == 6 && labels.contains { !$0.isWhole })
        for (index, one) in labels.enumerated() {
            for other in labels[..<index] { #expect(!one.label.overlaps(other.label)) }
        }
    }
}

@Suite struct PhotographTurnTests {
    /// Each photograph by itself; four quarters are none.
    @Test func aPhotographIsTurned() {
        var list = PhotographList()
        list.turn(toRight: true)
        list.add(PhotographSelection(inputs: ["/a", "/b"], photographs: ["/a", "/b"], refusal: nil))
        #expect(list.turns.isEmpty)
        list.turn(toRight: true)
        #expect(list.turns == ["/a": .turnRight])
        list.move(by: 1)
        list.turn(toRight: false)
        #expect(list.turns == ["/a": .turnRight, "/b": .turnLeft])
        for _ in 0..<3 { list.turn(toRight: false) }
        #expect(list.turns == ["/a": .turnRight])
    }

    /// What was masked before lies on its side.
    @Test func aTurnedPhotographIsMaskedAnew() {
        let run = PhotographRun(inputs: ["/in"], masks: ["/masks/wolf"])
        var results = PhotographResults(folder: "/in masked")
        results.hasFolder = true
        let work = PhotographWork.none.ended(run, .success(results))
        #expect(work.next(run).left == 0)
        let turned = PhotographRun(inputs: ["/in"], masks: ["/masks/wolf"], turns: ["/in/a": .turnLeft])
        #expect(work.next(turned).left == nil && work.next(turned).run.folder == nil)
    }
}

@Suite struct ComparisonHalvesTests {
    @Test func aPhotographAndItsResultHaveEqualRooms() {
        let wide = ComparisonHalves(of: Point(1000, 500), in: Point(612, 700))
        #expect(wide.size == Point(612, 344) && wide.second == Point(0, 356))
        let high = ComparisonHalves(of: Point(500, 1000), in: Point(612, 700))
        #expect(high.size == Point(300, 700) && high.second == Point(312, 0))
    }
}

@Suite struct MaskChoiceTests {
    /// While somebody searches, arrows go through what is found.
    @Test func aStepGoesThroughSomeMasks() {
        var choice = MaskChoice(count: 9, chosen: [2])
        choice.move(by: 1, among: [1, 4, 7])
        #expect(choice.all == [1], "the first one")
        choice.move(by: 1, among: [1, 4, 7])
        #expect(choice.all == [4])
        choice.move(by: -2, among: [1, 4, 7])
        #expect(choice.all == [7])
        choice.move(by: -1, among: [0, 3])
        #expect(choice.all == [3], "the last one")
        choice.move(by: 1, among: [])
        #expect(choice.all == [3])
    }

    @Test func aClickChoosesOneMask() {
        var choice = MaskChoice(count: 9, chosen: [2])
        #expect(choice.all == [2])
        choice.toggle(5)
        choice.choose(7)
        #expect(choice.all == [7] && choice.current == 7)
        choice.move(by: 3)
        #expect(choice.all == [1])
    }

    @Test func controlClicksAddAndTakeAway() {
        var choice = MaskChoice(count: 9, chosen: [2])
        choice.toggle(5)
        choice.toggle(3)
        #expect(choice.all == [2, 5, 3] && choice.current == 3)
        choice.toggle(5)
        #expect(choice.all == [2, 3] && choice.current == 3)
        choice.toggle(3)
        #expect(choice.all == [2] && choice.current == 2)
        choice.toggle(2)
        #expect(choice.all == [2], "somebody wears something")
    }

    @Test func keptMasksStayWhileOthersAreTried() {
        var choice = MaskChoice(count: 9, chosen: [2])
        choice.toggleKept()
        choice.move(by: 1)
        #expect(choice.all == [2, 3])
        choice.move(by: 1)
        #expect(choice.all == [2, 4])
        choice.move(to: 2)
        #expect(choice.all == [2])
        choice.toggleKept()
        choice.move(by: -1)
        #expect(choice.all == [1])
    }

    /// As with one mask: what is searched for comes in place of what is seen.
    @Test func aFoundMaskReplacesTheOneInView() {
        var choice = MaskChoice(count: 9, chosen: [1, 2, 3])
        choice.replace(2, with: 7)
        #expect(choice.all == [1, 7, 3] && choice.current == 7)
        choice.replace(5, with: 8)
        #expect(choice.all == [1, 7, 3, 8], "nobody wears the fifth")
        choice.replace(1, with: 3)
        #expect(choice.all == [1, 7, 3], "it is among them already")
        choice = MaskChoice(count: 9, chosen: [4])
        choice.replace(4, with: 5)
        #expect(choice.all == [5])
        // Space asks for another one.
        choice.toggleKept()
        choice.replace(5, with: 6)
        #expect(choice.all == [5, 6])
        choice.replace(5, with: 0)
        #expect(choice.all == [5, 0], "what is kept stays, and the current one makes room")
        choice.toggle(3)
        choice.replace(5, with: 8)
        choice.replace(5, with: 7)
        #expect(choice.all == [5, 0, 3, 7])
    }

    @Test func aLetterLeadsToTheNextMaskWithIt() {
        let names = ["fox", "owl", "Frog", "wolf"]
        var choice = MaskChoice(count: 4, chosen: [1])
        func isMoved(_ letter: Character) -> Bool { choice.move(toNextBeginning: letter, of: names) }
        #expect(isMoved("f") && choice.current == 2)
        #expect(isMoved("f") && choice.current == 0)
        #expect(!isMoved("x") && choice.current == 0)
        choice.toggleKept()
        #expect(isMoved("w") && choice.all == [0, 3], "what is kept stays")
        #expect(!isMoved("w"), "there is no other one")
    }

    @Test func severalMasksAreChosenAtFirst() {
        let choice = MaskChoice(count: 9, chosen: [4, 1])
        #expect(choice.all == [4, 1] && choice.current == 1)
    }
}

@Suite struct PhotographResultsTests {
    @Test func theTextNamesWhatToLookAt() {
        var results = PhotographResults(folder: "/out")
        results.masked = 5
        #expect(results.text == "5 masked" && results.wholeText == "5 photographs masked")
        results.noteFaceless("sea.jpg")
        #expect(results.text == "5 masked, 1 without a face, copied (sea.jpg)")
        for letter in "bcdefghij" { results.noteFaceless("\(letter).jpg") }
        let names = "sea.jpg, b.jpg, c.jpg, d.jpg, e.jpg, f.jpg, g.jpg, h.jpg and 2 more"
        #expect(results.text == "5 masked, 10 without a face, copied (\(names))")
    }

    /// Faces were found, and nobody was to wear anything.
    @Test func facesWithoutMasksAreNoPhotographsWithoutFaces() {
        var results = PhotographResults(folder: "/out")
        results.noteUnchanged("pair.jpg")
        #expect(results.text == "0 masked, 1 left as it is (pair.jpg)")
        results.noteUnchanged("trio.jpg")
        (results.masked, results.kept) = (1, 3)
        #expect(results.text == "Nothing new: 1 masked, 2 left as they are (pair.jpg, trio.jpg)")
    }

    @Test func whatHasFailedIsNamed() {
        var results = PhotographResults(folder: "/out")
        results.noteFailed("half.jpg", "half.jpg: ends too early")
        results.noteFailed("no.jpg", "no.jpg: is empty")
        #expect(
            results.text == "0 masked, 2 failed (half.jpg, no.jpg)" && results.failure == "half.jpg: ends too early")
    }

    @Test func aRunThatFoundAllDoneSaysSo() {
        var results = PhotographResults(folder: "/out")
        (results.masked, results.kept) = (2, 2)
        #expect(results.text == "Nothing new: 2 masked")
        results.masked += 1
        #expect(results.text == "3 masked")
    }

    /// A window that is closed while a photograph is masked tells of those before it.
    @Test func whatIsDoneIsKnownMeanwhile() {
        let progress = PhotographProgress(total: 3)
        #expect(progress.results == nil)
        progress.begin(PhotographResults(folder: "/out"), total: 4)
        progress.noteOne { $0.masked += 1 }
        #expect(progress.results?.masked == 1 && progress.results?.left == 3)
    }

    @Test func aStoppedRunSaysWhatIsLeft() {
        var results = PhotographResults(folder: "/out")
        (results.masked, results.left) = (5, 11)
        #expect(results.text == "Stopped: 5 masked, 11 left")
    }
}

@Suite struct ResultRequestsTests {
    /// Whoever goes through many results waits for one, and not for all that were passed.
    @Test func onlyTheLastResultThatIsWantedFollows() {
        var requests = ResultRequests()
        let begins = ["/a", "/b", "/c"].map { requests.begin(FilePath($0)) }
        #expect(begins == [true, false, false] && requests.wanted == "/c")
        let next = requests.end("/a")
        #expect(next == "/c")
        let (last, isFree) = (requests.end("/c"), requests.begin("/d"))
        #expect(last == nil && isFree)
    }

    @Test func nothingIsReadForNobody() {
        var requests = ResultRequests()
        let isFirst = requests.begin("/a")
        requests.stop()
        #expect(isFirst && requests.wanted == nil)
        let (next, isFree) = (requests.end("/a"), requests.begin("/a"))
        #expect(next == nil && isFree)
    }
}

@Suite struct PhotographWorkTests {
    private let chosen = PhotographRun(inputs: ["/in"], masks: ["/masks/wolf"])

    private func stopped(
        masked: Int, left: Int, hasFolder: Bool = true, in folder: FilePath = "/in masked"
    ) -> PhotographTasks.Made {
        var results = PhotographResults(folder: folder)
        (results.masked, results.left, results.hasFolder) = (masked, left, hasFolder)
        return .success(results)
    }

    @Test func aStoppedRunGoesOn() {
        let work = PhotographWork.none.ended(chosen, stopped(masked: 5, left: 11))
        let next = work.next(chosen)
        #expect(next.run.folder == "/in masked" && next.left == 11)
        let other = work.next(PhotographRun(inputs: ["/in"], masks: ["/masks/fox"]))
        #expect(other.run.folder == nil && other.left == nil)
        let nothing = stopped(masked: 0, left: 16, hasFolder: false)
        #expect(PhotographWork.none.ended(chosen, nothing).next(chosen).left == nil)
    }

    /// Whoever presses Enter twice does not get everything twice.
    @Test func aWholeRunHasOneFolder() {
        let next = PhotographWork.none.ended(chosen, stopped(masked: 16, left: 0)).next(chosen)
        #expect(next.run.folder == "/in masked" && next.left == 0)
    }

    @Test func soDoesOneThatWasStoppedAgainBeforeItDidAnything() {
        let work = PhotographWork.none.ended(chosen, stopped(masked: 5, left: 11))
        let again = work.ended(work.next(chosen).run, stopped(masked: 0, left: 11))
        #expect(again.next(chosen).run.folder == "/in masked")
    }

    private let fox = PhotographRun(inputs: ["/in"], masks: ["/masks/fox"])

    private func lack(_ work: PhotographWork, _ run: PhotographRun) -> PhotographWork.Lack? {
        work.lack(of: run, first: PhotographRun(inputs: run.inputs, masks: chosen.masks))
    }

    /// Photographs that were opened and looked at lose nothing: they may have results of an earlier session.
    @Test func onlyWhoHasChosenOrBegunIsAsked() {
        #expect(lack(.none, chosen) == nil && lack(.none, fox) == .choice)
        for other in [
            PhotographRun(inputs: ["/in"], masks: ["/masks/wolf"], turns: ["/in/a.jpg": .turnLeft]),
            PhotographRun(inputs: ["/in"], masks: ["/masks/wolf"], cover: .blur),
            PhotographRun(inputs: ["/in"], masks: ["/masks/wolf"], chosenFolder: "/out"),
        ] {
            #expect(lack(.none, other) == .choice)
        }
        let work = PhotographWork.none.ended(chosen, stopped(masked: 5, left: 11))
        #expect(lack(work, chosen) == .photographs)
    }

    /// Whoever has tried another mask since is asked before the window closes.
    @Test func anotherChoiceLacksResults() {
        let work = PhotographWork.none.ended(chosen, stopped(masked: 16, left: 0))
        #expect(lack(work, chosen) == nil)
        for other in [fox, PhotographRun(inputs: ["/in"], masks: ["/masks/wolf"], cover: .blur)] {
            #expect(lack(work, other) == .choice)
        }
        #expect(lack(work, PhotographRun(inputs: ["/in", "/more"], masks: ["/masks/wolf"])) == .photographs)
    }

    /// Both have their results, and they can be looked at.
    @Test func aChoiceThatWasMaskedBeforeHasItsResults() {
        let both = PhotographWork.none.ended(chosen, stopped(masked: 16, left: 0))
            .ended(fox, stopped(masked: 15, left: 0, in: "/in masked 2"))
        #expect(lack(both, chosen) == nil && lack(both, fox) == nil)
        #expect(both.results(of: chosen)?.results.masked == 16 && both.results(of: fox)?.results.masked == 15)
        let next = both.next(chosen)
        #expect(next.run.folder == "/in masked" && next.left == 0)
        let more = both.ended(chosen, stopped(masked: 16, left: 2))
        #expect(lack(more, chosen) == .photographs, "new ones have come")
        let part = PhotographWork.none.ended(chosen, stopped(masked: 5, left: 11))
            .ended(fox, stopped(masked: 16, left: 0, in: "/in masked 2"))
        #expect(lack(part, chosen) == .choice && part.results(of: chosen) == nil)
    }

    @Test func replacedResultsAreGone() {
        let work = PhotographWork.none.ended(chosen, stopped(masked: 16, left: 0))
            .ended(fox, stopped(masked: 16, left: 0))
        #expect(lack(work, chosen) == .choice && lack(work, fox) == nil && work.results(of: chosen) == nil)
        // Also if only some are.
        let part = PhotographWork.none.ended(chosen, stopped(masked: 16, left: 0))
            .ended(fox, stopped(masked: 5, left: 11))
        #expect(lack(part, chosen) == .choice && lack(part, fox) == .photographs)
    }

    /// They are neither of this choice nor without a result.
    @Test func aStoppedRunTellsWhichResultsItHasNotReplaced() {
        var results = PhotographResults(folder: "/in masked")
        (results.masked, results.left) = (2, 8)
        #expect(results.wholeText == "Stopped: 2 photographs masked, 8 left")
        results.outdated = 8
        #expect(results.text == "Stopped: 2 masked, 8 left (8 keep the results of the choice before)")
        results.outdated = 1
        #expect(results.text == "Stopped: 2 masked, 8 left (1 keeps the result of the choice before)")
    }

    @Test func aFailureLeavesWhatWasDone() {
        let work = PhotographWork.none.ended(chosen, stopped(masked: 5, left: 11))
        #expect(work.ended(chosen, .failure(PhotographObstacle("no"))).next(chosen).left == 11)
        let nothing = PhotographResults(folder: "/in masked")
        #expect(work.ended(chosen, .failure(PhotographObstacle("no")), begun: nothing).next(chosen).left == 11)
    }

    /// Some results are those of the run that failed.
    @Test func aFailureInTheMiddleLeavesNothingWhole() throws {
        let begun = try stopped(masked: 5, left: 11).get()
        let work = PhotographWork.none.ended(chosen, stopped(masked: 16, left: 0))
            .ended(fox, .failure(PhotographObstacle("no")), begun: begun)
        #expect(lack(work, chosen) == .choice && lack(work, fox) == .photographs)
        #expect(work.next(chosen).left == nil && work.next(fox).left == 11)
        // In another folder, nothing was replaced.
        let beside = try stopped(masked: 5, left: 11, in: "/in masked 2").get()
        let both = PhotographWork.none.ended(chosen, stopped(masked: 16, left: 0))
            .ended(fox, .failure(PhotographObstacle("no")), begun: beside)
        #expect(lack(both, chosen) == nil && lack(both, fox) == .photographs)
    }
}

@Suite struct ChosenFilesTests {
    @Test(arguments: [
        ("/a.jpg", ["/a.jpg"]), ("/a.jpg\n/b c.jpg", ["/a.jpg", "/b c.jpg"]), ("/a\nb.jpg\n/c", ["/a\nb.jpg", "/c"]),
    ]) func aDialogGivesOnePathInEachLine(_ lines: String, _ paths: [String]) {
        #expect(FileChooser.paths(Array(lines.utf8)) == paths.map { FilePath($0) })
    }
}
