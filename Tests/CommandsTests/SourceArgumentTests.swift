import Commands
import Files
import SourceSelection
import TestSupport
import Testing

/// What a command line names as the source of frames.
@Suite struct SourceArgumentTests {
    private func input(_ text: String) -> SourceOptions.Input { SourceOptions.Input(argument: FilePath(text)) }

    @Test(arguments: [
        "2", "/dev/video2", "/dev/v4l/by-id/usb-cam", "Integrated Camera", "fake", "Drawn", "pipewire:cam/1.mp4",
    ])
    func otherNamesAreCameras(_ text: String) { #expect(input(text) == .camera(text)) }

    @Test(arguments: [
        "film.mp4", "FILM.MOV", "no/such", "./2", "rtsp://host/stream", "https://host/film", "portrait.jpg", "-", "",
        "./drawn",
    ])
    func pathsOfFilesAreClips(_ text: String) { #expect(input(text) == .clip(FilePath(text))) }

    @Test func existingFilesComeFirst() throws {
        let folder = try TemporaryFolder()
        let clip = try folder.write("x", "2")
        try folder.write("x", "Pictures/a.jpg")
        #expect(input(clip) == .clip(FilePath(clip)))
        #expect(input(folder.path + "/Pictures") == .pictures(FilePath(folder.path + "/Pictures")))
        #expect(input("/dev/null") == .camera("/dev/null"))
        #expect(input("drawn") == .drawn)
        let bytes = FilePath(bytes: [UInt8(ascii: "m"), 0xE9])
        #expect(SourceOptions.Input(argument: bytes) == .clip(bytes))
    }
}
