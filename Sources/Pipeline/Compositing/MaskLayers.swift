import MaskComposition
import MaskRendering
import Pixels

/// Draws a list part by part, and keeps what each part adds: the mask of each face, and what is in front of it.
struct MaskLayers {
    private(set) var layers: [PictureLayer] = []

    /// Draws as `MaskRenderer.execute` does.
    /// - Parameter worn: what the faces wear.
    mutating func draw(
        _ list: DrawList, of worn: [WornMask], in picture: inout PixelBuffer, encoding: ColorEncoding,
        with renderer: MaskRenderer
    ) throws {
        // What captures show is the picture before anything was drawn, so each part is drawn with all those before it.
        let original = try picture.copy()
        var drawn = list
        drawn.faces = []
        var isTransparent = encoding
        isTransparent.isOpaque = false
        for (index, face) in list.faces.enumerated() {
            let mask = worn.first { $0.instance.trackID == face.trackID }?.mask.name ?? "Mask"
            let number = list.faces.count > 1 ? " \(list.faces.count - index)" : ""
            let isCovering = face.calls.map(\.isCovering)
            let end = isCovering.lastIndex(of: true).map { $0 + 1 } ?? 0
            let parts = [
                (name: mask + number, calls: face.calls[..<end]),
                (name: "In front of \(mask)\(number)", calls: face.calls[end...]),
            ]
            drawn.faces.append(face)
            drawn.faces[index].calls = []
            for part in parts where !part.calls.isEmpty {
                drawn.faces[index].calls += part.calls
                var after = try original.copy()
                try renderer.execute(drawn, in: &after, encoding: encoding)
                // The part by itself, on the same colours: its alpha.
                var alone = list
                alone.faces = [face]
                alone.faces[0].calls = Array(part.calls)
                var coverage = try original.copy()
                coverage.makeTransparent()
                try renderer.execute(alone, in: &coverage, encoding: isTransparent)
                if let layer = try PictureLayer.difference(
                    named: part.name, from: picture, to: after, coverage: coverage)
                {
                    layers.append(layer)
                }
                swap(&picture, &after)
            }
        }
    }
}

extension DrawCall {
    /// Whether it draws a part of the mask, not what is in front of it.
    fileprivate var isCovering: Bool { if case .uncovered = source { false } else { true } }
}

extension PixelBuffer {
    /// Keeps the colours.
    fileprivate mutating func makeTransparent() {
        for y in 0..<height { withMutableRow(y) { row in for x in row.indices { row[x].w = 0 } } }
    }
}
