import Display

/// The page in place of a picture that is not there.
extension LivePanel {
    /// - Parameters:
    ///   - place: of the button that has the keyboard; nil: none.
    ///   - masks: the current one is shown; nil: none is worn.
    func showStartPage(_ panels: Panels, _ page: StartPage, place: Int?, wearing masks: MaskList?, _ send: Send) {
        if page.canPlayAgain { return showEnd(panels, page, place: place, send) }
        let (side, height) = (Float(MaskThumbnails.side), panels.windowSize.height)
        panels.page("start page", width: 460) {
            // A small window has no room for it.
            if let masks, height > 500 {
                let picture = gallery.picture(of: masks, isAlone: !isOpen)
                if let trouble = gallery.trouble {
                    panels.alarm(trouble)
                } else {
                    panels.canvas("mask", width: side, height: side) { canvas in
                        canvas.picture(picture, at: .zero, size: Canvas.Place(side, side))
                    }
                }
                panels.text(
                    "Bauta puts masks on faces. Your mask is now “\(masks.current.name)”; Tab shows the others.")
            }
            panels.title(page.title)
            if let reason = page.reason { panels.text(reason) }
            for reason in page.unusableCameras { panels.text(reason) }
            for (index, action) in page.actions.enumerated() {
                let (label, icon) = Self.label(of: action, on: page)
                let key = action.key?.uppercased() ?? ""
                if panels.wideButton(label, icon: icon, key: key, hasKeyboard: index == place) { send(.show(action)) }
            }
            panels.text(
                "Or drop a clip, a picture or a folder of pictures here.\(page.hasPicture ? " Esc goes back." : "")")
        }
    }

    /// Leaves the last picture of a clip in sight.
    private func showEnd(_ panels: Panels, _ page: StartPage, place: Int?, _ send: Send) {
        panels.strip("end of clip") {
            panels.text(([page.title] + [page.reason].compactMap { $0 }).joined(separator: ". "))
            for (index, action) in page.actions.enumerated() {
                let (label, icon) = Self.label(of: action, on: page)
                let whole = action.key.map { "\(label) (\($0.uppercased()))" } ?? label
                if index > 0 { panels.sameLine(ifRoomFor: whole) }
                let isClicked =
                    index == place ? panels.defaultButton(whole, icon: icon) : panels.button(whole, icon: icon)
                if isClicked { send(.show(action)) }
            }
        }
    }

    private static func label(of action: StartPage.Action, on page: StartPage) -> (String, Icon) {
        switch action {
        case .useCamera(let camera): ("Camera: \(camera.name)", .camera)
        case .wearOnDrawnFace: ("Show the mask on a drawn face", .smile)
        case .chooseFile: ("Open a clip or pictures …", .folder)
        case .tryAgain: (page.canPlayAgain ? "Play it again" : "Try again", .reset)
        case .maskSmallerFaces: (page.missed?.remedy ?? "", .smile)
        }
    }
}
