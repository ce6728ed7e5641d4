import Cameras
import Testing

/// Which of a camera's modes is used.
@Suite struct CameraModeTests {
    private typealias Mode = Camera.Mode

    private static let nv12 = Mode.Format(code: 0x3231_564E)
    private static let h264 = Mode.Format(code: 0x3436_3248)

    private func mode(_ format: Mode.Format, _ width: Int, _ height: Int, _ rate: Double = 30) -> Mode {
        Mode(format: format, width: width, height: height, rate: rate)
    }

    @Test func theExactSizeIsPreferred() {
        let modes = [mode(.yuyv, 640, 480), mode(.yuyv, 1280, 720), mode(.yuyv, 1920, 1080)]
        #expect(modes.nearest(width: 1280, height: 720, rate: 30) == modes[1])
    }

    @Test func aLargerModeIsPreferredToAnEquallyDistantSmallerOne() {
        let modes = [mode(.yuyv, 960, 540), mode(.yuyv, 1600, 900)]
        #expect(modes.nearest(width: 1280, height: 720, rate: 30) == modes[1])
    }

    @Test func ofEqualSizesOneThatReachesTheRateIsPreferred() {
        let modes = [mode(.yuyv, 1280, 720, 10), mode(.motionJPEG, 1280, 720, 30)]
        #expect(modes.nearest(width: 1280, height: 720, rate: 30) == modes[1])
    }

    /// Cameras report rates such as 29.97.
    @Test func aRateThatIsNearlyReachedCountsAsReached() {
        let modes = [mode(.yuyv, 1280, 720, 29.97), mode(.motionJPEG, 1280, 720, 60)]
        #expect(modes.nearest(width: 1280, height: 720, rate: 30) == modes[0])
    }

    @Test func ofEqualModesTheCheapestToDecodeIsPreferred() {
        let all = [mode(Self.nv12, 640, 480), mode(.motionJPEG, 640, 480), mode(.yuyv, 640, 480)]
        #expect(all.nearest(width: 640, height: 480, rate: 30) == all[2])
        #expect(Array(all.prefix(2)).nearest(width: 640, height: 480, rate: 30) == all[1])
    }

    @Test func unreadableFormatsAreNotChosen() {
        #expect(!Self.h264.isReadable)
        let modes = [mode(Self.h264, 1280, 720), mode(.yuyv, 320, 240, 5)]
        #expect(modes.nearest(width: 1280, height: 720, rate: 30) == modes[1])
        #expect([modes[0]].nearest(width: 1280, height: 720, rate: 30) == nil)
        #expect([Mode]().nearest(width: 1280, height: 720, rate: 30) == nil)
    }

    /// Raw ones of PipeWire cost as little as YUYV.
    @Test func formatsOfPipeWireAreReadable() {
        let raw = Mode.Format(pipeWire: 0x3231_564E)
        let all = [mode(.motionJPEG, 640, 480), mode(raw, 640, 480)]
        #expect(raw.isReadable && all.nearest(width: 640, height: 480, rate: 30) == all[1])
    }

    @Test func camerasAreFoundByNumberPathAndName() {
        let cameras = [
            ("/dev/video0", "Webcam: Integrated"), ("/dev/video2", "pipewire"),
            ("pipewire:libcamera.1", "Front Camera"),
            ("pipewire:Front", "Rear"),
        ]
        func index(_ wanted: String) -> Int? { Camera.index(of: wanted, among: cameras) }
        #expect(index("2") == 1 && index("1") == nil && index("/dev/video0") == 0 && index("INTEGR") == 0)
        #expect(index("front") == 2 && index("libcamera") == nil && index("pipewire") == 1)
        #expect(index("pipewire:Libcamera") == 2 && index("pipewire:Front") == 3 && index("pipewire:front") == 2)
        #expect(index("pipewire:") == 2 && index("pipewire:integrated") == nil)
    }

    @Test func aModeWithoutAKnownRateIsUsable() {
        let modes = [mode(.yuyv, 1280, 720, 0)]
        #expect(modes.nearest(width: 1280, height: 720, rate: 30) == modes[0])
        #expect(modes[0].description == "YUYV 1280×720")
    }
}
