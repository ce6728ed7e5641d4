import Files

/// Opens the files of models.
package enum ModelFile {
    /// Opens a model's file, or makes sure that a library which takes only names can: a named pipe would block it for
    /// ever, and what it says of other files does not help.
    /// - Throws: `VisionError` that names the file if it is empty, no regular file, or cannot be read.
    package static func open(_ path: FilePath) throws(VisionError) -> RegularFile {
        do throws(FileError) {
            let file = try RegularFile(path)
            guard file.count > 0 else { throw FileError(.damaged, path: path, "is empty (0 bytes)") }
            return file
        } catch {
            throw VisionError(error)
        }
    }
}

extension VisionError {
    /// A model's file that cannot be read.
    package init(_ error: FileError) { self.init(.modelUnreadable, error.description) }
}
