import FaceGeometry
import GLTF
import JSON
import ModelBuilder
import PictureBuilders

/// 3-D models: glTF, binary or as JSON.
enum ModelTarget: FuzzTarget {
    static let name = "model"
    static let longest = 8192

    static func seeds() -> [[UInt8]] {
        let picture = WholePictures.png(metadata: false)
        let plain = ModelBuilder(
            node: ",$translation$:[1,2,3],$rotation$:[0,0.6,0,0.8],$scale$:[1,-2,3]", primitive: ",$mode$:5")
        let text = plain.document.map { $0 == "$" ? "\"" : $0 }
        let bytes = "$uri$:$data:;base64,\(Base64.text(plain.binary))$,"
        var whole = plain
        whole.document = plain.document.replacing("$buffers$:[{", with: "$buffers$:[{" + bytes)
        let wholeText = whole.document.map { $0 == "$" ? "\"" : $0 }
        let channels: [ModelBuilder.Channel] = [
            .init(2, "rotation", .rotations), .init(0, "weights", .morphWeights, "STEP"),
            .init(1, "translation", .spline, "CUBICSPLINE"), .init(1, "scale", .translations),
        ]
        return [
            ModelBuilder.moving(channels, skinned: true, morphed: true).file,
            ModelBuilder.moving([.init(0, "rotation", .rotations)]).file, plain.file,
            ModelBuilder.textured(picture).file, Array(String(text).utf8), Array(String(wholeText).utf8),
        ]
    }

    static func read(_ bytes: [UInt8]) {
        var limits = ModelLimits()
        limits.pixels = 1 << 16
        guard let model = try? GLTFReader.read(bytes, path: "fuzz.glb", limits: limits, swinging: ["root", ""]).model
        else { return }
        guard model.triangleCount <= ModelLimits.maximumTriangles,
            model.vertices.allSatisfy({ $0.position.length.isFinite && $0.normal.length.isFinite })
        else { fatalError("a model that is too large, or not finite") }
        guard let rig = model.rig, var pose = ModelPose(model) else { return }
        let roots = (rig.nodes(named: "root") + rig.nodes(named: "").prefix(1)).map {
            SwingingNode($0, SwingSettings(gravity: 1))
        }
        var swing = ModelSwing(model, roots)
        var shapes = BlendShapes()
        for shape in BlendShape.allCases { shapes[shape] = 1 }
        for seconds in [0, 0.3, 0.4] {
            pose.set(count: 0, shapes: shapes, swing: &swing, modelToCamera: .identity, at: seconds) {
                ModelPose.Moment(animation: $0, seconds: 0)
            }
            guard pose.vertices.allSatisfy({ $0.position.length.isFinite && $0.normal.length.isFinite }) else {
                fatalError("a pose that is not finite")
            }
        }
        for place in [0, 0.3, 1] as [Float] {
            pose.set(count: rig.animations.count) {
                ModelPose.Moment(animation: $0, seconds: rig.animations[$0].seconds(at: place))
            }
            guard pose.vertices.allSatisfy({ $0.position.length.isFinite && $0.normal.length.isFinite }) else {
                fatalError("a pose that is not finite")
            }
        }
    }
}
