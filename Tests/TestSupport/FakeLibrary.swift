import Foundation

/// Libraries that the program loads when it needs them, replaced by ones of `Tests/FakeLibraries`.
package enum FakeLibrary {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Compiles a library and loads it, so that whoever loads a library of that name gets this one. It stays for the rest of
    /// the process: to be called in a process of its own, before the real one is loaded.
    /// - Parameters:
    ///   - source: the name of a file in `Tests/FakeLibraries`.
    ///   - name: what the real library calls itself: `libXNNPACK.so.0`.
    package static func load(_ source: String, as name: String) throws {
        let folder = try TemporaryFolder()
        let build = try ProgramRun.run(
            "/usr/bin/env",
            [
                "cc", "-shared", "-fPIC", "-O1", "-w", "-Wl,-soname,\(name)", "-o", "library.so",
                Repository.root + "/Tests/FakeLibraries/" + source,
            ], folder: folder.path)
        guard build.exitCode == 0 else { throw Failure(description: build.error) }
        guard dlopen(folder.path + "/library.so", RTLD_NOW | RTLD_LOCAL) != nil else {
            throw Failure(description: String(cString: dlerror()))
        }
    }
}
