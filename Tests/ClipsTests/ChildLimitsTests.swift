import Clips
import Files
import Testing

/// What a child process may read.
@Suite struct ChildLimitsTests {
    @Test(arguments: [
        // A program in the root would open the whole disk, one in the home folder all that the user has.
        ("/ffmpeg", ["/ffmpeg"]), ("/home/ada/ffmpeg", ["/home/ada/ffmpeg"]), ("/home/ffmpeg", ["/home/ffmpeg"]),
        ("/home/ada/bin/ffmpeg", ["/home/ada/bin", "/home/ada/lib"]), ("/tools/ffmpeg", ["/tools", "/lib"]),
        ("/tools/bin/ffmpeg", ["/tools/bin", "/tools/lib"]),
    ])
    func aProgramReadsWhatLiesBesideIt(_ program: String, _ expected: [String]) {
        let paths = ChildLimits.ownPaths(of: FilePath(program), home: "/home/ada")
        #expect(paths.map(\.description) == expected)
    }

    @Test func withoutAHomeFolderOnlyTheRootIsNotRead() {
        #expect(ChildLimits.ownPaths(of: "/home/ada/ffmpeg", home: nil) == ["/home/ada", "/home/lib"])
        #expect(ChildLimits.ownPaths(of: "/ffmpeg", home: nil) == ["/ffmpeg"])
    }
}
