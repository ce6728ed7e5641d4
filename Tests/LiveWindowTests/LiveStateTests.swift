import CGraphics
import CImGui
import Compositing
import Display
import FaceTracking
import Files
import Foundation
import Graphics
import Installation
import LiveWindow
import MaskRendering
import Pixels
import TestSupport
import Testing
import Threads

/// What a session and its threads know of each other.
@Suite struct LiveStateTests {
    /// Whatever changes the picture changes how the frame of a pause is to look.
    @Test func aHeldFrameIsDrawnAgain() throws {
        let (reference, mesh) = (try Repository.referenceFace(), try Repository.mesh())
        let renderer = MaskRenderer(softwareFor: reference, mesh: mesh)
        let other = MaskRenderer(softwareFor: reference, mesh: mesh)
        let compositor = FaceCompositor(mask: nil, reference: reference, mesh: mesh, whenLost: .keep)
        let look = HeldLook(compositor, renderer)
        #expect(look == HeldLook(compositor, renderer))
        #expect(look != HeldLook(compositor, other))
        for change in [
            { $0.lostFaces.policy = .blur }, { $0.faces = .largest(1) }, { $0.opacity = 0.5 },
            { $0.effects.chosen = NoEffect() },
        ] as [(inout FaceCompositor) -> Void] {
            var changed = compositor
            change(&changed)
            #expect(look != HeldLook(changed, renderer))
        }
        for change in [
            { $0.revision = 1 }, { $0.showsMesh = true }, { $0.takesSnapshot = true }, { $0.isMaskOff = true },
            { $0.isCovered = true }, { $0.fade = 0.5 },
        ] as [(inout HeldLook) -> Void] {
            var changed = look
            change(&changed)
            #expect(look != changed)
        }
    }

    private final class NoEffect: FrameEffect {
        func apply(to picture: inout PixelBuffer) {}
        func interrupt() {}
    }

    /// Two threads choose at the same time, each another model: neither choice is lost.
    @Test func choicesOfModelsAreNotLost() {
        let controls = TrackerControls(FaceModels(), identifier: nil) { nil }
        let ended = Mailbox<Bool>()
        var other: DedicatedThread.Handle?
        controls.changeModels { models in
            other = try? DedicatedThread.start {
                controls.changeModels { $0.landmarks = .mesh }
                _ = ended.replace(true)
            }
            // The other choice waits for this one. If it did not, it would be over by now.
            _ = ended.take(waiting: 0.5)
            models.detector = .hog
        }
        other?.join()
        #expect(controls.models.landmarks == .mesh && controls.models.detector == .hog)
    }

    /// What cannot be loaded does not undo what has been chosen meanwhile.
    @Test func aRefusalLeavesNewerChoices() {
        let used = FaceModels()
        let controls = TrackerControls(used, identifier: nil) { nil }
        controls.changeModels { $0.detector = .lbp }
        let wanted = controls.models
        controls.refuse(wanted, reason: "no file", used: used)
        #expect(controls.models == used)
        controls.changeModels { $0.detector = .lbp }
        controls.changeModels { $0.landmarks = .mesh }
        let newest = controls.models
        controls.refuse(wanted, reason: "no file", used: used)
        #expect(controls.models == newest)
        if case .models(let refused, let reason)? = controls.takeFailure() {
            #expect(refused == wanted && reason == "no file")
        } else {
            Issue.record("the refusal is not said")
        }
        #expect(controls.takeFailure() == nil)
    }

