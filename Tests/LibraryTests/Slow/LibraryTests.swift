import CBauta
import Foundation
import Pixels
import Synchronization
import TestSupport
import Testing

/// Masks on a moving face, with the models that are installed.
@Suite(.serialized) struct LibraryTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func tool(_ words: [String], environment: [String: String] = [:]) throws {
        let run = try ProgramRun.run("/usr/bin/env", words, environment: environment, folder: folder.path)
        guard run.exitCode == 0 else { throw Library.Failure(description: "\(words): \(run.error)") }
    }

    // MARK: The same as the program

    /// A program `ffmpeg` that loses nothing.
    private func losslessPath() throws -> String {
        let script = """
            #!/bin/bash
            words=()
            while [ $# -gt 0 ]; do
                case "$1" in
                    libx264) words+=(ffv1) ;;
                    -preset | -crf) shift ;;
                    yuv420p) words+=(bgr0) ;;
                    *) words+=("$1") ;;
                esac
                shift
            done
            exec /usr/bin/ffmpeg "${words[@]}"
            """
        chmod(try folder.write(script, "bin/ffmpeg"), 0o755)
        return folder.path + "/bin:" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin")
    }

    @Test(arguments: ["tiger", "owl"]) func picturesAreThoseOfTheProgram(_ mask: String) throws {
        let (face, count) = (try MovingFace(), 300)
        var raw = Data()
        for number in 0..<count { raw += TestPicture.rgba(try face.frame(number)) }
        try raw.write(to: URL(fileURLWithPath: folder.path + "/in.rgba"))
        let layout = ["-f", "rawvideo", "-pix_fmt", "rgba", "-s", "\(face.width)x\(face.height)", "-r", "25"]
        try tool(
            ["ffmpeg", "-v", "error"] + layout + ["-i", "in.rgba", "-c:v", "ffv1", "-pix_fmt", "bgr0", "in.mkv"])
        let run = try ProgramRun.bauta(
            [
                "live", "in.mkv", "--headless", "--unpaced", "--mask", mask, "-o", "out.mkv", "--renderer", "software",
            ], environment: ["PATH": try losslessPath()], folder: folder.path)
        #expect(run.exitCode == 0, "\(run.error)")
        try tool(["ffmpeg", "-v", "error", "-i", "out.mkv", "-f", "rawvideo", "-pix_fmt", "rgba", "out.rgba"])
        let expected = try bytes(of: folder.path + "/out.rgba")

        let engine = try TestEngine(["wait": "on"])
        #expect(try engine.wear(mask) == BAUTA_OK)
        let size = 4 * face.width * face.height
        #expect(expected.count == count * size)
        var (different, unmasked) = (0, 0)
        for (number, picture) in try face.masked(count, with: engine).enumerated() {
            let pixels = picture.pixelBytes
            if !pixels.elementsEqual(expected[number * size..<(number + 1) * size]) { different += 1 }
            if pixels.elementsEqual(raw[number * size..<(number + 1) * size]) { unmasked += 1 }
        }
        #expect(different == 0 && unmasked == 0, "\(different) differ, \(unmasked) unmasked")
    }

    /// Also after another source.
    @Test func theSamePicturesHaveTheSameResult() throws {
        let face = try MovingFace()
        let engine = try TestEngine(["wait": "on"])
        #expect(try engine.wear("tiger") == BAUTA_OK)
        let first = try face.masked(40, with: engine)
        engine.library.reset(engine.pointer)
        let second = try face.masked(40, with: engine)
        #expect(zip(first, second).allSatisfy { $0.difference(from: $1) == 0 })
    }

    @Test func enginesOnSeveralThreadsDoNotDisturbEachOther() throws {
        let (face, masks) = (try MovingFace(), ["tiger", "owl", "skull", "cartoon"])
        @Sendable func run(_ mask: String) throws -> [[[UInt8]]] {
            let engine = try TestEngine(["wait": "on"])
            guard try engine.wear(mask) == BAUTA_OK else {
                throw Library.Failure(description: engine.library.lastError)
            }
            return try face.masked(25, with: engine).map(\.planes)
        }
        let alone = try masks.map(run)
        let together = Mutex([Int: Result<[[[UInt8]]], any Error>]())
        DispatchQueue.concurrentPerform(iterations: masks.count) { index in
            let result = Result { try run(masks[index]) }
            together.withLock { $0[index] = result }
        }
        for index in masks.indices {
            #expect(try together.withLock { $0[index] }?.get() == alone[index], "\(masks[index])")
        }
    }

    // MARK: Formats

    /// Pixels that the mask does not touch keep their bytes, which a conversion to RGB and back would change.
    @Test(arguments: [BAUTA_I420, BAUTA_NV12, BAUTA_YUY2, BAUTA_BGRA], [(300, 360), (298, 359)])
    func onlyMaskedPixelsChange(_ format: bauta_format, _ size: (Int, Int)) throws {
        let face = try MovingFace(width: size.0, height: size.1)
        let engine = try TestEngine(["wait": "on"])
        #expect(try engine.wear("domino") == BAUTA_OK)
        let masked = try face.masked(3, with: engine, format)
        for (number, picture) in masked.enumerated() {
            let original = TestPicture(try face.frame(number), format)
            let share = Double(picture.difference(from: original)) / Double(original.planes.joined().count)
            #expect(share > 0.01 && share < 0.4 && picture.isIntact, "\(share)")
            // The corners.
            let row = original.planes[0].count / size.1
            #expect(picture.planes[0].prefix(20 * row) == original.planes[0].prefix(20 * row))
        }
    }

    @Test func facesAreReported() throws {
        let (face, engine) = (try MovingFace(), try TestEngine(["wait": "on"]))
        _ = try engine.wear(nil)
        _ = try face.masked(5, with: engine)
        var found = [bauta_face](repeating: bauta_face(), count: 3)
        #expect(engine.library.faces(engine.pointer, &found, 3) == 0)
        #expect(engine.library.lastError.contains("sizeof(bauta_face)"))
        found[0].size = MemoryLayout<bauta_face>.size
        #expect(engine.library.faces(engine.pointer, nil, 0) == 1)
        #expect(engine.library.faces(engine.pointer, &found, 3) == 1)
        #expect(found[0].track == 1 && found[1].track == 0)
        #expect(found[0].left > 30 && found[0].right < 270 && found[0].top > 60 && found[0].bottom < 340)
        #expect(found[0].right - found[0].left > 100 && abs(found[0].yaw) < 20)
        withUnsafeBytes(of: found[0].landmarks) { bytes in
            let nose = bytes.loadUnaligned(fromByteOffset: 8 * 30, as: SIMD2<Float>.self)
            #expect(nose.x > found[0].left && nose.x < found[0].right && nose.y > found[0].top)
        }
        engine.library.reset(engine.pointer)
        #expect(engine.library.faces(engine.pointer, &found, 3) == 0)
    }

    /// No size of picture stops the engine, with and without masks, in every format.
    @Test func picturesOfAnySizeAreTaken() throws {
        for option in [("when-lost", "keep"), ("anonymise", "solid")] {
            let engine = try TestEngine(["wait": "on", "detector": "hog"])
            try engine.set(option.0, option.1)
            #expect(try engine.wear("tiger") == BAUTA_OK, "\(engine.library.lastError)")
            var seconds = 0.0
            for (width, height) in [(2, 1), (2, 2), (16, 3), (4, 500), (800, 1), (300, 359), (8192, 2), (30, 30)] {
                for format in [BAUTA_RGBA, BAUTA_I420, BAUTA_NV12, BAUTA_YUY2] {
                    var pixels = try PixelBuffer(width: width, height: height, format: .rgba8)
                    pixels.fill(SIMD4(200, 150, 120, 255))
                    let picture = TestPicture(pixels, format)
                    seconds += 0.04
                    #expect(engine.process(picture, at: seconds) == BAUTA_OK, "\(engine.library.lastError)")
                    #expect(picture.isIntact)
                }
            }
        }
    }

    /// Covered pictures come out late: none of them gets into a picture of another format, size or source.
    @Test(arguments: [(BAUTA_I420, BAUTA_RGBA), (BAUTA_RGBA, BAUTA_YUY2)])
    func picturesThatAreHeldBackStayApart(_ first: bauta_format, _ second: bauta_format) throws {
        let (face, small) = (try MovingFace(), try MovingFace(width: 200, height: 240))
        let engine = try TestEngine(["anonymise": "solid", "wait": "on", "detector": "hog"])
        #expect(try engine.wear(nil) == BAUTA_OK, "\(engine.library.lastError)")
        var seconds = 0.0
        func process(_ pixels: borrowing PixelBuffer, _ format: bauta_format) {
            let (picture, original) = (TestPicture(pixels, format), TestPicture(pixels, format))
            seconds += 1 / MovingFace.framesPerSecond
            #expect(engine.process(picture, at: seconds) == BAUTA_OK, "\(engine.library.lastError)")
            #expect(picture.isIntact && picture.difference(from: original) > picture.width * picture.height / 20)
        }
        for number in 0..<12 { process(try face.frame(number), first) }
        process(try face.frame(12), second)
        for number in 0..<12 { process(try face.frame(number), first) }
        // Meanwhile, other models are loaded.
        try engine.set("min-face", "20%")
        process(try small.frame(12), first)
        process(try face.frame(12), first)
    }

    /// Pictures of one time are not held back without end.
    @Test func timesThatStandStillNeedNoMemory() throws {
        let face = try MovingFace()
        let engine = try TestEngine(["anonymise": "solid", "wait": "on", "detector": "hog"])
        #expect(try engine.wear(nil) == BAUTA_OK)
        func residentPages() throws -> Int {
            let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            return try #require(Int(text.split(separator: " ")[1]))
        }
        let before = try residentPages()
        for _ in 0..<1500 { #expect(engine.process(TestPicture(try face.frame(0)), at: 0) == BAUTA_OK) }
        // 0.4 GB; each picture takes 0.4 MB and more.
        #expect(try residentPages() - before < 100_000)
    }

    // MARK: Privacy

    /// From the first picture on, each face is blurred or masked.
    @Test(arguments: [("when-lost", "blur"), ("anonymise", "solid")], ["off", "on"])
    func noFaceIsShown(_ option: (String, String), behind: String) throws {
        let face = try MovingFace()
        let engine = try TestEngine([option.0: option.1, "detector": "hog", "behind": behind])
        var number = 0
        /// How much of the middle of the face, which every mask and cover hides, is as in any frame.
        func isBare(_ picture: TestPicture, _ original: TestPicture) -> Bool {
            picture.difference(from: original) < picture.width * picture.height / 20
        }
        func process() throws -> bauta_result {
            let original = TestPicture(try face.frame(number))
            let picture = TestPicture(try face.frame(number))
            let result = engine.process(picture, at: Double(number) / MovingFace.framesPerSecond)
            #expect(!isBare(picture, original), "picture \(number)")
            number += 1
            return result
        }
        for _ in 0..<3 { _ = try process() }
        _ = engine.library.setMask(engine.pointer, "tiger")
        try wait(for: "masked faces") {
            _ = try process()
            return engine.library.status(engine.pointer) == BAUTA_OK && number > 30
        }
    }

    // MARK: Behind

    /// Pictures that are being masked do not hold the caller up: it gets earlier ones, or nothing yet.
    @Test func nobodyWaitsForMasksBehind() throws {
        let engine = try TestEngine(["behind": "on", "wait": "on", "detector": "hog", "min-face": "1%"])
        #expect(try engine.wear("tiger") == BAUTA_OK)
        // It is searched for small faces for much longer than it takes to copy it.
        let picture = TestPicture(try PixelBuffer(width: 2000, height: 1600, format: .rgba8))
        func process(_ number: Int) -> bauta_result {
            picture.firstByte = UInt8(number)
            return engine.process(picture, at: Double(number))
        }
        #expect(process(1) == BAUTA_PENDING)
        #expect(picture.firstByte == 1)
        var (given, last, pending, finished) = (1, 0, 0, 0)
        while given < 255, finished < 3 || pending == 0 {
            given += 1
            let result = process(given)
            let shown = Int(picture.firstByte)
            if result == BAUTA_OK {
                finished += 1
                #expect(shown > last && shown < given)
                last = shown
            } else {
                #expect(result == BAUTA_PENDING && shown == (last == 0 ? given : last))
                pending += 1
            }
        }
        #expect(pending > 0, "each call waited")
        #expect(finished > 0, "\(pending) pictures pending")
    }

    /// What is shown meanwhile is a masked picture, and not one that is about to be.
    @Test func changingToBehindShowsNoBareFace() throws {
        let (face, engine) = (try MovingFace(), try TestEngine(["wait": "on"]))
        #expect(try engine.wear("tiger") == BAUTA_OK)
        _ = try face.masked(3, with: engine)
        try engine.set("behind", "on")
        for number in 3..<20 {
            let (picture, original) = (TestPicture(try face.frame(number)), TestPicture(try face.frame(number)))
            let result = engine.process(picture, at: Double(number) / MovingFace.framesPerSecond)
            #expect(result == BAUTA_OK || result == BAUTA_PENDING)
            #expect(picture.difference(from: original) > picture.width * picture.height / 20)
        }
    }

    // MARK: Other programs

    private func header() -> String { Repository.root + "/Sources/Program/Library/CBauta/include" }

    /// The library under the names that linkers look for.
    private func installed() throws -> String {
        for name in ["libbauta.so", "libbauta.so.0"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/" + name, withDestinationPath: Library.path)
        }
        return folder.path
    }

    /// Signals, the standard streams and the working folder stay as they are, and the library can be loaded again and again.
    @Test(arguments: ["promises", "again"]) func theHostStaysAsItIs(_ test: String) throws {
        let place = try installed()
        try tool(
            [
                "cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-I", header(), "-o", "host",
                Repository.root + "/Tests/LibraryHost/host.c", "-ldl", "-lpthread",
            ])
        let run = try ProgramRun.run(
            folder.path + "/host", [test, place + "/libbauta.so.0"], folder: folder.path)
        #expect(run.exitCode == 0 && run.output.isEmpty && run.error.isEmpty, "\(run.error)")
    }

    /// The examples of the pages, from raw pictures to raw pictures.
    @Test func theExamplesWork() throws {
        let (place, face) = (try installed(), try MovingFace())
        let layout = ["-s", "\(face.width)x\(face.height)"]
        var raw = Data()
        for number in 0..<10 { raw += TestPicture.rgba(try face.frame(number)) }
        try raw.write(to: URL(fileURLWithPath: folder.path + "/in.rgba"))
        try tool(
            ["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgba"] + layout + [
                "-i", "in.rgba", "-f", "rawvideo", "-pix_fmt", "yuv420p", "in.yuv",
            ])
        let examples = Repository.root + "/docs/examples"
        try tool(
            [
                "cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I", header(), examples + "/library.c",
                "-o", "mask-faces", "-L", place, "-lbauta", "-Wl,-rpath,\(place)",
            ])
        let words = "\(face.width) \(face.height) 25 tiger"
        let environment = ["BAUTA_DATA": Repository.root, "LIBBAUTA": place + "/libbauta.so.0"]
        try tool(["sh", "-c", "./mask-faces \(words) < in.yuv > out.yuv"], environment: environment)
        try tool(
            ["sh", "-c", "python3 '\(examples)/library.py' \(words) < in.rgba > out.rgba"], environment: environment)
        for name in ["yuv", "rgba"] {
            let (before, after) = (
                try bytes(of: folder.path + "/in." + name), try bytes(of: folder.path + "/out." + name)
            )
            let share = Double(zip(before, after).count { $0 != $1 }) / Double(before.count)
            #expect(before.count == after.count && share > 0.05 && share < 0.9, "\(name): \(share)")
        }
    }
}

extension TestPicture {
    /// Rows without padding.
    static func rgba(_ pixels: borrowing PixelBuffer) -> [UInt8] { TestPicture(pixels).pixelBytes }

    /// The same of an RGBA picture.
    var pixelBytes: [UInt8] {
        let stride = planes[0].count / height
        let bytes = planes[0]
        return (0..<height).flatMap { bytes[$0 * stride..<$0 * stride + 4 * width] }
    }
}
