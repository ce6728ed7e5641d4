import Files
import Foundation
import ImageFiles
import Pixels
import TestSupport
import Testing

/// What is removed from each format.
extension AnonymiseTests {
    /// As long as the fields for manufacturer and model in a colour profile.
    private var secret: String { "AnnaSeen" }

    /// A photograph that names a person wherever its format has room for that.
    private func photograph(_ format: PictureFormat, orientation: Orientation) throws -> [UInt8] {
        let marker = Array(secret.utf8)
        var picture = try PictureReader.read(SmallSample.bytes("ada"), path: "ada")
        // A quarter turn back is what the orientation undoes.
        if orientation == .turnRight { picture.pixels = try picture.pixels.copy().turnedUpright(from: .turnLeft) }
        let pixels = try picture.pixels.copy()
        let (width, height) = (pixels.width, pixels.height)
        var exif =
            format == .tiff
            ? TIFFBuilder(width: width, height: height) { x, y, sample in Int(pixels[x, y][sample]) }
            : TIFFBuilder(width: 1, height: 1)
        exif.entries = [
            .init(0x112, 3, [orientation.rawValue]), .init(0x10F, 2, bytes: marker + [0]),
            .init(0x13B, 2, bytes: marker + [0]),
        ]
        exif.directories = [
            0x8769: [.init(0xA434, 2, bytes: marker + [0]), .init(0x927C, 7, marker.map(Int.init))],
            0x8825: [.init(0x1C, 7, marker.map(Int.init)), .init(0x1D, 2, bytes: Array("2026:01:02\0".utf8))],
        ]
        var profile = ICCBuilder.profile()
        profile.replaceSubrange(48..<56, with: marker)
        var metadata = PictureMetadata()
        metadata.exif = exif.bytes
        metadata.xmp = XMPBuilder.packet(attributes: "xmp:CreatorTool=\"\(secret)\"")
        metadata.photoshop = IPTCBuilder.resource(4, IPTCBuilder.dataSet(80, secret))
        metadata.iccProfile = profile
        if format == .tiff {
            exif.entries += [
                .init(0x2BC, bytes: metadata.xmp ?? []), .init(0x8649, bytes: metadata.photoshop ?? []),
                .init(0x8773, 7, profile.map(Int.init)),
            ]
            return exif.bytes
        }
        return try PictureWriter.encode(picture, with: metadata, options: .init(format: format), path: "ada").bytes()
    }

    private func isThere(_ path: String, _ text: String) throws -> Bool {
        try Data(bytes(of: folder.path + "/" + path)).range(of: Data(text.utf8)) != nil
    }

    /// dlib's detector finds upright faces only, so that a photograph that was turned wrongly would not be covered.
    @Test(.slow, arguments: PictureFormat.allCases) func nothingOfTheMetadataIsLeft(_ format: PictureFormat) throws {
        // The rotation of a HEIC or AVIF is not that of EXIF.
        let orientation: Orientation = [.heic, .avif].contains(format) ? .upright : .turnRight
        let name = "a.\(format.fileExtension)"
        try folder.write(try photograph(format, orientation: orientation), "in/" + name)
        let kept = try ProgramRun.bauta(["photo", "in", "-o", "kept", "--occluders", "none"], folder: folder.path)
        #expect(kept.error.contains("1 masked") || kept.error.contains("1 face"), "\(kept.error)")
        #expect(try isThere("kept/" + name, secret), "the test has nothing to find")
        let run = try ProgramRun.bauta(
            ["photo", "--anonymise", "in", "-o", "out"], folder: folder.path)
        #expect(run.exitCode == 0 && run.error.contains("1 covered"), "\(run.error)")
        let traces = [secret, "2026:01:02", "acspAPPL", "xap/1.0", "kept title", "8BIM", "Exif", "EXIF", "eXIf"]
        for trace in traces { #expect(try !isThere("out/" + name, trace), "\(name) has \(trace)") }
        let result = try PictureReader.read(folder.path + "/out/" + name)
        let (width, height, found) = (result.pixels.width, result.pixels.height, result.format)
        #expect(width == SmallSample.width && height == SmallSample.height && found == format)
        #expect(result.metadata.xmp == nil && result.metadata.iccProfile == nil && result.metadata.photoshop == nil)
    }

    /// A dog in which the detector sees a face at a wrong angle.
    @Test(.slow, .enabled(if: SharedData.isAvailable, "\(SharedData.absence)"))
    func unlikelyFacesDoNotLie() throws {
        let run = try ProgramRun.bauta(
            ["photo", "--detector", "hog", "--rotated", SharedData.root + "/photos/no_face_dogs.jpg"],
            folder: folder.path)
        #expect(run.exitCode == 0 && run.error.contains("1 done: 1 masked"), "\(run.error)")
        #expect(!run.error.contains("on the side"), "\(run.error)")
    }
}
