import Foundation
import Machine
import TestSupport
import Testing

/// What packages are called on this system and on others.
@Suite struct SystemPartTests {
    private static let debian12 = "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nVERSION_ID=\"12\"\nID=debian\n"
    private static let debian13 = "NAME=\"Debian GNU/Linux\"\nVERSION_ID=\"13\"\nVERSION_CODENAME=trixie\nID=debian\n"
    private static let ubuntu = "ID=ubuntu\nID_LIKE=debian\nVERSION_ID=\"24.04\"\nVERSION_CODENAME=noble\n"

    @Test(arguments: [
        (debian12, SystemRelease.Family.debian(12)), (debian13, .debian(13)),
        // Testing has no number.
        ("ID=debian\nVERSION_CODENAME=forky\n", .debian(.max)), (ubuntu, .ubuntu),
        ("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\nVERSION_ID=\"22\"\n", .ubuntu),
        ("ID=raspbian\nID_LIKE=debian\nVERSION_ID='12'", .debian(12)),
        // Its 5 is not Debian's.
        ("ID=devuan\nID_LIKE=debian\nVERSION_ID=\"5\"\n", .debian(.max)), ("ID=fedora\nVERSION_ID=43\n", .fedora),
        ("ID=\"centos\"\nID_LIKE=\"rhel fedora\"\n", .fedora), ("ID=arch\n", .arch),
        ("ID=manjaro\nID_LIKE=arch\n", .arch),
    ])
    func distributionsAreTold(_ file: String, _ family: SystemRelease.Family) {
        #expect(SystemRelease(osRelease: file).family == family)
        #expect(SystemRelease(osRelease: "", otherwise: file).family == family)
    }

    @Test(arguments: ["", "ID=nixos\n", "ID\n=\n=debian\n", "\u{0}\u{FFFD}ID=debian"])
    func othersAreNot(_ file: String) { #expect(SystemRelease(osRelease: file).family == nil) }

    @Test func remediesAreTheDistributions() {
        func remedy(_ file: String, _ parts: SystemPart...) -> String { SystemRelease(osRelease: file).remedy(parts) }
        #expect(remedy(Self.debian12, .xnnpack, .libarchive) == "sudo apt-get install libxnnpack0 libarchive13")
        #expect(
            remedy(Self.debian13, .xnnpack, .libarchive) == "sudo apt-get install libxnnpack0.20241108 libarchive13t64")
        // Two encoders in one package.
        #expect(remedy(Self.debian12, .hevcEncoder, .avifEncoder) == "sudo apt-get install libheif1")
        #expect(
            remedy(Self.debian13, .hevcEncoder, .avifEncoder)
                == "sudo apt-get install libheif-plugin-x265 libheif-plugin-aomenc")
        #expect(remedy(Self.ubuntu, .xnnpack) == "sudo apt-get install libxnnpack-dev")
        #expect(remedy("ID=fedora", .openGL) == "sudo dnf install libglvnd-egl mesa-dri-drivers")
        #expect(
            remedy("ID=fedora", .ffmpeg, .landmarkModel)
                == "sudo dnf install ffmpeg-free; install dlib's landmark model, which this system has no package of")
        #expect(remedy("ID=arch", .librsvg, .sdl) == "sudo pacman -S librsvg sdl2")
        #expect(remedy("ID=nixos", .librsvg, .sdl, .librsvg) == "install librsvg, SDL 2")
    }

    /// The table has the names that the C modules try.
    @Test func librariesAreThoseThatAreLoaded() throws {
        let sources = try #require(FileManager.default.enumerator(atPath: Repository.root + "/Sources"))
        var loaded: Set<String> = []
        for case let path as String in sources where path.hasSuffix(".c") {
            let text = try Repository.text("Sources/" + path)
            for line in text.split(separator: "\n")
            where line.hasPrefix("CDYNAMICLIBRARY(FUNCTIONS, \"") || line.hasPrefix("#define LIBRARY \"") {
                loaded.formUnion(line.split(separator: "\"").map(String.init).filter { $0.contains(".so.") })
            }
        }
        // X11 comes with SDL.
        #expect(loaded.subtracting(["libX11.so.6"]) == Set(SystemPart.allCases.flatMap(\.libraries)))
    }
}
