import Display
import FaceGeometry
import MaskAuthoring
import Masks

/// Moving the points of the selected texture: dragging, snapping, symmetry, arrow keys.
final class PointEditor {
    private let package: EditedPackage
    private let reference: ReferenceFace
    private var drag: Drag?
    /// The target that the dragged point has snapped to.
    private(set) var snap: PointSnapping.Target?
    var selectedVertex: Int?
    /// Whether the mirror image of a point moves with it.
    var isSymmetric = true
    var snaps = true

    private struct Drag {
        let vertex: Int
        /// From the mouse to the point, in window units.
        let grip: Point
        /// All points before the drag.
        let points: [Point]
        let symmetry: PointSymmetry
    }

    var isDragging: Bool { drag != nil }

    init(_ package: EditedPackage, reference: ReferenceFace) {
        self.package = package
        self.reference = reference
    }

    /// Starts a drag.
    /// - Parameter grip: from the mouse to the point, in window units.
    func begin(_ vertex: Int, of points: [Point], grip: Point) {
        drag = Drag(vertex: vertex, grip: grip, points: points, symmetry: PointSymmetry(points))
    }

    /// Moves the dragged point.
    /// - Parameters:
    ///   - mouse: in window units.
    ///   - view: the texture's place.
    ///   - snaps: whether the point may snap.
    func drag(to mouse: Point, _ view: PictureNavigation.View, _ use: MaskReading.TextureUse, snaps: Bool) {
        guard let drag else { return }
        let partner = PointSymmetry.partner(of: drag.vertex)
        // One that is dragged out of the picture would be out of sight.
        let size = Point(Float(use.texture.pixels.width), Float(use.texture.pixels.height))
        var place = pointwiseMax(.zero, pointwiseMin(size, view.picture(mouse + drag.grip)))
        snap = nil
        if isSymmetric, partner == drag.vertex {
            place = drag.symmetry.nearest(to: place)
        } else if snaps {
            (place, snap) = targets(drag, partner, use).snapped(
                place, radius: 8 / view.scale, texture: use.texture.pixels)
        }
        var points = drag.points
        points[drag.vertex] = place
        if isSymmetric, partner != drag.vertex { points[partner] = drag.symmetry.mirrored(place) }
        package.set(points, of: use, moved: drag.vertex, edit: "drag")
    }

    private func targets(_ drag: Drag, _ partner: Int, _ use: MaskReading.TextureUse) -> PointSnapping {
        var snapping = PointSnapping()
        if partner == drag.vertex {
            snapping.axis = drag.symmetry
        } else if !isSymmetric {
            snapping.places.append((drag.symmetry.mirrored(drag.points[partner]), .mirror))
        }
        if case .canonicalUV = use.purpose {
            let size = Point(Float(use.texture.pixels.width), Float(use.texture.pixels.height))
            snapping.places.append((reference.vertices[drag.vertex] * size, .reference))
        }
        return snapping
    }

    func end() {
        drag = nil
        snap = nil
        package.history.endEdit()
    }

    /// Moves the selected point by a step in pixels of the texture.
    func nudge(_ step: Point) {
        guard let vertex = selectedVertex, let use = package.selectedTexture, var points = package.points(of: use)
        else { return }
        let symmetry = PointSymmetry(points)
        points[vertex] += step
        let partner = PointSymmetry.partner(of: vertex)
        if isSymmetric, partner != vertex { points[partner] = symmetry.mirrored(points[vertex]) }
        package.set(points, of: use, moved: vertex, edit: nil)
    }
}
