import Foundation
import TestSupport
import Testing

/// `docs/internals/architecture.md`, `Package.swift` and the sources agree about the modules.
@Suite struct ModuleTests {
    /// From the highest to the lowest.
    private static let floors = [
        "Program", "Lab", "Pipeline", "Rendering", "Masks", "Faces", "Media", "Pictures", "System",
    ]
    /// Of a module below `Program`: a reader cannot keep more in mind.
    private static let mostImports = 12

    private let modules: [PackageManifest.Module]
    private let floorOfModule: [String: String]

    init() throws {
        modules = try PackageManifest().modules
        try #require(modules.count > 50, "Package.swift was not understood")
        floorOfModule = Dictionary(uniqueKeysWithValues: modules.map { ($0.name, $0.floor) })
    }

    @Test func thereAreNoOtherFloors() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Repository.root + "/Sources")
        #expect(folders.filter { !$0.hasPrefix(".") }.sorted() == Self.floors.sorted())
    }

    @Test func modulesImportOnlyTheirFloorAndThoseBelow() throws {
        for module in modules {
            let own = try #require(Self.floors.firstIndex(of: module.floor), "\(module.folder) is in no floor")
            for name in module.dependencies {
                let other = try #require(floorOfModule[name], "\(module.name) imports \(name), which is not in Sources")
                let floor = try #require(Self.floors.firstIndex(of: other))
                #expect(floor >= own, "\(module.name) imports \(name) of the higher floor \(other)")
            }
        }
    }

    /// Each under the heading of its floor.
    @Test func theArchitectureListsEveryModuleOnce() throws {
        var floor = ""
        var listed: [String] = []
        for line in try Repository.text("docs/internals/architecture.md").split(separator: "\n") {
            if let heading = line.prefixMatch(of: /### (\w+)/) { floor = String(heading.1) }
            if let row = line.prefixMatch(of: /\| `([^`]+)` \|/) { listed.append("\(floor)/\(row.1)") }
        }
        #expect(listed.sorted() == modules.map(\.folder).sorted())
    }

    @Test func modulesHaveFewImports() {
        let wide = modules.filter { $0.floor != "Program" && $0.dependencies.count > Self.mostImports }.map(\.name)
        #expect(wide.isEmpty, "\(wide) have more than \(Self.mostImports) imports: divide them")
    }

    /// SwiftPM does not complain about an import of a module that is only an indirect dependency.
    @Test func sourcesImportOnlyWhatThePackageDeclares() throws {
        for module in modules {
            for (file, name) in try imports(of: module) where floorOfModule[name] != nil {
                #expect(
                    module.dependencies.contains(name), "\(file) imports \(name), which Package.swift does not declare")
            }
        }
    }

    @Test func declaredDependenciesAreUsed() throws {
        for module in modules {
            let files = try imports(of: module)
            // C targets include headers instead.
            guard !files.isEmpty else { continue }
            let unused = Set(module.dependencies).subtracting(files.map(\.module)).sorted()
            #expect(unused.isEmpty, "\(module.name) declares \(unused) without importing them")
        }
    }

    /// Tests/XCTMain.swift would not run them.
    @Test func thereAreNoTestsOfXCTest() throws {
        let folder = Repository.root + "/Tests"
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) where path.hasSuffix("Tests.swift") {
            let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
            #expect(!text.contains(/(?m)^import XCTest/), "\(path)")
        }
    }

    /// The import statements of a module's Swift files.
    private func imports(of module: PackageManifest.Module) throws -> [(file: String, module: String)] {
        let folder = Repository.root + "/Sources/" + module.folder
        var found: [(String, String)] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder)
        where path.hasSuffix(".swift") && !module.excluded.contains(where: { path.hasPrefix($0 + "/") }) {
            let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
            for match in text.matches(of: /(?m)^(?:package |public |internal |private )?import (\w+)/) {
                found.append((module.folder + "/" + path, String(match.1)))
            }
        }
        return found
    }
}
