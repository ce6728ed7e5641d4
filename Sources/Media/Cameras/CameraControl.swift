import CCamera

extension Camera {
    /// Something that a camera lets one adjust: brightness, exposure.
    package struct Control: Equatable, Sendable {
        let identifier: UInt32
        /// The driver's name in lower case with underscores: "exposure_time_absolute".
        package let name: String
        package let range: ClosedRange<Int>
        package let value: Int
    }
}

extension Camera.Control {
    init(_ control: ccamera_control) {
        var control = control
        identifier = control.identifier
        let text = withUnsafePointer(to: &control.name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 32) { String(cString: $0) }
        }
        // "Exposure, Dynamic Framerate" becomes "exposure_dynamic_framerate".
        var name = ""
        for character in text.lowercased() {
            if character.isLetter || character.isNumber {
                name.append(character)
            } else if !name.hasSuffix("_"), !name.isEmpty {
                name.append("_")
            }
        }
        self.name = name.hasSuffix("_") ? String(name.dropLast()) : name
        range = Int(control.minimum)...Int(max(control.minimum, control.maximum))
        value = Int(control.value)
    }
}
