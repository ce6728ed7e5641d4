import Compositing
import Display
import FaceGeometry
import Files
import MaskAuthoring
import MaskRendering
import Masks
import Pixels

/// The layers below and above the one that is painted on, as they look on a face, in the frame of its picture.
final class OtherLayersView {
    struct Panels {
        fileprivate var below: [Placed] = []
        fileprivate var above: [Placed] = []
    }

    fileprivate struct Placed {
        let picture: PanelPicture
        /// The place of its corner, and its size, as parts of the texture's size.
        let corner: Point
        let size: Point
    }

    private let package: EditedPackage
    private let assets: AuthoringAssets
    private let renderer: MaskRenderer
    private let messages: WindowMessages
    private var shown: Shown?
    /// Of the pictures, in pixels, at most.
    private static let side = FaceGuide.side
    /// In place of a face that is not there.
    private static let skin = SIMD4<UInt8>(203, 168, 148, 255)

    private struct Shown {
        let file: FilePath
        let state: EditedPackage.OtherLayers.State
        let vertices: [Point]
        let hasFace: Bool
        let panels: Panels
    }

    init(_ package: EditedPackage, assets: AuthoringAssets, renderer: MaskRenderer, messages: WindowMessages) {
        (self.package, self.assets, self.renderer, self.messages) = (package, assets, renderer, messages)
    }

    /// Whether the mask shows other layers than the selected one.
    var presence: BrushTool.Others {
        // While they are being read again, they stay.
        guard let layers = package.otherLayers else { return shown == nil ? .unknown : .some }
        return layers.isEmpty ? .none : .some
    }

    /// Forgets the pictures, and the memory they take.
    func clear() { shown = nil }

    /// - Parameters:
    ///   - vertices: the mesh's on the texture, in its pixels.
    ///   - size: of the texture, in pixels.
    ///   - face: the reference face, if the texture is painted on that.
    func panels(of file: FilePath, vertices: [Point], size: Point, face: FaceGuide.Skin?) -> Panels? {
        // While they are being read again, they stay.
        guard let layers = package.otherLayers else { return shown?.file == file ? shown?.panels : nil }
        if let shown, shown.file == file, shown.state == layers.state, shown.vertices == vertices,
            shown.hasFace == (face != nil)
        {
            return shown.panels
        }
        let panels: Panels
        do {
            panels = try draw(layers, vertices: vertices, size: size, face: face)
        } catch {
            messages.say("The other layers cannot be shown: \(error)", isAlarm: true)
            panels = Panels()
        }
        shown = Shown(file: file, state: layers.state, vertices: vertices, hasFace: face != nil, panels: panels)
        return panels
    }

    private func draw(
        _ layers: EditedPackage.OtherLayers, vertices: [Point], size: Point, face: FaceGuide.Skin?
    ) throws -> Panels {
        if layers.isEmpty { return Panels() }
        let scale = face == nil ? min(1, Float(Self.side) / size.max()) * Point(1, 1) : Float(Self.side) / size
        let (width, height) = (Int((size.x * scale.x).rounded()), Int((size.y * scale.y).rounded()))
        guard let landmarks = Landmarks(vertices.prefix(Landmarks.count).map { $0 * scale }) else { return Panels() }
        let head = HeadPoints { vertices[$0.vertex] * scale }
        let instance = FaceInstance(
            face: Face(landmarks: landmarks, reference: assets.reference, headPoints: head), trackID: 1)
        func backdrop() throws -> PixelBuffer {
            if let face { return try face.pixels.copy() }
            return try Self.plain(width: width, height: height)
        }
        var panels = Panels()
        if !layers.below.layers.isEmpty { panels.below = try draw(layers.below, on: instance, backdrop()).layers }
        guard !layers.above.layers.isEmpty else { return panels }
        guard let blended = layers.blended else {
            panels.above = try draw(layers.above, on: instance, backdrop()).layers
            return panels
        }
        let drawn = try draw(blended, on: instance, backdrop())
        panels.above = try draw(layers.above, on: instance, drawn.picture.copy()).layers
        return panels
    }

    private static func plain(width: Int, height: Int) throws -> PixelBuffer {
        var picture = try PixelBuffer(width: max(1, width), height: max(1, height), format: .rgba8)
        for y in 0..<picture.height { picture.withMutableRow(y) { row in for x in row.indices { row[x] = skin } } }
        return picture
    }

    private struct Drawn: ~Copyable {
        let picture: PixelBuffer
        let layers: [Placed]
    }

    private func draw(_ mask: Mask, on face: FaceInstance, _ picture: consuming PixelBuffer) throws -> Drawn {
        var frame = Frame(picture, seconds: nil, encoding: .video)
        frame.faces = [face]
        var compositor = assets.makeCompositor(mask)
        let parts = try compositor.composeInLayers(&frame, with: renderer)
        let picture = frame.reusedPixels()
        let size = Point(Float(picture.width), Float(picture.height))
        let layers = parts.map { layer in
            Placed(
                picture: PanelPicture(layer.pixels, for: .photograph),
                corner: Point(Float(layer.x), Float(layer.y)) / size,
                size: Point(Float(layer.pixels.width), Float(layer.pixels.height)) / size)
        }
        return Drawn(picture: picture, layers: layers)
    }
}

extension Canvas {
    /// - Parameter size: of the texture on the canvas.
    func othersBelow(_ panels: OtherLayersView.Panels?, at corner: Point, size: Point) {
        draw(panels?.below ?? [], at: corner, size: size)
    }

    func othersAbove(_ panels: OtherLayersView.Panels?, at corner: Point, size: Point) {
        draw(panels?.above ?? [], at: corner, size: size)
    }

    private func draw(_ pictures: [OtherLayersView.Placed], at corner: Point, size: Point) {
        for placed in pictures { picture(placed.picture, at: corner + placed.corner * size, size: placed.size * size) }
    }
}
