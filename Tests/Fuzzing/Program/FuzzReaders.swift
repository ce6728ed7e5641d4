import CFuzzer
import FuzzTargets
import Glibc

/// Feeds a reader with whatever libFuzzer comes up with (`scripts/fuzz`). The environment variable BAUTA_FUZZ_READER
/// names it. Without it, the names of all readers are listed. With BAUTA_FUZZ_SEEDS, the reader's seeds are written into
/// that folder instead.
@main enum FuzzReaders {
    static let reader: any FuzzTarget.Type = {
        let name = getenv("BAUTA_FUZZ_READER").map { String(cString: $0) }
        guard let target = FuzzTargets.all.first(where: { $0.name == name }) else {
            fatalError("BAUTA_FUZZ_READER must be one of \(FuzzTargets.all.map { $0.name })")
        }
        return target
    }()

    static func main() throws {
        guard getenv("BAUTA_FUZZ_READER") != nil else {
            for target in FuzzTargets.all { print(target.name) }
            return
        }
        if let folder = getenv("BAUTA_FUZZ_SEEDS") { return try writeSeeds(String(cString: folder)) }
        let arguments = CommandLine.arguments + ["-max_len=\(reader.longest)"]
        var pointers = arguments.map { strdup($0) } + [nil]
        var count = Int32(pointers.count - 1)
        exit(
            pointers.withUnsafeMutableBufferPointer { pointers in
                var start = pointers.baseAddress
                return LLVMFuzzerRunDriver(&count, &start) { data, count in
                    FuzzReaders.reader.read(Array(UnsafeBufferPointer(start: data, count: count)))
                    return 0
                }
            })
    }

    private static func writeSeeds(_ folder: String) throws {
        for (index, seed) in try reader.seeds().enumerated() {
            let path = "\(folder)/\(index)"
            guard let file = fopen(path, "w") else { fatalError("\(path) cannot be written") }
            fwrite(seed, 1, seed.count, file)
            fclose(file)
        }
    }
}
