import CGraphics
import CImGui
import MaskRendering
import Pixels

/// Panels and texts over the picture, with Dear ImGui: what is called in a frame is there in that frame. Given by
/// `DisplayWindow.show` and good for that call only.
package struct Panels {
    init() {}

    /// A panel at the window's left edge, with what `content` puts into it.
    /// - Returns: whether it is still open.
    package func panel(_ title: String, width: Float, height: Float, content: () -> Void) -> Bool {
        var isOpen = true
        if cimgui_begin_panel(title, &isOpen, 12, 12, width, height) { content() }
        cimgui_end_panel()
        return isOpen
    }

    /// A text over the picture that takes no clicks.
    /// - Parameters:
    ///   - x: where in the window, 0…1 from the left; 1 ends at the right edge.
    ///   - opacity: 0…1.
    package func overlay(
        _ name: String, _ text: String, x: Float, y: Float, opacity: Float = 1, isAlarm: Bool = false
    ) { cimgui_overlay(name, text, x, y, opacity, isAlarm) }

    package func heading(_ text: String) { cimgui_heading(text) }
    package func text(_ text: String) { cimgui_text(text) }

    /// - Returns: the new value.
    package func checkbox(_ label: String, _ value: Bool) -> Bool {
        var value = value
        _ = cimgui_checkbox(label, &value)
        return value
    }

    /// - Returns: the new value.
    package func slider(_ label: String, _ value: Float, in range: ClosedRange<Float>, format: String) -> Float {
        var value = value
        _ = cimgui_slider(label, &value, range.lowerBound, range.upperBound, format)
        return value
    }

    /// One of several in a row.
    /// - Returns: the choice.
    package func choice<Value: Equatable>(_ options: [(label: String, value: Value)], _ current: Value) -> Value {
        var result = current
        for (index, option) in options.enumerated() {
            if index > 0 { cimgui_same_line() }
            if cimgui_radio(option.label, option.value == current) { result = option.value }
        }
        return result
    }

    package func button(_ label: String) -> Bool { cimgui_button(label) }
    package func sameLine() { cimgui_same_line() }

    /// Pictures to choose from, in rows.
    /// - Returns: which one was pressed.
    package func gallery(_ items: [(label: String, picture: PanelPicture)], chosen: Int?, side: Float) -> Int? {
        var result: Int?
        for (index, item) in items.enumerated() {
            if index > 0 { cimgui_next_in_row(side + 8) }
            if cimgui_picture_button(item.label, item.picture.texture, side, index == chosen) { result = index }
        }
        return result
    }
}

/// A small picture for a panel, on the GPU. Made and let go while the window's context is current.
package final class PanelPicture {
    let texture: GLuint

    /// - Parameter pixels: `rgba8`.
    package init(_ pixels: borrowing PixelBuffer) {
        var name: GLuint = 0
        glGenTextures(1, &name)
        texture = name
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), GLint(pixels.bytesPerRow / 4))
        let (width, height) = (GLsizei(pixels.width), GLsizei(pixels.height))
        pixels.withUnsafeBytes { bytes in
            glTexImage2D(
                GLenum(GL_TEXTURE_2D), 0, GL_RGBA8, width, height, 0, GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE),
                bytes.baseAddress)
        }
        glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), 0)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MIN_FILTER), GL_LINEAR)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MAG_FILTER), GL_LINEAR)
    }

    deinit { glDeleteTextures(1, [texture]) }
}
