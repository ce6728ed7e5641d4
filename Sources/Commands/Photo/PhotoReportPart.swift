import Files
import JSON
import Masking

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

    /// Nil if it is no such line.
    init?(_ value: JSONValue) {
        func number(_ key: String, from least: Int) -> Int? {
            let number = value[key]?.number.flatMap { Int(exactly: $0) }
            return number.flatMap { (least..<1 << 53).contains($0) ? $0 : nil }
        }
        guard let place = number("shard", from: 1), let count = number("of", from: 1), place <= count,
            let photographs = number("photographs", from: 0), let all = number("all", from: 0),
            let list = value["list"]?.string
        else { return nil }
        shard = PhotoShard(number: place, count: count)
        (self.photographs, self.all, self.list) = (photographs, all, list)
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
