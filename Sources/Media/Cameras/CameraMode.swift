import CCamera

extension Camera {
    /// A format of its frames with a size and a rate.
    package struct Mode: Equatable, Sendable {
        package struct Format: Equatable, Sendable {
            /// `V4L2_PIX_FMT_…`: four letters, the first in the lowest byte.
            let code: UInt32
            /// What decoding costs, in steps: 0 is nothing; nil: its frames cannot be decoded.
            let cost: Int?

            /// One JPEG after another.
            package static let motionJPEG = Format(code: UInt32(CCAMERA_MJPG))
            /// Uncompressed, two bytes a pixel.
            package static let yuyv = Format(code: UInt32(CCAMERA_YUYV))

            /// A format of Video4Linux2: YUYV, Motion JPEG, and what libv4lconvert converts can be decoded.
            /// - Parameter code: four letters, the first in the lowest byte.
            package init(code: UInt32) {
                self.code = code
                cost =
                    code == UInt32(CCAMERA_YUYV)
                    ? 0 : code == UInt32(CCAMERA_MJPG) ? 1 : ccamera_can_read(code) ? 2 : nil
            }

            /// A format of a camera of PipeWire, all of which can be decoded.
            /// - Parameter code: four letters, the first in the lowest byte.
            package init(pipeWire code: UInt32) {
                self.code = code
                cost = code == UInt32(CCAMERA_MJPG) ? 1 : 0
            }

            /// Whether its frames can be decoded.
            package var isReadable: Bool { cost != nil }

            /// The four letters of the code.
            package var name: String {
                let letters = (0..<4).map { UInt8(truncatingIfNeeded: code >> (8 * UInt32($0))) }
                return String(decoding: letters.map { (32..<127).contains($0) ? $0 : 63 }, as: UTF8.self)
            }
        }

        package var format: Format
        /// In pixels.
        package var width: Int
        package var height: Int
        /// Frames per second; 0: unknown.
        package var rate: Double

        package init(format: Format, width: Int, height: Int, rate: Double) {
            self.format = format
            self.width = width
            self.height = height
            self.rate = rate
        }

        package var formatName: String { format.name }

        /// "MJPG 1280×720 at 30.0 frames/s".
        package var description: String {
            let rateText = rate == 0 ? "" : " at \(Double(Int((rate * 10).rounded())) / 10) frames/s"
            return "\(formatName) \(width)×\(height)\(rateText)"
        }
    }

    /// The mode to use; see `nearest`.
    package func bestMode(width: Int, height: Int, rate: Double) -> Mode? {
        modes.nearest(width: width, height: height, rate: rate)
    }
}

extension [Camera.Mode] {
    /// The readable mode nearest to what is wanted: first by size, then by rate. Of modes that are equally near, the one that
    /// is cheapest to decode: raw ones such as YUYV before Motion JPEG, and that before what libv4lconvert converts.
    package func nearest(width: Int, height: Int, rate: Double) -> Camera.Mode? {
        func distance(_ mode: Camera.Mode) -> (Double, Double, Int) {
            // Too small is worse than too large: a large picture can be scaled down.
            let size = Double(abs(mode.width - width) + abs(mode.height - height))
            let missing = mode.width < width || mode.height < height ? 2 * size : size
            let slowness = mode.rate == 0 ? 0 : Swift.max(0, rate - mode.rate - 0.5)
            return (missing, slowness, mode.format.cost ?? .max)
        }
        return filter(\.format.isReadable).min { distance($0) < distance($1) }
    }
}

extension Camera.Mode {
    init(_ mode: ccamera_mode) {
        self.init(
            format: Format(code: mode.format), width: Int(mode.width), height: Int(mode.height), rate: mode.rate)
    }

    /// The mode as CCamera takes it.
    var foreign: ccamera_mode {
        ccamera_mode(format: format.code, width: Int32(width), height: Int32(height), rate: rate)
    }
}
