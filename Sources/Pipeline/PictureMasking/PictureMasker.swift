import Compositing
import FaceGeometry
import FaceTracking
import FrameProcessing
import ImageFiles
import MaskComposition
import MaskRendering
import PhotoRecords
import Pixels
import Records

/// Masks pictures in memory one after another, with an analyzer and a compositor. It belongs to one thread; several share
/// a studio.
package final class PictureMasker {
    private let studio: PictureStudio
    private let options: PhotoOptions
    private let analyzer: StillAnalyzer
    private var compositor: FaceCompositor

    /// - Throws: `VisionError` if the face detector cannot be made.
    package init(studio: PictureStudio, options: PhotoOptions) throws {
        self.studio = studio
        self.options = options
        let model = studio.model
        let finder = try options.models.makePhotographFaces(reference: studio.reference) { try model.model() }
        analyzer = StillAnalyzer(finder, settings: options.analysis, identifier: studio.masks.identifier)
        compositor = FaceCompositor(
            mask: options.drawsMask ? studio.masks.standard : nil, reference: studio.reference, mesh: studio.mesh,
            faces: options.faces)
        (compositor.people, compositor.occluders.policy) = (studio.masks.people, options.occluders)
        compositor.occluders.search = .waiting(options.models.networks)
        compositor.effects = try options.effects.make?() ?? FrameEffects()
        // Who asks for hands is not served without them.
        if [.mask, .nothing].contains(options.occluders) {
            compositor.warn = { studio.warnOnce("\($0)") }
        } else if !options.models.networks.hasPerson {
            // Nobody has asked for hair: it keeps its colour.
            compositor.effects.retouches.removeAll(where: \.needsPeople)
        }
    }

    /// Finds the faces of a picture and draws on them. If that fails, the picture is lost.
    /// - Parameters:
    ///   - order: of several masks, their places in the options: what the faces wear from left to right.
    ///   - chosen: the masks that a person has chosen for faces, by their places in the options.
    ///   - decisions: of a person who has looked at it; nil: of nobody.
    /// - Returns: with `PhotoOptions.isLayered`, the picture as it was, and what was drawn on it, from the bottom up; otherwise
    ///   nothing.
    @discardableResult
    package func mask(
        _ picture: inout Picture, _ outcome: inout PhotoOutcome, inOrder order: [Int] = [],
        wearing chosen: [ChosenMask] = [], obeying decisions: ReviewDecisions? = nil
    ) throws -> [PictureLayer] {
        var frame = try analyzed(&picture)
        let layers = try mask(&frame, &outcome, inOrder: order, wearing: chosen, obeying: decisions)
        picture.hasAlpha = picture.hasAlpha || options.effects.hasAlpha
        picture.pixels = frame.reusedPixels()
        return layers
    }

    /// Finds the faces of a picture, and takes its pixels.
    package func analyzed(_ picture: inout Picture) throws -> Frame {
        if options.isLayered, picture.pixels.format != .rgba8 { picture.pixels = try picture.pixels.withEightBits() }
        // Most black-and-white photographs are stored in colour; a coloured mask would stand out.
        let isGrey = !picture.isColor || picture.pixels.isBlackAndWhite()
        let encoding = ColorEncoding(
            isGrey: isGrey, isOpaque: !picture.hasAlpha, matrixFromSRGB: isGrey ? nil : picture.metadata.matrixFromSRGB)
        // The pixels change owners: nothing is copied.
        var pixels = try PixelBuffer(width: 1, height: 1, format: .rgba8)
        swap(&pixels, &picture.pixels)
        return try analyzer.analyzed(Frame(pixels, seconds: nil, encoding: encoding))
    }

    /// A copy of a picture with its faces, reduced to a longest side where it is larger, in pixels.
    package func reduced(_ frame: borrowing Frame, to longestSide: Int) throws -> Frame {
        try frame.reduced(to: longestSide, reference: studio.reference)
    }

    /// Draws on a picture whose faces have been found.
    @discardableResult
    package func mask(
        _ frame: inout Frame, _ outcome: inout PhotoOutcome, inOrder order: [Int], wearing chosen: [ChosenMask],
        obeying decisions: ReviewDecisions? = nil
    ) throws -> [PictureLayer] {
        // "No face" is no answer of a model that cannot be used.
        if frame.faces.isEmpty { _ = try studio.model.model() }
        let places = MaskPlaces(
            order: order, chosen: chosen, in: (width: frame.pixels.width, height: frame.pixels.height))
        compositor.turns =
            order.isEmpty && chosen.isEmpty
            ? nil : MaskTurns(studio.masks.turns, places: places, byPerson: studio.masks.turnsByPerson)
        if let decisions { outcome.review = PhotoReview(decisions, appliedTo: &frame) }
        outcome.times[.detect] = frame.timings.detection
        outcome.times[.landmarks] = frame.timings.landmarks
        var start = ContinuousClock.now
        var layers: [PictureLayer] = []
        if options.isLayered { layers = [PictureLayer(name: "Photograph", pixels: try frame.pixels.copy())] }
        layers += try compose(&frame) { outcome.times.end(.wait, since: &start) }
        try drawCovers(in: &frame, &layers)
        outcome.times.end(.render, since: &start)
        outcome.faces = frame.chosenFaces.map(\.face)
        outcome.isAlone =
            options.drawsMask
            && (options.faceless == .copy ? compositor.leftAllBare : compositor.leftFaceRecognisable)
        outcome.isBare =
            options.drawsMask && frame.unsureFaces.isEmpty && options.overlays.isEmpty
            && compositor.leavesBare(frame.chosenFaces)
        outcome.spared = compositor.people == nil ? 0 : frame.faces.count - frame.chosenFaces.count
        outcome.spared += outcome.review.uncovered.count
        outcome.unsureFaces = frame.unsureFaces
        outcome.doubt = outcome.review.isComplete ? 0 : outcome.review.isOfAnother ? 1 : doubt(outcome)
        if options.drawsMask, compositor.leftFaceRecognisable { outcome.doubt = 1 }
        return layers
    }

    /// Draws what is not a mask: overlays, and covers.
    /// - Parameter layers: one more if something was drawn and there are others.
    private func drawCovers(in frame: inout Frame, _ layers: inout [PictureLayer]) throws {
        let before = layers.isEmpty ? nil : PictureLayer(name: "", pixels: try frame.pixels.copy())
        for instance in frame.chosenFaces {
            FaceOverlay(face: instance.face, mesh: studio.mesh).draw(options.overlays, in: &frame.pixels)
        }
        // No mask fits on them, and nobody can be recognised.
        let cover = options.anonymises ? options.cover : .blur
        for face in frame.unsureFaces { try FaceCover(face).draw(cover, in: &frame.pixels) }
        if options.anonymises {
            for instance in frame.chosenFaces { try FaceCover(instance.face).draw(options.cover, in: &frame.pixels) }
        }
        guard let before else { return }
        // Opaque where it differs.
        let layer = try PictureLayer.difference(
            named: "Overlays", from: before.pixels, to: frame.pixels, coverage: frame.pixels)
        if let layer { layers.append(layer) }
    }

    /// How much a result should be looked at: 1 where no face was found, otherwise that of the least certain face.
    private func doubt(_ outcome: PhotoOutcome) -> Double {
        let certainties = outcome.faces.map { face in
            let score = face.detectorScore ?? 1
            // The mesh says how sure it is; other detectors than the network have scores of their own units.
            guard options.models.usesDetectorNetwork else { return min(1, score) }
            return max(score, 1 - 10 * Double(face.uncertainty ?? 0.1))
        }
        // What was not confirmed is in more doubt than any face.
        let unsure = outcome.unsureFaces.map { 0.4 * Double($0.score) }
        let least = max(0, min(1, (certainties + unsure).min() ?? 0))
        // To the digits that are kept: a later run says the same of it.
        return (1000 * (1 - least)).rounded() / 1000
    }

    /// - Parameter willBegin: called when the render thread begins with this picture.
    /// - Returns: with `PhotoOptions.isLayered`, what was drawn.
    private func compose(_ frame: inout Frame, willBegin: () -> Void) throws -> [PictureLayer] {
        // A photograph without faces, or without a mask, does not wait for the render thread.
        if compositor.mask == nil || frame.faces.isEmpty {
            if options.effects.background != nil { try compositor.applyEffect(to: &frame) }
            compositor.choose(&frame)
            return []
        }
        var layers: [PictureLayer] = []
        try withoutActuallyEscaping(willBegin) { willBegin in
            try studio.renderThread.perform {
                willBegin()
                if options.isLayered {
                    layers = try compositor.composeInLayers(&frame, with: $0)
                } else {
                    try compositor.compose(&frame, with: $0)
                }
            }
        }
        return layers
    }
}

extension Picture {
    /// Blurs the whole picture so that a face that was not found cannot be recognised.
    package mutating func makeUnrecognisable() throws(OutOfMemory) {
        if pixels.format != .rgba8 { pixels = try pixels.withEightBits() }
        pixels.makeUnrecognisable()
    }
}
