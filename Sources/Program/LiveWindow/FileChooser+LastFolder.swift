import Clips
import Installation

extension FileChooser {
    /// A dialog that begins in a folder that is kept from run to run.
    package convenience init(remembering folder: LastFolder) {
        self.init(kept: { folder.path }, keep: { folder.note($0) })
    }
}
