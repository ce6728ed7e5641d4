import Clips
import Display
import FrameProcessing
import JSON
import LiveControl
import LiveWindow
import SourceSelection
import TestSupport
import Testing

/// What the window offers while its source gives no picture.
@Suite struct StartPageTests {
    private struct Broken: Error, CustomStringConvertible { let description = "it is broken" }

    /// Who wants another source than a clip that has ended gets the whole page, and comes back to its end.
    @Test func whoWantsAnotherSourceSeesThePageAtTheEndOfAClip() throws {
        let another = StartPage(insteadOfPicture: [], unusable: [])
        let end = try #require(page(.clip("film.mp4"), seconds: 9) { $0.hasEnded = true })
        #expect(end.canPlayAgain && StartPage.seen(end, another: another, isClosed: false) == another)
        #expect(StartPage.seen(end, another: nil, isClosed: false) == end)
        #expect(StartPage.seen(end, another: nil, isClosed: true) == nil)
        #expect(StartPage.seen(nil, another: another, isClosed: false) == another)
        let waiting = try #require(page { $0.waiting = "it is busy" })
        #expect(StartPage.seen(waiting, another: another, isClosed: false) == waiting, "it says why")
    }

    private func page(
        _ input: SourceOptions.Input = .camera(nil), seconds: Double? = nil, unusable: [String] = [],
        change: (inout FramePipeline.Status) -> Void
    ) -> StartPage? {
        var status = FramePipeline.Status()
        change(&status)
        return StartPage(
            status, of: input, name: "film.mp4", secondsWithoutFrame: seconds, cameras: [], unusable: unusable)
    }

    @Test func whatGivesFramesHasNoPage() {
        #expect(page { _ in } == nil)
        #expect(page(.clip("film.mp4")) { $0.capturedFrames = 3 } == nil)
        // The next picture of a folder may be readable.
        #expect(page(.pictures("album")) { $0.waiting = "album/1.jpg: is broken" } == nil)
    }

    /// As a folder of pictures: none of them has a name for all.
    @Test func severalPicturesAreCounted() throws {
        let pictures = SourceOptions.Input.several(["a.jpg", "b.jpg"])
        #expect(page(pictures) { $0.waiting = "b.jpg: is broken" } == nil)
        #expect(page(pictures) { $0.failure = Broken() }?.title == "2 pictures cannot be read")
        #expect(!pictures.isDrawn)
        var options = SourceOptions()
        options.input = pictures
        let description = try options.description(reference: Repository.referenceFace()) { _ in }
        #expect(description.name == "2 pictures" && description.showsStills && !description.isMirrored)
    }

    /// A camera that has just gone may be back soon, and a clip's last picture stays for a moment.
    @Test func theLastPictureStaysForAMoment() {
        #expect(page(seconds: 0.5) { $0.waiting = "unplugged" } == nil)
        #expect(page(seconds: 0.5) { $0.hasEnded = true } == nil)
        #expect(page(seconds: 2) { $0.waiting = "unplugged" }?.reason == "unplugged")
        #expect(page(seconds: 2) { $0.hasEnded = true }?.title == "film.mp4 has ended")
    }

    @Test func thePageSaysWhy() {
        let missing = page(unusable: ["busy", "forbidden"]) { $0.waiting = "busy" }
        #expect(missing?.title == "Waiting for a camera" && missing?.reason == "busy")
        #expect(missing?.unusableCameras == ["forbidden"])
        // What a command line would be told is a button here.
        let advice = "No camera. To continue without a camera, name a clip or 'drawn'."
        #expect(page { $0.waiting = advice }?.reason == "No camera.")
        let failed = page(.clip("film.mp4")) { ($0.failure, $0.hasEnded) = (Broken(), true) }
        #expect(failed?.title == "film.mp4 cannot be read" && failed?.reason == "it is broken")
        #expect(failed?.canPlayAgain == false)
        #expect(page(.pictures("/a/b.jpg")) { $0.failure = Broken() }?.title == "b.jpg cannot be read")
        #expect(page(.drawn) { $0.failure = Broken() }?.title == "film.mp4 cannot be shown")
    }

    /// The words of ffmpeg help nobody in a window.
    @Test(arguments: [ClipError.Kind.notAVideo, .damaged]) func ffmpegsWordsAreNotShown(_ kind: ClipError.Kind) {
        let words = "ffmpeg cannot decode it: [mjpeg @ 0x55dd] unable to decode"
        let error = ClipError(kind, path: "/a/film.mp4", words, quotesFFmpeg: true)
        let reason = page(.clip("/a/film.mp4")) { $0.failure = error }?.reason ?? ""
        #expect(reason.hasPrefix("film.mp4 ") && !reason.contains("ffmpeg") && !reason.contains("@"), "\(reason)")
        #expect(ErrorNotice(error).details == "\(error)")
        // What this program says itself is.
        let empty = ErrorNotice(ClipError(kind, path: "film.mp4", "is empty (0 bytes)"))
        #expect(empty.text == "film.mp4: is empty (0 bytes)" && empty.details == nil)
        let own = ErrorNotice(ClipError(kind, path: "film.mp4", "its format could make ffmpeg open other files"))
        #expect(own.text == "film.mp4: its format could make ffmpeg open other files" && own.details == nil)
    }

