import FaceGeometry
import Masks
import Occlusion
import Pixels

/// Turns masks into draw lists for one stream of pictures. It keeps the measured light of each face from picture to
/// picture, and what it has derived from textures.
///
/// It reads pixels only to measure light, and has no part in drawing. Use one per stream, from one thread at a time.
package final class MaskComposer {
    package let reference: ReferenceFace
    let surface: MaskSurface
    package var mesh: FaceMesh { surface.refined.mesh }
    let lights: FaceLights
    private(set) lazy var shadows = ContactShadowCache(
        surface.refined, canonicalUV: surface.canonicalUV, reference: reference)
    let poses = PropPoses()
    let swaps = FaceSwaps()
    private var textures = TextureCache<LayerTextureInfo>()

    // MARK: Memory, which is kept from picture to picture

    /// For the arrays of draw lists.
    var points = ReusedArrays<Point>()
    var numbers = ReusedArrays<Float>()
    var uncovered = UncoveredArea()
    private var layerLists = ReusedArrays<MaskedFace.VisibleLayer>()
    /// Of the picture that is being composed, in drawing order.
    private(set) var faces: [MaskedFace] = []
    private var order = DrawingOrder()
    /// The recycled parts (`recycle`): a list without faces, and lists of calls.
    private var spareList = DrawList()
    private var spareCalls: [[DrawCall]] = []

    package init(reference: ReferenceFace, mesh: FaceMesh) {
        self.reference = reference
        surface = MaskSurface(mesh, reference: reference)
        lights = FaceLights(surface.skinSamples, reference: reference)
    }

    /// The draw list for a mask on some faces of a picture.
    package func drawList(
        _ mask: Mask, on instances: [FaceInstance], occluders mattes: [Int: OcclusionMatte] = [:],
        at seconds: Double? = nil, in picture: borrowing PixelBuffer
    ) -> DrawList {
        drawList(instances.map { WornMask(mask, on: $0) }, occluders: mattes, at: seconds, in: picture)
    }

    /// The draw list for the masks on some faces of a picture.
    /// - Parameters:
    ///   - worn: in any order; their track IDs differ.
    ///   - seconds: time of the picture, for animations and for smoothing the light; nil: a single picture, which leaves
    ///     no trace in the light of a stream.
    ///   - mattes: the occluders of the faces, by track ID.
    ///   - picture: before anything is drawn on it.
    package func drawList(
        _ worn: [WornMask], occluders mattes: [Int: OcclusionMatte] = [:], at seconds: Double? = nil,
        in picture: borrowing PixelBuffer
    ) -> DrawList {
        textures.beginPicture()
        swaps.beginPicture()
        points.beginPicture()
        numbers.beginPicture()
        uncovered.beginPicture()
        layerLists.beginPicture()
        let largest = worn.max { $0.instance.face.box.area < $1.instance.face.box.area }?.instance.trackID
        for worn in worn {
            faces.append(
                MaskedFace(worn, isLargest: worn.instance.trackID == largest, &points, &layerLists))
        }
        order.sort(&faces, isStream: seconds != nil)
        // What is shown is not kept alive.
        defer {
            faces.removeAll(keepingCapacity: true)
            layerLists.removeElements()
        }
        pairUp(faces, occluders: mattes, in: picture, at: seconds)
        var list = DrawList()
        swap(&list, &spareList)
        addCaptures(of: faces, occluders: mattes, in: picture.bounds, to: &list.captures)
        lights.beginPicture(at: seconds)
        defer { lights.endPicture(at: seconds) }
        measureLight(faces, occluders: mattes, in: picture, at: seconds)
        for face in faces where !face.layers.isEmpty {
            var composition = FaceComposition(
                face, partner: partner(of: face, among: faces), captures: list.captures,
                mattes: mattes, composer: self, seconds: seconds,
                head: face.hasProps ? lights.head(of: face, in: picture.bounds, at: seconds) : nil)
            var calls = spareCalls.popLast() ?? []
            if let rectangle = composition.addCalls(in: picture.bounds, to: &calls) {
                let blur =
                    face.takesBlur
                    ? lights[face.trackID]?.blur.missing(
                        faceWidth: Landmarks.topology.faceWidth(face.vertices), hasProps: face.hasProps) : nil
                list.faces.append(
                    FaceDrawList(trackID: face.trackID, rectangle: rectangle, calls: calls, blur: blur ?? 0))
            }
        }
        return list
    }

    /// Takes back a list that has been drawn, so that the next one is made in its memory.
    package func recycle(_ list: consuming DrawList) {
        for index in list.faces.indices {
            var calls: [DrawCall] = []
            swap(&calls, &list.faces[index].calls)
            calls.removeAll(keepingCapacity: true)
            spareCalls.append(calls)
        }
        list.faces.removeAll(keepingCapacity: true)
        list.captures.removeAll(keepingCapacity: true)
        spareList = list
    }

    /// Whether a face of the last list shows, and is shown by, another one.
    package func isSwapped(_ trackID: Int) -> Bool { swaps.pairs.partner(of: trackID) != nil }

    /// The face whose picture another one shows if a layer asks for that; nil: nobody's suits.
    private func partner(of face: MaskedFace, among faces: [MaskedFace]) -> MaskedFace? {
        swaps.pairs.partner(of: face.trackID).flatMap { partner in faces.first { $0.trackID == partner } }
    }

    // MARK: What is measured or kept before drawing

    /// Pairs the faces that show another one: who wears something else is hidden by it.
    private func pairUp(
        _ faces: [MaskedFace], occluders mattes: [Int: OcclusionMatte], in picture: borrowing PixelBuffer,
        at seconds: Double?
    ) {
        swaps.pairs.beginPicture()
        guard faces.count(where: { $0.shows(.other) }) > 1 else { return }
        for face in faces where face.shows(.other) {
            var look: SwapLook?
            // Where the face is not, something else would be measured.
            if face.instance.isSeen {
                look = SwapLook(
                    face.instance.face, surface.swapSamples, vertices: face.vertices, matte: mattes[face.trackID],
                    in: picture, &swaps.looking)
            }
            swaps.pairs.add(face.trackID, look, at: seconds)
        }
        swaps.pairs.pair(at: seconds)
    }

    /// The faces that layers show, and those with occluders.
    private func addCaptures(
        of faces: [MaskedFace], occluders mattes: [Int: OcclusionMatte], in bounds: PixelRectangle,
        to captures: inout [Capture]
    ) {
        func add(_ face: MaskedFace, around box: FaceBox, only part: PixelRectangle? = nil) {
            var rectangle = PixelRectangle(covering: box).intersection(bounds)
            if let part { rectangle = rectangle.intersection(part) }
            guard !rectangle.isEmpty else { return }
            if let known = captures.firstIndex(where: { $0.trackID == face.trackID }) {
                captures[known].rectangle = captures[known].rectangle.union(rectangle)
            } else {
                captures.append(Capture(trackID: face.trackID, rectangle: rectangle))
            }
        }
        for face in faces {
            let box = FaceComposition.boxWithRing(around: face.vertices)
            if face.shows(.own) { add(face, around: box) }
            if let matte = mattes[face.trackID], !face.layers.isEmpty {
                // Helmets and capes reach beyond the face.
                add(face, around: face.hasProps ? matte.box : box, only: PixelRectangle(covering: matte.box))
            }
            guard face.shows(.other) else { continue }
            if let partner = partner(of: face, among: faces) {
                add(partner, around: FaceBox(around: refinedVertices(partner.vertices)))
            }
            if face.growsAlone {
                add(face, around: LargeFace(face.instance.face, vertices: face.vertices).box)
            }
        }
    }

    /// Forgets the light of a stream, how props swing and who swaps with whom: the next picture shows another scene.
    package func interrupt() {
        lights.forget()
        poses.interrupt()
        swaps.forget()
        order.forget()
    }

    private func measureLight(
        _ faces: [MaskedFace], occluders mattes: [Int: OcclusionMatte], in picture: borrowing PixelBuffer,
        at seconds: Double?
    ) {
        // The light of traded faces is compared: hair would make it wrong.
        let isTraded = faces.contains { $0.shows(.other) }
        func measure(_ face: MaskedFace) {
            lights.measure(
                face, except: isTraded ? mattes[face.trackID] : nil, in: picture, at: seconds,
                texels: surface.faceTexels)
        }
        for face in faces where face.needsLight {
            measure(face)
            if face.shows(.other), let partner = partner(of: face, among: faces) {
                measure(partner)
            }
        }
        lights.forgetUnmeasured()
    }

    // MARK: Arrays of draw lists

    /// The vertices of the refined mesh in the picture, pixels.
    /// - Parameter vertices: of the mesh in the picture, pixels.
    func refinedVertices(_ vertices: [Point]) -> [Point] { points.make { surface.refine(vertices, into: &$0) } }

    /// How visible the mask is at each vertex of the refined mesh, 0…1.
    /// - Parameters:
    ///   - mesh: of `surface`.
    ///   - vertices: of the mesh in the picture, pixels.
    ///   - isSource: true for a face that colours are taken from.
    func visibility(_ mesh: MeshVisibility, _ vertices: [Point], isSource: Bool = false) -> [Float] {
        numbers.make { surface.visibility(mesh, vertices, isSource: isSource, into: &$0) }
    }

    func info(_ reference: TextureReference, openings: Set<FaceMesh.Opening>) -> LayerTextureInfo {
        func info(_ earlier: (LayerTextureInfo, PixelRectangle)?) -> LayerTextureInfo {
            LayerTextureInfo(
                reference, refined: surface.refined, triangles: surface.triangles(openings),
                samples: surface.skinSamples, earlier: earlier)
        }
        return textures.value(for: reference) {
            info(($0, $1))
        } make: {
            info(nil)
        }
    }
}
