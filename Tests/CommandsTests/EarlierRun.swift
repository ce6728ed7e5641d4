import Files
import PhotoRecords
import Testing

/// What an earlier run has left among photographs.
enum EarlierRun {
    /// Writes a result, unless it is there, and the line about it.
    /// - Parameters:
    ///   - photograph: from which it is made.
    ///   - name: of the result below the folder of results.
    static func note(_ photograph: FilePath, as name: FilePath, in folder: FilePath) throws {
        let result = folder / name
        try Folder.createParent(of: result)
        if !result.exists { try AtomicFile.write("result", to: result, replacing: false) }
        func state(_ path: FilePath) throws -> FileState {
            FileState(FileIdentity(try #require(path.status())), checksum: try Checksum.ofFile(path))
        }
        let settings = PhotoSettings(maskName: "bauta", values: [("mask", "0")])
        try PhotoJournal(folder: folder, settings: settings).note(
            PhotoJob(input: photograph, output: result, isNamed: false), .masked, input: state(photograph),
            result: state(result), nil)
    }
}
