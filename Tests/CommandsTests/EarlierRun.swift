import Files
import PhotoRecords
import Testing

/// What an earlier run has left among photographs.
enum EarlierRun {
    static let settings = PhotoSettings(maskName: "bauta", values: [("mask", "0")])

    /// Writes a result, unless it is there, and the line about it.
    /// - Parameters:
    ///   - photograph: from which it is made.
    ///   - name: of the result below the folder of results.
    ///   - number: of the photograph in the list of the run.
    static func note(_ photograph: FilePath, as name: FilePath, in folder: FilePath, number: Int = 0) throws {
        let result = folder / name
        try Folder.createParent(of: result)
        if !result.exists { try AtomicFile.write("result", to: result, replacing: false) }
        func state(_ path: FilePath) throws -> FileState {
            FileState(FileIdentity(try #require(path.status())), checksum: try Checksum.ofFile(path))
        }
        var job = PhotoJob(input: photograph, output: result, isNamed: false)
        job.number = number
        try PhotoJournal(folder: folder, settings: settings).note(
            job, .masked, input: state(photograph), result: state(result), nil)
    }
}
