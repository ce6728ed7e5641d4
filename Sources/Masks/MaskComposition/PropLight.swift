import FaceGeometry

/// The light on a prop: one lamp and soft light from everywhere, as they shade the skin of the face.
package struct PropLight: Sendable {
    /// Towards the lamp, of length 1, in camera coordinates.
    package var direction: SIMD3<Float>
    /// The light that the lamp adds to a white surface that faces it.
    package var key: Float
    /// The ambient light.
    package var ambient: Float
    /// Multiplies the light that a surface reflects.
    package var exposure: Float
    /// What polished surfaces mirror; nil: nothing was measured.
    package var room: RoomMap?

    /// For models without a head.
    static let studio = PropLight(
        direction: SIMD3(-0.38, -0.62, 0.68).normalized ?? SIMD3(0, 0, 1), key: 0.9, ambient: 0.6, exposure: 1)

    private init(direction: SIMD3<Float>, key: Float, ambient: Float, exposure: Float) {
        (self.direction, self.key, self.ambient, self.exposure) = (direction, key, ambient, exposure)
    }

    /// From the upper left, in head coordinates: where nothing was measured.
    private static let usualDirection = SIMD3<Float>(-0.38, -0.62, 0.68)

    /// Directions in which the skin faces, for the cells of `FaceLight`.
    struct Normals {
        let cells: [(cell: Int, normal: SIMD3<Float>)]

        init(_ samples: SkinSamples, reference: ReferenceFace) {
            let head = HeadSurface.mean
            let front = head.positions.indices.filter { head.normals[$0].z > 0.15 }
            cells = Set(samples.all.map(\.cell)).sorted().map { cell in
                let place = Point(Float(cell % FaceLight.side) + 0.5, Float(cell / FaceLight.side) + 0.5)
                let position = HeadCamera.position(
                    canonical: place / Float(FaceLight.side), depth: 0, reference: reference)
                func distance(_ vertex: Int) -> Float {
                    let offset = head.positions[vertex] - position
                    return offset.x * offset.x + offset.y * offset.y
                }
                let nearest = front.min { distance($0) < distance($1) } ?? 0
                return (cell, head.normals[nearest])
            }
        }
    }

    /// Fits brightness = a + b · n over the normals n of the skin: the first two bands of spherical harmonics (Ramamoorthi
    /// and Hanrahan, "An Efficient Representation for Irradiance Environment Maps", 2001).
    /// - Parameter light: nil: not measured.
    init(_ light: FaceLight?, _ normals: Normals, room: RoomMap? = nil, headToCamera: AffineTransform3D) {
        self.room = room
        var (slope, luminance) = (SIMD3<Float>.zero, Float(0.55))
        var exposed: Float = 1
        if let light, light.skin != nil {
            luminance = light.meanLuminance
            exposed = light.exposure.linear
            slope = Self.slope(light, normals)
        }
        // max(0, n · l) is 1/4 + n · l / 2 in these bands. In flat light a prop would not look solid.
        let strength = 2 * slope.length
        key = min(1.5, max(0.4, strength))
        ambient = min(0.85, max(0.35, 1 - 0.45 * key))
        let direction = (slope + 0.1 * Self.usualDirection).normalized ?? Self.usualDirection
        // A lamp behind the head would leave the front of the prop dark, which the skin does not show.
        let turned = headToCamera.turned(direction)
        self.direction = SIMD3(turned.x, turned.y, max(turned.z, 0.15)).normalized ?? SIMD3(0, 0, 1)
        // Skin may be dark or in the dark; half of a difference is taken for the light,
        // and more where the room is dark, too.
        exposure = min(1.25 * exposed, max(0.35, (luminance / 0.58).squareRoot()))
    }

    private static func slope(_ light: FaceLight, _ normals: Normals) -> SIMD3<Float> {
        var equations = NormalEquations(count: 4)
        for (cell, normal) in normals.cells {
            // Brightness is encoded; its square is nearly linear.
            let brightness = Double(light.shading.values[cell] * light.shading.values[cell])
            equations.add(
                [1, Double(normal.x), Double(normal.y), Double(normal.z), 0, 0, 0], brightness, weight: 1)
        }
        // The front of a face has few directions; without a bound, noise would become a lamp.
        for unknown in 1...3 {
            equations.addPrior(unknown, 0, deviation: unknown == 3 ? 0.15 : 0.3)
        }
        guard let solution = equations.solution() else { return .zero }
        return SIMD3(Float(solution[1]), Float(solution[2]), Float(solution[3])) / Float(max(0.2, solution[0]))
    }
}
