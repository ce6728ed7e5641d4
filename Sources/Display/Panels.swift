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
    /// No higher than a line of text.
    package func smallButton(_ label: String) -> Bool { cimgui_small_button(label) }
    package func sameLine() { cimgui_same_line() }
    /// - Parameter x: from the left edge of the panel.
    package func sameLine(at x: Float) { cimgui_same_line_at(x) }

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

/// A picture for a panel, on the GPU. Made and let go while the window's context is current.
package final class PanelPicture {
    package enum Use: Sendable {
        /// Shown at about its own size, and often another one.
        case frames
        /// Looked at from near and far: from near its pixels are to be seen.
        case closeUp
    }

    let texture: GLuint
    package private(set) var width = 0
    package private(set) var height = 0
    private let use: Use

    /// - Parameter pixels: `rgba8`.
    package init(_ pixels: borrowing PixelBuffer, for use: Use = .frames) {
        var name: GLuint = 0
        glGenTextures(1, &name)
        texture = name
        self.use = use
        update(pixels)
    }

    /// Shows another picture from now on, of whatever size.
    package func update(_ pixels: borrowing PixelBuffer) {
        glActiveTexture(GLenum(GL_TEXTURE0))
        glBindTexture(GLenum(GL_TEXTURE_2D), texture)
        glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 1)
        glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), GLint(pixels.bytesPerRow / 4))
        let isNew = (width, height) != (pixels.width, pixels.height)
        (width, height) = (pixels.width, pixels.height)
        let (width, height) = (GLsizei(width), GLsizei(height))
        pixels.withUnsafeBytes { bytes in
            if isNew {
                glTexImage2D(
                    GLenum(GL_TEXTURE_2D), 0, GL_RGBA8, width, height, 0, GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE),
                    bytes.baseAddress)
            } else {
                glTexSubImage2D(
                    GLenum(GL_TEXTURE_2D), 0, 0, 0, width, height, GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE),
                    bytes.baseAddress)
            }
        }
        glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), 0)
        if use == .closeUp { glGenerateMipmap(GLenum(GL_TEXTURE_2D)) }
        glTexParameteri(
            GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MIN_FILTER), use == .closeUp ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR)
        glTexParameteri(
            GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MAG_FILTER), use == .closeUp ? GL_NEAREST : GL_LINEAR)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_WRAP_S), GL_CLAMP_TO_EDGE)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_WRAP_T), GL_CLAMP_TO_EDGE)
    }

    deinit { glDeleteTextures(1, [texture]) }
}
