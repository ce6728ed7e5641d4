import CBauta
import Foundation
import Pixels
import TestSupport
import Testing

/// What callers do wrong, and what they see before models are there. No model is loaded.
@Suite struct LibraryArgumentTests {
    let library: Library

    init() throws { library = try Library.shared }

    /// An engine whose models cannot be loaded.
    private func engineWithoutModels(_ options: KeyValuePairs<String, String> = [:]) throws -> TestEngine {
        let engine = try TestEngine(options)
        try engine.set("landmarks", "cascade")
        try engine.set("model", "/no/such/model.dat")
        return engine
    }

    private func picture(width: Int = 33, height: Int = 17, _ format: bauta_format = BAUTA_RGBA) throws -> TestPicture {
        var pixels = try PixelBuffer(width: width, height: height, format: .rgba8)
        for y in 0..<height {
            pixels.withMutableRow(y) { row in
                for x in row.indices {
                    row[x] = SIMD4(UInt8(truncatingIfNeeded: 7 * x * y), UInt8(truncatingIfNeeded: 40 * x), 90, 255)
                }
            }
        }
        return TestPicture(pixels, format)
    }

    @Test func onlyTheFunctionsOfTheHeaderAreExported() throws {
        let run = try ProgramRun.run("/usr/bin/env", ["nm", "-D", "--defined-only", "--extern-only", Library.path])
        #expect(run.exitCode == 0, "\(run.error)")
        let exported = run.output.split(separator: "\n").compactMap { line -> Substring? in
            let words = line.split(separator: " ")
            return words[1] == "A" ? nil : words[2].prefix { $0 != "@" }
        }
        let header = try Repository.text("Sources/Program/Library/CBauta/include/bauta.h")
        let declared = header.matches(of: /(?m)^[a-z][\w *]*[ *](bauta_\w+)\(/).map(\.1)
        #expect(declared.count > 9 && Set(exported) == Set(declared), "\(exported) \(declared)")
    }

    @Test func theVersionIsTheProgrammes() throws {
        let run = try ProgramRun.bauta(["--version"])
        #expect(run.output.hasPrefix("bauta \(String(cString: library.version()))"))
    }

    @Test func foldersWithoutDataAreRefused() throws {
        for place in ["/no/such/folder", "/etc"] {
            var engine = OpaquePointer(bitPattern: 1)
            #expect(library.open(place, &engine) == BAUTA_NOT_FOUND && engine == nil)
            #expect(library.lastError.contains("data folder"), "\(library.lastError)")
        }
        var engine: OpaquePointer?
        #expect(library.open("", &engine) == BAUTA_INVALID && engine == nil)
        #expect(library.open(nil, nil) == BAUTA_INVALID)
    }

    @Test func nothingWorksWithoutAnEngine() throws {
        let picture = try self.picture()
        #expect(library.setMask(nil, "tiger") == BAUTA_INVALID && library.lastError.contains("engine"))
        #expect(library.status(nil) == BAUTA_INVALID)
        #expect(library.setOption(nil, "faces", "1") == BAUTA_INVALID)
        #expect(picture.withPicture { library.process(nil, &$0, 0) } == BAUTA_INVALID)
        #expect(library.faces(nil, nil, 3) == 0)
        #expect(library.maskName(nil, 0) == nil)
        library.reset(nil)
        library.close(nil)
    }

    @Test func wrongOptionsAreNamed() throws {
        let engine = try TestEngine()
        let wrong: [(String, String, String)] = [
            ("no-such", "1", "faces"), ("faces", "0", "all"), ("faces", "two", "largest"), ("opacity", "nan", "0 to 1"),
            ("opacity", "1.1", "0 to 1"), ("wait", "yes", "on or off"), ("when-lost", "", "blur"),
            ("landmarks", "dlib", "cascade"), ("detector", "best", "network"), ("min-face", "10", "40px"),
            ("occluders", "beard", "hair and glasses"), ("anonymise", "none", "mosaic"), ("model", "", "file"),
            (String(repeating: "ä", count: 100_000), "1", "Options"),
        ]
        for (name, value, right) in wrong {
            #expect(library.setOption(engine.pointer, name, value) == BAUTA_INVALID, "\(name)")
            #expect(library.lastError.contains(right), "\(library.lastError)")
        }
        #expect(library.setOption(engine.pointer, nil, "1") == BAUTA_INVALID)
        let right: [(String, String)] = [
            ("faces", "largest"), ("faces", "3"), ("opacity", "0.5"), ("wait", "on"), ("behind", "off"),
            ("when-lost", "hide"), ("detector", "hog"), ("min-face", "5%"), ("occluders", "hands"),
            ("anonymise", "mosaic"), ("anonymise", "off"),
        ]
        for (name, value) in right { try engine.set(name, value) }
        for (name, _) in right { try engine.set(name, nil) }
    }

    @Test func wrongPicturesAreRefused() throws {
        let engine = try engineWithoutModels()
        func refuses(_ word: String, _ change: (inout bauta_picture) -> Void) throws {
            let picture = try self.picture(width: 32, BAUTA_I420)
            let result = picture.withPicture { picture in
                change(&picture)
                return library.process(engine.pointer, &picture, 1)
            }
            #expect(result == BAUTA_INVALID && library.lastError.contains(word), "\(library.lastError)")
        }
        try refuses("size") { $0.size = 8 }
        try refuses("format") { $0.format = bauta_format(rawValue: 77) }
        try refuses("matrix") { $0.matrix = bauta_matrix(rawValue: 2) }
        try refuses("range") { $0.range = bauta_range(rawValue: UInt32.max) }
        try refuses("16384") { $0.width = 0 }
        try refuses("16384") { $0.height = 0 }
        try refuses("16384") { $0.width = UInt32.max }
        try refuses("planes[2]") { $0.planes.2 = nil }
        try refuses("strides[0]") { $0.strides.0 = 31 }
        try refuses("strides[1]") { $0.strides.1 = -16 }
        try refuses("strides[1]") { $0.strides.1 = Int.max }
        try refuses("even") { ($0.format, $0.width) = (BAUTA_YUY2, 31) }
        #expect(library.process(engine.pointer, nil, 0) == BAUTA_INVALID)
        let picture = try self.picture()
        for seconds in [Double.nan, .infinity, -.infinity, 1e300] {
            #expect(engine.process(picture, at: seconds) == BAUTA_INVALID && library.lastError.contains("seconds"))
        }
        #expect(engine.process(picture, at: 5) == BAUTA_OK)
        #expect(engine.process(picture, at: 4) == BAUTA_INVALID && library.lastError.contains("5.0"))
        library.reset(engine.pointer)
        #expect(engine.process(picture, at: -4) == BAUTA_OK)
    }

    /// Failing models are no reason to show a face that is to be hidden.
    @Test(arguments: [BAUTA_RGBA, BAUTA_BGRA, BAUTA_I420, BAUTA_NV12, BAUTA_YUY2])
    func withoutModelsPicturesStayOrAreBlurred(_ format: bauta_format) throws {
        let engine = try engineWithoutModels()
        let original = try self.picture(width: 34, height: 17, format)
        for isPrivate in [false, true] {
            try engine.set("when-lost", isPrivate ? "blur" : nil)
            for behind in ["off", "on"] {
                try engine.set("behind", behind)
                library.reset(engine.pointer)
                let picture = try self.picture(width: 34, height: 17, format)
                let result = engine.process(picture, at: 1)
                #expect(result == (behind == "on" ? BAUTA_PENDING : BAUTA_OK))
                #expect((picture.difference(from: original) > 300) == isPrivate, "\(behind) \(isPrivate)")
                #expect(picture.isIntact)
            }
        }
        #expect(try engine.wear("tiger") == BAUTA_NOT_FOUND)
        #expect(library.lastError.contains("/no/such/model.dat"), "\(library.lastError)")
        try engine.set("behind", nil)
        let picture = try self.picture(width: 34, height: 17, format)
        #expect(engine.process(picture, at: 2) == BAUTA_OK)
        #expect(picture.difference(from: original) > 300)
        // Shown on purpose.
        _ = library.setMask(engine.pointer, nil)
        let bare = try self.picture(width: 34, height: 17, format)
        #expect(engine.process(bare, at: 3) == BAUTA_OK)
        #expect(bare.difference(from: original) == 0)
        try engine.set("anonymise", "solid")
        #expect(engine.process(bare, at: 4) == BAUTA_OK)
        #expect(bare.difference(from: original) > 300)
    }

    @Test func masksAreListed() throws {
        let engine = try TestEngine()
        var names: [String] = []
        while let name = library.maskName(engine.pointer, names.count) { names.append(String(cString: name)) }
        #expect(try Set(names).isSuperset(of: Repository.maskNames()))
        #expect(library.maskName(engine.pointer, Int.max) == nil)
        #expect(library.maskName(engine.pointer, -1) == nil)
    }
}
