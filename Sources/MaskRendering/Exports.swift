// Callers of the renderer also name contexts, shader sources, errors, colour encodings and draw lists.
@_exported import Graphics
@_exported import MaskComposition

/// The former name of `GraphicsError`.
package typealias RenderingError = GraphicsError
