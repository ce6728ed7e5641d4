import FaceGeometry
import Masks
import Occlusion
import Pixels

extension FaceComposition {
    /// The middle of another face on this one, where that is free; under it, the mirror image of what the other face does not
    /// show. If no other face can be shown, this one may become large.
    mutating func addOtherFace(_ warp: WarpLayer, _ visible: MaskedFace.VisibleLayer, _ add: (DrawCall) -> Void) {
        swapCount += 1
        func addAlone() {
            guard warp.growsAlone, let call = large(visible) else { return }
            largeCount += 1
            add(call)
        }
        guard let partner, let capture = captures.first(where: { $0.trackID == partner.trackID }) else {
            addAlone()
            return
        }
        let isMirrored = composer.swaps.isMirrored(
            partner.instance.face, on: face.instance.face, trackID: face.trackID, at: seconds)
        let (giver, other) = (given(partner, isMirrored: isMirrored), given(partner, isMirrored: !isMirrored))
        let strength = strength(giver, other, warp)
        guard strength > 0 else {
            addAlone()
            return
        }
        let shares = composer.surface.swapShares(warp.openings, feather: warp.feather)
        func freedom(_ given: GivenFace) -> [Float]? {
            guard let partnerMatte else { return nil }
            return composer.numbers.make {
                shares.freedom(of: given, from: partnerMatte, into: &$0, &composer.swaps.memory)
            }
        }
        let (free, otherFree) = (freedom(giver), freedom(other))
        func call(_ given: GivenFace, isMirrored: Bool, _ edge: CaptureEdge) -> DrawCall {
            let shown = composer.numbers.make { shown in
                for index in visibility.indices { shown.append(strength * visibility[index] * given.seen[index]) }
            }
            let geometry = LayerGeometry(
                triangles: composer.surface.triangles(warp.openings), positions: deformed.vertices,
                textureCoordinates: textureCoordinates(given.refined, on: capture),
                canonicalUV: composer.surface.canonicalUV, visibility: shown)
            let light = composer.lights[partner.trackID]?.light
            let content = Content(
                geometry: geometry, source: .capture(trackID: partner.trackID, edge: edge),
                giver: light.map { ($0, isMirrored) }, tableKey: .face(trackID: partner.trackID))
            var call = drawCall(content, visible)
            if case .map = edge { call.geometry.canonicalUV = composer.surface.faceTexelCoordinates }
            return call
        }
        if shares.hidesPart(giver, free),
            let map = map(isFill: true, { shares.filled(giver, free, otherFreedom: otherFree, into: &$0) })
        {
            add(call(other, isMirrored: !isMirrored, .map(map)))
        }
        if let free {
            guard let map = map(isFill: false, { shares.shown(free, into: &$0) }) else { return }
            add(call(giver, isMirrored: isMirrored, .map(map)))
        } else if let region = composer.surface.swapRegion(warp.openings) {
            // The region has soft edges around openings of its own.
            let edge = SoftEdge(openings: [], feather: warp.feather)
            add(
                call(
                    giver, isMirrored: isMirrored,
                    .texture(TextureReference(region, softEdge: edge, coordinates: composer.reference.vertices))))
        }
    }

    /// The face itself, but large: nobody is there to swap with.
    private func large(_ visible: MaskedFace.VisibleLayer) -> DrawCall? {
        guard let capture = captures.first(where: { $0.trackID == face.trackID }) else { return nil }
        let large = LargeFace(face.instance.face, vertices: face.vertices)
        let shown = composer.points.make { points in
            large.forEachVertex(in: capture.rectangle) { shown, _ in points.append(shown) }
        }
        let sources = composer.points.make { points in
            large.forEachVertex(in: capture.rectangle) { _, source in points.append(source) }
        }
        let geometry = LayerGeometry(
            triangles: LargeFace.triangles, positions: shown,
            textureCoordinates: textureCoordinates(sources, on: capture), canonicalUV: shown,
            visibility: composer.numbers.make { for _ in shown { $0.append(1) } })
        return DrawCall(
            geometry: geometry, source: .capture(trackID: face.trackID, edge: nil),
            blendMode: visible.layer.blendMode, opacity: visible.opacity,
            bounds: PixelRectangle(x: 0, y: 0, width: 0, height: 0))
    }

    /// - Parameter shares: gets an empty array, and appends how much is shown at each texel.
    private func map(isFill: Bool, _ shares: (inout [Float]) -> Void) -> ShareMap? {
        let texels = composer.surface.faceTexels
        let shares = composer.numbers.make(shares)
        let map = composer.swaps.map(face.trackID, swapCount, isFill: isFill, of: texels)
        map?.fill(shares, at: texels.texels)
        return map
    }

    private func strength(_ giver: GivenFace, _ other: GivenFace, _ warp: WarpLayer) -> Float {
        func larger(_ a: [Float], _ b: [Float]) -> [Float] {
            composer.numbers.make { result in for index in a.indices { result.append(max(a[index], b[index])) } }
        }
        let filled = larger(giver.seen, other.seen)
        var free = filled
        if let partnerMatte {
            func freedom(_ given: GivenFace) -> [Float] {
                let width = FaceBox(around: given.vertices).width
                return composer.numbers.make { freedom in
                    for place in given.refined {
                        freedom.append(SwapRegion.freedom(from: partnerMatte, at: place, width: width))
                    }
                }
            }
            // What is filled comes from elsewhere in the giver's face, where something else may be in front.
            free = product(larger(giver.seen, product(other.seen, freedom(other))), freedom(giver))
        }
        let geometry = LayerGeometry(
            triangles: composer.surface.triangles(warp.openings), positions: deformed.vertices, textureCoordinates: [],
            canonicalUV: composer.surface.canonicalUV, visibility: [])
        return SwapRegion.strength(
            geometry, seen: giver.seen, filled: filled, free: free, browLine: composer.surface.browLine)
    }

    private func given(_ partner: MaskedFace, isMirrored: Bool) -> GivenFace {
        guard isMirrored else {
            return GivenFace(
                vertices: partner.vertices, refined: composer.refinedVertices(partner.vertices),
                seen: composer.visibility(composer.surface.skinVisibility, partner.vertices, isSource: true))
        }
        // Beside itself, so that no triangle faces away.
        func reflected(_ place: Point) -> Point { Point(-place.x, place.y) }
        let mirrored = composer.points.make { vertices in
            for vertex in Landmarks.topology.mirrored { vertices.append(reflected(partner.vertices[vertex])) }
        }
        let refined = composer.refinedVertices(mirrored)
        return GivenFace(
            vertices: composer.points.make { result in for place in mirrored { result.append(reflected(place)) } },
            refined: composer.points.make { result in for place in refined { result.append(reflected(place)) } },
            seen: composer.visibility(composer.surface.skinVisibility, mirrored, isSource: true))
    }
}
