import Records

/// What was found in a clip, beside its result.
enum FaceSearchTarget: FuzzTarget {
    static let name = "face-search"
    static let longest = 4096

    static func seeds() -> [[UInt8]] {
        let head = #"{"version":1,"checksum":"9f","settings":"0.1.0 centerface","added":"0","confirmed":"1f","#
        return [
            head + #""times":[],"frames":[],"tracks":[]}"#,
            head + #"""
                "times":[0,0.04,0.08],"frames":[{"number":0,"thorough":true,"faces":[60,70.5,30,0.9,1,2,3,0.4]},
                {"number":2,"thorough":false,"faces":[]}],
                "tracks":[{"first":0,"score":0.9,"sightings":2,"added":false,"scene":[0,1],"boxes":[60,70.5,30,61,70,30.25]},
                {"first":2,"score":1,"sightings":1,"added":true,"scene":[2,3],"boxes":[-5,70,0.5]}]}
                """#,
        ].map { Array($0.utf8) }
    }

    static func read(_ bytes: [UInt8]) { _ = FaceSearchFile.accepts(bytes) }
}
