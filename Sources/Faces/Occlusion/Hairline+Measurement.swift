import FaceGeometry
import Pixels

extension Hairline {
    /// Between the places that are looked at, as raises of a head point; so many are inside the mesh, and so many beyond it.
    private static let step: Float = 0.015
    private static let (inside, beyond) = (4, 18)
    /// The edge of the hair is soft, so the raise ends so many steps before it.
    private static let margin = 1
    /// How far skin is at most from the look of the cheeks, and from the place before, in variances, squared: blond hair is
    /// hardly farther.
    private static let (farthest, steepest): (Float, Float) = (6, 1.5)
    /// What the network says at least of a place on the head, 0…1.
    private static let leastOfPerson: Float = 0.8

    /// Measures how far skin goes on above the mesh.
    /// - Parameters:
    ///   - vertices: of the mesh, in pixels.
    ///   - width: of the face from ear to ear, in pixels.
    ///   - picture: `rgba8` or `rgba16`, before anything is drawn on it.
    init(
        _ look: SkinLook, _ person: PersonArea, vertices: [Point], width: Float, reference: ReferenceFace,
        in picture: borrowing PixelBuffer
    ) {
        let count = Self.inside + Self.beyond
        func raise(_ step: Int) -> Float { Float(step + 1 - Self.inside) * Self.step }
        var places: [Point] = []
        for headPoint in Self.headPoints {
            for step in 0..<count { places.append(Self.place(above: headPoint, vertices, raise: raise(step))) }
        }
        var colors: [SIMD4<Float>] = []
        SkinColors(spacing: max(1, 0.012 * width)).read(picture, at: places, into: &colors)
        let (right, bottom) = (Float(picture.width), Float(picture.height))
        let raises = Self.headPoints.indices.map { index -> Float in
            var before: SIMD4<Float>?
            let first = index * count
            let skin = (0..<count).prefix { step in
                let (place, color) = (places[first + step], colors[first + step])
                let onFace = Self.place(above: Self.headPoints[index], reference.vertices, raise: min(0, raise(step)))
                let change = before.map { (color - $0) / SkinLook.spread } ?? .zero
                before = color
                return place.x >= 0 && place.y >= 0 && place.x < right && place.y < bottom
                    && person.value(at: place) > Self.leastOfPerson
                    && (change * change).sum() < Self.steepest * look.scale
                    && look.distance(color, at: CanonicalTexels.lightBasis(onFace)) < Self.farthest
            }
            return Self.step * Float(max(0, skin.count - Self.inside - Self.margin))
        }
        // A strand, or a highlight, is no hairline.
        self.init { index in
            let near = raises[max(0, index - 1)...min(raises.count - 1, index + 1)].sorted()
            return near.count == 3 ? near[1] : near[0]
        }
    }
}
