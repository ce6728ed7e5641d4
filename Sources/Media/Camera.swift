import CCamera
import Glibc

/// A camera that Video4Linux2 knows.
package struct Camera: Sendable {
    /// "/dev/video0".
    package let path: String
    /// What its driver calls it.
    package let name: String
    package let modes: [Mode]
    package let controls: [Control]

    package struct Mode: Equatable, Sendable {
        package enum Format: Equatable, Sendable {
            /// One JPEG after another.
            case motionJPEG
            /// Uncompressed, two bytes a pixel.
            case yuyv
            /// Something that cannot be read here, by its FourCC.
            case other(String)
        }

        package var format: Format
        package var width: Int
        package var height: Int
        /// Frames a second; 0: not said.
        package var rate: Double

        package var formatName: String {
            switch format {
            case .motionJPEG: "MJPG"
            case .yuyv: "YUYV"
            case .other(let code): code
            }
        }
    }

    package struct Control: Equatable, Sendable {
        let identifier: UInt32
        /// The driver's name in lower case with underscores: "exposure_time_absolute".
        package let name: String
        package let range: ClosedRange<Int>
        package let value: Int
    }

    /// Why a camera gives no pictures.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let path: String
        /// errno.
        package let code: Int32
        package let doing: String

        static let looking = "looking for it"

        package var description: String {
            if doing == Self.looking {
                return path.isEmpty
                    ? "There is no camera. It is used as soon as one is plugged in."
                    : "There is no camera called '\(path)'. It is used as soon as it is plugged in."
            }
            return switch code {
            case ENOENT, ENXIO: "\(path): there is no such camera (any more)"
            case ENODEV: "\(path): the camera has been unplugged"
            case EBUSY: "\(path): the camera is in use by another program; close that one"
            case EACCES, EPERM:
                "\(path): you may not use this camera; 'sudo usermod -aG video $USER' and a new login allow it"
            case ENOTTY: "\(path): is not a camera that gives pictures"
            case ENOSPC: "\(path): the USB bus has no room for this camera beside the others; use another port"
            default: "\(path): \(doing) fails: \(String(cString: strerror(code)))"
            }
        }

        /// Whether waiting makes no sense.
        package var isFinal: Bool { code == ENOTTY }
    }

    /// All that can be opened, in the order of their numbers.
    package static func all() -> [Camera] {
        (0..<64).compactMap { number in try? Camera(path: "/dev/video\(number)") }
    }

    /// Looks a camera up without starting it.
    package init(path: String) throws(Failure) {
        var error = ccamera_error()
        guard let handle = ccamera_open(path, &error) else {
            throw Failure(path: path, error)
        }
        defer { ccamera_close(handle) }
        self.path = path
        name = String(cString: ccamera_name(handle))
        var modes = [ccamera_mode](repeating: ccamera_mode(), count: 512)
        let modeCount = ccamera_modes(handle, &modes, Int32(modes.count))
        self.modes = modes.prefix(Int(modeCount)).map { Mode($0) }
        var controls = [ccamera_control](repeating: ccamera_control(), count: 128)
        let controlCount = ccamera_controls(handle, &controls, Int32(controls.count))
        self.controls = controls.prefix(Int(controlCount)).map { Control($0) }
    }

    /// The mode that comes nearest to what is wanted: first the size, then the rate. Of two that are as good,
    /// uncompressed pictures: they cost nothing to decode. Where those come too rarely, Motion JPEG.
    package func bestMode(width: Int, height: Int, rate: Double) -> Mode? {
        func distance(_ mode: Mode) -> (Double, Double, Int) {
            // A larger picture can be made smaller, not the other way round.
            let size = Double(abs(mode.width - width) + abs(mode.height - height))
            let missing = mode.width < width || mode.height < height ? 2 * size : size
            let slowness = mode.rate == 0 ? 0 : max(0, rate - mode.rate - 0.5)
            return (missing, slowness, mode.format == .yuyv ? 0 : 1)
        }
        return modes.filter { $0.format == .yuyv || $0.format == .motionJPEG }
            .min { distance($0) < distance($1) }
    }

    /// The first camera of those whose number, path or name somebody means.
    package static func find(_ wanted: String?, among cameras: [Camera]) -> Camera? {
        guard let wanted else { return cameras.first { $0.bestMode(width: 1280, height: 720, rate: 30) != nil } }
        if let number = Int(wanted) { return cameras.first { $0.path == "/dev/video\(number)" } }
        return cameras.first { $0.path == wanted }
            ?? cameras.first { $0.name.lowercased().contains(wanted.lowercased()) }
    }
}

extension Camera.Failure {
    init(path: String, _ error: ccamera_error) {
        var error = error
        let text = withUnsafePointer(to: &error.message) {
            $0.withMemoryRebound(to: CChar.self, capacity: 128) { String(cString: $0) }
        }
        self.init(path: path, code: error.code, doing: text)
    }
}

extension Camera.Mode {
    init(_ mode: ccamera_mode) {
        switch mode.format {
        case UInt32(CCAMERA_YUYV): format = .yuyv
        case UInt32(CCAMERA_MJPG): format = .motionJPEG
        default:
            let letters = (0..<4).map { UInt8(truncatingIfNeeded: mode.format >> (8 * UInt32($0))) }
            format = .other(String(decoding: letters.map { (32..<127).contains($0) ? $0 : 63 }, as: UTF8.self))
        }
        (width, height, rate) = (Int(mode.width), Int(mode.height), mode.rate)
    }

    var foreign: ccamera_mode {
        let code = format == .yuyv ? UInt32(CCAMERA_YUYV) : UInt32(CCAMERA_MJPG)
        return ccamera_mode(format: code, width: Int32(width), height: Int32(height), rate: rate)
    }

    /// "MJPG 1280×720 at 30 frames/s".
    package var description: String {
        let rateText = rate == 0 ? "" : " at \(Double(Int((rate * 10).rounded())) / 10) frames/s"
        return "\(formatName) \(width)×\(height)\(rateText)"
    }
}

extension Camera.Control {
    init(_ control: ccamera_control) {
        var control = control
        identifier = control.identifier
        let text = withUnsafePointer(to: &control.name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 32) { String(cString: $0) }
        }
        // "Exposure, Dynamic Framerate" is no name for a command line.
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
