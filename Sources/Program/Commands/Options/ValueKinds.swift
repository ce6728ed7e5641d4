import Arguments
import Clips
import FaceRecognition
import Files
import ImageFiles
import Installation
import LiveControl
import SourceSelection

/// The kinds of values of several commands.
extension ValueKind {
    /// A mask by its name, or its folder.
    static let mask = ValueKind(paths: .folders) { _ in maskNames() }
    /// Several of them, with commas between them.
    static let maskList = ValueKind(paths: .folders, isList: true) { _ in maskNames() }
    /// A mask, a manifest, or a packed mask.
    static let maskOrFile = ValueKind(paths: .files(endings: ["bauta", "json"])) { _ in maskNames() }
    /// The same as `mask`, or a packed mask.
    static let maskOrPackedMask = ValueKind(paths: .files(endings: ["bauta"])) { _ in maskNames() }
    /// The name of a mask that the user has installed.
    static let ownMask = ValueKind { _ in
        let folder = try? DataFolder.find().ownMasks()
        let names = (folder.flatMap { Folder.entries(of: $0) } ?? []).filter { !$0.isHidden }
        return names.sorted().compactMap { $0.string.map { Completion($0) } }
    }
    static let packedMask = ValueKind.file(["bauta"])
    static let photograph = ValueKind.file(photographEndings)
    private static let photographEndings = PictureFormat.readableExtensions
    /// The usual extensions of videos that ffmpeg reads.
    static let clip = ValueKind.file(ClipInformation.extensions)
    /// A camera by its device.
    static let camera = ValueKind { _ in cameras() }
    /// The values of `SourceArgument`. Shells offer folders with files.
    static let source = ValueKind(paths: clip.paths) { _ in sources() }
    /// The endings of files that frames come from.
    static var frameEndings: [String] { ClipInformation.extensions + photographEndings }
    static let photographClipOrCamera = ValueKind(
        paths: .files(endings: photographEndings + ClipInformation.extensions)
    ) { _ in
        cameras()
    }
    /// The words of `bauta control`.
    static let controlCommand = ValueKind { before in
        guard let first = before.first else { return ControlCommand.words.map { Completion($0) } }
        guard before.count == 1 else { return [] }
        let changes = ControlCommand.Change.allCases.map { Completion($0.rawValue) }
        switch first {
        case "mask": return maskNames() + changes
        case "record", "cover": return changes
        default: return []
        }
    }

    /// The name of an enrolled person.
    static let person = ValueKind { _ in personNames().map { Completion($0) } }

    /// Names of enrolled people, with commas between them.
    static let peopleList = ValueKind(isList: true) { _ in personNames().map { Completion($0) } }
    /// The masks of people, separated by commas.
    static let peopleMasks = ValueKind(isList: true) { _ in
        let masks = ["none", "blur"] + maskNames().map(\.word)
        return (personNames() + [PersonName.unknown]).flatMap { name in masks.map { Completion("\(name)=\($0)") } }
    }

    private static func personNames() -> [String] {
        let people = try? PeopleStore.standard().load { _ in }
        return people?.names.map(\.text) ?? []
    }

    private static func maskNames() -> [Completion] {
        let masks = (try? DataFolder.find())?.installedMasks() ?? []
        return masks.compactMap { $0.folder.name.string.map { Completion($0) } }
    }

    private static func sources() -> [Completion] {
        cameras() + [Completion(SourceOptions.Input.drawnWord, "A synthetic face.")]
    }

    private static func cameras() -> [Completion] {
        let devices = (Folder.entries(of: "/dev") ?? []).compactMap(\.string).filter { $0.hasPrefix("video") }
        return devices.sorted().map { Completion("/dev/\($0)") }
    }
}
