import CFuzzer
import FaceGeometry
import Glibc
import Masks

/// Feeds a reader with whatever libFuzzer comes up with (`scripts/fuzz`). Which one, the environment variable
/// BAUTA_FUZZ_READER says; what else the manifest asks for lies in the folder BAUTA_FUZZ_FOLDER.
@main enum FuzzReaders {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(
            LLVMFuzzerRunDriver(&count, &arguments) { data, count in
                FuzzReaders.read(Array(UnsafeBufferPointer(start: data, count: count)))
                return 0
            })
    }

    /// Readers of what comes from strangers.
    enum Reader: String { case manifest, points, mesh, archive }

    private static func environment(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }

    static let reader: Reader = {
        guard let reader = Reader(rawValue: environment("BAUTA_FUZZ_READER")) else {
            fatalError("BAUTA_FUZZ_READER must be manifest, points, mesh or archive")
        }
        return reader
    }()

    private static let folder = environment("BAUTA_FUZZ_FOLDER")

    private static func file(_ name: String) -> String {
        guard let file = fopen(folder + "/" + name, "r") else { fatalError("\(folder)/\(name) cannot be read") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    private struct Setting: Sendable {
        let loader: MaskLoader
        let check: MaskCheck
    }

    private static let setting: Setting = {
        do {
            let reference = try ReferenceFace(
                points: PointsFile.parse(file("reference.pts")), depths: DepthsFile.parse(file("depths.txt")))
            return Setting(
                loader: MaskLoader(reference: reference),
                check: MaskCheck(mesh: FaceMesh(of: reference), reference: reference))
        } catch {
            fatalError("\(error)")
        }
    }()

    /// An error is as good as a value; only a crash is a finding.
    static func read(_ bytes: [UInt8]) {
        switch reader {
        case .manifest:
            let reading = setting.loader.read(
                PackageFiles(folder: folder, unsaved: [MaskLoader.manifestName: bytes]))
            _ = setting.check.problems(reading, names: ["t.png", "other.png"])
        case .points:
            guard let points = try? PointsFile.parse(String(decoding: bytes, as: UTF8.self)) else { return }
            // As a mask's own landmarks, they go on to the camera and the mesh.
            let manifest =
                #"{"format": 1, "name": "x", "layers": [{"type": "warp", "texture": "t.png", "landmarks": "f.pts"}]}"#
            let reading = setting.loader.read(
                PackageFiles(
                    folder: folder,
                    unsaved: [
                        MaskLoader.manifestName: Array(manifest.utf8), "f.pts": Array(PointsFile.text(points).utf8),
                    ]))
            _ = setting.check.problems(reading, names: [])
        case .mesh:
            guard let mesh = try? FaceMesh(parsing: String(decoding: bytes, as: UTF8.self)) else { return }
            _ = mesh.triangles(openings: [.eyes, .mouth])
        case .archive:
            _ = try? MaskArchive.unpack(bytes)
            if let picture = try? OpenRaster.painting(bytes, path: "fuzz.ora", maximumSide: 64) { _ = picture.hasAlpha }
        }
    }
}
