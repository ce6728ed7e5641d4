import Backgrounds
import Compositing
import Display
import FaceGeometry
import MaskAuthoring
import MaskRendering
import Masks
import NeuralNetworks
import Occlusion
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
    /// What the largest face of a camera or a clip does; nil: it is not recorded.
    var recording: Performance?

    private let open: SourceOpener
    private let package: EditedPackage
    private let renderer: MaskRenderer
    private var watch: NetworkWatch
    private var compositor: FaceCompositor
    private let propHandles: PropHandles
    private let stickerDrag: StickerDrag
    private let start = ContinuousClock.now
    private var unmasked: HeldPicture?
    private let shown: PanelPicture
    private var shownTrouble: String?
    private var navigation = PictureNavigation()
    /// Whether the view is to be zoomed to the largest face.
    private var looksForFace = true
    /// How much around the face the view shows at first.
    private var framing: PreviewFraming?
    private var lastMotion = ContinuousClock.now

    private final class HeldPicture {
        let picture: EditPicture
        init(_ picture: consuming EditPicture) { self.picture = picture }
    }

    init(
        _ model: EditModel, package: EditedPackage, reference: ReferenceFace, mesh: FaceMesh, renderer: MaskRenderer,
        networks: NetworkFolder, warn: @escaping (String) -> Void, open: @escaping SourceOpener
    ) throws {
        self.model = model.resolved
        watch = NetworkWatch(networks, warn: warn)
        self.package = package
        self.renderer = renderer
        compositor = FaceCompositor(mask: nil, reference: reference, mesh: mesh)
        compositor.occluders.search = model.occluders(networks)
        compositor.effects = try FrameEffects(nil, networks: networks)
        // What networks are missing, the panels say.
        compositor.warn = { if !$0.isOfMissingNetwork { warn("\($0)") } }
        self.open = open
        propHandles = PropHandles(package, reference: reference)
        stickerDrag = StickerDrag(package, reference: reference)
        source = try open(model)
        shown = PanelPicture(try PixelBuffer(width: 8, height: 8, format: .rgba8))
        sayWhatIsMissing(model)
    }

    func use(_ model: EditModel) throws {
        let new = try open(model)
        source.stop()
        source = new
        compositor.changeSource()
        compositor.occluders.search = model.occluders(watch.networks)
        sayWhatIsMissing(model)
        unmasked = nil
        navigation.showAll()
        looksForFace = true
        self.model = model.resolved
        isStale = true
    }

    private func sayWhatIsMissing(_ model: EditModel) {
        if model != .syntheticHead, let loss = watch.loss { watch.warn(loss) }
    }

    func showAll() { navigation.showAll() }

    /// Takes the source's newest picture, and draws the mask on it if anything has changed.
    func update() throws {
        if source.trouble != shownTrouble {
            shownTrouble = source.trouble
            isStale = true
        }
        if watch.hasChanged() {
            // What could not be shown without them is shown now.
            compositor.effects = try FrameEffects(nil, networks: watch.networks)
            compositor.occluders.search = model.occluders(watch.networks)
            needsRedraw = true
        }
        if let picture = try source.next() {
            if let seconds = picture.seconds,
                let face = picture.instances.max(by: { $0.face.box.area < $1.face.box.area })
            {
                recording?.add(face.signals, at: seconds)
            }
            unmasked = HeldPicture(picture)
            compositor.occluders.isSameStill = false
            needsRedraw = true
        }
        // Animations go on, also on a still.
        let now = ContinuousClock.now
        if package.worn?.isAnimated == true, now - lastMotion > .milliseconds(45) { needsRedraw = true }
        guard needsRedraw, let unmasked else { return }
        needsRedraw = false
        lastMotion = now
        let worn = package.worn
        // A hat that is put on comes into sight.
        let framing = worn.map(PreviewFraming.init) ?? .face
        if framing != self.framing, navigation.zoom == nil { looksForFace = true }
        self.framing = framing
        let seconds = unmasked.picture.seconds ?? (worn?.isAnimated == true ? (now - start) / .seconds(1) : nil)
        var frame = Frame(try unmasked.picture.pixels.copy(), seconds: seconds)
        frame.faces = unmasked.picture.instances
        compositor.mask = worn
        try compositor.compose(&frame, with: renderer)
        compositor.occluders.isSameStill = true
        let oldSize = (shown.width, shown.height)
        shown.update(frame.pixels)
        // Other people are there.
        if oldSize != (shown.width, shown.height), case .syntheticHead = model {
            navigation.showAll()
            looksForFace = true
        }
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
            showFace(unmasked.picture.instances, in: size, on: canvas)
        }
        let view = navigation.navigate(canvas, size: size)
        canvas.picture(shown, at: view.corner, size: view.scale * size)
        propHandles.draw(canvas, view, size: size, faces: unmasked.picture.instances)
        stickerDrag.draw(canvas, view, faces: unmasked.picture.instances)
        if compositor.leftFaceBare {
            canvas.note(
                "This mask needs two faces that suit each other: choose a picture of two people alike in size and turn.",
                opacity: 1, isAlarm: false)
        }
        if let trouble = source.trouble { canvas.paragraph(trouble, at: Point(14, 12)) }
    }

    /// Zooms to the large faces of a picture that stands still. Hair and beard are included, and hats where the mask has one.
    private func showFace(_ instances: [FaceInstance], in size: Point, on canvas: Canvas) {
        if case .camera = model { return }
        if case .clip = model { return }
        if case .syntheticHead = model, instances.count > 1 { return }
        let framing = framing ?? .face
        let square = framing.square(around: instances.map(\.face.box), share: framing == .face ? 1.25 : 1)
        guard let (center, side) = square else { return }
        // Small faces are not enlarged to visible pixels.
        let extent = max(side, min(canvas.size.x, canvas.size.y) / 2)
        navigation.show(center: center, extent: min(extent, size.max()), of: size)
    }
}

extension EditModel {
    /// How hands and hair in front of faces are found. Drawn heads have none there.
    fileprivate func occluders(_ networks: NetworkFolder) -> OccluderSearch {
        switch self {
        case .syntheticHead: .none
        case .photograph: .waiting(networks)
        case .camera, .clip: .background(networks)
        }
    }
}

extension Mask {
    /// Whether it has an animation that plays by itself.
    fileprivate var isAnimated: Bool {
        layers.contains { layer in
            let picture: LayerPicture
            switch layer.content {
            case .warp(let warp): picture = warp.picture
            case .sticker(let sticker): picture = sticker.picture
            case .prop(let prop): return prop.animations.contains { $0.position == nil }
            case .deform, .hair, .comic: return false
            }
            if case .animation(let animation) = picture { return animation.position == nil }
            return false
        }
    }
}
