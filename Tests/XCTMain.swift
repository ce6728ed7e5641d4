import Testing

/// Where the program of the tests begins. With a file of this name, SwiftPM does not look for tests of XCTest, of which there
/// are none, in the index that compilers write for editors. The index would take half of the time of a build.
@main struct EntryPoint {
    static func main() async {
        // `swift test` also asks for the tests of XCTest.
        guard CommandLine.arguments.contains("swift-testing") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
