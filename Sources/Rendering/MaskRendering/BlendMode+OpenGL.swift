import CGraphics
import Masks

extension BlendMode {
    /// Whether OpenGL's fixed-function blending can do it on an opaque picture.
    var isFixedFunction: Bool { self == .normal || self == .multiply || self == .screen }

    /// Sets the blend function for premultiplied colours.
    func setFixedFunction() {
        switch self {
        case .multiply: glBlendFunc(GLenum(GL_DST_COLOR), GLenum(GL_ONE_MINUS_SRC_ALPHA))
        case .screen: glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE_MINUS_SRC_COLOR))
        default: glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE_MINUS_SRC_ALPHA))
        }
    }
}
