import FaceGeometry
import FaceTracking
import Files
import Gaze
import MaskAuthoring
import Masks

/// A mask with what `LiveMasks` keeps of it.
struct LoadedMask: Sendable {
    let mask: Mask
    /// Nil: it was made from a photograph.
    var folder: FilePath?
    /// See `MaskList.Entry`.
    var key: String?
    var package: UnpackedMask?
    var stamps: PackageFolder.Stamps?
    /// An existing entry with the same files, as an index of `MaskList.entries`; nil: none.
    var known: Int?
}

/// Loads what the user drops on the window, on any thread.
struct DroppedMasks: Sendable {
    let loader: MaskLoader
    let reference: ReferenceFace
    let mesh: FaceMesh
    let pupils: SuppliedPupilFinder
    /// Folders and packed masks that are known already, as in `MaskList.entries`.
    var known: [(folder: FilePath?, package: FilePath?)] = []

    private var wearable: WearableMasks {
        WearableMasks(loader: loader, reference: reference, mesh: mesh, pupils: pupils)
    }

    /// - Throws: the errors of `WearableMasks.mask`.
    func mask(folder: FilePath) throws -> Mask { try wearable.mask(folder: folder) }

    /// - Throws: the errors of `WearableMasks.mask`.
    func loaded(folder: FilePath) throws -> LoadedMask {
        let stamps = PackageFolder.stamps(folder)
        return LoadedMask(
            mask: try mask(folder: folder), folder: folder, key: folder.resolved?.string, stamps: stamps,
            known: known.firstIndex { $0.folder?.isSameFile(as: folder) == true })
    }

    /// Checks a packed mask as `mask install` does and unpacks it to a temporary folder.
    /// - Throws: the errors of `WearableMasks.mask`.
    func loaded(package path: FilePath) throws -> LoadedMask {
        let (mask, unpacked) = try wearable.mask(package: path)
        return LoadedMask(
            mask: mask, folder: unpacked.folder, package: unpacked,
            stamps: PackageFolder.stamps(unpacked.folder),
            known: known.firstIndex { $0.package?.isSameFile(as: path) == true })
    }

    /// Makes a mask from the face in a photograph, as `mask new` does: the same photographs are refused, and hair, hat and
    /// background are cut out.
    /// - Throws: `PictureError`, `PortraitError` or `VisionError`.
    func mask(portrait path: FilePath, models: FaceModels) throws -> Mask {
        let finder = try PhotographFaces(reference: reference, models: models)
        let portrait = try Portrait(path, choice: .only, largestSide: 4096, finder: finder)
        return try PortraitMask(
            portrait.pixels, face: portrait.face, mesh: mesh, lightRemoval: PortraitMask.defaultLightRemoval
        ).mask(from: path)
    }
}
