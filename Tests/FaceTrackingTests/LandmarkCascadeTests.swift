import Detection
import FaceGeometry
import Foundation
import ImageFiles
import LandmarkModels
import Pixels
import SyntheticFaces
import TestSupport
import Testing
import Vision

/// One conversion serves all tests. It is made anew in each run: a cache left by an earlier build would hide what
/// this one does.
let sharedCascade = Result {
    let cache = Repository.root + "/.build/test-cache"
    try? FileManager.default.removeItem(atPath: cache)
    try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
    setenv("XDG_CACHE_HOME", cache, 1)
    return try LandmarkCascade(modelPath: LandmarkCascade.defaultModelPath)
}

@Suite(.serialized) struct LandmarkCascadeTests {
    /// Given the same picture and box ours are dlib's, which are rounded to whole pixels.
    @Test func landmarksAreDlibsWithinItsRounding() throws {
        let dlib = try sharedPredictor.get()
        let cascade = try sharedCascade.get()
        let finder = try HOGFaceDetector()
        for sample in Sample.all {
            let picture = try PictureReader.read("\(Repository.root)/samples/\(sample.name).jpg")
            let grey = try picture.pixels.grey(width: 640, height: 800)
            let box = try #require(try finder.detections(in: grey).first?.box)
            #expect(
                try largestDifference(dlib.landmarks(in: grey, box: box), cascade.landmarks(in: grey, box: box)) <= 0.51
            )
            let (ours, theirs) = (
                try cascade.landmarks(in: picture.pixels, box: box), try dlib.landmarks(in: picture.pixels, box: box)
            )
            #expect(largestDifference(ours, theirs) <= 0.51)
            #expect(ours.points.contains { ($0.x - 0.5) != ($0.x - 0.5).rounded() }, "sub-pixel")
        }
    }

    @Test(.enabled(if: SharedData.isAvailable, "\(SharedData.absence)")) func landmarksOfRealFacesAreDlibs() throws {
        let dlib = try sharedPredictor.get()
        let cascade = try sharedCascade.get()
        for annotation in try ConformanceTests.annotations() {
            let picture = try PictureReader.read("\(SharedData.root)/faces/\(annotation.file)")
            let theirs = try dlib.landmarks(in: picture.pixels, box: annotation.box)
            let ours = try cascade.landmarks(in: picture.pixels, box: annotation.box)
            #expect(largestDifference(ours, theirs) <= 0.51, "\(annotation.file)")
        }
    }

    private func largestDifference(_ a: Landmarks, _ b: Landmarks) -> Float {
        zip(a.points, b.points).map { max(abs($0.x - $1.x), abs($0.y - $1.y)) }.max() ?? .infinity
    }

    @Test func boxesAnywhereAreNoCrash() throws {
        let cascade = try sharedCascade.get()
        let picture = try gradient(50, 40)
        for box in [
            FaceBox(x: -500, y: -500, width: 100, height: 100), FaceBox(x: 1e30, y: 0, width: 1e30, height: 5),
            FaceBox(x: 0, y: 0, width: 0, height: 0), FaceBox(x: 10, y: 10, width: -50, height: -50),
        ] { _ = try? cascade.landmarks(in: picture, box: box) }
        #expect(throws: VisionError.self) {
            try cascade.landmarks(in: picture, box: FaceBox(x: .nan, y: 0, width: 10, height: 10))
        }
    }

    // MARK: The file

    private func model() throws -> [UInt8] { try bytes(of: LandmarkCascade.defaultModelPath) }

    private func failure(_ path: String) -> VisionError? {
        do {
            _ = try LandmarkCascade(modelPath: path)
            return nil
        } catch { return error }
    }

    @Test func brokenModelsAreErrorsWithTheFilesName() throws {
        let folder = try TemporaryFolder()
        #expect(failure(folder.path + "/missing.dat")?.kind == .modelUnreadable)
        #expect(failure(folder.path)?.kind == .modelUnreadable)
        mkfifo(folder.path + "/pipe.dat", 0o600)
        #expect(failure(folder.path + "/pipe.dat")?.reason.contains("is not a regular file") == true)
        let head = try model().prefix(3_000_000)
        for count in [0, 1, 2, 50, 700, 5000, 100_000, 2_999_999] {
            let path = try folder.write(head.prefix(count), "cut \(count).dat")
            let error = try #require(failure(path))
            #expect(error.description.contains(path) && error.kind == (count == 0 ? .modelUnreadable : .modelInvalid))
        }
        // Lengths that promise more than the file holds must not be believed.
        var hostile = Array(head.prefix(200_000))
        for index in 0..<400 {
            let byte = hostile[index]
            hostile[index] = 0x08
            #expect(failure(try folder.write(hostile, "hostile.dat")) != nil)
            hostile[index] = byte
        }
    }

    // MARK: The cache

    /// In a process of its own, because the cache's place is read from the environment.
    private func mask(cache: String, _ folder: TemporaryFolder) throws -> ProgramRun {
        try ProgramRun.bauta(
            [
                "photo", "-f", "--landmarks", "cascade", "-o", folder.path + "/out",
                Repository.root + "/samples/ada.jpg",
            ],
            environment: ["XDG_CACHE_HOME": cache])
    }

    @Test func theCacheIsWrittenUsedAndMended() throws {
        let folder = try TemporaryFolder()
        let cache = folder.path + "/cache"
        #expect(try mask(cache: cache, folder).exitCode == 0)
        let first = try bytes(of: folder.path + "/out/ada.jpg")
        let names = try FileManager.default.contentsOfDirectory(atPath: cache + "/bauta")
        #expect(names.count == 1)
        let path = cache + "/bauta/" + (names.first ?? "")
        let whole = try bytes(of: path)
        #expect(whole.count < 80 << 20)
        // Used as it is …
        #expect(try mask(cache: cache, folder).exitCode == 0)
        #expect(try bytes(of: folder.path + "/out/ada.jpg") == first)
        // … and made anew when it is cut off, damaged or nonsense.
        var damaged = whole
        damaged[whole.count / 2] ^= 1
        let nonsense = SlowTests.areWanted ? [Array("nonsense".utf8), []] : []
        for broken in [Array(whole.dropLast(1000)), damaged] + nonsense {
            try Data(broken).write(to: URL(fileURLWithPath: path))
            #expect(try mask(cache: cache, folder).exitCode == 0)
            #expect(try bytes(of: folder.path + "/out/ada.jpg") == first)
            #expect(try bytes(of: path) == whole)
        }
    }

    /// A copy of the file that this process has written, in a folder for caches.
    private func copiedCache(in folder: TemporaryFolder) throws -> String {
        _ = try sharedCascade.get()
        let cache = folder.path + "/cache"
        try FileManager.default.createDirectory(atPath: cache + "/bauta", withIntermediateDirectories: true)
        let place = Repository.root + "/.build/test-cache/bauta/"
        // Other tests keep what they need there, too.
        let names = try FileManager.default.contentsOfDirectory(atPath: place).filter { $0.hasPrefix("landmarks-") }
        let name = try #require(names.first)
        try FileManager.default.copyItem(atPath: place + name, toPath: "\(cache)/bauta/\(name)")
        return cache
    }

    /// Another program may do anything with the file while it is in use.
    @Test(.slow) func aCacheThatIsCutOffWhileItIsUsedDoesNoHarm() throws {
        let folder = try TemporaryFolder()
        let cache = try copiedCache(in: folder)
        let statistics = folder.path + "/stats.json"
        func count() -> Int { (try? bytes(of: statistics).count { $0 == UInt8(ascii: "\n") }) ?? 0 }
        let run = try ProgramRun.bauta(
            [
                "live", "drawn", "--headless", "--unpaced", "--size", "320x240", "--report",
                statistics,
            ], environment: ["XDG_CACHE_HOME": cache]
        ) { program in
            // A line each second.
            try wait(for: "frames") { count() > 2 }
            let name = try #require(try FileManager.default.contentsOfDirectory(atPath: cache + "/bauta").first)
            #expect(truncate("\(cache)/bauta/\(name)", 0) == 0)
            let before = count()
            try wait(for: "more frames") { !program.isRunning || count() > before + 3 }
            program.interrupt()
        }
        #expect(run.exitCode == 0, "\(run.exitCode) \(run.error)")
    }

    @Test func aNamedPipeAsCacheIsNotWaitedFor() throws {
        let folder = try TemporaryFolder()
        let cache = try copiedCache(in: folder)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: cache + "/bauta").first)
        #expect(unlink("\(cache)/bauta/\(name)") == 0 && mkfifo("\(cache)/bauta/\(name)", 0o600) == 0)
        #expect(try mask(cache: cache, folder).exitCode == 0)
    }

    @Test(.slow) func withoutACacheItWorksAsWell() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("in the way", "cache")
        #expect(try mask(cache: file, folder).exitCode == 0)
        #expect(try mask(cache: "/proc/nowhere", folder).exitCode == 0)
    }
}
