import Installation
import Machine
import PhotoRecords
import PictureMasking
import Records

/// The resources that all threads share that mask photographs.
package final class PhotoStudio: Sendable {
    package let pictures: PictureStudio
    /// The memory limit for all photographs that are masked at the same time, in bytes.
    let memory: Int
    /// Of the folder of results, if there is one.
    let journal: PhotoJournal?
    /// What a person decided about the results; nil: nobody looks for it.
    let review: ReviewFile?

    /// Loads what pictures are masked with: see `PictureStudio`.
    /// - Throws: `DataFolderError`, `FileError`, or what is wrong with the mask.
    /// - Parameter review: of the folder of the result, if that is a file of its own.
    package init(
        options: PhotoOptions, data: DataFolder, journal: PhotoJournal? = nil, review: ReviewFile? = nil
    ) throws {
        self.journal = journal
        self.review = journal?.review ?? review
        memory = options.memory ?? MachineMemory.size / 2
        pictures = try PictureStudio(options: options, data: data)
    }
}
