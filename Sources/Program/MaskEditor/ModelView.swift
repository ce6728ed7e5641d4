import Compositing
import Display
import FaceGeometry
import MaskAuthoring
import MaskRendering
import Masks
import Pixels

/// The right part of the editor: a model that wears the mask.
final class ModelView {
    /// Opens a camera or a clip.
    typealias SourceOpener = (EditModel) throws -> any EditModelSource

    private(set) var model: EditModel
    private(set) var source: any EditModelSource
    /// Whether the view has to be drawn again; reset by the session.
    var isStale = true
    /// Whether the mask has to be drawn on the model again.
    var needsRedraw = false

    private let open: SourceOpener
    private let package: EditedPackage
    private let renderer: MaskRenderer
    private var compositor: FaceCompositor
    private let propHandles: PropHandles
    private let stickerDrag: StickerDrag
    private let start = ContinuousClock.now
    private var unmasked: HeldPicture?
    private let shown: PanelPicture
    private var shownTrouble: String?
    private var navigation = PictureNavigation()
    /// Whether the view is to be zoomed to the largest face.
    private var looksForFace = false
    private var lastMotion = ContinuousClock.now

    private final class HeldPicture {
        let picture: EditPicture
        init(_ picture: consuming EditPicture) { self.picture = picture }
    }

    init(
        _ model: EditModel, package: EditedPackage, reference: ReferenceFace, mesh: FaceMesh, renderer: MaskRenderer,
        open: @escaping SourceOpener
    ) throws {
        self.model = model
        self.package = package
        self.renderer = renderer
        compositor = FaceCompositor(mask: nil, reference: reference, mesh: mesh)
        self.open = open
        propHandles = PropHandles(package, reference: reference)
        stickerDrag = StickerDrag(package, reference: reference)
        source = try open(model)
        shown = PanelPicture(try PixelBuffer(width: 8, height: 8, format: .rgba8))
        if case .photograph = model { looksForFace = true }
    }

    func use(_ model: EditModel) throws {
        let new = try open(model)
        source.stop()
        source = new
        compositor.changeSource()
        unmasked = nil
        navigation.showAll()
        if case .photograph = model { looksForFace = true }
        self.model = model
        isStale = true
    }

    func showAll() { navigation.showAll() }

    /// Takes the source's newest picture, and draws the mask on it if anything has changed.
    func update() throws {
        if source.trouble != shownTrouble {
            shownTrouble = source.trouble
            isStale = true
        }
        if let picture = try source.next() {
            unmasked = HeldPicture(picture)
            needsRedraw = true
        }
        // Animations go on, also on a still.
        let now = ContinuousClock.now
        if package.worn?.isAnimated == true, now - lastMotion > .milliseconds(45) { needsRedraw = true }
        guard needsRedraw, let unmasked else { return }
        needsRedraw = false
        lastMotion = now
        let worn = package.worn
        let seconds = unmasked.picture.seconds ?? (worn?.isAnimated == true ? (now - start) / .seconds(1) : nil)
        var frame = Frame(try unmasked.picture.pixels.copy(), seconds: seconds)
        frame.faces = unmasked.picture.instances
        compositor.mask = worn
        try compositor.compose(&frame, with: renderer)
        shown.update(frame.pixels)
        isStale = true
    }

    func draw(_ canvas: Canvas) {
        guard let unmasked else {
            canvas.paragraph(source.trouble ?? "Opening \(model.name) ...", at: Point(14, 12))
            return
        }
        let size = Point(Float(shown.width), Float(shown.height))
        if looksForFace {
            looksForFace = false
            if let face = unmasked.picture.instances.max(by: { $0.face.box.area < $1.face.box.area })?.face {
                // Hair and beard are included. Small faces are not enlarged to visible pixels.
                let extent = max(2.4 * face.box.height, min(canvas.size.x, canvas.size.y) / 2)
                navigation.show(center: face.box.center, extent: min(extent, size.max()), of: size, on: canvas)
            }
        }
        let view = navigation.navigate(canvas, size: size)
        canvas.picture(shown, at: view.corner, size: view.scale * size)
        propHandles.draw(canvas, view, size: size, faces: unmasked.picture.instances)
        stickerDrag.draw(canvas, view, faces: unmasked.picture.instances)
        if let trouble = source.trouble { canvas.paragraph(trouble, at: Point(14, 12)) }
    }
}

extension Mask {
    /// Whether it has an animation that plays by itself.
    fileprivate var isAnimated: Bool {
        layers.contains { layer in
            let picture: LayerPicture? =
                switch layer.content {
                case .warp(let warp): warp.picture
                case .sticker(let sticker): sticker.picture
                case .prop, .deform: nil
                }
            if case .animation(let animation)? = picture { return animation.position == nil }
            return false
        }
    }
}
