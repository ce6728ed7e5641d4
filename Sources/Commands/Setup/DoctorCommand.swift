import CommandLine
import FaceGeometry
import FaceTracking
import Files
import Glibc
import ImageFiles
import MaskRendering
import Masking
import Masks

/// `bauta doctor`: each thing the program needs, found or not, and the command that mends it.
enum DoctorCommand {
    static let definition = CommandDefinition(
        name: "doctor", overview: "Check that everything Bauta needs is there, and say how to mend what is not.",
        options: [
            OptionDefinition(
                name: "model", value: "file", help: "The landmark model to check. (default: Debian's, of libdlib-data)")
        ],
        examples: ["bauta doctor"], run: run)

    private struct Finding {
        var name: String
        var detail: String
        /// Nil when all is well.
        var remedy: String?
    }

    private static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        var findings: [Finding] = []
        findings.append(model(arguments["model"] ?? LandmarkCascade.defaultModelPath))
        do {
            let data = try DataFolder.find()
            findings.append(contentsOf: packages(data))
            findings.append(contentsOf: face(data))
            findings.append(contentsOf: graphics(data))
            findings.append(contentsOf: masks(data))
        } catch {
            findings.append(
                Finding(name: "data", detail: "\(error)", remedy: "set BAUTA_DATA, or run the program in its clone"))
        }
        for finding in findings {
            let mark = finding.remedy == nil ? "ok     " : "MISSING"
            Console.output("\(mark)  \(finding.name): \(finding.detail)\n")
            if let remedy = finding.remedy { Console.output("         mend it with: \(remedy)\n") }
        }
        Console.output(
            """

            The landmark model of libdlib-data is trained on iBUG 300-W, which excludes commercial use; --model takes
            another one.

            """)
        return findings.allSatisfy { $0.remedy == nil } ? .success : .unavailable
    }

    private static func model(_ path: String) -> Finding {
        do {
            _ = try LandmarkCascade(modelPath: path)
            return Finding(name: "landmark model", detail: path)
        } catch {
            let remedy =
                path == LandmarkCascade.defaultModelPath
                ? "sudo apt-get install libdlib-data" : "--model with the path of a model of 68 landmarks"
            return Finding(name: "landmark model", detail: "\(error)", remedy: remedy)
        }
    }

    /// The packages that `scripts/packages.txt` lists, looked up in dpkg's own files.
    private static func packages(_ data: DataFolder) -> [Finding] {
        let info = "/var/lib/dpkg/info/"
        guard let list = try? FileContents.read(data.path + "/scripts/packages.txt", limit: 1 << 16),
            let installed = Folder.entries(of: info)
        else { return [] }
        let names = Set(
            installed.filter { $0.hasSuffix(".list") }.map { String($0.dropLast(5).prefix { $0 != ":" }) })
        let needed = String(decoding: list, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.prefix { $0 != "#" }.split(separator: " ").first.map(String.init)
        }
        let missing = needed.filter { !names.contains($0) }
        if missing.isEmpty { return [Finding(name: "packages", detail: "all \(needed.count) are installed")] }
        return [
            Finding(
                name: "packages", detail: "not installed: \(missing.joined(separator: " "))",
                remedy: "sudo apt-get install \(missing.joined(separator: " "))")
        ]
    }

    private static func face(_ data: DataFolder) -> [Finding] {
        do {
            let reference = try data.referenceFace()
            let mesh = try data.mesh()
            guard mesh == FaceMesh(of: reference) else {
                return [
                    Finding(
                        name: "mesh", detail: "\(data.meshPath) is not that of the reference face", remedy: "bauta mesh"
                    )
                ]
            }
            return [Finding(name: "mesh", detail: "\(mesh.triangles.count) triangles")]
        } catch {
            return [Finding(name: "reference face", detail: "\(error)", remedy: "git checkout -- face")]
        }
    }

    private static func graphics(_ data: DataFolder) -> [Finding] {
        let context: OffscreenContext
        do {
            context = try OffscreenContext()
        } catch {
            return [
                Finding(
                    name: "OpenGL", detail: error.description,
                    remedy: "sudo apt-get install \(OffscreenContext.packages)")
            ]
        }
        let found = Finding(name: "OpenGL", detail: context.rendererDescription)
        do {
            _ = try MaskRenderer(
                context: context, shaders: try data.maskShaders(), reference: try data.referenceFace(),
                mesh: try data.mesh())
            return [found, Finding(name: "shaders", detail: "compiled")]
        } catch {
            return [found, Finding(name: "shaders", detail: "\(error)", remedy: "git checkout -- shaders")]
        }
    }

    private static func masks(_ data: DataFolder) -> [Finding] {
        guard let reference = try? data.referenceFace() else { return [] }
        let installed = data.installedMasks()
        if installed.isEmpty {
            return [
                Finding(
                    name: "masks", detail: "there are none in \(data.maskFolders.joined(separator: " or "))",
                    remedy: "git checkout -- masks")
            ]
        }
        return installed.map { name, folder in
            do {
                _ = try MaskLoader(reference: reference).load(folder: folder)
                return Finding(name: "mask \(name)", detail: folder)
            } catch {
                return Finding(name: "mask \(name)", detail: "\(error)", remedy: "correct or remove \(folder)")
            }
        }
    }
}
