import Foundation
import Testing

/// Where the program of the tests begins. With a file of this name, SwiftPM does not look for tests of XCTest, of which there
/// are none, in the index that compilers write for editors, and builds need not write it.
@main struct EntryPoint {
    static func main() async {
        if CommandLine.arguments.contains("swift-testing") { await Testing.__swiftPMEntryPoint() as Never }
        let message =
            "There are no tests of XCTest. Run scripts/test, or: swift test --disable-xctest --enable-swift-testing\n"
        FileHandle.standardError.write(Data(message.utf8))
        exit(EX_USAGE)
    }
}
