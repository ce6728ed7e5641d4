import Arguments
import Commands
import Foundation
import ImageFiles
import JSON
import Machine
import TestSupport
import Testing

/// What the pages in `docs/` state about options, commands and reports holds in the program.
@Suite struct ReferencePageTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: Options and commands

    /// All pages, with those that record decisions, which name options of their time.
    private static let allPages: [String] = {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: Repository.root + "/docs")) ?? []
        return ["README.md", "SECURITY.md", "CONTRIBUTING.md", "RELEASING.md", "THIRD_PARTY.md"]
            + names.filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }.sorted()
    }()
    private static let pages = allPages.filter { !$0.hasPrefix("docs/decisions/") }

    /// The commands below one, by the words that call them.
    private static func commands(
        _ command: CommandDefinition = Program.root, _ path: [String] = []
    ) -> [[String]: CommandDefinition] {
        var all = [path: command]
        for subcommand in command.subcommands {
            all.merge(commands(subcommand, path + [subcommand.name])) { $1 }
        }
        return all
    }

    /// Lines of shell that begin with `bauta`, with comments and what follows a pipe cut off.
    private func calls(_ page: String) throws -> [[String]] {
        var calls: [[String]] = []
        var isCode = false
        for line in try Repository.text(page).split(separator: "\n") {
            if line.hasPrefix("```") { isCode.toggle() }
            let spans = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map(\.element)
            for text in isCode ? [line] : spans {
                let call = text.prefix { !"#|;>".contains($0) }
                let words = call.split(separator: " ").map(String.init)
                if words.first == "bauta", words.count > 1 { calls.append(Array(words.dropFirst())) }
            }
        }
        return calls
    }

    @Test(arguments: pages) func calledCommandsAndOptionsExist(_ page: String) throws {
        let commands = Self.commands()
        for words in try calls(page) {
            let path = words.prefix { word in word.allSatisfy { $0.isLowercase || $0 == "-" } && !word.hasPrefix("-") }
            let lengths = (0...path.count).reversed()
            let known = lengths.lazy.compactMap { commands[Array(path.prefix($0))] }.first ?? Program.root
            #expect(known.name != "bauta" || path.isEmpty || path.first == "help", "\(page): bauta \(words)")
            let names = Set(known.options.map(\.definition.name) + ["help", "version"])
            for word in words where word.hasPrefix("--") {
                let name = String(word.dropFirst(2).prefix { $0.isLetter || $0.isNumber || $0 == "-" })
                #expect(names.contains(name), "\(page): bauta \(words.joined(separator: " "))")
            }
        }
    }

    /// Options that are named alone belong to some command of Bauta, or to the program that the page is about.
    @Test(arguments: pages) func namedOptionsExist(_ page: String) throws {
        let foreign: Set<String> = [
            // apt-get, swift, git, sbatch, docker, kubectl, jq and scripts of the repository.
            "no-install-recommends", "filter", "work", "photographs", "shards", "at-once", "tries", "schema", "network",
            "time", "mem", "cpus-per-task", "partition", "array", "sanitize", "unshare", "look-ahead", "rm", "user",
            "publish", "dry-run", "requeue", "configuration", "disable-index-store", "disable-xctest",
            "enable-swift-testing",
        ]
        let options = Self.commands().values.flatMap { $0.options.map(\.definition.name) }
        let names = Set(options + ["help", "version"]).union(foreign)
        for match in try Repository.text(page).matches(of: /`--([a-z][a-z0-9-]*)/) {
            #expect(names.contains(String(match.1)), "\(page): --\(match.1)")
        }
    }

    // MARK: Links

    @Test(arguments: allPages) func linksLeadSomewhere(_ page: String) throws {
        let text = try Repository.text(page)
        let place = (page as NSString).deletingLastPathComponent
        for match in text.matches(of: /\]\(([^)\s]+)\)/) where !match.1.contains("://") && !match.1.hasPrefix("mailto:")
        {
            let parts = match.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let target = parts[0].isEmpty ? page : (place as NSString).appendingPathComponent(parts[0])
            let path = Repository.root + "/" + target
            #expect(FileManager.default.fileExists(atPath: path), "\(page): \(match.1)")
            guard parts.count > 1, target.hasSuffix(".md") else { continue }
            let headings = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
                .filter { $0.hasPrefix("#") }.map(Self.anchor)
            #expect(headings.contains(parts[1]), "\(page): \(match.1)")
        }
    }

    /// Help texts, messages and comments name pages that exist.
    @Test func pagesThatTheSourcesNameExist() throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: Repository.root + "/Sources")
        for name in names where name.hasSuffix(".swift") {
            for match in try Repository.text("Sources/" + name).matches(of: /docs\/[a-z0-9\/-]+\.md/) {
                let path = Repository.root + "/" + String(match.0)
                #expect(FileManager.default.fileExists(atPath: path), "\(name): \(match.0)")
            }
        }
    }

    /// The anchor of a heading, as GitHub makes it.
    private static func anchor(_ heading: Substring) -> String {
        let kept = heading.drop { $0 == "#" || $0 == " " }.lowercased()
            .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == " " || $0 == "_" }
        return kept.replacingOccurrences(of: " ", with: "-")
    }

    // MARK: The report

    /// The first column of the tables of a page, names in backticks.
    private func members(_ page: String) throws -> Set<String> {
        let rows = try Repository.text(page).split(separator: "\n").filter { $0.hasPrefix("| `") }
        return Set(
            rows.flatMap { row in
                row.dropFirst().prefix { $0 != "|" }.matches(of: /`([A-Za-z]+)`/).map { String($0.1) }
            })
    }

    private func report(_ options: [String]) throws -> JSONValue {
        let run = try ProgramRun.bauta(
            ["photo", Repository.root + "/samples/bruno.jpg", "-o", folder.path + "/out", "-f", "-q", "--report", "-"]
                + options)
        #expect(run.exitCode == 0, "\(run.error)")
        return try JSONValue(parsing: run.output)
    }

    private static func faces(_ line: JSONValue) -> [JSONValue] {
        guard case .array(let faces)? = line["faces"] else { return [] }
        return faces
    }

    private func names(_ value: JSONValue?) -> [String] {
        guard case .object(let members)? = value else { return [] }
        return members.map(\.key)
    }

    @Test func thePageOfReportsNamesEveryMember() throws {
        let known = try members("docs/reference/report.md")
        let line = try report([])
        #expect(names(line).contains("faces"))
        for name in names(line) + names(Self.faces(line).first) { #expect(known.contains(name), "\(name)") }
        for name in names(try report(["--anonymise"])) { #expect(known.contains(name), "\(name)") }
    }

    /// `confidence` and `box`, as the page says of the two detectors.
    @Test(.slow) func facesOfReportsAreMeasuredAsThePageSays() throws {
        let hog = try #require(Self.faces(report(["--detector", "hog"])).first)
        #expect(try #require(hog["confidence"]?.number) > 1)
        guard try ProgramRun.bauta(["doctor"]).output.contains("also for commercial use") else { return }
        let network = try #require(Self.faces(report(["--detector", "network"])).first)
        let confidence = try #require(network["confidence"]?.number)
        #expect(confidence > 0.5 && confidence < 1)
        #expect(network["box"] != hog["box"])
        #expect(network["box"]?["width"] == network["box"]?["height"])
    }

    // MARK: doctor

    @Test func doctorTriesToEncode() {
        for format in PictureFormat.allCases where format.missingLibrary == nil {
            #expect(format.obstacleToWriting == nil, "\(format.name)")
        }
        let finding = InstallationCheck.pictureFormats { $0 == .heic ? "no encoder" : nil }
        guard PictureFormat.allCases.allSatisfy({ $0.missingLibrary == nil }) else { return }
        #expect(finding.detail == "HEIC cannot be written: no encoder" && finding.remedy != nil && finding.isOptional)
        #expect(InstallationCheck.pictureFormats { _ in nil }.remedy == nil)
    }

    /// As on a Debian 13 and a Fedora where half is missing.
    @Test(arguments: [
        ("ID=debian\nVERSION_ID=13", ["sudo apt-get install librsvg2-2", "sudo apt-get install libarchive13t64"]),
        ("ID=fedora", ["sudo dnf install librsvg2", "sudo dnf install libarchive"]),
    ])
    func doctorNamesPackagesOfTheSystem(_ release: String, _ remedies: [String]) {
        let missing: [SystemPart] = [.librsvg, .libarchive]
        let findings = InstallationCheck.libraries(on: SystemRelease(osRelease: release)) { !missing.contains($0) }
        #expect(findings.map(\.remedy) == remedies && findings.allSatisfy(\.isOptional))
        #expect(findings.map(\.detail) == missing.map { "missing: without it, \($0.loss)" })
        #expect(InstallationCheck.libraries { _ in true }.map(\.remedy) == [nil])
        #expect(SystemPart.allCases.filter { !$0.libraries.isEmpty && !InstallationCheck.canBeLoaded($0) } == [])
    }
}
