import CImGui

/// Panels and texts over the picture, with Dear ImGui in immediate mode: every control is declared again in every frame.
/// `DisplayWindow.show` passes a value that is valid during that call only.
package struct Panels {
    init() {}

    /// In narrower windows the panel takes less than half of the width, and the picture has the rest.
    package static let smallWidth = Float(CIMGUI_SMALL_WIDTH)

    /// How long the mouse rests before a tooltip comes, in seconds: until then, a window must be drawn.
    package static let hintDelay = Double(CIMGUI_HINT_DELAY)

    /// A panel at the left edge of the window, at first as high as that; `content` declares its controls.
    /// - Returns: false if the user has closed it.
    package func panel(_ title: String, width: Float, isClosable: Bool = true, content: () -> Void) -> Bool {
        var isOpen = true
        // Limited to the window's height.
        let height: Float = 4000
        let isShown =
            isClosable
            ? cimgui_begin_panel(title, &isOpen, 12, 12, width, height)
            : cimgui_begin_panel(title, nil, 12, 12, width, height)
        if isShown { content() }
        cimgui_end_panel()
        return isOpen
    }

    /// How long the mouse has rested over the window, in seconds; infinite while it is elsewhere, and before it has moved.
    package var mouseRest: Float { cimgui_mouse_rest() }
    /// Whether mouse or keyboard are in use: `DisplayWindow.Pointer` rests then.
    package var isHandUsed: Bool { cimgui_is_hand_used() }
    /// The next control takes the keyboard.
    package func focusNext() { cimgui_focus_next() }

    /// A text over the picture; it does not react to the mouse.
    /// - Parameters:
    ///   - x: position in the window, 0 (aligned to the left edge) to 1 (aligned to the right edge).
    ///   - y: likewise, 0 (top) to 1 (bottom).
    ///   - width: at most, in the window's units.
    ///   - opacity: 0…1.
    package func overlay(
        _ name: String, _ text: String, x: Float, y: Float, width: Float = .infinity, opacity: Float = 1,
        isAlarm: Bool = false
    ) { cimgui_overlay(name, text, x, y, width, opacity, isAlarm) }

    /// The width of such a text in the last frame; 0: it was not there.
    package func overlayWidth(_ name: String) -> Float { cimgui_overlay_width(name) }

    /// A large line over the upper half of the picture, with a smaller one below it; it does not react to the mouse.
    package func banner(_ name: String, _ title: String, _ text: String) { cimgui_banner(name, title, text) }

    /// Two lines at the top of the picture beside a ring that fills; they do not react to the mouse.
    /// - Parameters:
    ///   - fraction: how much of the ring is filled, 0…1.
    ///   - isAlarm: whether something is about to happen.
    package func dial(_ name: String, _ title: String, _ text: String, fraction: Float, isAlarm: Bool) {
        cimgui_dial(name, title, text, fraction, isAlarm)
    }

    /// A ring around a place, in front of everything.
    /// - Parameters:
    ///   - x: in the window, 0 (left) to 1.
    ///   - y: 0 (top) to 1.
    ///   - fraction: how much of the ring is filled, 0…1.
    ///   - isWaiting: whether it is paler, and not filled.
    package func ring(x: Float, y: Float, fraction: Float, isWaiting: Bool) {
        cimgui_ring(x, y, fraction, isWaiting)
    }

    /// A page in the middle of the room beside the panel, as high as its content; `content` declares its controls.
    /// - Parameter width: at most, in the window's units.
    package func page(_ name: String, width: Float, content: () -> Void) {
        cimgui_begin_page(name, width)
        content()
        cimgui_end_area()
    }

    /// A strip at the lower edge of the room beside the panel, as high as its content; `content` declares its controls.
    package func strip(_ name: String, content: () -> Void) {
        cimgui_begin_strip(name)
        content()
        cimgui_end_area()
    }

    /// A large line.
    package func title(_ text: String) { cimgui_title(text) }

    /// A button as wide as its area, with its key at the right. The label is shown as it is, and tells buttons apart.
    /// - Returns: true when it is clicked.
    package func wideButton(_ label: String, icon: Icon, key: String, hasKeyboard: Bool) -> Bool {
        cimgui_wide_button(icon.rawValue, label, key, hasKeyboard)
    }

    package func heading(_ text: String, icon: Icon? = nil) { cimgui_heading(icon?.rawValue ?? 0, text) }
    package func text(_ text: String) { cimgui_text(text) }
    /// A text with the room of so many lines, whether it needs them or not: what is below stays where it is.
    /// - Parameter shorter: stands for a text that needs more.
    /// - Returns: whether it is the first one.
    package func text(_ text: String, or shorter: String, lines: Int) -> Bool {
        cimgui_text_in_lines(text, shorter, Int32(lines))
    }
    /// A text behind its label, in the column of the other controls' values.
    package func value(_ label: String, _ text: String) { cimgui_value(label, text) }

    /// - Returns: the new value.
    package func checkbox(_ label: String, _ value: Bool) -> Bool {
        var value = value
        _ = cimgui_checkbox(label, &value)
        return cimgui_key_of_control() == cimgui_key_press ? !value : value
    }

    /// - Returns: the new value.
    package func slider(_ label: String, _ value: Float, in range: ClosedRange<Float>, format: String) -> Float {
        var value = value
        _ = cimgui_slider(label, &value, range.lowerBound, range.upperBound, format)
        let length = range.upperBound - range.lowerBound
        let step = (length > 2 ? 0.01 : 0.05) * length
        switch cimgui_key_of_control() {
        case cimgui_key_left: return max(range.lowerBound, value - step)
        case cimgui_key_right: return min(range.upperBound, value + step)
        default: return value
        }
    }

    /// Radio buttons in a row.
    /// - Parameter hints: tooltips of the options; may be fewer.
    /// - Returns: the selected value.
    package func choice<Value: Equatable>(
        _ options: [(label: String, value: Value)], _ current: Value, hints: [String] = []
    ) -> Value {
        var result = current
        for (index, option) in options.enumerated() {
            if index > 0 { sameLine(ifRoomFor: option.label) }
            if cimgui_radio(option.label, option.value == current) { result = option.value }
            switch cimgui_key_of_control() {
            case cimgui_key_press: result = option.value
            // The keyboard goes with the choice.
            case cimgui_key_left where index > 0:
                result = options[index - 1].value
                _ = cimgui_press_key(cimgui_key_before)
            case cimgui_key_right where index + 1 < options.count:
                result = options[index + 1].value
                _ = cimgui_press_key(cimgui_key_next)
            default: break
            }
            if index < hints.count { cimgui_hint(hints[index]) }
        }
        return result
    }

    /// - Returns: true when it is clicked.
    package func button(_ label: String, icon: Icon? = nil) -> Bool {
        let isClicked = cimgui_button(icon?.rawValue ?? 0, label)
        return cimgui_key_of_button() == cimgui_key_press || isClicked
    }

    /// A button that Enter presses, too: it is framed.
    /// - Returns: true when it is clicked.
    package func defaultButton(_ label: String, icon: Icon? = nil) -> Bool {
        let isClicked = button(label, icon: icon)
        cimgui_frame_default()
        return isClicked
    }

    /// A small button. Give it a hint that names what it does.
    /// - Parameter label: shown where there is no font of icons.
    /// - Returns: true when it is clicked.
    package func button(_ icon: Icon, _ label: String) -> Bool {
        let isClicked = cimgui_icon_button(icon.rawValue, label)
        return cimgui_key_of_button() == cimgui_key_press || isClicked
    }

    /// A bar.
    /// - Parameter level: 0…1.
    package func level(_ label: String, _ level: Float, text: String) { cimgui_level(label, level, text) }
    package func sameLine() { cimgui_same_line() }
    /// The next control comes into the same row if there is room for it.
    /// - Parameters:
    ///   - label: of the next control, a radio button or a button.
    ///   - hasIcon: whether an icon is in front of the label.
    package func sameLine(ifRoomFor label: String, hasIcon: Bool = true) {
        cimgui_next_in_row(cimgui_text_width(label) + (hasIcon ? 44 : 15))
    }
    /// - Parameter x: distance from the left edge of the panel.
    package func sameLine(at x: Float) { cimgui_same_line_at(x) }

    /// The side of picture buttons where two or three find room in a row if they are a little smaller.
    private static func side(_ side: Float, in room: Float) -> Float {
        // The frame of a picture, and the space beside it.
        let (frame, space): (Float, Float) = (6, 8)
        for count in [2, 3] as [Float] where room < count * (side + frame) + (count - 1) * space + 3 {
            let smaller = ((room - 3 - (count - 1) * space) / count - frame).rounded(.down)
            return smaller > 0.8 * side ? smaller : side
        }
        return side
    }

    /// Picture buttons in rows, or in a list with two lines of text beside each, each with a star in a corner if it can be
    /// marked.
    /// - Parameters:
    ///   - chosen: the index of the picture where the arrow keys begin; nil: none.
    ///   - others: the indices of further chosen pictures.
    ///   - entered: the index of the picture that Enter takes, which is framed; nil: none.
    ///   - side: of each picture, in the window's units; a little less where two or three find room then; in a list they have
    ///     40.
    ///   - inSight: the index of a picture that is scrolled into sight; nil: none.
    ///   - see: is called with the index of each picture that is in sight.
    package func gallery(
        _ items: [PanelThumbnail], chosen: Int?, others: [Int] = [], entered: Int? = nil, isList: Bool, side: Float,
        inSight: Int?, see: (Int) -> Void
    ) -> GalleryInput {
        let side = Self.side(side, in: cimgui_room_beside())
        let top = cimgui_cursor_y()
        var result = GalleryInput(isControlDown: cimgui_is_control_down())
        var isFirstRow = true
        for (index, item) in items.enumerated() {
            if !isList, index > 0 {
                let isInRow = cimgui_next_in_row(side + 8)
                isFirstRow = isFirstRow && isInRow
                if isFirstRow { result.columns = index + 1 }
            }
            cimgui_push_id(Int32(truncatingIfNeeded: index))
            let star = item.isMarked.map { $0 ? cimgui_star_full : cimgui_star_empty } ?? cimgui_star_none
            let texture = item.picture.texture.name
            let isChosen = index == chosen || others.contains(index)
            let action =
                isList
                ? cimgui_picture_row(item.label, item.detail, texture, 40, isChosen, star)
                : cimgui_picture_button(item.label, texture, side, isChosen, star)
            switch action {
            case cimgui_picture_clicked: result.click = .chosen(index)
            case cimgui_picture_star: result.click = .marked(index)
            default: break
            }
            if cimgui_is_hovered() { result.hovered = index }
            if index == entered { cimgui_frame_entered() }
            if index == chosen ?? 0 { cimgui_note_chosen() }
            if index == inSight { cimgui_bring_in_sight() }
            if cimgui_is_in_sight() { see(index) }
            cimgui_pop_id()
        }
        if items.isEmpty { return result }
        result.hasMouse = cimgui_is_mouse_below(top)
        let (key, columns) = (cimgui_key_of_gallery(), isList ? 1 : result.columns)
        let steps = [
            cimgui_key_left.rawValue: -1, cimgui_key_right.rawValue: 1, cimgui_key_up.rawValue: -columns,
            cimgui_key_down.rawValue: columns,
        ]
        if key == cimgui_key_press { result.click = .marked(chosen ?? 0) }
        guard let step = steps[key.rawValue] else { return result }
        let place = chosen.map { $0 + step } ?? 0
        if items.indices.contains(place) { (result.click, result.isReached) = (.chosen(place), true) }
        return result
    }
}

/// What mouse and keyboard do in a gallery, and how that lies.
package struct GalleryInput {
    /// Whether a click adds to what is chosen.
    package let isControlDown: Bool
    /// Nil: no click.
    package var click: GalleryClick?
    /// The index of the picture under the mouse; nil: none.
    package var hovered: Int?
    /// Whether the mouse is over the pictures, or between them.
    package var hasMouse = false
    /// Whether the click is a key's, so that the picture may be out of sight.
    package var isReached = false
    /// How many pictures are in a row.
    package var columns = 1
}

/// A picture button of a gallery.
package struct PanelThumbnail {
    let label: String
    /// The second line in a list.
    let detail: String
    let picture: PanelPicture
    /// Nil: it cannot be marked.
    let isMarked: Bool?

    package init(label: String, detail: String, picture: PanelPicture, isMarked: Bool?) {
        (self.label, self.detail, self.picture, self.isMarked) = (label, detail, picture, isMarked)
    }
}

/// The click in a gallery: a picture or its star, by index.
package enum GalleryClick: Equatable {
    case chosen(Int)
    case marked(Int)
}
