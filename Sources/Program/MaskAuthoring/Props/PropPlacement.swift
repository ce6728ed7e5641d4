import FaceGeometry
import Files
import GLTF
import JSON
import MaskComposition
import Masks

/// Where a prop stands on the head: the numbers of its layer in the manifest.
package struct PropPlacement: Equatable, Sendable {
    package let anchor: StickerLayer.Anchor
    /// From the anchor, in face widths: to the right on the template, down, and towards its viewer.
    package var position: SIMD3<Float>
    /// Pitch, yaw and roll, in degrees.
    package var rotation: SIMD3<Float>
    /// In face widths.
    package var width: Float

    package static let positions: ClosedRange<Float> = -3...3
    package static let widths: ClosedRange<Float> = 0.01...10

    package init(
        anchor: StickerLayer.Anchor, position: SIMD3<Float> = .zero, rotation: SIMD3<Float> = .zero, width: Float
    ) {
        (self.anchor, self.position, self.rotation, self.width) = (anchor, position, rotation, width)
    }

    /// That of a layer; nil if it is no prop, or a number is missing or out of range.
    package init?(_ layer: JSONValue) {
        guard layer.layerType == .prop, let anchor = layer["anchor"]?.string.flatMap(StickerLayer.Anchor.init),
            let width = layer["width"]?.number.map({ Float($0) }), Self.widths.contains(width)
        else { return nil }
        func triple(_ key: String, limit: Float) -> SIMD3<Float>? {
            guard let value = layer[key] else { return .zero }
            let numbers = value.elements.compactMap(\.number).map { Float($0) }
            return numbers.count == 3 && numbers.allSatisfy { abs($0) <= limit } ? SIMD3(numbers) : nil
        }
        guard let position = triple("position", limit: 3), let rotation = triple("rotation", limit: 360) else {
            return nil
        }
        self.init(anchor: anchor, position: position, rotation: rotation, width: width)
    }

    /// The layer of a model: as the mask wears it whose folder the model lies in, if that mask does and its licence asks
    /// for no credit; otherwise like a hat.
    /// - Parameters:
    ///   - path: of the model's file as the user has chosen it.
    ///   - file: its name in the package of the new layer.
    package static func layer(for model: Model, at path: FilePath, file: String) -> JSONValue {
        var layer = worn(path) ?? layer(for: model, file: file)
        layer["model"] = .string(file)
        return layer
    }

    /// Such masks may be copied without naming their author, as Bauta's are.
    private static let licenseWithoutCredit = "CC0-1.0"
    /// How a prop stands and moves. When it is shown, or on which faces, is a matter of its mask.
    private static let copiedKeys = [
        "type", "model", "anchor", "width", "position", "rotation", "shadow", "animations", "swing",
    ]

    /// The layer that shows this model in the mask that lies beside it; nil: no layer does, or the mask's licence asks for
    /// credit.
    private static func worn(_ path: FilePath) -> JSONValue? {
        let manifest = (path.parent.isEmpty ? "." : path.parent) / MaskLoader.manifestName
        guard let bytes = try? FileContents.read(manifest, limit: MaskArchive.maximumFileSize),
            let value = try? bytes.withUnsafeBytes({ try JSONValue(parsing: $0) }),
            value["license"]?.string == licenseWithoutCredit
        else { return nil }
        let document = MaskDocument(manifest: value)
        for place in document.layerPaths {
            guard let layer = document[layer: place], PropPlacement(layer) != nil,
                layer["model"]?.string == path.name.string
            else { continue }
            var copy = JSONValue.object([:])
            for key in copiedKeys { copy[key] = layer[key] }
            return copy
        }
        return nil
    }

    /// The layer of a model that is put on the head like a hat, as the gallery's are. One that
    /// shows expressions is a face: its origin lies between the eyes, and its unit is a face width.
    /// - Parameter file: its name in the package.
    package static func layer(for model: Model, file: String) -> JSONValue {
        if model.rig?.expressions.isEmpty == false, (0.5...3).contains(model.bounds.size.x) {
            return .object([
                "type": .string("prop"), "model": .string(file), "anchor": .string("eyes"),
                "width": .rounded(model.bounds.size.x),
            ])
        }
        let (bounds, center) = (model.bounds, model.bounds.center)
        let width = hatWidth(model)
        let scale = width / max(bounds.size.x, 1e-9)
        // Models have y up.
        let place = SIMD3(-center.x * scale, bounds.low.y * scale - brow, -middle - center.z * scale)
            .clamped(lowerBound: SIMD3(repeating: -3), upperBound: SIMD3(repeating: 3))
        return .object([
            "type": .string("prop"), "model": .string(file), "anchor": .string("eyes"), "width": .rounded(width),
            "position": .array((0..<3).map { .rounded(place[$0]) }),
        ])
    }

    /// Where the gallery's hats end above the eyes, how far the middle of the head lies behind them, and how wide it is with
    /// its hair, in face widths.
    private static let (brow, middle, head): (Float, Float, Float) = (0.27, 0.5, 1.3)

    /// The width with which the upper half of a hat is as wide as the head. A brim is wider, but no wider than a bowler's.
    private static func hatWidth(_ model: Model) -> Float {
        let bounds = model.bounds
        let upper = model.vertices.lazy.map(\.position).filter { $0.y > bounds.center.y }
        // Of most of it: a plume may stand out.
        let distances = upper.map { abs($0.x - bounds.center.x) }.sorted()
        guard let most = distances.dropLast(distances.count / 5).last, most > 0 else { return head }
        return min(1.55, max(head, head * bounds.size.x / (2 * most)))
    }

    /// Writes the numbers that differ from those of the layer. Zeros are left out, as they are the default.
    package func write(to layer: inout JSONValue) {
        guard let old = PropPlacement(layer) else { return }
        func triple(_ value: SIMD3<Float>) -> JSONValue? {
            let numbers = (0..<3).map { JSONValue.rounded(value[$0]) }
            return numbers.allSatisfy { $0 == .rounded(0) } ? nil : .array(numbers)
        }
        if position != old.position { layer["position"] = triple(position) }
        if rotation != old.rotation { layer["rotation"] = triple(rotation) }
        if width != old.width { layer["width"] = .rounded(width) }
    }

    /// The rotation of the model about its origin, in the coordinates of the head.
    var turn: AffineTransform3D {
        get {
            let radians = rotation * (.pi / 180)
            return AffineTransform3D(Pose(yaw: radians.y, pitch: radians.x, roll: radians.z))
        }
        set {
            let pose = newValue.pose
            let degrees = SIMD3(pose.pitch, pose.yaw, pose.roll) * (180 / .pi)
            // Finer than anybody sees, and without the noise of rounding.
            rotation = (degrees * 10).rounded(.toNearestOrAwayFromZero) / 10
        }
    }
}
