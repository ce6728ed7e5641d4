import Arguments
import FaceGeometry
import Files
import PhotoRecords
import PictureMasking

/// The summary at the end of `bauta photo`: counts of results, the ones that a person should check, and
/// what to do about those that did not work.
struct PhotoSummary {
    struct Counts: Equatable {
        var masked = 0
        var noFace = 0
        var failed = 0
        var ignored = 0
        /// All of whose faces were left unmasked, as was asked for.
        var unmasked = 0
        /// Of these, the ones that were done in an earlier run.
        var earlier = 0

        var done: Int { masked + noFace + failed + ignored + unmasked }
    }

    /// Photographs of a kind: how many, and the first of them.
    struct Group {
        private(set) var count = 0
        private(set) var first: [FilePath] = []

        mutating func add(_ path: FilePath) {
            count += 1
            if first.count < PhotoSummary.longestList { first.append(path) }
        }
    }

    static let longestList = 10
    /// A result is worth a look from this doubt on.
    static let notableDoubt = 0.3
    /// A head is not tilted that far, in radians.
    private static let largestTilt: Float = 1
    /// The scores that detectors give most faces, and hardly anything else: the network, from 0 to 1, and the others.
    private static let confidentScores = (network: 0.85, others: 1.0)

    /// How photographs with faces are called in the counts.
    let success: String
    private let options: PhotoOptions
    private let leftOut: PhotoJobs.LeftOut
    private let confidentScore: Double
    /// How faces can be found that were missed.
    private let hint: String
    /// What looks through the results; nil: nothing does.
    private let review: String?
    /// Where the lists are that are too long to be shown.
    let list: String
    private(set) var counts = Counts()
    private var faceless = Group()
    /// Those in which faces find no other one that suits, for a mask that shows one.
    private var alone = Group()
    private var lying = Group()
    /// Others than those about which somebody has decided.
    private var unreviewed = Group()
    private var failures: [PhotoOutcome.Failure: Int] = [:]
    /// Whether photographs failed for reasons that are not theirs. If none could be read, the disk may not be there.
    var mayTryAgain: Bool {
        failures.keys.contains(where: \.isOfMachine) || (counts.done > 0 && failures[.unreadable] == counts.done)
    }
    /// The most doubtful first.
    private var doubtful: [(doubt: Double, line: String)] = []

    /// - Parameters:
    ///   - report: the path of the report, if one is written.
    ///   - leftOut: the files in the given folders that are not masked.
    ///   - review: the command that looks through the results; nil: there is no folder of them.
    init(_ options: PhotoOptions, report: FilePath?, leftOut: PhotoJobs.LeftOut, review: String? = nil) {
        self.options = options
        self.review = review
        self.leftOut = leftOut
        success = options.anonymises ? "covered" : options.isMasking ? "masked" : "with faces"
        confidentScore =
            options.models.usesDetectorNetwork ? Self.confidentScores.network : Self.confidentScores.others
        hint = options.hint
        list = report.map { $0 == "-" ? "the report lists all" : "\($0) lists all" } ?? "--report lists all"
    }

    mutating func note(_ outcome: PhotoOutcome) {
        let findings = outcome.findings
        let hasFaces = (findings?.faceCount ?? 0) > 0
        let isUntouched = !hasFaces && (findings?.unsureCount ?? 0) == 0
        switch outcome.status {
        case .masked where isUntouched && (findings?.spared ?? 0) > 0: counts.unmasked += 1
        case .masked: counts.masked += 1
        case .noFace:
            counts.noFace += 1
            if hasFaces {
                alone.add(outcome.input)
            } else if findings?.isReviewed != true {
                faceless.add(outcome.input)
            }
        case .failed:
            counts.failed += 1
            failures[outcome.failure ?? .other, default: 0] += 1
        case .ignored: counts.ignored += 1
        }
        if outcome.isFromEarlierRun { counts.earlier += 1 }
        if outcome.review.isOfAnother { unreviewed.add(outcome.input) }
        // What is hardly a face may seem to lie anyhow.
        let rolls = outcome.faces.filter { ($0.detectorScore ?? 0) >= confidentScore }.map { abs($0.pose.roll) }
        if let least = rolls.min(), least > Self.largestTilt { lying.add(outcome.input) }
        if options.anonymises { noteDoubt(outcome) }
    }

    private mutating func noteDoubt(_ outcome: PhotoOutcome) {
        guard let doubt = outcome.doubt, doubt > Self.notableDoubt, let output = outcome.output else { return }
        if doubtful.count == Self.longestList, let last = doubtful.last, last.doubt >= doubt { return }
        let line = "  \(DecimalText.fixed(doubt, digits: 2))  \(output): \(Self.findings(outcome))\n"
        doubtful.insert((doubt, line), at: doubtful.firstIndex { $0.doubt < doubt } ?? doubtful.endIndex)
        if doubtful.count > Self.longestList { doubtful.removeLast() }
    }

    /// The findings in a photograph: "2 faces, 1 face left unmasked, 1 possible face covered, done in an earlier run".
    static func findings(_ outcome: PhotoOutcome) -> String {
        var parts: [String] = []
        if let found = outcome.findings {
            if found.faceCount > 0 || found.spared == 0 && found.unsureCount == 0 {
                parts.append(found.faceCount == 0 ? "no face" : Self.number(found.faceCount, "face"))
            }
            if found.spared > 0 { parts.append("\(Self.number(found.spared, "face")) left unmasked") }
            if found.unsureCount > 0 { parts.append("\(Self.number(found.unsureCount, "possible face")) covered") }
        }
        if outcome.isFromEarlierRun { parts.append("done in an earlier run") }
        return parts.joined(separator: ", ")
    }

