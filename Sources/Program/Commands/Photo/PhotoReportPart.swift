import Files
import FrameProcessing
import JSON

/// The first line of a part of a report, written by one shard: what the whole must consist of.
struct PhotoReportPart: Equatable {
    let shard: PhotoShard
    /// The number of photographs of this shard, and of all.
    let photographs: Int
    let all: Int
    /// A checksum of the list of all photographs with their sizes, in hexadecimal digits: shards of different lists do not
    /// fit together.
    let list: String

    init(shard: PhotoShard, photographs: Int, all: Int, list: UInt64) {
        self.shard = shard
        self.photographs = photographs
        self.all = all
        self.list = String(list, radix: 16)
    }

    /// More photographs than a list can have.
    private static let mostPhotographs = 1 << 40

    /// Nil if it is no such line.
    init?(_ line: ArraySlice<UInt8>) {
        guard let value = JSONValue(line: line) else { return nil }
        func number(_ key: String, in range: ClosedRange<Int>) -> Int? {
            let number = value[key]?.number.flatMap { Int(exactly: $0) }
            return number.flatMap { range.contains($0) ? $0 : nil }
        }
        guard let count = number("of", in: 1...PhotoShard.largestCount), let place = number("shard", in: 1...count),
            let all = number("all", in: 0...Self.mostPhotographs),
            let photographs = number("photographs", in: 0...all), let list = value["list"]?.string
        else { return nil }
        shard = PhotoShard(number: place, count: count)
        (self.photographs, self.all, self.list) = (photographs, all, list)
    }

    /// - Throws: `FileError` if a file is not a part of a report by the same shard.
    func checkIsSame(_ path: FilePath) throws(FileError) {
        var lines = try FileLines(path)
        guard let line = try lines.next(), PhotoReportPart(line)?.shard == shard else {
            throw FileError(
                .alreadyExists, path: path,
                "already exists and is not the report of shard \(shard.number)/\(shard.count)")
        }
    }

    var json: JSONValue {
        .object([
            "shard": .integer(shard.number), "of": .integer(shard.count), "photographs": .integer(photographs),
            "all": .integer(all), "list": .string(list),
        ])
    }
}

extension PhotoReport {
    static let notDone = "notDone"

    /// The line for a photograph that an interrupted shard has not done.
    static func notDone(_ path: FilePath) -> JSONValue {
        .object(path.jsonMembers("path") + [.init("status", .string(notDone))])
    }
}
