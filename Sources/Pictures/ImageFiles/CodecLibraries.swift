import CCodecs

/// The libraries that read and write pictures.
package enum CodecLibraries {
    /// Names and versions: "libjpeg-turbo 2.1.5, libpng 1.6.39, …".
    package static var versions: String {
        String(unsafeUninitializedCapacity: 256) { buffer in
            buffer.withMemoryRebound(to: CChar.self) { min(255, ccodecs_versions($0.baseAddress, $0.count)) }
        }
    }
}
