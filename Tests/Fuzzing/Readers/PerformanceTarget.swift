import JSON
import MaskAuthoring

/// What a face did before the camera, for the editor's drawn heads.
enum PerformanceTarget: FuzzTarget {
    static let name = "performance"
    static let longest = 4096

    static func seeds() -> [[UInt8]] {
        var performance = Performance()
        for number in 0..<4 { performance.add(.init(), at: 0.1 * Double(number)) }
        return [performance.json.text(indented: false), "{\"version\": 1, \"seconds\": [0]}"].map { Array($0.utf8) }
    }

    static func read(_ bytes: [UInt8]) {
        guard let json = try? bytes.withUnsafeBytes({ try JSONValue(parsing: $0) }),
            let performance = Performance(json)
        else { return }
        for step in 0..<8 { _ = performance.signals(at: Float(step) * performance.seconds / 7) }
    }
}
