import FaceGeometry
import Glibc
import Pixels

/// Draws a synthetic face by ray casting, and computes the exact positions of its landmarks.
package struct FaceDrawing: Sendable {
    private let drawn: DrawnFace
    private let reference: ReferenceFace
    private let placement: DrawnFacePlacement
    private let shape: HeadShape
    private let coloring: FaceColoring
    private let body: [BodyPart]
    private let rotation: Rotation
    private let silhouette: HeadSilhouette
    private let light: SIMD3<Float>

    /// Distance of the camera in head units.
    private var cameraDistance: Float { 2 * placement.cameraDistance }
    /// The head rotates about the top of the neck.
    private static let pivot = SIMD3<Float>(0, 0.5, -0.65)

    package init(_ face: DrawnFace, placement: DrawnFacePlacement, reference: ReferenceFace) {
        drawn = face
        self.reference = reference
        self.placement = placement
        let features = FaceFeatures(identity: face.identity, expression: face.expression, reference: reference)
        shape = HeadShape(features: features, identity: face.identity)
        coloring = FaceColoring(shape: shape, identity: face.identity, expression: face.expression)
        body = BodyPart.all(face)
        rotation = Rotation(face.pose)
        let direction = face.light.direction
        light = direction / (direction * direction).sum().squareRoot()
        let eye = rotation.applyInverse(SIMD3(0, 0, 2 * placement.cameraDistance) - Self.pivot) + Self.pivot
        silhouette = HeadSilhouette(of: shape, from: eye, towards: rotation.applyInverse(SIMD3(0, 0, -1)))
    }

    // MARK: Ground truth

    /// The landmarks in pixels. On the far side of a rotated head those of the jaw lie on the outline of the face, as
    /// annotators place them.
    package var landmarks: Landmarks {
        shape.features.landmarks.mappedWithIndex { index, point in
            if Landmarks.topology.isOnJaw(index), index != Landmarks.topology.chin {
                let side: Float = point.x < 0 ? -1 : 1
                let isFarSide = side * drawn.pose.yaw > 0
                let yaw = isFarSide ? drawn.pose.yaw : 0
                return project(shape.silhouette(y: min(point.y, shape.chin - 0.01), side: side, yaw: yaw))
            }
            return project(SIMD3(point.x, point.y, shape.depth(atX: point.x, y: point.y)))
        }
    }

    /// The face as a perfect landmark model would measure it.
    /// - Parameter transform: from the pixels of this picture to those of another one that contains it.
    package func face(_ transform: (Point) -> Point = { $0 }) -> Face {
        var face = Face(landmarks: landmarks.mapped(transform), reference: reference)
        face.pupils = Pupils(right: transform(pupils.right), left: transform(pupils.left))
        return face
    }

    /// In pixels.
    package var pupils: Pupils {
        func place(_ p: Point) -> Point { project(SIMD3(p.x, p.y, shape.depth(atX: p.x, y: p.y))) }
        return Pupils(right: place(coloring.pupils.right), left: place(coloring.pupils.left))
    }

    /// The face with its expression, judged from a single picture.
    package func instance(trackID: Int = 1, _ transform: (Point) -> Point = { $0 }) -> FaceInstance {
        var instance = FaceInstance(face: face(transform), trackID: trackID)
        instance.signals[.gazeTurn] = drawn.expression.gazeTurn
        instance.signals[.gazeNod] = drawn.expression.gazeNod
        return instance
    }

    /// The position in the picture, in pixels, of a point on the front of the head that is given in canonical UV.
    package func position(ofCanonicalPoint point: Point) -> Point {
        let place = FaceFeatures.headPosition(canonical: point)
        return project(SIMD3(place.x, place.y, shape.depth(atX: place.x, y: place.y)))
    }

    /// The position in the picture, in pixels, of any point that turns with the head.
    /// - Parameter point: in the coordinates of `HeadCamera`: face widths from the middle between the outer corners of the
    ///   eyes, x to the right, y down, z towards the viewer.
    package func position(ofHeadPoint point: SIMD3<Float>) -> Point {
        // A head unit is half a face width; both origins have the same depth.
        let eyes = FaceFeatures.headPosition(canonical: HeadCamera.origin(of: reference))
        return project(2 * point + SIMD3(eyes.x, eyes.y, 0))
    }

    /// The depth of the head at a point in canonical UV, in the same unit.
    package func depth(atCanonicalPoint point: Point) -> Float {
        let place = FaceFeatures.headPosition(canonical: point)
        return shape.depth(atX: place.x, y: place.y) * FaceFeatures.unit
    }

    private var scale: Float { placement.faceWidth / 2 }

    private func project(_ p: SIMD3<Float>) -> Point {
        let turned = rotation.apply(p - Self.pivot) + Self.pivot
        let perspective = cameraDistance / (cameraDistance - turned.z)
        return placement.center + Point(turned.x, turned.y) * perspective * scale
    }

    // MARK: Picture

    /// Draws head, neck and shoulders over the picture.
    /// - Parameters:
    ///   - samples: `samples` × `samples` rays are cast for each pixel.
    ///   - rows: of the picture, that are drawn; nil: all.
    package func draw(into picture: inout PixelBuffer, samples: Int = 2, rows: Range<Int>? = nil) {
        precondition(picture.format == .rgba8)
        let (width, height, bytesPerRow) = (picture.width, picture.height, picture.bytesPerRow)
        let rows = (rows ?? 0..<height).clamped(to: 0..<height)
        picture.withUnsafeMutableBytes { bytes in
            nonisolated(unsafe) let base = bytes
            Rows.forEach(rows.count) { row in
                let y = rows.lowerBound + row
                for x in 0..<width {
                    let offset = y * bytesPerRow + 4 * x
                    let old = base.load(fromByteOffset: offset, as: SIMD4<UInt8>.self)
                    guard let color = pixel(x: x, y: y, samples: samples, over: old) else { continue }
                    base.storeBytes(of: Self.encoded(color), toByteOffset: offset, as: SIMD4<UInt8>.self)
                }
            }
        }
    }

    /// Like `draw` with nine rays for each pixel, in a third of the time: one ray except where neighbours differ.
    package func drawQuickly(into picture: inout PixelBuffer) throws(OutOfMemory) {
        let background = try picture.copy()
        draw(into: &picture, samples: 1)
        let plain = try picture.copy()
        let (width, height, bytesPerRow) = (picture.width, picture.height, picture.bytesPerRow)
        picture.withUnsafeMutableBytes { bytes in
            // Safe: each row is written by one iteration, and the other two pictures are only read.
            nonisolated(unsafe) let base = bytes
            plain.withUnsafeBytes { plain in
                nonisolated(unsafe) let plain = plain
                background.withUnsafeBytes { background in
                    nonisolated(unsafe) let background = background
                    Rows.forEach(max(0, height - 2)) { row in
                        for x in 1..<max(1, width - 1) {
                            let offset = (row + 1) * bytesPerRow + 4 * x
                            func color(_ offset: Int) -> SIMD4<Int16> {
                                SIMD4(truncatingIfNeeded: plain.load(fromByteOffset: offset, as: SIMD4<UInt8>.self))
                            }
                            let here = color(offset)
                            let differs = [offset - 4, offset + 4, offset - bytesPerRow, offset + bytesPerRow].contains
                            {
                                let difference = color($0) &- here
                                return max(abs(difference.x), abs(difference.y), abs(difference.z)) > 48
                            }
                            guard differs else { continue }
                            let old = background.load(fromByteOffset: offset, as: SIMD4<UInt8>.self)
                            guard let color = pixel(x: x, y: row + 1, samples: 3, over: old) else { continue }
                            base.storeBytes(of: Self.encoded(color), toByteOffset: offset, as: SIMD4<UInt8>.self)
                        }
                    }
                }
            }
        }
    }

    /// Nil where all rays miss the person.
    private func pixel(x: Int, y: Int, samples: Int, over background: SIMD4<UInt8>) -> SIMD3<Float>? {
        var sum = SIMD3<Float>.zero
        var missed = 0
        for j in 0..<samples {
            for i in 0..<samples {
                let place = Point(
                    Float(x) + (Float(i) + 0.5) / Float(samples), Float(y) + (Float(j) + 0.5) / Float(samples))
                if let color = sample(at: (place - placement.center) / scale) { sum += color } else { missed += 1 }
            }
        }
        if missed == samples * samples { return nil }
        if missed > 0 { sum += Float(missed) * Self.linear(background) }
        return sum / Float(samples * samples)
    }

    /// The colour along the ray through a point of the picture, in head units; nil where it misses the person.
    private func sample(at place: Point) -> SIMD3<Float>? {
        let eye = SIMD3<Float>(0, 0, cameraDistance)
        let toPlane = SIMD3(place.x, place.y, 0) - eye
        let direction = toPlane / (toPlane * toPlane).sum().squareRoot()
        // In the head's own frame.
        let origin = rotation.applyInverse(eye - Self.pivot) + Self.pivot
        let ray = rotation.applyInverse(direction)
        var nearest = Float.infinity
        var color: SIMD3<Float>?
        if let hit = hitHead(origin, ray) {
            nearest = hit
            color = shadeHead(eye, direction, hit)
        }
        for body in body {
            let hit = body.rotatesWithHead ? body.hit(origin, ray) : body.hit(eye, direction)
            if let (distance, gradient) = hit, distance < nearest {
                let normal = body.rotatesWithHead ? rotation.apply(gradient) : gradient
                nearest = distance
                let place = rotation.applyInverse(eye + distance * direction - Self.pivot) + Self.pivot
                let surface =
                    body.isHair
                    ? coloring.hairColor(at: place)
                    : SurfaceColor(color: body.color, gloss: 0.03, sharpness: 8, normal: nil)
                var occlusion: Float = 1
                if body.isShadedByChin {
                    let y = eye.y + distance * direction.y
                    occlusion = 0.45 + 0.55 * smoothstep(1.35, 2.3, y)
                }
                color = shade(surface, normal: normal, view: -direction, shadow: occlusion) * (0.6 + 0.4 * occlusion)
            }
        }
        return color
    }

    /// - Parameters: a ray in the head's own frame.
    private func hitHead(_ origin: SIMD3<Float>, _ ray: SIMD3<Float>) -> Float? {
        // A box around the head with hair bounds the search.
        let bounds = shape.bounds
        let (near, far) = ((bounds.lowerBound - origin) / ray, (bounds.upperBound - origin) / ray)
        var t = max(0, pointwiseMin(near, far).max())
        let end = pointwiseMax(near, far).min()
        guard t < end, silhouette.mayMeet(ray, from: t, to: end) else { return nil }
        var (previous, valueBefore) = (t, Float.infinity)
        while t < end {
            let value = shape.value(at: origin + t * ray)
            if value < 0 { return surface(origin, ray, outside: (previous, valueBefore), inside: (t, value)) }
            (previous, valueBefore) = (t, value)
            t += max(0.012, value * 0.45)
        }
        return nil
    }

    /// Where a ray meets the surface between two places on it: the Illinois method, a false position that halves the
    /// value of an end that stays twice.
    private func surface(
        _ origin: SIMD3<Float>, _ ray: SIMD3<Float>, outside: (t: Float, value: Float), inside: (t: Float, value: Float)
    ) -> Float {
        var (outside, inside, last) = (outside, inside, 0)
        for _ in 0..<10 where inside.t - outside.t > 1e-5 {
            let share = outside.value.isFinite ? outside.value / (outside.value - inside.value) : 0.5
            let t = outside.t + share * (inside.t - outside.t)
            let value = shape.value(at: origin + t * ray)
            let side = value < 0 ? -1 : 1
            if value < 0 {
                inside = (t, value)
                if last == side { outside.value /= 2 }
            } else {
                outside = (t, value)
                if last == side { inside.value /= 2 }
            }
            if abs(value) < 1e-5 { return t }
            last = side
        }
        return inside.t
    }

    private func shadeHead(_ eye: SIMD3<Float>, _ direction: SIMD3<Float>, _ distance: Float) -> SIMD3<Float> {
        let p = rotation.applyInverse(eye + distance * direction - Self.pivot) + Self.pivot
        let surface = coloring.color(at: p)
        let e: Float = 0.012
        let gradient = SIMD3(
            shape.value(at: p + SIMD3(e, 0, 0)) - shape.value(at: p - SIMD3(e, 0, 0)),
            shape.value(at: p + SIMD3(0, e, 0)) - shape.value(at: p - SIMD3(0, e, 0)),
            shape.value(at: p + SIMD3(0, 0, e)) - shape.value(at: p - SIMD3(0, 0, e)))
        let own = gradient / max((gradient * gradient).sum().squareRoot(), 1e-6)
        let normal = rotation.apply(surface.normal.map { $0 / ($0 * $0).sum().squareRoot() } ?? own)
        return shade(surface, normal: normal, view: -direction, shadow: shadow(from: p, normal: own))
    }

    /// How much of the light reaches a point of the head, 0…1, with soft shadows.
    private func shadow(from p: SIMD3<Float>, normal: SIMD3<Float>) -> Float {
        let toLight = rotation.applyInverse(light)
        var lit: Float = 1
        var t: Float = 0.05
        let start = p + 0.02 * normal
        while t < 0.9 {
            let clearance = shape.value(at: start + t * toLight)
            lit = min(lit, 0.5 + 7 * clearance / t)
            if lit <= 0 { return 0 }
            // Only what is nearer than a fourteenth of the way darkens: far from the head there is nothing to look for.
            t += 0.05 * max(1, ((clearance - t / 14) * 0.45 / 0.05).rounded(.down))
        }
        return max(0, min(1, lit))
    }

    private func shade(_ surface: SurfaceColor, normal: SIMD3<Float>, view: SIMD3<Float>, shadow: Float) -> SIMD3<Float>
    {
        let facing = (normal * light).sum()
        // Subsurface scattering: light bleeds around the edge of the shadow, red farthest.
        let wrap = SIMD3<Float>(0.22, 0.10, 0.07)
        let diffuse = ((SIMD3(repeating: facing) + wrap) / (SIMD3(repeating: 1) + wrap)).clamped(
            lowerBound: .zero, upperBound: SIMD3(repeating: 1))
        let half = light + view
        let halfway = half / (half * half).sum().squareRoot()
        let highlight = powf(max(0, (normal * halfway).sum()), surface.sharpness) * surface.gloss
        let sky = 0.75 - 0.25 * normal.y
        let ambient = drawn.light.ambient * sky * (0.75 + 0.25 * max(0, normal.z))
        let direct = drawn.light.intensity * (0.25 + 0.75 * shadow)
        return surface.color * (direct * diffuse + SIMD3(repeating: ambient))
            + SIMD3(repeating: highlight * direct * shadow)
    }
}