    /// One click plays the clip again with masks on them.
    @Test func facesWithoutMasksAreSaidAtTheEndOfAClip() {
        func end(_ missed: MissedFaces?) -> StartPage? {
            var status = FramePipeline.Status()
            status.hasEnded = true
            return StartPage(
                status, of: .clip("film.mp4"), name: "film.mp4", secondsWithoutFrame: 2, cameras: [], unusable: [],
                missed: missed)
        }
        #expect(end(.smaller(1))?.reason == "At least 1 face was too small for a mask")
        #expect(end(.smaller(3))?.reason == "At least 3 faces were too small for a mask")
        #expect(end(.everyFace(canSearchSmaller: true))?.reason == "No face was found")
        #expect(end(nil)?.actions.first == .tryAgain && end(nil)?.reason == nil)
        for missed in [MissedFaces.smaller(2), .everyFace(canSearchSmaller: true)] {
            #expect(end(missed)?.actions.prefix(2) == [.maskSmallerFaces, .tryAgain])
        }
        // Where smaller ones cannot be looked for, that is no reason to say nothing.
        let nobody = end(.everyFace(canSearchSmaller: false))
        #expect(nobody?.reason == "No face was found" && nobody?.actions.first == .tryAgain)
        var focus = StartPageFocus()
        focus.page = end(.smaller(2))
        #expect(focus.take(.letter("p")) == .some(.some(.maskSmallerFaces)))
        #expect(focus.take(.letter("m")) == nil, "it mirrors")
    }

    @Test func aFileCanAlwaysBeChosen() {
        #expect(page { $0.waiting = "none" }?.actions == [.wearOnDrawnFace, .chooseFile, .tryAgain])
    }

    /// Who sees a picture gets there, too, and O always opens files.
    @Test func otherSourcesAreOfferedBesideAPicture() {
        let page = StartPage(insteadOfPicture: [], unusable: [])
        #expect(page.hasPicture && page.actions == [.wearOnDrawnFace, .chooseFile])
        var keys = KeyInput()
        for key in [WindowEvent.Key.letter("o"), .control("o", shift: false)] {
            #expect(keys.command(for: key, KeyBindings()) == .show(.chooseFile))
        }
    }

    @Test func whatHasEndedIsPlayedAgainFirst() {
        let page = page(.clip("film.mp4"), seconds: 2) { $0.hasEnded = true }
        #expect(page?.canPlayAgain == true && page?.actions == [.tryAgain, .wearOnDrawnFace, .chooseFile])
    }

    @Test func keysMoveAndChoose() throws {
        var keys = KeyInput()
        func press(_ key: WindowEvent.Key) -> SessionCommand? { keys.command(for: key, KeyBindings()) }
        #expect(press(.tab) == .showPanel(.toggle) && press(.letter("d")) == nil)
        keys.startPage.page = page { $0.waiting = "none" }
        #expect(press(.enter) == .show(.wearOnDrawnFace) && press(.space) == .show(.wearOnDrawnFace))
        #expect(press(.tab) == .showPanel(.toggle) && press(.enter) == .show(.wearOnDrawnFace))
        #expect(press(.right) == nil && press(.enter) == .show(.chooseFile))
        #expect(press(.down) == nil && press(.enter) == .show(.tryAgain))
        #expect(press(.right) == nil && press(.enter) == .show(.wearOnDrawnFace))
        #expect(press(.up) == nil && press(.left) == nil && press(.enter) == .show(.chooseFile))
        // The same button keeps the keyboard when the page changes.
        keys.startPage.page = page(.clip("film.mp4"), seconds: 2) { $0.hasEnded = true }
        #expect(press(.enter) == .show(.chooseFile) && press(.up) == nil && press(.enter) == .show(.wearOnDrawnFace))
        #expect(press(.letter("t")) == .show(.tryAgain) && press(.letter("o")) == .show(.chooseFile))
        // The last picture is in sight.
        #expect(press(.right) == .control(.next) && press(.left) == .control(.previous))
        #expect(press(.letter("m")) == .mirror(.toggle))
        // Covering works everywhere.
        #expect(press(.letter("c")) == .control(.cover(.toggle)))
        #expect(press(.function(12)) == .control(.cover(.toggle)))
        let own = KeyBindings(try JSONValue(parsing: #"{"d": "cover toggle"}"#)) { Issue.record("\($0)") }
        let command = keys.command(for: .letter("d"), own)
        #expect(command != nil && command != .show(.wearOnDrawnFace), "also with a key of the user's own: \(own)")
        // Beside the panel, whose are the arrows and Enter, the letters on the buttons hold on.
        keys.startPage.isBesidePanel = true
        for (letter, action) in [("t", StartPage.Action.tryAgain), ("d", .wearOnDrawnFace), ("o", .chooseFile)] {
            #expect(press(.letter(Character(letter))) == .show(action))
        }
        #expect(press(.enter) == .wearFirstFound && press(.down) == .moveInGallery(rows: 1))
        #expect(press(.space) == .pause(.toggle))
        keys.startPage = StartPageFocus()
        #expect(press(.enter) == .wearFirstFound)
    }
}
