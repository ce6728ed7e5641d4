import FaceGeometry
import Files
import Glibc
import Masks

/// Reads and checks mask packages as the program does.
struct PackageReading: Sendable {
    private let loader: MaskLoader
    private let check: MaskCheck

    static let shared = PackageReading()

    private init() {
        do {
            let reference = try ReferenceFace(
                points: PointsFile.parse(RepositoryFile.text("face/reference.pts")),
                depths: DepthsFile.parse(RepositoryFile.text("face/depths.txt")))
            loader = MaskLoader(reference: reference)
            check = MaskCheck(mesh: FaceMesh(of: reference), reference: reference)
        } catch {
            fatalError("\(error)")
        }
    }

    /// A package whose picture is Tests/Fuzzing/Package/t.png.
    func read(_ files: [FilePath: [UInt8]], names: [FilePath]) {
        let reading = loader.read(PackageFiles(folder: "Tests/Fuzzing/Package", unsaved: files))
        _ = check.problems(reading, names: names)
    }
}
