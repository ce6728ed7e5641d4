import Arguments
import FaceTracking
import Files
import Glibc

/// The notice at the first use of the landmark model of Debian's libdlib-data.
enum ModelNotice {
    /// Says it once to each user, where somebody reads it.
    static func show(for models: FaceModels) {
        guard Console.errorIsTerminal, models.chosenCascade == nil, models.landmarks != .mesh,
            models.cascade.isAccessible(R_OK), let folder = UserFolders.cache
        else { return }
        let marker = folder / "bauta/model-notice"
        guard !marker.exists else { return }
        Console.error(
            "bauta: the landmark model of libdlib-data excludes commercial use; see 'bauta help models'. This notice appears once.\n"
        )
        do {
            try Folder.createParent(of: marker)
            try AtomicFile.write("", to: marker, replacing: true)
        } catch {
            // It is said again.
        }
    }
}
