import CImGui

/// What an editor needs beyond messages and switches: parts of the window with places of their own, lists, fields, and
/// surfaces to draw on.
extension Panels {
    /// The window's size, in the units of everything here.
    package var windowSize: (width: Float, height: Float) {
        var (width, height): (Float, Float) = (0, 0)
        cimgui_display_size(&width, &height)
        return (width, height)
    }

    /// Whether something is being dragged or written in.
    package var isEditing: Bool { cimgui_is_editing() }

    /// A part of the window that stays where it is.
    package func area(
        _ name: String, x: Float, y: Float, width: Float, height: Float, isInFront: Bool = false, content: () -> Void
    ) {
        cimgui_begin_area(name, x, y, width, height, isInFront)
        content()
        cimgui_end_area()
    }

    package func alarm(_ text: String) { cimgui_alarm(text) }
    /// Shown while the mouse rests on what was drawn last.
    package func hint(_ text: String) { cimgui_hint(text) }
    /// Of all that takes values, from here on in this area; negative: so much is left for the label.
    package func itemWidth(_ width: Float) { cimgui_item_width(width) }

    package func indented(_ width: Float, content: () -> Void) {
        if width > 0 { cimgui_indent(width) }
        content()
        if width > 0 { cimgui_indent(-width) }
    }

    /// Keeps things with equal labels apart.
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

    /// A heading that opens and closes, with what belongs to it.
    package func section(_ label: String, isOpenAtFirst: Bool = false, content: () -> Void) {
        if cimgui_section(label, isOpenAtFirst) { content() }
    }

    /// A line that can be chosen.
    /// - Returns: whether it was pressed.
    package func row(_ label: String, isChosen: Bool) -> Bool { cimgui_selectable(label, isChosen) }

    /// - Returns: the new text; longer than `limit` bytes it cannot get.
    package func field(_ label: String, _ text: String, limit: Int = 500) -> String {
        var bytes = [CChar](repeating: 0, count: limit + 1)
        for (index, byte) in text.utf8.prefix(limit).enumerated() { bytes[index] = CChar(bitPattern: byte) }
        guard cimgui_input_text(label, &bytes, bytes.count) else { return text }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Two numbers that are dragged or written.
    package func pair(
        _ label: String, _ values: (Float, Float), speed: Float, in range: ClosedRange<Float>, format: String
    ) -> (Float, Float) {
        var both = [values.0, values.1]
        _ = cimgui_drag_pair(label, &both, speed, range.lowerBound, range.upperBound, format)
        return (both[0], both[1])
    }

    /// One of several, in a list that opens.
    package func list<Value: Equatable>(
        _ label: String, _ options: [(label: String, value: Value)], _ current: Value
    ) -> Value {
        var result = current
        let shown = options.first { $0.value == current }?.label ?? ""
        if cimgui_begin_choice(label, shown) {
            for option in options where cimgui_selectable(option.label, option.value == current) {
                result = option.value
            }
            cimgui_end_choice()
        }
        return result
    }

    /// A surface to draw on, from where the area has got to.
    package func canvas(_ name: String, width: Float, height: Float, content: (Canvas) -> Void) {
        var state = cimgui_canvas()
        cimgui_begin_canvas(name, width, height, &state)
        content(Canvas(state: state))
        cimgui_end_canvas()
    }
}

/// A surface with what the mouse does on it. Places are from its top left corner.
package struct Canvas {
    fileprivate let state: cimgui_canvas

    package typealias Place = SIMD2<Float>
    package typealias Color = SIMD4<UInt8>

    package var size: Place { Place(state.width, state.height) }
    package var mouse: Place { Place(state.mouse_x, state.mouse_y) }
    /// How far the mouse has gone since the frame before.
    package var mouseMotion: Place { Place(state.delta_x, state.delta_y) }
    /// Notches; up is positive.
    package var wheel: Float { state.wheel }
    package var isHovered: Bool { state.is_hovered }
    /// The left button went down now; is down; went up now.
    package var isPressed: Bool { state.is_pressed }
    package var isHeld: Bool { state.is_held }
    package var isReleased: Bool { state.is_released }
    /// The middle or the right button is down.
    package var isPanned: Bool { state.is_panned }
    package var isAltDown: Bool { state.alt }

    private func inWindow(_ place: Place) -> Place { place + Place(state.x, state.y) }

    private static func packed(_ color: Color) -> UInt32 {
        UInt32(color.x) | UInt32(color.y) << 8 | UInt32(color.z) << 16 | UInt32(color.w) << 24
    }

    /// What transparent pictures lie on.
    package func checkers(at place: Place, size: Place, side: Float) {
        // Only what is to be seen of it: a close-up would have thousands.
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

    package func disc(at place: Place, radius: Float, color: Color) {
        let place = inWindow(place)
        cimgui_draw_disc(place.x, place.y, radius, Self.packed(color))
    }

    package func text(_ text: String, at place: Place, color: Color = Color(255, 255, 255, 255)) {
        let place = inWindow(place)
        cimgui_draw_text(place.x, place.y, Self.packed(color), text)
    }
}
