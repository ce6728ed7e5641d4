import Display
import FaceGeometry
import Files
import ImageFiles
import MaskRendering
import Masking
import Masks
import Pixels

/// What lies over the picture: the panel with the gallery, messages, help.
final class LivePanel {
    private unowned let session: LiveSession
    private var thumbnails: [String: PanelPicture] = [:]
    private var portrait: Portrait?
    private var hasMadeOne = false
    private static let side = 96

    /// Whoever wears the masks of the gallery.
    private final class Portrait {
        let face: Face
        let pixels: PixelBuffer

        init(face: Face, pixels: consuming PixelBuffer) {
            self.face = face
            self.pixels = pixels
        }
    }

    init(_ session: LiveSession) { self.session = session }

    func draw(_ panels: Panels, status: LivePipeline.Status, recordedSeconds: Double?) {
        if session.showsPanel {
            session.showsPanel = panels.panel("Bauta", width: 360, height: 640) { content(panels, status) }
        }
        if let message = session.messages.current {
            panels.overlay("message", message.text, x: 0.5, y: 0.97, opacity: message.opacity, isAlarm: message.isAlarm)
        }
        if session.messages.helpOpacity > 0 {
            panels.overlay("help", LiveMessages.help, x: 0.5, y: 0.5, opacity: session.messages.helpOpacity)
        }
        if let recordedSeconds {
            let whole = Int(max(0, recordedSeconds))
            panels.overlay(
                "recording", "recording \(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)", x: 0.98, y: 0.03,
                isAlarm: true)
        }
        if session.isPaused { panels.overlay("pause", "paused", x: 0.5, y: 0.03) }
        if let reason = status.waiting {
            panels.overlay("waiting", reason, x: 0.5, y: 0.5, isAlarm: true)
        } else if let failure = status.failure {
            panels.overlay("waiting", "\(failure)", x: 0.5, y: 0.5, isAlarm: true)
        } else if status.hasEnded {
            panels.overlay("ended", "\(session.source.name) has ended. Q closes the window.", x: 0.5, y: 0.03)
        } else if status.capturedFrames == 0 {
            panels.overlay("opening", "Opening \(session.source.name) ...", x: 0.5, y: 0.5)
        }
        if let error = session.masks.current.error {
            panels.overlay("mask", error, x: 0.02, y: 0.97, isAlarm: true)
        }
    }

    private func content(_ panels: Panels, _ status: LivePipeline.Status) {
        panels.heading("Masks")
        let entries = session.masks.entries
        hasMadeOne = false
        let shown = entries.indices.compactMap { index in thumbnail(index).map { (index: index, picture: $0) } }
        let items = shown.map { (label: entries[$0.index].name, picture: $0.picture) }
        let chosen = shown.firstIndex { $0.index == session.masks.index }
        if let pressed = panels.gallery(items, chosen: chosen, side: Float(Self.side)) {
            session.choose(shown[pressed].index)
        }
        session.opacity = panels.slider("opacity", session.opacity, in: 0...1, format: "%.2f")
        panels.heading("Faces")
        session.faces = panels.choice(
            [("everybody", FaceChoice.all), ("the largest", .largest(1))], session.faces)
        session.smoothing = panels.slider("smoothing", session.smoothing, in: 0.2...4, format: "%.1f")
        panels.text("When a face is lost:")
        session.lost.policy = panels.choice(
            [("keep", .keep), ("hide", .hide), ("blur", .blur)], session.lost.policy)
        let cameras = session.cameras.entries
        if !cameras.isEmpty {
            panels.heading("Camera")
            for camera in cameras where panels.button("\(camera.name)  \(camera.path)") { session.use(camera) }
        }
        panels.heading("Picture")
        session.isMirrored = panels.checkbox("mirrored (M)", session.isMirrored)
        session.showsMesh = panels.checkbox("mesh and landmarks (L)", session.showsMesh)
        if panels.button("snapshot (S)") { session.takeSnapshot() }
        panels.sameLine()
        if panels.button(session.outputs.isRecording ? "stop recording (R)" : "record (R)") {
            session.toggleRecording()
        }
        panels.heading("What it does")
        panels.text(Self.statistics(session.statistics.last, status: status, source: session.source.name))
    }

    static func statistics(_ second: LiveStatistics.Summary, status: LivePipeline.Status, source: String) -> String {
        func text(_ value: Double) -> String { "\(Double(Int(value * 10)) / 10)" }
        var lines = [source, "\(text(second.framesPerSecond)) frames/s, \(status.droppedFrames) left out"]
        for (name, (median, slowest)) in zip(LiveStatistics.stages, zip(second.medians, second.slowest)) {
            let label = name == "delay" ? "from capture to screen" : name
            lines.append("\(label): \(text(median)) ms, at most \(text(slowest))")
        }
        return lines.joined(separator: "\n")
    }

    /// One at most is made in a frame, so that the picture goes on.
    private func thumbnail(_ index: Int) -> PanelPicture? {
        let entry = session.masks.entries[index]
        if let known = thumbnails[entry.name] { return known }
        guard !hasMadeOne else { return nil }
        hasMadeOne = true
        do {
            if portrait == nil { portrait = try Self.portrait(session) }
            guard let face = portrait?.face, var pixels = try portrait?.pixels.copy() else { return nil }
            if let mask = session.masks.mask(index) { try session.renderer.draw(mask, on: [face], in: &pixels) }
            let picture = PanelPicture(pixels)
            thumbnails[entry.name] = picture
            return picture
        } catch {
            return nil
        }
    }

    /// A drawn face from the samples, as a square of the thumbnails' size.
    private static func portrait(_ session: LiveSession) throws -> Portrait? {
        let path = session.data.path + "/samples/ada"
        let picture = try PictureReader.read(path + ".jpg")
        let text = String(decoding: try FileContents.read(path + ".pts", limit: 1 << 20), as: UTF8.self)
        guard let landmarks = Landmarks(Array(try PointsFile.parse(text).prefix(Landmarks.count))) else { return nil }
        let bounds = landmarks.bounds
        // The face with its forehead and some hair.
        let whole = 1.9 * max(bounds.width, bounds.height)
        let corner = bounds.center - Point(whole / 2, whole * 0.58)
        let scale = Float(2 * side) / whole
        var pixels = try PixelBuffer(width: 2 * side, height: 2 * side, format: .rgba8)
        for y in 0..<pixels.height {
            for x in 0..<pixels.width {
                let place = corner + Point(Float(x) + 0.5, Float(y) + 0.5) / scale
                let column = max(0, min(picture.pixels.width - 1, Int(place.x)))
                let color = picture.pixels[column, max(0, min(picture.pixels.height - 1, Int(place.y)))]
                pixels.withMutableRow(y) { $0[x] = SIMD4<UInt8>(truncatingIfNeeded: color) }
            }
        }
        let moved = landmarks.mapped { scale * ($0 - corner) }
        return Portrait(
            face: Face(landmarks: moved, reference: session.reference),
            pixels: pixels)
    }
}
