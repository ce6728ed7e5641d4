import CImGui

/// Controls for editors: fixed areas of the window, lists, text fields, and canvases.
extension Panels {
    /// The window's size in its own units, as in every other function here.
    package var windowSize: (width: Float, height: Float) {
        var (width, height): (Float, Float) = (0, 0)
        cimgui_display_size(&width, &height)
        return (width, height)
    }

    /// Where the room beside the panel begins, in the window's units; 0 while the panel is folded.
    package var roomLeft: Float { cimgui_room_left() }

    /// Whether the user is dragging a control or typing into a field.
    package var isEditing: Bool { cimgui_is_editing() }

    /// A fixed area of the window, without a title bar. Areas lie behind panels unless `isInFront` is set.
    package func area(
        _ name: String, x: Float, y: Float, width: Float, height: Float, isInFront: Bool = false, content: () -> Void
    ) {
        cimgui_begin_area(name, x, y, width, height, isInFront)
        content()
        cimgui_end_area()
    }

    /// Controls over the picture, with nothing behind them.
    package func floating(_ name: String, x: Float, y: Float, content: () -> Void) {
        cimgui_begin_floating(name, x, y)
        content()
        cimgui_end_area()
    }

    /// Controls in areas, which the keyboard reaches (`DisplayWindow.steer`), together with those of a panel within.
    package func controls(content: () -> Void) {
        cimgui_begin_controls()
        content()
        cimgui_end_controls()
    }

    package func alarm(_ text: String) { cimgui_alarm(text) }
    /// A tooltip for the previous control.
    package func hint(_ text: String) { cimgui_hint(text) }
    /// Sets the width of the following controls in this area. A negative width is the space left at the right edge.
    package func itemWidth(_ width: Float) { cimgui_item_width(width) }

    package func indented(_ width: Float, content: () -> Void) {
        if width > 0 { cimgui_indent(width) }
        content()
        if width > 0 { cimgui_indent(-width) }
    }

    /// Distinguishes controls that have the same label.
    package func identified(_ number: Int, content: () -> Void) {
        cimgui_push_id(Int32(truncatingIfNeeded: number))
        content()
        cimgui_pop_id()
    }

    package func disabled(_ isDisabled: Bool, content: () -> Void) {
        cimgui_begin_disabled(isDisabled)
        content()
        cimgui_end_disabled()
    }

    /// Controls with long labels, which begin below each other.
    /// - Parameter width: of the labels, in font heights.
    package func labelled(width: Float, content: () -> Void) {
        cimgui_label_width(width)
        content()
        cimgui_label_width(0)
    }

    /// A collapsible heading with its content.
    package func section(_ label: String, isOpenAtFirst: Bool = false, content: () -> Void) {
        guard cimgui_section(label, isOpenAtFirst) else { return }
        content()
        cimgui_end_section()
    }

    /// A row of a list that shows any text as it is, a file's name for example.
    /// - Parameters:
    ///   - number: tells the rows of a list apart.
    ///   - isAlarm: whether something is wrong with what it stands for.
    /// - Returns: whether it was clicked, or chosen by keyboard.
    package func row(_ number: Int, _ text: String, isChosen: Bool, isAlarm: Bool = false) -> Bool {
        let isClicked = cimgui_row(Int32(truncatingIfNeeded: number), text, isChosen, isAlarm)
        return cimgui_key_of_control() == cimgui_key_press || isClicked
    }

    /// Whether the key is held.
    package var isControlDown: Bool { cimgui_is_control_down() }
    package var isShiftDown: Bool { cimgui_is_shift_down() }

    /// Rows of a list, which the keyboard reaches as one control.
    /// - Parameters:
    ///   - details: shown at the right where there is room; as many as texts, or none.
    ///   - chosen: the index of the chosen row that has the keyboard; nil: none.
    ///   - others: whether another row is chosen, too.
    ///   - showsChosen: whether the first is scrolled into sight.
    /// - Returns: nil: nothing happens to them.
    package func rows(
        _ texts: [String], details: [String] = [], chosen: Int?, others: (Int) -> Bool = { _ in false },
        showsChosen: Bool
    ) -> RowInput? {
        var input: RowInput?
        for (index, text) in texts.enumerated() {
            let isOn = index == chosen || others(index)
            let isClicked = cimgui_row(Int32(truncatingIfNeeded: index), text, isOn, false)
            if index < details.count, !details[index].isEmpty { cimgui_row_detail(details[index]) }
            if isClicked { input = .clicked(index) }
            guard index == chosen ?? 0 else { continue }
            cimgui_note_chosen()
            if showsChosen { cimgui_bring_in_sight() }
        }
        if texts.isEmpty { return nil }
        let last = texts.count - 1
        switch cimgui_key_of_gallery() {
        case cimgui_key_up: return .reached(max(0, (chosen ?? 1) - 1))
        case cimgui_key_down: return .reached(min(last, (chosen ?? -1) + 1))
        case cimgui_key_press: return chosen.map { .pressed($0) } ?? input
        default: return input
        }
    }

