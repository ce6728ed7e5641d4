import Display
import FaceGeometry
import FaceTracking
import Files
import MaskAuthoring
import Masks
import NeuralNetworks
import Threads

/// Places the points of a texture on the face that it shows: of one that is not painted on the reference face, but a
/// photograph of somebody.
final class FacePlacement {
    private let package: EditedPackage
    private let reference: ReferenceFace
    private let models: FaceModels
    private let messages: WindowMessages
    /// Loads networks and searches pictures of any size, which takes long.
    private let work = BackgroundWork()
    /// The file of the package that has been chosen for a layer and not been looked at; nil: none.
    private var chosen: String?

    init(_ package: EditedPackage, reference: ReferenceFace, models: FaceModels, messages: WindowMessages) {
        (self.package, self.reference, self.models, self.messages) = (package, reference, models, messages)
    }

    /// Why a layer does nothing here, for the user; nil: it does what it is for.
    func lack(of type: LayerReader.LayerType?) -> String? {
        guard type == .hair || type == .background, !models.networks.hasPerson else { return nil }
        return "This shows only with MediaPipe's networks, which are not installed: "
            + "\(NetworkFolder.remedy) fetches them"
    }

    /// Looks for a face in a file of the package as soon as it is the texture of the selected layer.
    func expect(_ name: String) { chosen = name }

    /// What the search of a texture has ended with.
    private enum Found: Sendable {
        /// In pixels of the texture.
        case face([Point])
        case noFace
        case failed(String)
    }

    /// Begins no further search, and does not wait for one that has begun.
    func abandon() { work.abandon() }
    /// Whether a picture is being searched.
    var isWorking: Bool { work.isWorking }

    /// To be called for each frame, drawn or not. A texture that is partly transparent, or has points of its own, is left as it is.
    func update() {
        work.handBack()
        guard let chosen, let use = package.selectedTexture, package.name(of: use.texture) == FilePath(chosen) else {
            return
        }
        self.chosen = nil
        guard case .canonicalUV = use.purpose, Self.isOpaque(use.texture) else { return }
        place(use, isAsked: false)
    }

    /// Places the points of the selected texture.
    func find() {
        if let use = package.selectedTexture, !work.isBusy { place(use, isAsked: true) }
    }

    private func place(_ use: MaskReading.TextureUse, isAsked: Bool) {
        work.add { [reference, models, texture = use.texture] in
            Self.search(texture, reference, models)
        } finish: { [package, messages] found in
            // Somebody may have gone on to another layer, or chosen another picture for this one.
            guard let now = package.selectedTexture, now.texture === use.texture, now.pointer == use.pointer else {
                return
            }
            switch found {
            case .face(let points):
                package.place(points, of: now)
                messages.say("The points are placed on the face. Ctrl+Z undoes it")
            case .noFace: if isAsked { messages.say("No face was found in this picture", isAlarm: true) }
            case .failed(let reason): messages.say(reason, isAlarm: true)
            }
        }
    }

    private static func search(_ texture: Texture, _ reference: ReferenceFace, _ models: FaceModels) -> Found {
        do {
            let finder = try PhotographFaces(reference: reference, models: models)
            let faces = try finder.faces(in: texture.pixels).faces
            let face = faces.max { $0.landmarks.bounds.width < $1.landmarks.bounds.width }
            return face.map { .face($0.vertices) } ?? .noFace
        } catch {
            return .failed("\(error)")
        }
    }

    /// Of every eighth pixel and row.
    private static func isOpaque(_ texture: Texture) -> Bool {
        for y in stride(from: 0, to: texture.pixels.height, by: 8) {
            for x in stride(from: 0, to: texture.pixels.width, by: 8) where texture.pixels[x, y].w < 255 {
                return false
            }
        }
        return true
    }
}
