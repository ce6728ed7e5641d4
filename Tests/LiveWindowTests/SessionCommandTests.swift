import Display
import FaceTracking
import LiveControl
import LiveWindow
import Testing

/// What keys ask for, and what commands will do.
@Suite struct SessionCommandTests {
    @Test func keysHaveAMeaningByThemselves() {
        var keys = KeyInput()
        let bindings = KeyBindings()
        #expect(keys.command(for: .left, bindings) == .control(.previous))
        #expect(keys.command(for: .digit(0), bindings) == .control(.mask(.toggle)))
        #expect(keys.command(for: .digit(3), bindings) == .wearAtPlace(3))
        #expect(keys.command(for: .function(12), bindings) == .control(.cover(.toggle)))
        #expect(keys.command(for: .function(6), bindings) == .showPanel(.on))
        #expect(keys.command(for: .escape, bindings) == .dismiss)
        #expect(keys.command(for: .letter("q"), bindings) == .askToQuit)
        #expect(keys.command(for: .up, bindings) == .moveInGallery(rows: -1))
        #expect(keys.command(for: .minus, bindings) == .enlarge(steps: -1))
        #expect(keys.command(for: .control("+", shift: false), bindings) == .enlarge(steps: 1))
        #expect(keys.command(for: .pageUp, bindings) == nil)
    }

    @Test func theUsersChoiceComesFirst() {
        var (keys, bindings) = (KeyInput(), KeyBindings())
        bindings.set(.letter("m"), .snapshot)
        bindings.set(.letter("x"), .quit)
        #expect(keys.command(for: .letter("m"), bindings) == .control(.snapshot))
        #expect(keys.command(for: .letter("x"), bindings) == .askToQuit)
    }

    @Test func theNextKeyAnswersAQuestion() {
        let bindings = KeyBindings()
        var keys = KeyInput()
        keys.asksToQuit = true
        #expect(keys.command(for: .letter("q"), bindings) == .control(.quit))
        keys.asksToQuit = true
        #expect(keys.command(for: .escape, bindings) == .takeBackGesture)
        #expect(keys.command(for: .letter("q"), bindings) == .askToQuit, "any other key has answered no")
    }

    /// Nobody loses a recording or a GIF by quitting without having been told.
    @Test func quittingIsAskedAbout() throws {
        #expect(KeyInput.quitQuestion(isRecording: false, isMakingGIF: false) == nil)
        for isRecording in [true, false] {
            let question = try #require(KeyInput.quitQuestion(isRecording: isRecording, isMakingGIF: true))
            #expect(question.contains("GIF") && question.contains("recording") == isRecording)
        }
        #expect(KeyInput.quitQuestion(isRecording: true, isMakingGIF: false)?.contains("GIF") == false)
    }

    @Test func theNextKeyIsTheOneThatIsChosen() {
        var (keys, bindings) = (KeyInput(), KeyBindings())
        bindings.set(.letter("q"), .next)
        keys.commandForKey = .snapshot
        #expect(keys.command(for: .letter("q"), bindings) == .bindKey(.letter("q"), .snapshot))
        #expect(keys.command(for: .letter("q"), bindings) == .control(.next))
    }

    /// What a gesture is about to do is shown first, and holds also if the state changes meanwhile.
    @Test func togglesAreResolved() {
        let states = SwitchStates(isMaskOn: true, isRecording: false, isCovered: false)
        #expect(states.resolved(.mask(.toggle)) == .mask(.off) && states.title(of: .mask(.toggle)) == "mask off")
        #expect(states.resolved(.record(.toggle)) == .record(.on))
        #expect(states.resolved(.cover(.toggle)) == .cover(.on) && states.hides(.cover(.toggle)))
        #expect(states.resolved(.next) == .next && !states.hides(.cover(.off)) && !states.hides(.mask(.off)))
    }

    /// The panel may look for smaller faces, and never shows one that would be hidden without it.
    @Test func theSmallestFaceIsOnlyLowered() {
        var settings = LiveSettings()
        settings.smallestFace = .pixels(72)
        #expect(settings.smallestFace(wanted: 0.3, ofHeight: 720) == 0.1)
        #expect(settings.smallestFace(wanted: 0.05, ofHeight: 720) == 0.05)
    }
}
