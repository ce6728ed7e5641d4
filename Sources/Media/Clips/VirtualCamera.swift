import CCamera
import Files
import Glibc

/// The device of a virtual camera (v4l2loopback).
package struct VirtualCamera: Equatable, Sendable {
    /// The device: "/dev/video10".
    package let path: String
    /// The name that programs show.
    package let name: String

    /// Those that there are, in the order of their device numbers.
    package static func all() -> [VirtualCamera] {
        (0..<64).compactMap { number in
            let path = "/dev/video\(number)"
            var name = [CChar](repeating: 0, count: 33)
            guard ccamera_takes_frames(path, &name) else { return nil }
            let bytes = name.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
            return VirtualCamera(path: path, name: String(decoding: bytes, as: UTF8.self))
        }
    }

    /// - Throws: `ClipError` of kind `unwritable` if it is no device.
    package static func check(_ path: FilePath) throws(ClipError) {
        guard let status = path.status() else {
            throw ClipError(
                .unwritable, path: path,
                "the device does not exist; 'bauta camera virtual' lists those that do. Write a source before the options"
            )
        }
        guard status.type == S_IFCHR else {
            throw ClipError(.unwritable, path: path, "is not a virtual camera")
        }
    }
}