    /// Where the next control begins, in the window's units from its top.
    package var top: Float { cimgui_cursor_y() }

    /// The height of the room below the controls so far, in the window's units.
    package var roomBelow: Float { cimgui_room_below() }

    /// A part of an area that takes all room below the controls so far and scrolls by itself.
    /// - Parameter height: it has at least, in the window's units; where there is less room, all of the area scrolls.
    package func scrolled(_ name: String, least height: Float, content: () -> Void) {
        scrolled(name, width: 0, height: max(height, cimgui_room_below()), content: content)
    }

    /// A part of an area that scrolls by itself.
    /// - Parameter hasEdge: whether an edge is around it.
    package func scrolled(
        _ name: String, width: Float, height: Float, hasEdge: Bool = true, content: () -> Void
    ) {
        cimgui_begin_scrolled(name, width, height, hasEdge)
        content()
        cimgui_end_scrolled()
    }

    /// A text field for at most `limit` bytes of UTF-8.
    /// - Parameter selectsAll: the whole text when it takes the keyboard, so that typing replaces it.
    /// - Returns: the new text.
    package func field(_ label: String, _ text: String, limit: Int = 500, selectsAll: Bool = false) -> String {
        Self.edited(text, limit) { cimgui_input_text(label, &$0, $0.count, selectsAll) }
    }

    /// A text field for searching: Escape empties it and leaves it, and so does the cross beside it.
    /// - Parameter hint: a tooltip for the text.
    /// - Returns: the new text, and whether Enter has just ended the typing.
    package func searchField(_ label: String, _ text: String, hint: String) -> (text: String, isEntered: Bool) {
        let new = Self.edited(text, 100) { cimgui_search_field(label, &$0, $0.count) }
        let isEntered = self.isEntered
        self.hint(hint)
        guard !text.isEmpty else { return (new, isEntered) }
        sameLine()
        let isEmptied = button(.clear, "x")
        self.hint("Shows all again (Esc in the field)")
        return isEmptied ? ("", false) : (new, isEntered)
    }