    /// The nose points and clicks only while mouse and keyboard rest.
    @Test func theHandGoesBeforeAnotherPointer() async {
        await #expect(processExitsWith: .success) {
            setenv("SDL_VIDEODRIVER", "offscreen", 1)
            let shaders = try DataFolder(path: FilePath(Repository.root)).shaders("FramePresenter")
            let window = try DisplayWindow(title: "Bauta", width: 400, height: 200, scale: 1, shaders: shaders)
            func isClicked() -> Bool {
                var isClicked = false
                for isDown in [false, false, false, true, false, false] {
                    window.show(isMirrored: false, pointer: .init(x: 0.08, y: 0.1, isDown: isDown)) { panels in
                        panels.floating("button", x: 0, y: 0) {
                            isClicked = panels.button("a button that is large enough") || isClicked
                        }
                    }
                }
                return isClicked
            }
            func moveMouse(to x: Int32) {
                var event = SDL_Event()
                event.motion.type = SDL_MOUSEMOTION.rawValue
                (event.motion.x, event.motion.y) = (x, 50)
                cimgui_process_event(&event)
            }
            #expect(isClicked())
            // One unit is of the desk.
            for x in [100, 101, 100] { moveMouse(to: Int32(x)) }
            #expect(isClicked())
            var key = SDL_Event()
            key.type = SDL_KEYDOWN.rawValue
            cimgui_process_event(&key)
            #expect(!isClicked())
        }
    }

    /// Who is asked something chooses with the arrows, and Enter takes what is framed. In a dialog with a list, arrows are the
    /// list's until a button has the keyboard.
    @Test func arrowsMoveBetweenTheButtonsOfADialog() async {
        // In a process of its own, because SDL has one video system for all threads.
        await #expect(processExitsWith: .success) {
            setenv("SDL_VIDEODRIVER", "offscreen", 1)
            let shaders = try DataFolder(path: FilePath(Repository.root)).shaders("FramePresenter")
            let window = try DisplayWindow(title: "Bauta", width: 400, height: 200, scale: 1, shaders: shaders)
            func pressed(_ keys: [WindowEvent.Key], hasField: Bool = false, isInFront: Bool = true) -> [String] {
                var result: [String] = []
                func show() {
                    window.show(isMirrored: false) { panels in
                        panels.controls {
                            panels.area("ask", x: 0, y: 0, width: 400, height: 200, isInFront: isInFront) {
                                if hasField { _ = panels.field("name", "") }
                                if panels.defaultButton("yes") { result.append("yes") }
                                if panels.button("no") { result.append("no") }
                                if panels.button("cancel") { result.append("cancel") }
                            }
                        }
                    }
                }
                // Each starts anew: without any panel, nothing has the keyboard.
                for _ in 0..<2 { window.show(isMirrored: false) { _ in } }
                for _ in 0..<2 { show() }
                for key in keys {
                    if !window.steer(key) { result.append("not taken") }
                    show()
                }
                return result
            }
            for key in [WindowEvent.Key.right, .down] {
                #expect(pressed([key, .enter]) == ["no"])
                #expect(pressed([key, key, .space]) == ["cancel"])
            }
            for key in [WindowEvent.Key.left, .up] {
                #expect(pressed([key, .enter]) == ["cancel"])
                #expect(pressed([.right, .right, key, .enter]) == ["no"])
            }
            #expect(pressed([.enter]) == ["not taken"])
            #expect(pressed([.right], hasField: true) == ["not taken"])
            #expect(pressed([.tab, .left, .enter], hasField: true) == ["yes"])
            #expect(pressed([.right], isInFront: false) == ["not taken"])
        }
    }

    @Test func theSmallestFaceIsChosenFromAFewSizes() {
        func labels(_ current: Float) -> [String] {
            LiveSettings.smallestFaces(from: 3, to: 10, with: current).map {
                $0.label.replacing(" of height", with: "")
            }
        }
        #expect(labels(10) == ["10 %, the fastest", "7 %", "5 %", "3 %, the slowest"])
        #expect(labels(4.9) == labels(10), "computed from pixels")
        let few = LiveSettings.smallestFaces(from: 3, to: 5, with: 5)
        #expect(few.map(\.label) == ["5 % of height, the fastest", "3 % of height, the slowest"])
        #expect(labels(8) == ["10 %, the fastest", "8 %", "7 %", "5 %", "3 %, the slowest"])
    }

    /// A window that cannot be made leaves neither itself nor SDL's video system.
    @Test func aWindowWithoutShadersIsClosed() async {
        // In a process of its own, because SDL has one video system for all threads.
        await #expect(processExitsWith: .success) {
            setenv("SDL_VIDEODRIVER", "offscreen", 1)
            let good = try DataFolder(path: FilePath(Repository.root)).shaders("FramePresenter")
            let broken = ShaderSources(
                vertex: good.vertex, vertexPath: good.vertexPath, fragment: "no shader", fragmentPath: "broken.frag")
            let error = #expect(throws: GraphicsError.self) {
                _ = try DisplayWindow(title: "Bauta", width: 64, height: 64, shaders: broken)
            }
            #expect(error?.kind == .shader, "\(String(describing: error))")
            #expect(SDL_GetCurrentVideoDriver() == nil)
        }
    }
}
