import CRasterizer
import FaceGeometry
import MaskComposition
import Masks
import Occlusion
import Pixels

/// Executes draw lists in the picture's own memory, without OpenGL. Only pixels under triangles and mattes are touched,
/// and those around them where what was drawn is blurred. The result is the same to the bit with any number of threads and
/// on every processor of an architecture. It belongs to one thread at a time.
package final class SoftwareRenderer {
    /// The duration of the parts of the last picture.
    package private(set) var seconds = (captures: 0.0, drawing: 0.0)
    /// For reports: "software, AVX2, 4 threads".
    package let description: String

    private let baker: SoftEdgeBaker
    private var textures = TextureCache<BakedTexture>()
    private var models = PreparedModels()
    private var scenes: [SceneBuffers] = []
    /// Of `scenes`, those that this picture uses.
    private var sceneCount = 0
    private let blendModes = BlendMode.allCases
    /// By track ID.
    private var captures: [Int: Texels] = [:]
    /// Of `RetouchMap` and `ShareMap`.
    private var maps: [ObjectIdentifier: Texels] = [:]
    /// Of the picture's encoding.
    private var restoresAlpha = false
    private let job: TileJob
    private let threads: DrawingThreads

    /// With fewer pixels or layers, other threads would wake up too late.
    private static let fewestPixelsForThreads = 30_000
    private static let fewestLayersForThreads = 3

    /// - Parameter generation: of processors; nil: the newest one that this one belongs to.
    package init(
        mesh: FaceMesh, reference: ReferenceFace, threads: DrawingThreads = DrawingThreads(),
        generation: ProcessorGeneration? = nil
    ) {
        baker = SoftEdgeBaker(mesh: mesh, reference: reference)
        let generation = generation ?? .newest
        self.threads = threads
        job = TileJob(generation: generation, threads: threads.count)
        description = "software, \(generation), \(threads.count) thread\(threads.count == 1 ? "" : "s")"
    }

    /// Draws a list into the picture that it was composed for.
    /// - Parameter picture: `rgba8` or `rgba16`, straight alpha.
    package func draw(
        _ list: DrawList, in picture: inout PixelBuffer, encoding: ColorEncoding
    ) throws(OutOfMemory) {
        precondition(picture.format != .grey8)
        let start = ContinuousClock.now
        textures.beginPicture()
        models.beginPicture()
        sceneCount = 0
        if !maps.isEmpty { forgetMaps(list) }
        try copyCaptures(of: list, picture)
        let copied = ContinuousClock.now
        job.encoding = crasterizer_encoding(encoding)
        restoresAlpha = encoding.restoresAlpha && !encoding.isOpaque
        job.layers.removeAll(keepingCapacity: true)
        var area: PixelRectangle?
        for face in list.faces {
            var isDrawn = false
            for call in face.calls { isDrawn = try append(call, in: face.rectangle) || isDrawn }
            if isDrawn { area = area.map { face.rectangle.union($0) } ?? face.rectangle }
        }
        if let area { draw(area, in: &picture) }
        seconds = ((copied - start) / .seconds(1), (.now - copied) / .seconds(1))
    }

    private func copyCaptures(of list: DrawList, _ picture: borrowing PixelBuffer) throws(OutOfMemory) {
        func isNeeded(_ trackID: Int) -> Bool {
            list.captures.contains { $0.trackID == trackID } && list.shows(trackID)
        }
        if !captures.keys.allSatisfy(isNeeded) { captures = captures.filter { isNeeded($0.key) } }
        for capture in list.captures where list.shows(capture.trackID) {
            // Such a picture of a face cannot be sampled; the layer is left out.
            guard max(capture.rectangle.width, capture.rectangle.height) <= Texels.largestSide else {
                captures[capture.trackID] = nil
                continue
            }
            if let texels = captures[capture.trackID] {
                try texels.copy(picture, capture.rectangle)
            } else {
                let texels = try Texels(width: capture.rectangle.width, height: capture.rectangle.height)
                try texels.copy(picture, capture.rectangle)
                captures[capture.trackID] = texels
            }
        }
    }

    private func draw(_ area: PixelRectangle, in picture: inout PixelBuffer) {
        let (width, height, stride) = (picture.width, picture.height, picture.bytesPerRow)
        let has16Bits = picture.format == .rgba16
        picture.withUnsafeMutableBytes { bytes in
            job.picture = crasterizer_picture(
                pixels: bytes.baseAddress, bytes_per_row: stride, width: Int32(width), height: Int32(height),
                has_16_bits: has16Bits)
            job.prepare { threads.run(job, pieces: $0, isWorthIt: $0 >= Self.fewestLayersForThreads) }
            let pixels = job.layers.reduce(0) { $0 + Int($1.right - $1.left) * Int($1.bottom - $1.top) }
            threads.run(job, pieces: job.divide(area), isWorthIt: pixels >= Self.fewestPixelsForThreads)
        }
    }

    // MARK: Preparing

    /// - Returns: false if there is nothing to draw.
    private func append(_ call: DrawCall, in rectangle: PixelRectangle) throws(OutOfMemory) -> Bool {
        let bounds = call.bounds.intersection(rectangle)
        guard !bounds.isEmpty else { return false }
        var layer = crasterizer_layer()
        var (opaqueEdge, transparentArea): (AlphaArea?, AlphaArea?)
        layer.value_count = call.geometry.light.isEmpty && call.detail == nil ? 3 : 5
        switch call.source {
        case .texture(let reference):
            let texture = try texture(reference)
            let texelsPerPixel = call.geometry.texelsPerPixel(width: texture.width, height: texture.height)
            let level = texture.level(texelsPerPixel: texelsPerPixel)
            layer.colors = level.texels.texture
            transparentArea = level.transparentArea
        case .capture(let trackID, let edge):
            guard let capture = captures[trackID] else { return false }
            layer.colors = capture.texture
            layer.is_capture = true
            switch edge {
            case .texture(let reference):
                let edge = try texture(reference)
                layer.edge = edge.largest.texture
                opaqueEdge = edge.opaqueArea
            case .map(let map): layer.edge = try texels(of: map.pixels, ObjectIdentifier(map)).texture
            case nil: break
            }
            if edge != nil { layer.value_count = 7 }
        case .retouched(let map):
            layer.colors = try texels(of: map.pixels, ObjectIdentifier(map)).texture
            layer.change = Int32(CRASTERIZER_OFFSET)
        case .scene(let described):
            guard let scene = try prepare(described, in: bounds) else { return false }
            layer.scene = scene
        case .uncovered(_, let matte): return uncover(matte, in: bounds)
        }
        layer.blend_mode = Int32(blendModes.firstIndex(of: call.blendMode) ?? 0)
        if let detail = call.detail {
            layer.detail_weight = detail.weight
            layer.mean_luminance = detail.meanLuminance
        }
        if call.haze != .none {
            layer.has_haze = true
            layer.transmission = call.haze.transmission
            layer.haze = (call.haze.light.x, call.haze.light.y, call.haze.light.z)
        }
        let buffers = nextBuffers()
        if let match = call.colorMatch {
            layer.color_table = buffers.copy(match.table)
            layer.color_weight = match.weight
            if call.recolors { layer.change = Int32(CRASTERIZER_RECOLOR) }
        }
        buffers.hold(
            LayerBuffers.Request(
                geometry: call.geometry, opacity: call.opacity, bounds: bounds, opaqueEdge: opaqueEdge,
                transparentArea: transparentArea))
        job.layers.append(layer)
        return true
    }

    /// Of the layer that is appended next.
    private func nextBuffers() -> LayerBuffers {
        if job.layers.count == job.buffers.count { job.buffers.append(LayerBuffers()) }
        return job.buffers[job.layers.count]
    }

    /// The picture comes back from where it is drawn: nothing of it is copied before, and no triangles are needed.
    /// - Returns: false if there is nothing to draw.
    private func uncover(_ matte: OcclusionMatte, in bounds: PixelRectangle) -> Bool {
        var layer = crasterizer_layer()
        let step = Point(Float(matte.width) / matte.box.width, Float(matte.height) / matte.box.height)
        guard step.x > 0, step.y > 0, step.x.isFinite, step.y.isFinite else { return false }
        layer.matte = crasterizer_matte(
            alphas: nextBuffers().copy(matte), width: Int32(matte.width), height: Int32(matte.height),
            texels_per_row: Int32(matte.width) + 1, x: -matte.box.x * step.x - 0.5, y: -matte.box.y * step.y - 0.5,
            across: step.x, down: step.y)
        (layer.left, layer.top) = (Int32(bounds.x), Int32(bounds.y))
        (layer.right, layer.bottom) = (Int32(bounds.x + bounds.width), Int32(bounds.y + bounds.height))
        (layer.is_capture, layer.restores) = (true, restoresAlpha)
        job.layers.append(layer)
        return true
    }

    private func prepare(
        _ described: PropScene, in bounds: PixelRectangle
    ) throws(OutOfMemory) -> UnsafePointer<crasterizer_scene>? {
        if sceneCount == scenes.count { scenes.append(SceneBuffers()) }
        let scene = scenes[sceneCount].prepare(described, try models.prepared(described.model), in: bounds)
        if scene != nil { sceneCount += 1 }
        return scene
    }

    /// - Parameter key: of the map.
    private func texels(of pixels: borrowing PixelBuffer, _ key: ObjectIdentifier) throws(OutOfMemory) -> Texels {
        let texels: Texels
        if let known = maps[key] {
            texels = known
        } else {
            texels = try Texels(width: pixels.width, height: pixels.height)
            maps[key] = texels
        }
        try texels.copy(pixels, pixels.bounds)
        return texels
    }

    /// Forgets maps that a list does not need.
    private func forgetMaps(_ list: DrawList) {
        func isNeeded(_ key: ObjectIdentifier) -> Bool {
            list.faces.contains { face in
                face.calls.contains { call in
                    switch call.source {
                    case .retouched(let map): ObjectIdentifier(map) == key
                    case .capture(_, edge: .map(let map)): ObjectIdentifier(map) == key
                    default: false
                    }
                }
            }
        }
        if !maps.keys.allSatisfy(isNeeded) { maps = maps.filter { isNeeded($0.key) } }
    }

    private func texture(_ reference: TextureReference) throws(OutOfMemory) -> BakedTexture {
        try textures.value(for: reference) { (baked, changed) throws(OutOfMemory) in
            try baker.update(baked, reference, changed: changed)
            return baked
        } make: { () throws(OutOfMemory) in
            try baker.texture(reference)
        }
    }
}

extension DrawList {
    /// Whether a layer shows what is captured of a face. What lies in front of masks needs no copy.
    fileprivate func shows(_ trackID: Int) -> Bool {
        faces.contains { face in
            face.calls.contains { if case .capture(trackID, _) = $0.source { true } else { false } }
        }
    }
}

extension crasterizer_encoding {
    fileprivate init(_ encoding: ColorEncoding) {
        self.init()
        is_opaque = encoding.isOpaque
        is_grey = encoding.isGrey
        if let m = encoding.matrixFromSRGB {
            has_matrix = true
            matrix = (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8])
        }
        if is_grey || has_matrix { (decode, encode) = (TransferTables.decode.values, TransferTables.encode.values) }
    }
}