    private static func number(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }

    // MARK: The texts

    /// The message before the first photograph; nil: none.
    func beginning(total: Int) -> String? {
        guard total > 1 else { return nil }
        if options.anonymises {
            return "Faces that are not found stay unmasked. Check the results before you share them.\n"
        }
        guard options.faceless == .copy else { return nil }
        return
            "Photographs without a detected face are copied\(options.effects.background == nil ? " unchanged" : ", unmasked"); "
            + "--no-face skip, blur or fail changes that.\n"
    }

    /// The message after the last one.
    /// - Parameter time: how long it took, as text.
    func end(total: Int, time: String) -> String {
        "\(line(total: total)) in \(time)\n" + resumeText(total: total) + leftOut.text + unreviewedText + facelessText
            + aloneText + lyingText
            + failuresText(total: total) + doubtText + reviewText
    }

    private func resumeText(total: Int) -> String {
        guard Interrupt.isRequested, counts.done < total, review != nil, options.existing == .skip else { return "" }
        return "Rerun the command to resume.\n"
    }

    /// How many became what.
    func line(total: Int) -> String {
        var parts = ["\(counts.masked) \(success)", "\(counts.noFace) no face", "\(counts.failed) failed"]
        if counts.unmasked > 0 { parts.append("\(counts.unmasked) left unmasked") }
        if counts.ignored > 0 {
            parts.append("\(counts.ignored) not \(counts.ignored == 1 ? "a picture" : "pictures")")
        }
        let word = Interrupt.isRequested ? "interrupted" : "ended"
        let end = counts.done < total ? "\(word) after \(counts.done) of \(total)" : "\(counts.done) done"
        let earlier = counts.earlier > 0 ? " (\(counts.earlier) in an earlier run)" : ""
        return "\(end)\(earlier): \(parts.joined(separator: ", "))"
    }

    private func listed(_ group: Group) -> String {
        let rest = group.count - group.first.count
        return group.first.map { "  \($0)\n" }.joined() + (rest > 0 ? "  and \(rest) more; \(list)\n" : "")
    }

    private var fate: String {
        switch options.faceless {
        case .copy: "copied unchanged"
        case .skip: "skipped"
        case .blur: "blurred"
        case .fail: "refused"
        }
    }

    private var aloneText: String {
        guard alone.count > 0 else { return "" }
        let fate = options.faceless == .copy ? "left unmasked" : self.fate
        return "The mask shows another person's face, and none suits in \(Self.number(alone.count, "photograph")), "
            + "\(fate):\n" + listed(alone)
    }

    private var unreviewedText: String {
        guard unreviewed.count > 0 else { return "" }
        let subject = unreviewed.count == 1 ? "1 photograph has" : "\(unreviewed.count) photographs have"
        return "\(subject) changed since the review. The decisions about the old content were not used; review again:\n"
            + listed(unreviewed)
    }

    private var facelessText: String {
        guard faceless.count > 0 else { return "" }
        let isMost = faceless.count >= Self.longestList && faceless.count > counts.masked
        return "No face was found in \(Self.number(faceless.count, "photograph")), \(fate):\n" + listed(faceless)
            + (isMost
                ? "  These are most of the photographs. If they show people: \(hint)\n"
                : "  If a face was missed: \(hint)\n")
    }

    private var lyingText: String {
        guard lying.count > 0 else { return "" }
        let subject = lying.count == 1 ? "1 photograph lies" : "\(lying.count) photographs lie"
        return
            "\(subject) on the side or upside down, judging by the faces; rotate \(lying.count == 1 ? "it" : "them") with an "
            + "image viewer, and mask again:\n" + listed(lying)
    }

    private func failuresText(total: Int) -> String {
        guard total > 1, !failures.isEmpty else { return "" }
        return "Failures, and what to do:\n"
            + PhotoOutcome.Failure.allCases.compactMap { kind in
                failures[kind].map { "  \($0) \(kind.advice)\n" }
            }.joined()
    }

    private var reviewText: String {
        guard let review, options.anonymises, counts.masked + counts.noFace > 0 else { return "" }
        return "Look through them: \(review)\n"
    }

    private var doubtText: String {
        guard !doubtful.isEmpty else { return "" }
        return "Check these first. The number is the doubt, from 0 to 1; --contact-sheet shows all:\n"
            + doubtful.map(\.line).joined()
    }
}

extension PhotoOutcome.Failure {
    /// Completes a sentence that begins with how many failed: "3 damaged …".
    fileprivate var advice: String {
        switch self {
        case .unreadable: "cannot be read: check permissions (ls -l) and that the disk is mounted"
        case .disk: "exist but cannot be read: check the disk and the network"
        case .changed: "changed while they were being masked: mask them again when nothing changes them"
        case .format: "of an unsupported kind or size: convert them or leave them out"
        case .damaged: "damaged or cut off: copy them again from the camera or a backup"
        case .tooLarge: "too large for the memory limit: raise --memory; the messages above say how far"
        case .existing: "whose result exists: --existing replace replaces it, another --output keeps both"
        case .clash: "whose result would overwrite another file: mask them into different folders"
        case .noFace: "without a face: --no-face copy, skip or blur accepts them"
        case .unwritable: "whose result cannot be written: check free space (df) and permissions (ls -ld)"
        case .other: "for other reasons: see the messages above"
        }
    }
}
