import Commands
import Files
import Foundation
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
        #expect(input("drawn:bruno") == .drawnPerson(1) && input("drawn:nobody") == .camera("drawn:nobody"))
        let bytes = FilePath(bytes: [UInt8(ascii: "m"), 0xE9])
        #expect(SourceOptions.Input(argument: bytes) == .clip(bytes))
    }

    /// A photograph stays on show, whatever its name; what moves is played.
    @Test func photographsAreNoClips() throws {
        let folder = try TemporaryFolder()
        func shown(_ path: String) -> SourceOptions.Input { input(path).showingPhotographs }
        let sample = Repository.root + "/samples/chidi.jpg"
        let photograph = [UInt8](try Data(contentsOf: URL(fileURLWithPath: sample)))
        let image: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
        let start = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        for (bytes, name) in [(photograph, "a.jpg"), (photograph, "a"), (start + image + [0x3B], "still.gif")] {
            let path = try folder.write(bytes, name)
            #expect(shown(path) == .pictures(FilePath(path)), "\(name)")
        }
        let clips = [(photograph, "film.mjpeg"), (start + image + image + [0x3B], "moves.gif"), ([1, 2], "x.mp4")]
        for (bytes, name) in clips {
            let path = try folder.write(bytes, name)
            #expect(shown(path) == .clip(FilePath(path)), "\(name)")
        }
        // What is missing is refused at once.
        #expect(shown("missing.jpg") == .clip("missing.jpg"))
        #expect(shown("drawn") == .drawn && shown(folder.path) == .pictures(FilePath(folder.path)))
    }
}
