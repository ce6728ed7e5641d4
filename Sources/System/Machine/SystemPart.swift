/// What Bauta uses of the system only when it needs it, with the packages that bring it: the one table of their names.
/// Debian's have been installed; the others have not been tried.
package enum SystemPart: CaseIterable, Sendable {
    case xnnpack, ffmpeg, landmarkModel, libheif, hevcEncoder, avifEncoder, librsvg, libarchive, sdl, openGL
    case v4lconvert, pipeWire, dbus, loopback, fontconfig, titleBars

    private struct Row {
        /// See `SystemPart`.
        let name: String
        /// See `SystemPart`.
        let loss: String
        /// Package names, with spaces between them; nil if the distribution has no package.
        let debian12, debian13, ubuntu, fedora, arch: String?
    }

    /// What its authors call it.
    package var name: String { row.name }

    /// What does not work without it: the end of a sentence that begins with "without it,".
    package var loss: String { row.loss }

    /// The names under which the dynamic linker may know it; none if it is no library, or has more to it than one.
    package var libraries: [String] {
        switch self {
        case .xnnpack: ["libXNNPACK.so.0", "libXNNPACK.so.0.20241108"]
        case .libheif: ["libheif.so.1"]
        case .librsvg: ["librsvg-2.so.2"]
        case .libarchive: ["libarchive.so.13"]
        case .sdl: ["libSDL2-2.0.so.0"]
        case .v4lconvert: ["libv4lconvert.so.0"]
        case .pipeWire: ["libpipewire-0.3.so.0"]
        case .dbus: ["libdbus-1.so.3"]
        case .fontconfig: ["libfontconfig.so.1"]
        case .ffmpeg, .landmarkModel, .hevcEncoder, .avifEncoder, .openGL, .loopback, .titleBars: []
        }
    }

    /// - Returns: what a package manager is to install, with spaces between names; nil if there is no such package.
    package func packages(on system: SystemRelease) -> String? {
        switch system.family {
        case .debian(let version): version >= 13 ? row.debian13 : row.debian12
        case .ubuntu: row.ubuntu
        case .fedora: row.fedora
        case .arch: row.arch
        case nil: nil
        }
    }

    private var row: Row {
        switch self {
        case .xnnpack:
            Row(
                name: "XNNPACK", loss: "turned, tilted and small faces are not detected", debian12: "libxnnpack0",
                debian13: "libxnnpack0.20241108",
                // Its library's name differs between releases; this one brings it.
                ubuntu: "libxnnpack-dev", fedora: "xnnpack", arch: nil)
        case .ffmpeg:
            Row(
                name: "FFmpeg", loss: "there are no videos, recordings, streams or sound", debian12: "ffmpeg",
                debian13: "ffmpeg", ubuntu: "ffmpeg", fedora: "ffmpeg-free", arch: "ffmpeg")
        case .landmarkModel:
            Row(
                name: "dlib's landmark model", loss: "landmarks need MediaPipe's networks", debian12: "libdlib-data",
                debian13: "libdlib-data", ubuntu: "libdlib-data", fedora: nil, arch: nil)
        case .libheif:
            Row(
                name: "libheif", loss: "HEIC and AVIF are neither read nor written", debian12: "libheif1",
                debian13: "libheif1", ubuntu: "libheif1", fedora: "libheif", arch: "libheif")
        case .hevcEncoder:
            Row(
                name: "libheif's encoder for HEIC", loss: "HEIC is not written", debian12: "libheif1",
                debian13: "libheif-plugin-x265", ubuntu: "libheif-plugin-x265",
                // It is in a package of RPM Fusion's.
                fedora: nil, arch: "x265")
        case .avifEncoder:
            Row(
                name: "libheif's encoder for AVIF", loss: "AVIF is not written", debian12: "libheif1",
                debian13: "libheif-plugin-aomenc", ubuntu: "libheif-plugin-aomenc", fedora: "libheif", arch: "aom")
        case .librsvg:
            Row(
                name: "librsvg", loss: "masks with SVG textures are not drawn", debian12: "librsvg2-2",
                debian13: "librsvg2-2", ubuntu: "librsvg2-2", fedora: "librsvg2", arch: "librsvg")
        case .libarchive:
            Row(
                name: "libarchive", loss: "packed masks and OpenRaster are neither read nor written",
                debian12: "libarchive13", debian13: "libarchive13t64", ubuntu: "libarchive13t64", fedora: "libarchive",
                arch: "libarchive")
        case .sdl:
            Row(
                name: "SDL 2", loss: "there are no windows", debian12: "libsdl2-2.0-0", debian13: "libsdl2-2.0-0",
                ubuntu: "libsdl2-2.0-0", fedora: "SDL2", arch: "sdl2")
        case .openGL:
            Row(
                name: "Mesa", loss: "there are no windows", debian12: "libegl1 libgl1-mesa-dri",
                debian13: "libegl1 libgl1-mesa-dri", ubuntu: "libegl1 libgl1-mesa-dri",
                fedora: "libglvnd-egl mesa-dri-drivers", arch: "libglvnd mesa")
        case .v4lconvert:
            Row(
                name: "libv4lconvert", loss: "cameras with rare formats are not read", debian12: "libv4lconvert0",
                debian13: "libv4lconvert0t64", ubuntu: "libv4lconvert0t64", fedora: "libv4l", arch: "v4l-utils")
        case .pipeWire:
            Row(
                name: "PipeWire",
                loss: "the virtual camera needs a kernel module, and libcamera's cameras are not seen",
                debian12: "pipewire wireplumber",
                debian13: "pipewire wireplumber", ubuntu: "pipewire wireplumber", fedora: "pipewire wireplumber",
                arch: "pipewire wireplumber")
        case .dbus:
            Row(
                name: "D-Bus", loss: "a program in a sandbox gets no cameras", debian12: "libdbus-1-3",
                debian13: "libdbus-1-3", ubuntu: "libdbus-1-3", fedora: "dbus-libs", arch: "dbus")
        case .loopback:
            Row(
                name: "v4l2loopback", loss: "programs that do not know PipeWire see no virtual camera",
                debian12: "v4l2loopback-dkms", debian13: "v4l2loopback-dkms", ubuntu: "v4l2loopback-dkms",
                // It is in a package of RPM Fusion's.
                fedora: nil, arch: "v4l2loopback-dkms")
        case .fontconfig:
            Row(
                name: "fontconfig", loss: "windows have a plain font with Latin letters alone",
                debian12: "libfontconfig1", debian13: "libfontconfig1", ubuntu: "libfontconfig1", fedora: "fontconfig",
                arch: "fontconfig")
        case .titleBars:
            Row(
                name: "a plug-in of libdecor",
                loss: "windows have no title bars where Wayland servers draw none; under GNOME they therefore use X11, "
                    + "and are blurred on scaled screens", debian12: "libdecor-0-plugin-1-cairo",
                debian13: "libdecor-0-plugin-1-cairo", ubuntu: "libdecor-0-plugin-1-cairo", fedora: "libdecor",
                arch: "libdecor")
        }
    }
}
