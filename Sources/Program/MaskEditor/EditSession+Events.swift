import Display
import FaceGeometry

/// Keys, and files dropped on the window.
extension EditSession {
    func handle(_ event: WindowEvent) {
        if case .key = event, fileChooser.dialog.takeLeave() { _ = window.leaveControl() }
        switch event {
        case .closed: close()
        case .displayLost: isDisplayLost = true
        case .dropped(let path): modelPanel.use(EditModel(file: path))
        case .key(let key) where window.steerList(key) || window.steer(key): break
        case .key(let key):
            if fileChooser.dialog.isOpen {
                fileChooser.dialog.press(key)
            } else if authorPanel.isOpen {
                authorPanel.press(key)
            } else if package.question != nil {
                if let answer = questionPanel.answer(to: key) { take(answer: answer) }
            } else {
                press(key)
            }
        }
    }

    private func press(_ key: WindowEvent.Key) {
        authorPanel.saveAtOnce()
        switch key {
        case .control("z", let shift): if shift { package.history.redo() } else { package.history.undo() }
        case .control("y", _): package.history.redo()
        case .control("s", let shift): if shift { editPanel.saveAs() } else { authorPanel.save() }
        case .control("e", _): editPanel.export()
        case .control("q", _): close()
        case .control("+", _): _ = window.enlarge(steps: 1)
        case .control("-", _): _ = window.enlarge(steps: -1)
        case .letter("x"): textureView.points.isSymmetric.toggle()
        case .letter("n"): textureView.points.snaps.toggle()
        case .letter("m"): textureView.showsMesh.toggle()
        case .letter("g"): textureView.showsFace.toggle()
        case .letter("a"): if textureView.brush.isOn { textureView.brush.isAlone.toggle() }
        case .letter("b"): textureView.brush.toggle()
        case .letter("p"): textureView.brush.choose(.paint)
        case .letter("e"): textureView.brush.choose(.erase)
        case .letter("r"): textureView.brush.choose(.restore)
        case .bracket(let isClosing): textureView.brush.resize(by: isClosing ? 1 : -1)
        case .letter("h"), .function(1): messages.toggleHelp()
        case .escape: dismiss()
        case .letter("f"):
            textureView.showAll()
            modelView.showAll()
            propView.showAll()
        // The keyboard is in a field of one line.
        case .up where window.isTyping, .down where window.isTyping: break
        case .left: move(-1, 0)
        case .right: move(1, 0)
        case .up: move(0, -1)
        case .down: move(0, 1)
        case .plus: propView.zoom(by: 1)
        case .minus: propView.zoom(by: -1)
        case .delete: package.removeSelected()
        case .letter, .control, .space, .tab, .backTab, .enter, .digit, .function: break
        case .pageUp, .pageDown, .home, .end, .comma, .period, .slash, .backspace: break
        }
    }

    /// Closes what is in front.
    private func dismiss() {
        if window.closeLists() || window.leaveControl() { return }
        if messages.helpOpacity > 0 { messages.toggleHelp() } else { textureView.brush.close() }
    }

    /// Moves the selected point by a pixel, or turns the selected prop's model.
    private func move(_ x: Float, _ y: Float) {
        if package.selectedModel == nil {
            textureView.points.nudge(Point(x, y))
        } else {
            propView.turn(right: x, up: -y)
        }
    }

    static let help = """
        Ctrl+S\tSave
        Ctrl+Shift+S\tSave as
        Ctrl+E\tExport
        Ctrl+Z, Ctrl+Shift+Z\tUndo, redo
        Wheel\tZoom
        Right button\tMove the picture
        Tab\tNext button or field
        Arrows\tMove the point, turn the model
        X\tSymmetric points and brush
        N\tSnap
        M, G\tMesh, face under the brush
        B\tBrush
        P, E, R\tPaint, erase, restore
        [ ]\tSize of the brush
        A\tThe painted layer alone
        F\tShow all
        + -\tZoom of the model
        Delete\tRemove the layer
        Ctrl +, Ctrl -\tSize of texts
        Ctrl+Q\tClose
        """
}
