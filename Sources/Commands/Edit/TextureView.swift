import Display
import FaceGeometry
import MaskAuthoring
import Masks
import Pixels

/// The texture of the chosen layer with the points that hold it on the face. Keeps how it is looked at, whatever happens
/// to the texture.
final class TextureView {
    private unowned let session: EditSession
    private var picture: (texture: Texture, panel: PanelPicture)?
    private var navigation = PictureNavigation()
    /// The file that it is about: another one is looked at anew, the same one goes on whatever becomes of it.
    private var file: String?
    private var drag: Drag?
    private var snap: PointSnapping.Target?
    private(set) var chosenVertex: Int?

    var showsMesh = true
    var isSymmetric = true
    var snaps = true

    /// A point on its way.
    private struct Drag {
        let vertex: Int
        /// From the mouse to the point, in the window's units.
        let grip: Point
        /// Where everything was.
        let points: [Point]
        let symmetry: PointSymmetry
    }
    /// From the mouse to a sticker's anchor while that is dragged.
    private var centerGrip: Point?

    init(_ session: EditSession) { self.session = session }

    func fit() { navigation.showAll() }

    func draw(_ panels: Panels, width: Float, height: Float) {
        panels.canvas("texture", width: width, height: height) { canvas in
            guard let use = session.package.selectedTexture else {
                canvas.text("This layer has no picture of its own.", at: Point(14, 12), color: Self.faint)
                return
            }
            draw(use, canvas)
        }
    }

    private static let faint = SIMD4<UInt8>(170, 170, 175, 255)
    private static let meshColor = SIMD4<UInt8>(255, 255, 255, 90)
    private static let foldedColor = SIMD4<UInt8>(255, 60, 60, 255)
    private static let pointColor = SIMD4<UInt8>(0, 230, 120, 255)
    private static let headPointColor = SIMD4<UInt8>(255, 205, 40, 255)
    private static let chosenColor = SIMD4<UInt8>(255, 255, 255, 255)
    private static let reach: Float = 10

    private func draw(_ use: MaskReading.TextureUse, _ canvas: Canvas) {
        let texture = use.texture
        let name = session.package.name(of: texture)
        if name != file {
            file = name
            navigation.showAll()
            chosenVertex = nil
        }
        let panel: PanelPicture
        if let picture, picture.texture === texture {
            panel = picture.panel
        } else {
            panel = PanelPicture(texture.pixels, for: .closeUp)
            picture = (texture, panel)
        }
        let size = Point(Float(texture.pixels.width), Float(texture.pixels.height))
        let placed = navigation.navigate(canvas, size: size, margin: 0.06)
        let (scale, corner) = (placed.scale, placed.corner)
        canvas.checkers(at: corner, size: scale * size, side: 8)
        canvas.picture(panel, at: corner, size: scale * size)
        if case .sticker = use.purpose {
            drawCenter(canvas, size: size, scale: scale, corner: corner)
        } else if let points = session.package.points(of: use) {
            edit(points, use, canvas, scale: scale, corner: corner)
            drawPoints(
                session.package.selectedTexture.flatMap(session.package.points) ?? points, canvas, scale: scale,
                corner: corner)
        }
        var status = "\(name)  \(Int(size.x)) × \(Int(size.y))  \(Int((100 * scale).rounded())) %"
        if let chosenVertex, let points = session.package.points(of: use), chosenVertex < points.count {
            let place = points[chosenVertex]
            status += "  point \(chosenVertex + 1): \(decimal(place.x, places: 1)), \(decimal(place.y, places: 1))"
        }
        if drag != nil, let snap { status += "  on the \(snap.rawValue)" }
        canvas.text(status, at: Point(14, 12))
    }

    // MARK: Points

    private func edit(
        _ points: [Point], _ use: MaskReading.TextureUse, _ canvas: Canvas, scale: Float, corner: Point
    ) {
        if canvas.isPressed {
            let distances = points.indices.map { (corner + scale * points[$0] - canvas.mouse).length }
            chosenVertex = distances.indices.min { distances[$0] < distances[$1] }
            if let vertex = chosenVertex, distances[vertex] <= Self.reach {
                drag = Drag(
                    vertex: vertex, grip: corner + scale * points[vertex] - canvas.mouse, points: points,
                    symmetry: PointSymmetry(points))
            } else {
                chosenVertex = nil
            }
        }
        guard let drag else { return }
        if canvas.isHeld, canvas.mouseMotion != .zero || snap != nil {
            let place = (canvas.mouse + drag.grip - corner) / scale
            move(drag, to: place, use, reach: 8 / scale, snaps: snaps && !canvas.isAltDown)
        }
        if canvas.isReleased || !canvas.isHeld {
            self.drag = nil
            snap = nil
            session.package.history.endEdit()
        }
    }

