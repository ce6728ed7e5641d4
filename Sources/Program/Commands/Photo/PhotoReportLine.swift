import Files
import JSON
import PhotoRecords

/// A line of a report, as far as it is read again.
struct PhotoReportLine {
    /// Why it is none: completes a sentence that begins with its number.
    struct Malformed: Error {
        let reason: String
    }

    let photograph: FilePath
    /// Nil: an interrupted shard has not done it.
    let status: PhotoOutcome.Status?

    init(_ bytes: ArraySlice<UInt8>) throws(Malformed) {
        guard let value = JSONValue(line: bytes), let photograph = FilePath(value, key: "path"),
            let word = value["status"]?.string
        else { throw Malformed(reason: "is not a report line") }
        self.photograph = photograph
        status = PhotoOutcome.Status(rawValue: word)
        if status == nil, word != PhotoReport.notDone {
            throw Malformed(reason: "has the status \"\(word.printable)\", which is unknown")
        }
    }

    /// Checks that all that a report says is about known photographs: what replaces it says more about them.
    /// - Parameter isKnown: says why a line is not; nil if it is.
    /// - Throws: `FileError`.
    static func checkAll(of path: FilePath, _ isKnown: (PhotoReportLine) -> String?) throws(FileError) {
        var lines = try FileLines(path)
        while let bytes = try lines.next() {
            var reason: String?
            do throws(Malformed) {
                reason = isKnown(try PhotoReportLine(bytes))
            } catch {
                reason = error.reason
            }
            if let reason {
                throw FileError(
                    .alreadyExists, path: path,
                    "already exists and is not a report of the same photographs and settings: line \(lines.number) "
                        + reason)
            }
        }
    }
}

extension JSONValue {
    /// Nil if it is not JSON.
    init?(line: ArraySlice<UInt8>) {
        guard let value = line.withUnsafeBytes({ try? JSONValue(parsing: $0) }) else { return nil }
        self = value
    }
}

extension FilePath {
    /// In the place of millions of paths, which would take too much memory. That two of a million have the same is as
    /// likely as 1 in 37 million.
    var checksum: UInt64 { bytes.withUnsafeBytes { Checksum.of($0) } }
}
