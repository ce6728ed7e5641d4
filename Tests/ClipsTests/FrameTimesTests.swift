import Clips
import Files
import Testing

/// The list of times that ffmpeg prints.
@Suite struct FrameTimesTests {
    private func times(_ values: [String], frameRate: Double? = 10, loopDuration: Double? = nil) -> [Double] {
        var times = FrameTimes(frameRate: frameRate, loopDuration: loopDuration)
        for (index, value) in values.enumerated() {
            let hasRoom = times.append("frame:\(index)    pts:7     pts_time:\(value)\nframe=1\n".utf8)
            #expect(hasRoom)
        }
        return values.map { _ in times.next() }
    }

    @Test func goodTimesAreKept() { #expect(times(["0", "0.04", "1.5", "-0", "2"])[0...2] == [0, 0.04, 1.5]) }

    /// Unusable ones are continued at the clip's rate.
    @Test(arguments: ["nan", "-nan", "inf", "-inf", "NOPTS", "1e300", "", "0x", "--"])
    func invalidTimesAreReplaced(_ text: String) {
        let read = times([text, "1", text, "2"])
        #expect(read[0] == 0 && read[1] == 1 && abs(read[2] - 1.1) < 1e-9 && read[3] == 2, "\(read)")
    }

    /// A little out of order, and a clock that starts again.
    @Test func timesOnlyGrow() {
        let read = times(["5", "4.9", "5", "6", "0", "0.5", "1e9", "-1e9", "0"])
        for (a, b) in zip(read, read.dropFirst()) { #expect(b > a && b.isFinite, "\(read)") }
        #expect(abs(read[5] - read[4] - 0.5) < 1e-6)
    }

    /// ffmpeg counts frames that an edit list hides (here two seconds of them) at each new start of a clip.
    @Test func aClipGoesOnWhereItStartsAgain() {
        let read = times(["0.1", "0.2", "0.3", "2.4", "2.5", "2.6", "4.7", "4.8"], loopDuration: 0.3)
        for (index, time) in read.enumerated() { #expect(abs(time - Double(index + 1) / 10) < 1e-9, "\(read)") }
        // A pause within the clip stays.
        let pause = times(["0", "0.1", "2", "2.1", "4.1", "4.2"], loopDuration: 2.2)
        for (time, expected) in zip(pause, [0, 0.1, 2, 2.1, 2.2, 2.3]) {
            #expect(abs(time - expected) < 1e-9, "\(pause)")
        }
        #expect(times(["0", "0.1", "2", "2.1"]) == [0, 0.1, 2, 2.1])
    }

    @Test func linesComeInPieces() {
        var times = FrameTimes(frameRate: nil)
        for byte in "garbage\nframe:0 pts:0 pts_time:0.25\nframe=1\nframe:1 pts_ti".utf8 { _ = times.append([byte]) }
        #expect(times.next() == 0.25)
        // The second line is not complete.
        #expect(abs(times.next() - 0.29) < 1e-9)
    }

    @Test func theyDoNotFillTheMemory() {
        var times = FrameTimes(frameRate: 25)
        var count = 0
        while times.append(repeatElement(UInt8(ascii: "x"), count: 4096)), count < 1 << 30 { count += 4096 }
        #expect(count <= FrameTimes.limit)
    }

    // MARK: What ffprobe says

    private func information(_ stream: String) -> ClipInformation? {
        ClipInformation(parsing: Array(#"{"streams": [{\#(stream)}], "format": {"duration": "nan"}}"#.utf8))
    }

    /// A stream at an address goes on: it must not be stopped. A file may.
    @Test(arguments: [("rtmp://host/live", false), ("clip.mp4", true)])
    func onlyFilesPause(path: String, may: Bool) throws {
        let read = try #require(information(#""width": 64, "height": 48"#))
        let source = ClipSource.description(FilePath(path), information: read, isPaced: true, isLive: true)
        #expect(source.canPause == may)
    }

    /// Dolby Vision's data, or any other, may stand before the display matrix.
    @Test func theRotationMayStandBehindOtherData() throws {
        let size = #""width": 64, "height": 48"#
        for data in [
            #"{"rotation": -90}"#, #"{}, {"rotation": -90}"#, #"{"side_data_type": "DOVI"}, {}, {"rotation": 90}"#,
        ] {
            let read = try #require(information(#"\#(size), "side_data_list": [\#(data)]"#))
            #expect(read.width == 48 && read.height == 64, "\(data)")
        }
    }

    /// Cover pictures are no films; of several films, the default one is shown.
    @Test func theFilmIsChosen() throws {
        func stream(_ number: Int, _ more: String, cover: Int = 0, isDefault: Int = 0) -> String {
            #"{"index": \#(number), "width": 64, "height": 48, \#(more)"#
                + #""disposition": {"default": \#(isDefault), "attached_pic": \#(cover)}}"#
        }
        let still = #""nb_read_packets": "1", "#
        let moving = #""nb_read_packets": "25", "#
        for (streams, film) in [
            ([stream(0, "", cover: 1, isDefault: 1), stream(2, "")], 2),
            ([stream(0, still, isDefault: 1), stream(1, moving)], 1),
            ([stream(1, moving), stream(3, moving, isDefault: 1)], 3),
            ([stream(1, moving), stream(3, moving)], 1),
            ([stream(4, still, cover: 1)], 4),
            ([#"{"index": 0}"#, stream(5, "")], 5),
        ] {
            let answer = Array(#"{"streams": [\#(streams.joined(separator: ", "))]}"#.utf8)
            #expect(ClipInformation(parsing: answer)?.stream == film, "\(streams)")
        }
    }

    @Test func impossibleNumbersAreUnknown() throws {
        let size = #""width": 64, "height": 48"#
        for rate in ["nan/1", "1e308/1e-308", "1/0", "0/0", "90000000/1", "-5/1", "1e999/1", "1/1e999"] {
            #expect(try #require(information(#"\#(size), "avg_frame_rate": "\#(rate)""#)).frameRate == nil, "\(rate)")
        }
        for aspect in ["1e308:1e-308", "nan:1", "0:0", "1:1e300"] {
            let read = try #require(information(#"\#(size), "sample_aspect_ratio": "\#(aspect)""#))
            #expect(read.width == 64 && read.height == 48, "\(aspect)")
        }
        let odd = try #require(
            information(
                #"\#(size), "side_data_list": [{"rotation": 1e300}], "nb_frames": "-3", "color_range": "tv:x=y'", "#
                    + #""color_space": "bt709""#))
        #expect(odd.frameCount == nil && odd.duration == nil && odd.color.range == nil && odd.color.matrix == "bt709")
        for size in [#""width": 1e300, "height": 1"#, #""width": -1, "height": 1"#, #""width": 0.5, "height": 1"#] {
            #expect(information(size) == nil)
        }
        for text in ["", "{", "[]", #"{"streams": []}"#, #"{"streams": [{}]}"#] {
            #expect(ClipInformation(parsing: Array(text.utf8)) == nil)
        }
    }
}
