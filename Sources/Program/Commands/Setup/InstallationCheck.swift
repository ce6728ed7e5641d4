import CSandbox
import Clips
import Display
import FaceGeometry
import Files
import Glibc
import Graphics
import ImageFiles
import Installation
import LandmarkModels
import Machine
import MaskRendering
import Masks
import NeuralNetworks
import PipeWire

/// Checks that everything the program needs is installed and works.
package struct InstallationCheck {
    package struct Finding {
        package let name: String
        package let detail: String
        /// The command, or the advice, that fixes the problem; nil if none exists.
        package var remedy: String?
        /// Whether everything else works without it.
        package var isOptional = false
    }

    /// The path of the landmark model to check.
    let model: FilePath

    func findings() -> [Finding] {
        var findings = [landmarkModel(), networks(), centerFace(), clipPrograms(), Self.pictureFormats()]
        findings += Self.libraries() + [walls()] + displays() + virtualCameras()
        do {
            let data = try DataFolder.find()
            findings += packages(data) + [mesh(data)] + graphics(data) + masks(data)
        } catch {
            findings.append(
                Finding(name: "data", detail: "\(error)", remedy: "set BAUTA_DATA, or install Bauta again"))
        }
        return findings
    }

    private func landmarkModel() -> Finding {
        do {
            _ = try LandmarkCascade(modelPath: model)
            let isDebians = model == FilePath(LandmarkCascade.defaultModelPath)
            let terms = isDebians ? " (not for commercial use; --landmarks mesh works without it)" : ""
            return Finding(name: "landmark model", detail: model.description + terms)
        } catch {
            guard model == FilePath(LandmarkCascade.defaultModelPath) else {
                let remedy = "--model with the path of a model of 68 landmarks"
                return Finding(name: "landmark model", detail: "\(error)", remedy: remedy)
            }
            // MediaPipe's face mesh takes its place.
            return Finding(
                name: "landmark model", detail: "\(error)", remedy: SystemRelease.current.remedy(.landmarkModel),
                isOptional: NetworkFolder.standard.isUsable)
        }
    }

    /// MediaPipe's networks of faces, hands and people, and XNNPACK, which evaluates them.
    private func networks() -> Finding {
        let (name, folder) = ("face networks", NetworkFolder.standard)
        if let obstacle = NeuralNetwork.obstacle {
            let remedy =
                !NeuralNetwork.isInstalled
                ? SystemRelease.current.remedy(.xnnpack)
                : obstacle.contains("/proc") ? "mount -t proc proc /proc, if it is not mounted" : nil
            let detail = "\(obstacle): without XNNPACK, \(SystemPart.xnnpack.loss)"
            return Finding(name: name, detail: detail, remedy: remedy, isOptional: true)
        }
        let path: FilePath
        do {
            path = try folder.path()
        } catch {
            return Finding(name: name, detail: "\(error)", remedy: "set HOME", isOptional: true)
        }
        let wanted = NetworkFolder.Network.mediaPipe + NetworkFolder.Network.hands + NetworkFolder.Network.people
        let missing = wanted.filter { !folder.has($0) }
        // Damage first: it stops photographs, and a missing network does not.
        do {
            for network in wanted where folder.has(network) { _ = try folder.load(network) }
        } catch {
            return Finding(name: name, detail: "\(error)", remedy: NetworkFolder.remedy, isOptional: true)
        }
        if !missing.isEmpty {
            let files =
                missing.count == wanted.count
                ? "MediaPipe's networks are not in \(path)"
                : "\(path) lacks \(missing.map(\.rawValue).joined(separator: ", "))"
            let loss =
                !folder.isUsable
                ? "turned or tilted faces are not detected"
                : folder.has(.attention)
                    ? folder.hasHands
                        ? "hair is not shown in front of masks, and backgrounds are not replaced"
                        : "hands in front of a mask are found less well"
                    : "the eyes of masks look straight ahead, and lids and lips are found less exactly"
            return Finding(
                name: name, detail: "\(files): without them, \(loss)", remedy: NetworkFolder.remedy, isOptional: true)
        }
        return Finding(name: name, detail: "\(path) (also for commercial use)")
    }

    /// The network that finds small and dark faces, and profiles.
    private func centerFace() -> Finding {
        let (name, folder) = ("CenterFace", NetworkFolder.standard)
        let loss = "without it, small faces get no mask, and videos cannot be anonymised thoroughly"
        guard NeuralNetwork.isInstalled else {
            return Finding(
                name: name, detail: "XNNPACK is not installed: \(loss)",
                remedy: SystemRelease.current.remedy(.xnnpack), isOptional: true)
        }
        guard folder.has(.centerFace) else {
            return Finding(name: name, detail: "missing: \(loss)", remedy: NetworkFolder.remedy, isOptional: true)
        }
        do {
            _ = try folder.network(
                folder.bytes(of: .centerFace), of: .centerFace, inputSize: .init(width: 32, height: 32))
            return Finding(name: name, detail: "MIT licence; trained on WIDER FACE, which is for research")
        } catch {
            return Finding(name: name, detail: "\(error): \(loss)", remedy: NetworkFolder.remedy, isOptional: true)
        }
    }

    /// The programs that read and write clips.
    private func clipPrograms() -> Finding {
        let folders = getenv("PATH").map { String(cString: $0).split(separator: ":") } ?? []
        let missing = ["ffmpeg", "ffprobe"].filter { program in
            !folders.contains { access("\($0)/\(program)", X_OK) == 0 && !Folder.exists("\($0)/\(program)") }
        }
        if missing.isEmpty { return Finding(name: "ffmpeg", detail: "ffmpeg and ffprobe are on PATH") }
        return Finding(
            name: "ffmpeg",
            detail: "not on PATH: \(missing.joined(separator: ", ")): without it, \(SystemPart.ffmpeg.loss)",
            remedy: SystemRelease.current.remedy(.ffmpeg))
    }

    /// Whether pictures of each format can be read and written. The libraries of some are loaded when they are needed, and
    /// their encoders may be plug-ins in packages of their own.
    /// - Parameter obstacle: see `PictureFormat.obstacleToWriting`.
    package static func pictureFormats(
        obstacle: (PictureFormat) -> String? = { $0.obstacleToWriting }
    ) -> Finding {
        if let library = PictureFormat.allCases.lazy.compactMap(\.missingLibrary).first {
            return Finding(
                name: "pictures", detail: "\(library.name) is missing: without it, \(library.loss)",
                remedy: SystemRelease.current.remedy(library), isOptional: true)
        }
        let faults = PictureFormat.allCases.compactMap { format in obstacle(format).map { (format, $0) } }
        guard faults.isEmpty else {
            return Finding(
                name: "pictures",
                detail: faults.map { "\($0.0.name) cannot be written: \($0.1)" }.joined(separator: "; "),
                remedy: SystemRelease.current.remedy(faults.compactMap(\.0.encoder))
                    + ", or choose another format with --format", isOptional: true)
        }
        return Finding(name: "pictures", detail: PictureFormat.list(PictureFormat.allCases, "and"))
    }

    /// The libraries that are loaded when they are needed and that no other finding is about.
    /// - Parameters:
    ///   - isThere: whether the dynamic linker finds one.
    package static func libraries(
        on system: SystemRelease = .current, isThere: (SystemPart) -> Bool = Self.canBeLoaded
    ) -> [Finding] {
        let parts = SystemPart.allCases.filter { ![.xnnpack, .libheif].contains($0) && !$0.libraries.isEmpty }
        let missing = parts.filter { !isThere($0) }
        if missing.isEmpty {
            return [Finding(name: "libraries", detail: parts.map(\.name).joined(separator: ", "))]
        }
        return missing.map {
            Finding(
                name: $0.name, detail: "missing: without it, \($0.loss)", remedy: system.remedy($0), isOptional: true)
        }
    }

    package static func canBeLoaded(_ part: SystemPart) -> Bool {
        part.libraries.contains { name in
            guard let handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL) else { return false }
            dlclose(handle)
            return true
        }
    }

    /// The restrictions of the kernel on children that read untrusted input. Without it they are still limited in time
    /// and memory, so nothing is missing.
    private func walls() -> Finding {
        let walls = csandbox_walls()
        let names = [(CSANDBOX_WALL_PATHS, "Landlock (files)"), (CSANDBOX_WALL_NETWORK, "seccomp (network)")]
        let missing = names.filter { walls & Int32($0.0) == 0 }.map(\.1)
        let detail =
            missing.isEmpty
            ? "decoders run in child processes with limits on time, memory, files and network"
            : "the kernel has no \(missing.joined(separator: " and no ")); decoders in child processes keep the other limits"
        return Finding(name: "sandbox", detail: detail)
    }

    /// The display server of windows, and what draws their title bars. Neither a window nor an OpenGL context may be
    /// open.
    private func displays() -> [Finding] {
        var findings: [Finding] = []
        do {
            let used = try DisplayServers.used()
            findings.append(
                Finding(name: "display", detail: "windows use \(used); \(DisplayServers.description)"))
        } catch {
            findings.append(
                Finding(
                    name: "display", detail: error.description, remedy: "start it in a desktop session",
                    isOptional: true))
        }
        if DisplayServers.namesWayland, !DisplayServers.canDrawTitleBars {
            findings.append(
                Finding(
                    name: "title bars", detail: "libdecor has no plug-in: without it, \(SystemPart.titleBars.loss)",
                    remedy: SystemRelease.current.remedy(.titleBars), isOptional: true))
        }
        return findings
    }

    /// What other programs can see as a camera. Nothing if PipeWire's library is missing, which another finding says.
    private func virtualCameras() -> [Finding] {
        var names = VirtualCamera.all().map(\.path)
        do throws(PipeWireError) {
            try PipeWireCamera.check()
            names.insert("PipeWire", at: 0)
        } catch {
            if names.isEmpty, error == .noLibrary { return [] }
            if names.isEmpty {
                return [
                    Finding(name: "virtual camera", detail: error.reason, remedy: error.remedy, isOptional: true)
                ]
            }
        }
        return [Finding(name: "virtual camera", detail: names.joined(separator: ", "))]
    }

    /// The packages of `scripts/packages.txt`, looked up in dpkg's files. Nothing on systems without dpkg.
    private func packages(_ data: DataFolder) -> [Finding] {
        guard let list = try? FileContents.text(data.path / "scripts/packages.txt", limit: 1 << 16),
            let installed = Folder.entries(of: "/var/lib/dpkg/info/")
        else { return [] }
        let names = Set(
            installed.filter { $0.fileExtension == "list" }.map {
                String(decoding: $0.withoutExtension.bytes.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
            })
        // One of the alternatives in each line.
        let needed = list.split(separator: "\n").map { line in
            line.prefix { $0 != "#" }.split { $0 == " " || $0 == "|" }.map(String.init)
        }.filter { !$0.isEmpty }
        // Newer systems have the first of alternatives.
        let isOld = SystemRelease.current.family == .debian(12)
        var lacking: [String] = []
        for name in needed.filter({ names.isDisjoint(with: $0) }).compactMap({ isOld ? $0.last : $0.first })
        where !lacking.contains(name) {
            lacking.append(name)
        }
        let missing = lacking.joined(separator: " ")
        if missing.isEmpty { return [Finding(name: "packages", detail: "all \(needed.count) are installed")] }
        return [
            Finding(name: "packages", detail: "not installed: \(missing)", remedy: "sudo apt-get install \(missing)")
        ]
    }

    /// How a folder of the program's data gets its content back.
    private static func repair(_ folder: String, _ data: DataFolder) -> String {
        data.isClone ? "git checkout -- \(folder)" : "sudo apt-get install --reinstall bauta"
    }

    private func mesh(_ data: DataFolder) -> Finding {
        do {
            let mesh = try data.mesh()
            guard mesh == FaceMesh(of: try data.referenceFace()) else {
                return Finding(
                    name: "mesh", detail: "\(data.meshPath) does not match the reference face",
                    remedy: data.isClone ? "bauta lab mesh" : Self.repair("face", data))
            }
            return Finding(name: "mesh", detail: "\(mesh.triangles.count) triangles")
        } catch {
            return Finding(name: "reference face", detail: "\(error)", remedy: Self.repair("face", data))
        }
    }

    private func graphics(_ data: DataFolder) -> [Finding] {
        let context: OffscreenContext
        do {
            context = try OffscreenContext()
        } catch {
            let detail = "\(OffscreenContext.obstacle): without it, \(SystemPart.openGL.loss)"
            return [Finding(name: "OpenGL", detail: detail, remedy: SystemRelease.current.remedy(.openGL))]
        }
        let found = Finding(name: "OpenGL", detail: context.rendererDescription)
        let renderer = Finding(name: "renderer", detail: Self.rendererChoice(context))
        do {
            _ = try MaskRenderer(
                context: context, shaders: try data.maskShaders(), reference: try data.referenceFace(),
                mesh: try data.mesh())
            return [found, Finding(name: "shaders", detail: "compiled"), renderer]
        } catch {
            return [
                found, Finding(name: "shaders", detail: "\(error)", remedy: Self.repair("shaders", data)), renderer,
            ]
        }
    }

    /// The automatically chosen renderer, and the reason.
    private static func rendererChoice(_ context: OffscreenContext) -> String {
        context.isHardware
            ? "OpenGL in windows, on the graphics card; software for photographs and videos"
            : "software; no graphics card draws for OpenGL here"
    }

    private func masks(_ data: DataFolder) -> [Finding] {
        guard let reference = try? data.referenceFace() else { return [] }
        let installed = data.installedMasks()
        if installed.isEmpty {
            let detail = "no masks in \(data.maskFolders.map(\.description).joined(separator: " or "))"
            return [Finding(name: "masks", detail: detail, remedy: Self.repair("masks", data))]
        }
        return installed.map { name, folder in
            do {
                _ = try MaskLoader(reference: reference).load(folder: folder)
                return Finding(name: "mask \(name)", detail: folder.description)
            } catch {
                return Finding(name: "mask \(name)", detail: "\(error)", remedy: "correct or remove \(folder)")
            }
        }
    }
}
