import Foundation
import ImageFiles
import TestSupport
import Testing

/// Each call of the system fails in turn, or the program is killed just before it. Afterwards there is no half file under
/// a final name, every original is as it was, and the next run clears what is left.
@Suite struct InjectedFaultTests {
    let folder: TemporaryFolder
    private let faults: FaultInjection

    init() throws {
        folder = try TemporaryFolder()
        faults = try FaultInjection(folder: folder.path)
    }

    /// The calls that fail, one after the other; each series ends with the first call that does not happen.
    private static let calls = Array(1...500)

    private func names(_ place: String) -> [String] { folder.results(in: place) }

    private func bauta(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ProgramRun {
        let own = ["XDG_DATA_HOME": folder.path + "/data", "XDG_CACHE_HOME": folder.path + "/cache"]
        return try ProgramRun.bauta(
            arguments, environment: own.merging(environment) { $1 }, folder: folder.path)
    }

    // MARK: Photographs

    private static let photograph = [
        "photo", "in", "--force", "--landmarks", "cascade", "--detector", "lbp", "-o", "out", "--report", "out/r.jsonl",
    ]

    private static let failingCalls = [
        ("write", ENOSPC), ("rename", EIO), ("unlink", EIO), ("open", EMFILE), ("read", EIO), ("write", EIO),
        ("mkdir", EROFS),
    ]

    @Test(arguments: failingCalls)
    func photographsAreWholeWhateverCallFails(_ call: String, _ error: Int32) throws {
        try checkPhotographs(whenFails: call, error)
    }

    @Test func photographsAreWholeWheneverMemoryIsRefused() throws {
        try checkPhotographs(whenFails: "memory", ENOMEM)
    }

    private func checkPhotographs(whenFails call: String, _ error: Int32) throws {
        let original = try bytes(of: Repository.root + "/samples/ada.jpg")
        try folder.write(original, "in/ada.jpg")
        #expect(try bauta(Self.photograph).exitCode == 0)
        try faults.each(.init(call, error), Self.calls) { number, environment in
            try? FileManager.default.removeItem(atPath: "\(folder.path)/out")
            let run = try bauta(Self.photograph, environment)
            let what = "\(call) \(number): \(run.exitCode) \(run.error)"
            #expect(run.exitCode < 128 && (run.exitCode == 0 || !run.error.isEmpty), "\(what)")
            // What cannot be removed stays under its hidden name, and is removed by the next run.
            let left = names("out").filter { call != "unlink" || !$0.hasPrefix(".bauta-temporary-") }
            #expect(Set(left).isSubset(of: ["ada.jpg", "r.jsonl"]), "\(what)")
            if names("out").contains("ada.jpg") { _ = try PictureReader.read(folder.path + "/out/ada.jpg") }
            #expect(run.exitCode != 0 || left == ["ada.jpg", "r.jsonl"], "\(what)")
            #expect(try bytes(of: folder.path + "/in/ada.jpg") == original)
        }
    }

    @Test func photographsAreWholeWheneverTheyAreKilled() throws {
        let original = try bytes(of: Repository.root + "/samples/ada.jpg")
        try folder.write(original, "in/ada.jpg")
        try faults.each(.init("any"), Self.calls) { _, environment in
            _ = try bauta(Self.photograph, environment)
            if names("out").contains("ada.jpg") { _ = try PictureReader.read(folder.path + "/out/ada.jpg") }
            #expect(try bytes(of: folder.path + "/in/ada.jpg") == original)
        }
        #expect(try bauta(Self.photograph).exitCode == 0)
        #expect(names("out") == ["ada.jpg", "r.jsonl"] && names("cache/bauta").count == 1)
    }

    /// Somebody replaces a photograph without a face, after it was looked at, by one with a face: that is not copied.
    @Test func aPhotographThatIsReplacedIsNotPublished() throws {
        let rows = Array(repeating: Array(repeating: UInt8(120), count: 270), count: 90)
        let wall = PNGBuilder(width: 90, height: 90, colorType: 2, rows: rows).bytes
        let face = try bytes(of: Repository.root + "/samples/ada.jpg")
        // The folder of the result is made just before the result is.
        let fault = FaultInjection.Fault("mkdir", replacing: "in/wall.png", with: "face")
        for output in ["out", "out/one.png"] {
            try folder.write(wall, "in/wall.png")
            try folder.write(face, "face")
            let run = try bauta(
                ["photo", "--detector", "hog", "in/wall.png", "-o", output], faults.environment(fault, number: 1))
            #expect(faults.hasHappened())
            #expect(try bytes(of: folder.path + "/in/wall.png") == face)
            if output == "out" {
                #expect(run.exitCode == 1 && run.error.contains("in/wall.png: changed while it was being masked"))
                #expect(names("out") == [], "\(run.error)")
                let again = try bauta(["photo", "--detector", "hog", "in/wall.png", "-o", output])
                #expect(again.error.contains("1 done: 1 masked"), "\(again.error)")
                try FileManager.default.removeItem(atPath: folder.path + "/out")
            } else {
                // Without a journal, the copy is of what was looked at.
                #expect(run.exitCode == 0, "\(run.error)")
                #expect(try bytes(of: folder.path + "/out/one.png") == wall)
            }
        }
    }

    /// The line of a shard's result is on the disk at once, and the result before it.
    @Test func resultsOfShardsAreSynchronisedBeforeTheirLines() throws {
        try folder.write(bytes(of: Repository.root + "/samples/ada.jpg"), "in/ada.jpg")
        let arguments = ["photo", "--detector", "hog", "--shard", "1/1", "in", "-o", "out"]
        let run = try bauta(arguments, faults.environment(.init("sync", EIO), number: 1))
        #expect(faults.hasHappened() && run.exitCode == 74, "\(run.error)")
        #expect(run.error.contains("out/ada.jpg: cannot be written"), "\(run.error)")
        #expect(!names("out").contains("ada.jpg") && !names("out").contains { $0.hasSuffix(".jsonl") })
        let killed = try bauta(arguments, faults.environment(.init("sync"), number: 2))
        #expect(killed.exitCode == 1000 + SIGKILL)
        #expect(try bauta(arguments).error.contains("1 done: 1 masked"))
    }

    // MARK: Masks

    /// There is always a whole mask under the name, and a whole packed one.
    @Test(arguments: [nil, ENOSPC, EIO, EMFILE] as [Int32?])
    func masksAreWholeWhateverHappens(_ error: Int32?) throws {
        let wolf = Repository.root + "/Tests/Masks/wolf"
        #expect(try bauta(["mask", "pack", wolf, "-o", "wolf.bauta"]).exitCode == 0)
        #expect(try bauta(["mask", "install", "wolf.bauta"]).exitCode == 0)
        let packed = try bytes(of: folder.path + "/wolf.bauta")
        let files = try FileManager.default.contentsOfDirectory(atPath: wolf).sorted()
        let commands = [
            ["mask", "install", "--force", "wolf.bauta"],
            ["mask", "unpack", "wolf.bauta", "--output", "unpacked/wolf"],
            ["mask", "pack", wolf, "--force", "-o", "wolf.bauta"],
        ]
        for command in commands {
            try faults.each(.init("any", error), Self.calls) { number, environment in
                try? FileManager.default.removeItem(atPath: folder.path + "/unpacked/wolf")
                let run = try bauta(command, environment)
                let what = "\(command) \(number): \(run.exitCode) \(run.error)"
                if error != nil {
                    #expect(run.exitCode < 128 && (run.exitCode == 0 || !run.error.isEmpty), "\(what)")
                }
                #expect(names("data/bauta/masks/wolf") == files, "\(what)")
                #expect([[], files].contains(names("unpacked/wolf")), "\(what)")
                #expect(try bytes(of: folder.path + "/wolf.bauta") == packed, "\(what)")
            }
            try? FileManager.default.removeItem(atPath: folder.path + "/unpacked/wolf")
            #expect(try bauta(command).exitCode == 0)
            let left = ["data/bauta/masks", "unpacked", ""].map { (place: $0, names: names($0)) }
            for place in left { #expect(!place.names.contains { $0.hasPrefix(".bauta") }, "\(command): \(place)") }
        }
    }
}
