import Foundation
import JSON
import TestSupport
import Testing

@Suite struct EvaluateCommandTests {
    @Test func landmarksOfTheSamples() throws {
        let run = try ProgramRun.bauta(["lab", "evaluate", "landmarks", "--json", Repository.root + "/samples"])
        #expect(run.exitCode == 0)
        let result = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(result["pictures"] as? Int == 6)
        #expect(result["found"] as? Int == 6)
        #expect(try #require(result["mean"] as? Double) < 0.07)
    }

    @Test(.slow)
    func detectorsOnTheSamples() throws {
        let folder = try TemporaryFolder()
        let run = try ProgramRun.bauta([
            "lab", "evaluate", "detectors", "--csv", folder.path + "/d.csv", "--plot", folder.path + "/d.svg",
            Repository.root + "/samples",
        ])
        #expect(run.exitCode == 0)
        for name in ["hog", "haar", "lbp"] { #expect(run.output.contains("\(name): 6 found, 0 of them false")) }
        let lines = try String(contentsOfFile: folder.path + "/d.csv", encoding: .utf8).split(separator: "\n")
        // Three detectors, and MediaPipe's and CenterFace where they are installed.
        #expect([19, 25, 31].contains(lines.count))
        #expect(try String(contentsOfFile: folder.path + "/d.svg", encoding: .utf8).hasPrefix("<svg "))
    }

    /// With dlib's detector, which finds these six faces.
    @Test(.slow) func facesOfLabelsAreCounted() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(
            atPath: Repository.root + "/samples/ada.jpg", toPath: folder.path + "/ada é.jpg")
        let clip = try ProgramRun.run(
            "/usr/bin/env",
            [
                "ffmpeg", "-v", "error", "-loop", "1", "-i", Repository.root + "/samples/ada.jpg", "-frames:v", "6",
                "-pix_fmt", "yuv420p", folder.path + "/ada.mp4",
            ])
        #expect(clip.exitCode == 0, "\(clip.error)")
        let face = #"{"box": [170, 240, 300, 385], "view": "front"}"#
        let wall = #"{"box": [2, 2, 30, 40], "view": "profile"}"#
        try folder.write(
            #"""
            {"pictures": [{"file": "ada é.jpg", "faces": [\#(face), \#(wall)]},
              {"file": "ada.mp4", "frame": 1, "faces": [\#(face)]}, {"file": "ada.mp4", "frame": 4, "faces": []}]}
            """#, "labels.json")
        func evaluate(_ arguments: [String]) throws -> (groups: [String: [Double?]], needless: Double?, run: ProgramRun)
        {
            let run = try ProgramRun.bauta(
                ["lab", "evaluate", "recall", "--json", "--detector", "hog", "labels.json"] + arguments,
                folder: folder.path)
            #expect(run.exitCode == 0, "\(run.error)")
            let value = try JSONValue(parsing: run.output)
            let groups = (value["groups"]?.elements ?? []).map { group -> (String, [Double?]) in
                guard case .string(let name)? = group["name"] else { return ("", []) }
                return (name, [group["labelled"]?.number, group["found"]?.number, group["false"]?.number])
            }
            return (Dictionary(uniqueKeysWithValues: groups), value["needless"]?.number, run)
        }
        let masks = try evaluate(["--csv", "marks.csv"])
        #expect(masks.groups["photographs"] == [2, 1, 0])
        // In the last frame, her face is at no label.
        #expect(masks.groups["ada.mp4"] == [1, 1, 1])
        #expect(masks.groups["front"] == [2, 2, nil] && masks.groups["profile"] == [1, 0, nil])
        #expect(masks.groups["all"] == [3, 2, 1] && masks.needless == nil)
        let lines = try String(contentsOfFile: folder.path + "/marks.csv", encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 5 && lines[1].hasPrefix("\"ada é.jpg\",,") && lines[1].hasSuffix(",front,found"))
        #expect(lines[2].hasSuffix(",profile,missed") && lines[4].hasSuffix(",,false"))
        let covers = try evaluate(["--anonymise"])
        #expect(covers.groups["all"] == [3, 2, 0], "\(covers.groups)")
        // The cover of the frame that has no label, and no other.
        let share = try #require(covers.needless)
        #expect(share > 0.05 && share < 0.3, "\(share)")
    }

    @Test func labelsOfWhatIsNotThereAreReported() throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"pictures": [{"file": "no.jpg", "faces": []}]}"#, "labels.json")
        let missing = try ProgramRun.bauta(["lab", "evaluate", "recall", "labels.json"], folder: folder.path)
        #expect(missing.exitCode == 66 && missing.error.contains("no.jpg"), "\(missing.error)")
        try folder.write(#"{"pictures": 1}"#, "labels.json")
        let wrong = try ProgramRun.bauta(["lab", "evaluate", "recall", "labels.json"], folder: folder.path)
        #expect(wrong.exitCode == 65, "\(wrong.error)")
        #expect(wrong.error.contains("labels.json: /pictures: must be an array"), "\(wrong.error)")
        let careful = try ProgramRun.bauta(
            ["lab", "evaluate", "recall", "--careful", "labels.json"], folder: folder.path)
        #expect(careful.exitCode == 64 && careful.error.contains("--anonymise"), "\(careful.error)")
    }

    @Test func uselessInputsAreReported() throws {
        let folder = try TemporaryFolder()
        let empty = try ProgramRun.bauta(["lab", "evaluate", "landmarks", folder.path])
        #expect(empty.exitCode == 66)
        #expect(empty.error.contains("it contains no picture"))
        let scaled = try ProgramRun.bauta(["lab", "evaluate", "occlusion", "--scale", "2", folder.path + "/none.mp4"])
        #expect(scaled.exitCode == 64 && scaled.error.contains("is for synthetic sequences"), "\(scaled.error)")
        let text = try folder.write("no film", "film.mp4")
        let broken = try ProgramRun.bauta(["lab", "evaluate", "stability", text])
        #expect(broken.exitCode == 65)
        #expect(broken.error.contains("film.mp4: ffmpeg cannot read it: "))
        #expect(broken.error.contains("Invalid data found"))
        let missing = try ProgramRun.bauta(["lab", "bench", "track", folder.path + "/none.mp4"])
        #expect(missing.exitCode == 66)
    }

    /// The figures that the README quotes, on the clip that they were measured on.
    @Test(.slow, .enabled(if: SharedData.isAvailable, Comment(rawValue: SharedData.absence)))
    func theMaskSticksToTheSkin() throws {
        let clip = SharedData.root + "/clips/webcam_talking.mp4"
        let run = try ProgramRun.bauta([
            "lab", "evaluate", "stability", "--json", "--frames", "300", clip,
        ])
        #expect(run.exitCode == 0, "\(run.error)")
        let result = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let modes = try #require(result["modes"] as? [[String: Any]])
        func value(_ mode: String, _ key: String) throws -> Double {
            try #require(modes.first { $0["name"] as? String == mode }?[key] as? Double)
        }
        #expect(try value("live", "slip") <= 0.0013)
        #expect(try value("live", "wholeFaceSlip") <= 0.0005)
        #expect(try value("live", "drift") <= 0.006)
        #expect(try value("live", "lag") <= 0.5)
        #expect(try value("live", "lostFrames") == 0)
        #expect(try value("twoPass", "slip") <= 0.0013)
        #expect(try value("twoPass", "wholeFaceSlip") <= 0.0004)
        #expect(try value("twoPass", "drift") <= 0.004)
        #expect(try value("twoPass", "lag") == 0)
    }
}

/// `bauta lab evaluate mesh`.
@Suite struct MeshEvaluationTests {
    private func json(_ arguments: [String]) throws -> [String: Any] {
        let run = try ProgramRun.bauta(["lab", "evaluate", "mesh", "--json"] + arguments)
        #expect(run.exitCode == 0, "\(run.error)")
        return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }

    /// 4 % of the face's width is what was asked for.
    @Test func headPointsStayOnTheHead() throws {
        let result = try json([])
        #expect(result["heads"] as? Int == 630)
        #expect(try #require(result["meanError"] as? Double) <= 0.035)
        for row in try #require(result["yaw"] as? [[String: Any]]) {
            #expect(try #require(row["meanError"] as? Double) <= 0.04, "\(row)")
        }
    }

    @Test(
        .slow,
        .enabled(if: SharedData.isAvailable, Comment(rawValue: SharedData.absence)))
    func nothingFoldsInTheClip() throws {
        let result = try json([SharedData.root + "/clips/webcam_talking.mp4"])
        #expect(result["frames"] as? Int == 4800 && result["folds"] as? Int == 0, "\(result)")
    }
}
