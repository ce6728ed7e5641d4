import FaceGeometry
import JSON

// In pixels with two decimals.
extension FaceBox {
    package var json: JSONValue {
        func rounded(_ value: Float) -> JSONValue { .number((Double(value) * 100).rounded() / 100) }
        return .object([
            "x": rounded(x), "y": rounded(y), "width": rounded(width), "height": rounded(height),
        ])
    }

    /// Reads what `json` wrote.
    package init?(_ value: JSONValue?) {
        guard let x = value?["x"]?.number, let y = value?["y"]?.number, let width = value?["width"]?.number,
            let height = value?["height"]?.number
        else { return nil }
        self.init(x: Float(x), y: Float(y), width: Float(width), height: Float(height))
    }
}
