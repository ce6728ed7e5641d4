import Records

/// What a person has decided about faces (`bauta review`).
enum ReviewTarget: FuzzTarget {
    static let name = "review"
    static let longest = 4096

    static func seeds() -> [[UInt8]] {
        let box = #"{"x": -1, "y": 2.5, "width": 30, "height": 40}"#
        return [
            #"{"version": 1, "results": []}"#,
            """
            {"version": 1, "results": [{"result": "a/b.jpg", "checksum": "9f", "reviewed": true, \
            "uncovered": [{"frame": 0, "box": \(box)}], "covered": [], "confirmed": []}]}
            """,
            """
            {"version": 1, "results": [{"result": "c?", "resultBytes": "c%FF", "checksum": "0", "reviewed": false, \
            "uncovered": [], "covered": [{"frame": 31, "box": \(box)}], "confirmed": [{"frame": 3, "box": \(box)}]}]}
            """,
        ].map { Array($0.utf8) }
    }

    static func read(_ bytes: [UInt8]) { _ = ReviewFile.accepts(bytes) }
}