    private func move(
        _ drag: Drag, to place: Point, _ use: MaskReading.TextureUse, reach: Float, snaps: Bool
    ) {
        let partner = PointSymmetry.partner(of: drag.vertex)
        var place = place
        snap = nil
        if isSymmetric, partner == drag.vertex {
            place = drag.symmetry.nearest(to: place)
        } else if snaps {
            var snapping = PointSnapping()
            if partner == drag.vertex {
                snapping.axis = drag.symmetry
            } else if !isSymmetric {
                snapping.places.append((drag.symmetry.mirrored(drag.points[partner]), .mirror))
            }
            if case .canonicalUV = use.purpose {
                let size = Point(Float(use.texture.pixels.width), Float(use.texture.pixels.height))
                snapping.places.append((session.reference.vertices[drag.vertex] * size, .reference))
            }
            (place, snap) = snapping.snapped(place, radius: reach, texture: use.texture.pixels)
        }
        var points = drag.points
        points[drag.vertex] = place
        if isSymmetric, partner != drag.vertex { points[partner] = drag.symmetry.mirrored(place) }
        session.package.set(points, of: use, moved: drag.vertex, edit: "drag")
    }

    /// Moves the chosen point by so many pixels of the texture.
    func nudge(_ step: Point) {
        guard let vertex = chosenVertex, let use = session.package.selectedTexture,
            var points = session.package.points(of: use)
        else {
            return
        }
        let symmetry = PointSymmetry(points)
        points[vertex] += step
        let partner = PointSymmetry.partner(of: vertex)
        if isSymmetric, partner != vertex { points[partner] = symmetry.mirrored(points[vertex]) }
        session.package.set(points, of: use, moved: vertex, edit: nil)
    }

    private func drawPoints(_ points: [Point], _ canvas: Canvas, scale: Float, corner: Point) {
        let places = points.map { corner + scale * $0 }
        if showsMesh {
            for edge in session.meshEdges {
                canvas.line(from: places[edge.from], to: places[edge.to], thickness: 1, color: Self.meshColor)
            }
            for triangle in session.mesh.foldedTriangles(points, tolerance: 1) {
                for edge in triangle.edges {
                    canvas.line(from: places[edge.from], to: places[edge.to], thickness: 2, color: Self.foldedColor)
                }
            }
        }
        for (index, place) in places.enumerated() {
            let color = index < Landmarks.count ? Self.pointColor : Self.headPointColor
            let isNear = canvas.isHovered && drag == nil && (place - canvas.mouse).length <= Self.reach
            canvas.disc(at: place, radius: isNear || index == chosenVertex ? 6 : 4, color: SIMD4(0, 0, 0, 200))
            canvas.disc(
                at: place, radius: isNear || index == chosenVertex ? 4.5 : 2.8,
                color: index == chosenVertex ? Self.chosenColor : color)
        }
    }

    // MARK: Stickers

    /// The place of a sticker's picture that lies on its anchor.
    private func drawCenter(_ canvas: Canvas, size: Point, scale: Float, corner: Point) {
        let center = session.package.selectedLayer?["center"]?.elements.compactMap(\.number) ?? []
        let place = center.count == 2 ? Point(Float(center[0]), Float(center[1])) : Point(0.5, 0.5)
        let onCanvas = corner + scale * size * place
        for step in [Point(14, 0), Point(0, 14)] {
            canvas.line(from: onCanvas - step, to: onCanvas + step, thickness: 4, color: SIMD4(0, 0, 0, 180))
            canvas.line(from: onCanvas - step, to: onCanvas + step, thickness: 2, color: Self.chosenColor)
        }
        canvas.text("the anchor", at: onCanvas + Point(10, 8))
        if canvas.isPressed, (onCanvas - canvas.mouse).length <= 2 * Self.reach { centerGrip = onCanvas - canvas.mouse }
        if !canvas.isHeld { centerGrip = nil }
        if let centerGrip, canvas.mouseMotion != .zero {
            let new = (canvas.mouse + centerGrip - corner) / (scale * size)
            let clamped = pointwiseMax(Point(-2, -2), pointwiseMin(Point(3, 3), new))
            session.package.setSelected(
                "center", .array([.rounded(clamped.x), .rounded(clamped.y)]), step: "move the anchor")
        }
    }
}
