import Foundation
import TestSupport
import Testing

/// `docs/internals/architecture.md`, `Package.swift` and the sources agree about the modules.
@Suite struct ModuleTests {
    private let manifest: PackageManifest
    private let table: ModuleTable

    init() throws {
        manifest = try PackageManifest()
        table = try ModuleTable()
        try #require(manifest.dependencies.count > 20 && table.rows.count > 20, "manifest or table was not understood")
    }

    @Test func theTableListsEveryModuleOnce() {
        #expect(table.rows.map(\.folder).sorted() == manifest.dependencies.keys.sorted())
    }

    @Test func thePackageDeclaresOnlyImportsThatTheTableAllows() {
        for row in table.rows {
            let excess = Set(manifest.dependencies[row.folder] ?? []).subtracting(row.mayImport).sorted()
            #expect(excess.isEmpty, "\(row.folder) depends on \(excess), which the table does not allow")
        }
    }

    /// Imports only point down the table.
    @Test func modulesStandAboveWhatTheyImport() {
        for (index, row) in table.rows.enumerated() {
            let below = Set(table.rows[(index + 1)...].map(\.folder))
            let wrong = Set(row.mayImport).subtracting(below).sorted()
            #expect(wrong.isEmpty, "\(row.folder) may import \(wrong), which do not stand below it")
        }
    }

    /// SwiftPM does not complain about an import of a module that is only an indirect dependency.
    @Test func sourcesImportOnlyWhatThePackageDeclares() throws {
        for (target, dependencies) in manifest.dependencies {
            let allowed = Set(dependencies)
            for (file, module) in try imports(of: target) where manifest.dependencies[module] != nil {
                #expect(allowed.contains(module), "\(file) imports \(module), which Package.swift does not declare")
            }
        }
    }

    @Test func declaredDependenciesAreUsed() throws {
        for (target, dependencies) in manifest.dependencies {
            let files = try imports(of: target)
            // C targets include headers instead.
            guard !files.isEmpty else { continue }
            let unused = Set(dependencies).subtracting(files.map(\.module)).sorted()
            #expect(unused.isEmpty, "\(target) declares \(unused) without importing them")
        }
    }

    /// The import statements of a target's Swift files.
    private func imports(of target: String) throws -> [(file: String, module: String)] {
        let folder = Repository.root + "/Sources/" + target
        var found: [(String, String)] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) where path.hasSuffix(".swift") {
            let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
            for match in text.matches(of: /(?m)^(?:package |public |internal |private )?import (\w+)/) {
                found.append((target + "/" + path, String(match.1)))
            }
        }
        return found
    }
}