    private static func edited(_ text: String, _ limit: Int, by field: (inout [CChar]) -> Bool) -> String {
        var bytes = [CChar](repeating: 0, count: limit + 1)
        for (index, byte) in text.utf8.prefix(limit).enumerated() { bytes[index] = CChar(truncatingIfNeeded: byte) }
        let hasChanged = field(&bytes)
        _ = cimgui_key_of_control()
        guard hasChanged else { return text }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    /// Whether Enter has just ended the typing in the field that was drawn last.
    package var isEntered: Bool { cimgui_is_entered() }

    /// A colour as text, "#rrggbb", beside a patch of it that opens a picker. Another text is shown as black.
    /// - Parameter hint: a tooltip for the text.
    /// - Returns: the new text.
    package func color(_ label: String, _ text: String, hint: String) -> String {
        let typed = field(label, text, limit: 40)
        self.hint(hint)
        sameLine()
        let chosen = colorPatch(label, text)
        return chosen == text ? typed : chosen
    }

    /// A patch of a colour, "#rrggbb", that opens a picker. Another text is shown as black.
    /// - Returns: the new text.
    package func colorPatch(_ label: String, _ text: String) -> String {
        let digits = text.utf8.first == UInt8(ascii: "#") ? text.dropFirst() : ""
        let isWhole = digits.utf8.count == 6 && digits.allSatisfy(\.isHexDigit)
        var color = isWhole ? UInt32(digits, radix: 16) ?? 0 : 0
        guard cimgui_color_patch(label, &color) else { return text }
        let new = String(color, radix: 16)
        return "#" + String(repeating: "0", count: max(0, 6 - new.utf8.count)) + new
    }

    /// Patches of colours in rows.
    /// - Parameters:
    ///   - colors: "#rrggbb", each with a name for its tooltip.
    ///   - chosen: is framed.
    /// - Returns: the colour that is clicked; nil: none.
    package func swatches(_ colors: [(name: String, color: String)], chosen: String?) -> String? {
        var clicked: String?
        for (index, (name, color)) in colors.enumerated() {
            if index > 0 { sameLine(ifRoomFor: "", hasIcon: false) }
            let isClicked = cimgui_swatch(color, UInt32(color.dropFirst(), radix: 16) ?? 0, color == chosen)
            if cimgui_key_of_control() == cimgui_key_press || isClicked { clicked = color }
            hint(name)
        }
        return clicked
    }

    /// Two numbers, changed by dragging, by typing, or with Left and Right.
    /// - Returns: the new values.
    package func pair(
        _ label: String, _ values: (Float, Float), speed: Float, in range: ClosedRange<Float>, format: String
    ) -> (Float, Float) {
        var both = [values.0, values.1]
        var keys = [cimgui_key_none, cimgui_key_none]
        _ = cimgui_drag_pair(label, &both, speed, range.lowerBound, range.upperBound, format, &keys)
        for (index, key) in keys.enumerated() {
            // As far as ten pixels of the mouse.
            let step = key == cimgui_key_right ? 10 * speed : key == cimgui_key_left ? -10 * speed : 0
            if step != 0 { both[index] = max(range.lowerBound, min(range.upperBound, both[index] + step)) }
        }
        return (both[0], both[1])
    }

    /// A drop-down list. By keyboard, Enter opens it, Up and Down go from row to row, and Enter chooses.
    /// - Returns: the selected value.
    package func list<Value: Equatable>(
        _ label: String, _ options: [(label: String, value: Value)], _ current: Value
    ) -> Value {
        var result = current
        let place = options.firstIndex { $0.value == current } ?? -1
        let shown = place < 0 ? "" : options[place].label
        if cimgui_begin_choice(label, shown, Int32(place), Int32(options.count)) {
            for (index, option) in options.enumerated()
            where cimgui_row(Int32(index), option.label, index == place, false) {
                result = option.value
            }
            let chosen = Int(cimgui_end_choice())
            return options.indices.contains(chosen) ? options[chosen].value : result
        }
        switch cimgui_key_of_control() {
        case cimgui_key_left where place > 0: return options[place - 1].value
        case cimgui_key_right where place + 1 < options.count: return options[place + 1].value
        case cimgui_key_press where !options.isEmpty: cimgui_open_list()
        default: break
        }
        return current
    }

    /// A canvas, placed below the previous control.
    package func canvas(_ name: String, width: Float, height: Float, content: (Canvas) -> Void) {
        var state = cimgui_canvas()
        cimgui_begin_canvas(name, width, height, &state)
        content(Canvas(state: state))
        cimgui_end_canvas()
    }
}

/// What mouse and keyboard do to the rows of a list, by index.
package enum RowInput {
    case clicked(Int)
    /// With Up or Down.
    case reached(Int)
    /// With Enter, and chosen already.
    case pressed(Int)
}

/// A rectangle to draw on, with the state of the mouse. Coordinates start at its top left corner.
package struct Canvas {
    fileprivate let state: cimgui_canvas

    package typealias Place = SIMD2<Float>
    package typealias Color = SIMD4<UInt8>

    package var size: Place { Place(state.width, state.height) }
    package var mouse: Place { Place(state.mouse_x, state.mouse_y) }
    /// The movement of the mouse since the last frame.
    package var mouseMotion: Place { Place(state.delta_x, state.delta_y) }
    /// The rotation of the wheel in notches; up is positive.
    package var wheel: Float { state.wheel }
    package var isHovered: Bool { state.is_hovered }
    /// Whether the left button was pressed in this frame, is down, or was released in this frame.
    package var isPressed: Bool { state.is_pressed }
    package var isHeld: Bool { state.is_held }
    package var isReleased: Bool { state.is_released }
    /// Whether the left button was pressed for the second time within a short time at one place.
    package var isDoubleClicked: Bool { state.is_double_clicked }
    /// Whether the middle or the right button is down.
    package var isPanned: Bool { state.is_panned }
    package var isAltDown: Bool { state.alt }
    package var isShiftDown: Bool { state.shift }
    /// Where the mouse has been since the last frame while the left button was down, oldest first. A frame may take longer
    /// than the mouse takes to report several places.
    package var mousePath: [Place] {
        var places = [Float](repeating: 0, count: 2 * Int(CIMGUI_PATH_LENGTH))
        let count = Int(cimgui_mouse_path(&places))
        return (0..<count).map { Place(places[2 * $0] - state.x, places[2 * $0 + 1] - state.y) }
    }

    private func inWindow(_ place: Place) -> Place { place + Place(state.x, state.y) }

    private static func packed(_ color: Color) -> UInt32 {
        UInt32(color.x) | UInt32(color.y) << 8 | UInt32(color.z) << 16 | UInt32(color.w) << 24
    }

    /// A checkerboard, the background of transparent pictures.
    package func checkers(at place: Place, size: Place, side: Float) {
        // Only the visible part: magnified, the whole board would have thousands of squares.
        let corner = pointwiseMax(place, .zero)
        let end = pointwiseMin(place + size, self.size)
        guard all(end .> corner) else { return }
        let start = inWindow(corner)
        cimgui_draw_checkers(start.x, start.y, end.x - corner.x, end.y - corner.y, side)
    }

    package func picture(_ picture: PanelPicture, at place: Place, size: Place) {
        let start = inWindow(place)
        cimgui_draw_picture(picture.texture.name, start.x, start.y, size.x, size.y)
    }

    package func line(from: Place, to: Place, thickness: Float, color: Color) {
        let (from, to) = (inWindow(from), inWindow(to))
        cimgui_draw_line(from.x, from.y, to.x, to.y, thickness, Self.packed(color))
    }

    /// A filled convex area.
    /// - Parameter corners: in order around it.
    package func area(_ corners: [Place], color: Color) {
        let places = corners.map(inWindow).flatMap { [$0.x, $0.y] }
        places.withUnsafeBufferPointer { cimgui_draw_area($0.baseAddress, Int32(corners.count), Self.packed(color)) }
    }

    package func rectangle(at place: Place, size: Place, color: Color) {
        area([place, place + Place(size.x, 0), place + size, place + Place(0, size.y)], color: color)
    }

    package func disc(at place: Place, radius: Float, color: Color) {
        let place = inWindow(place)
        cimgui_draw_disc(place.x, place.y, radius, Self.packed(color))
    }

    package func circle(at place: Place, radius: Float, thickness: Float, color: Color) {
        let place = inWindow(place)
        cimgui_draw_circle(place.x, place.y, radius, thickness, Self.packed(color))
    }

    package func text(_ text: String, at place: Place, color: Color = Color(255, 255, 255, 255)) {
        let place = inWindow(place)
        cimgui_draw_text(place.x, place.y, 0, Self.packed(color), text)
    }

    /// In window units.
    package func width(of text: String) -> Float { cimgui_text_width(text) }

    /// A message in a frame at the lower edge, whose lines are broken at the right edge.
    /// - Parameter opacity: 0…1.
    package func note(_ text: String, opacity: Float, isAlarm: Bool) {
        cimgui_draw_note(state.x, state.y + state.height, state.width, opacity, isAlarm, text)
    }

    /// A text whose lines are broken at the right edge.
    package func paragraph(_ text: String, at place: Place, color: Color = Color(255, 255, 255, 255)) {
        let (start, width) = (inWindow(place), max(60, size.x - place.x - 14))
        cimgui_draw_text(start.x, start.y, width, Self.packed(color), text)
    }

    /// A paragraph at the lower edge.
    package func footnote(_ text: String, color: Color) {
        let height = cimgui_text_height(text, max(60, size.x - 28))
        paragraph(text, at: Place(14, max(0, size.y - height - 8)), color: color)
    }

    /// A line beside the mouse that stays on the canvas.
    package func label(_ text: String, color: Color) {
        let (width, height) = (cimgui_text_width(text), cimgui_text_height(text, 0))
        let right = mouse.x + 18 + width <= size.x - 4
        let left = right ? mouse.x + 18 : mouse.x - 14 - width
        let place = Place(max(4, min(left, size.x - 4 - width)), max(4, min(mouse.y + 14, size.y - 4 - height)))
        self.text(text, at: place, color: color)
    }
}
