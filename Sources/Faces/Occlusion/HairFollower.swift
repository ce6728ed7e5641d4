import FaceGeometry
import NeuralNetworks
import Pixels
import Synchronization
import Threads

/// Follows the hair in front of the faces of a stream. It is looked for a few times a second, and kept in the texels of each
/// face, so that it moves with the face in between. The first search counts at once; after it, what several agree on: the edge does not
/// tremble.
struct HairFollower {
    private let search: HairSearch
    /// Nil: pictures wait for the search.
    private let thread: ThreadConfined<HairSearch>?
    private let answer = HairAnswer()
    /// By track ID.
    private var faces: [Int: FollowedHair] = [:]
    /// Counts the scenes: what is found in one is nothing in the next.
    private var scene = 0

    /// Between searches for the hair of a face, in seconds; sooner when the head has turned by `turn`, in radians.
    private static let (interval, turn): (Double, Float) = (0.2, 0.05)
    /// The same after a search that has not found hair where it was, in seconds.
    private static let secondLook = 0.08
    /// The same while the last searches agree: then the next one hardly tells anything new.
    private static let calmInterval = 0.4
    /// After which a face that is not seen is forgotten, in seconds.
    private static let memory = 2.0

    init(_ texels: CanonicalTexels, _ networks: NetworkFolder, inBackground: Bool) {
        let search = HairSearch(texels, networks)
        self.search = search
        guard inBackground else {
            thread = nil
            return
        }
        thread = ThreadConfined {
            // Pictures do not wait for it, so it should not keep them waiting either.
            DedicatedThread.lowerPriorityOfCaller()
            return search
        }
    }

    /// The next picture shows something else.
    mutating func forget() {
        faces = [:]
        scene += 1
    }

    /// - Parameters:
    ///   - instances: their faces can be learnt, and their track IDs differ.
    ///   - picture: `rgba8` or `rgba16`, before anything is drawn on it.
    ///   - seconds: the time of the picture.
    /// - Throws: `VisionError` with the path of a damaged network, or `OutOfMemory`.
    mutating func follow(
        _ instances: [FaceInstance], in picture: borrowing PixelBuffer, at seconds: Double
    ) throws {
        if let outcome = answer.take() { try take(outcome) }
        for instance in instances { faces[instance.trackID, default: FollowedHair()].begin(at: seconds) }
        if faces.contains(where: { $0.value.isOlder(than: Self.memory, at: seconds) }) {
            faces = faces.filter { !$0.value.isOlder(than: Self.memory, at: seconds) }
        }
        for instance in instances.sorted(by: { lastSearch(of: $0) < lastSearch(of: $1) }) {
            let last = lastSearch(of: instance)
            let face = faces[instance.trackID]
            let turn = abs(instance.face.pose.yaw - (face?.yaw ?? 0))
            // Videos wait for searches, and so have time for all.
            let usual = face?.isCalm == true && thread != nil ? Self.calmInterval : Self.interval
            let interval = face?.isContradicted == true ? Self.secondLook : usual
            let isRecent = (last...last + interval).contains(seconds)
            guard !isRecent || turn > Self.turn && seconds != last, !answer.isBusy else { continue }
            let request = try HairSearch.Request(instance, in: picture, at: seconds, scene: scene)
            faces[instance.trackID]?.lastSearch = seconds
            if let thread {
                answer.begin()
                thread.prepare { [answer] search in answer.give(search.outcome(of: request)) }
            } else {
                try take(search.outcome(of: request))
            }
        }
        for instance in instances { faces[instance.trackID]?.advance() }
    }

    /// Whether the picture of that time was copied for the other thread.
    func hasCopied(at seconds: Double) -> Bool {
        thread != nil && faces.contains { $0.value.lastSearch == seconds }
    }

    /// How far each texel of a face is covered, 0…1; nil: nothing is.
    func coverage(of trackID: Int) -> [Float]? {
        guard let face = faces[trackID], face.isCovered else { return nil }
        return face.coverage
    }

    /// Nil: it has not been looked for.
    func hairline(of trackID: Int) -> Hairline? { faces[trackID]?.hairline }

    private func lastSearch(of instance: FaceInstance) -> Double { faces[instance.trackID]?.lastSearch ?? -.infinity }

    private mutating func take(_ outcome: HairSearch.Outcome) throws {
        let found = try outcome.found.get()
        guard outcome.request.scene == scene else { return }
        faces[outcome.request.trackID]?.add(found, yaw: outcome.request.yaw, at: outcome.request.seconds)
    }
}

/// The hair in front of one face of a stream.
private struct FollowedHair {
    /// Of each texel: how far it was covered in the last searches, 0…1, the newest counting most; empty before the first.
    private var wanted: [Float] = []
    /// Of each texel, 0…1: follows `wanted` smoothly.
    private(set) var coverage = [Float](repeating: 0, count: CanonicalTexels.count)
    private(set) var isCovered = false
    /// In seconds.
    var lastSearch = -Double.infinity
    private var lastSeen = 0.0
    private var elapsed: Float = 0
    /// Of the head in the last search, in radians.
    private(set) var yaw: Float = 0
    /// Of each texel: whether the last search has found none of the hair that was there; empty if it has found all.
    private var contradicted: [Bool] = []
    var isContradicted: Bool { !contradicted.isEmpty }
    /// Of each texel: for how long its hair is kept if it is only doubted, in seconds.
    private var trust = [Float](repeating: 0, count: CanonicalTexels.count)
    /// The time of the picture that was searched last and whose hair is known.
    private var lastFound = 0.0
    /// How many of the last searches in a row have agreed with the one before.
    private var agreements = 0
    var isCalm: Bool { agreements >= Self.fewestAgreements }

    /// The mean of those that were found lately; nil before the first.
    private(set) var hairline: Hairline?

    /// How much a search counts: while the head is still, and as far as it has turned since the one before, in radians.
    private static let (rate, turningRate, fullTurn): (Float, Float, Float) = (0.2, 0.7, 0.12)
    /// A search agrees if no more texels than the first are covered otherwise by more than the second.
    private static let (disagreeing, disagreement): (Int, Float) = (40, 0.4)
    private static let fewestAgreements = 5
    /// How much it counts for the hairline, which is a person's own.
    private static let hairlineRate: Float = 0.05
    /// What two searches in turn do not find is gone; from the first share on it was there, up to the second it is not found.
    private static let (there, notFound): (Float, Float) = (0.5, 0.1)
    /// Covered by more, hair is known well enough to be kept while it is only doubted; it is kept for so long at most, in seconds.
    /// Of heads that look down, hair was doubted for up to half a second in clips; what is wrong should not stay for long.
    private static let (known, mostTrust): (Float, Float) = (0.6, 3)
    /// In which hair comes and goes, in seconds.
    private static let fade: Float = 0.15

    mutating func begin(at seconds: Double) {
        elapsed = max(0, Float(seconds - lastSeen))
        lastSeen = seconds
    }

    func isOlder(than age: Double, at seconds: Double) -> Bool { abs(seconds - lastSeen) > age }

    /// - Parameters:
    ///   - newYaw: of the head in the picture that was searched, in radians.
    ///   - seconds: the time of that picture.
    mutating func add(_ found: HairFinder.Coverage, yaw newYaw: Float, at seconds: Double) {
        let newHairline = found.hairline ?? Hairline { _ in 0 }
        var covered = found.hair ?? [Float](repeating: 0, count: CanonicalTexels.count)
        defer { (yaw, lastFound) = (newYaw, seconds) }
        guard !wanted.isEmpty else {
            hairline = newHairline
            if let beside = found.beside { covered = zip(covered, beside).map { max($0, $1) } }
            (wanted, coverage) = (covered, covered)
            return
        }
        let turn = (abs(newYaw - yaw) / Self.fullTurn).limitedToUnit
        let rate = Self.rate + turn * (Self.turningRate - Self.rate)
        hairline?.approach(newHairline, fraction: Self.hairlineRate)
        keepDoubted(&covered, found.doubted, after: max(0, Float(seconds - lastFound)))
        if let beside = found.beside { covered = zip(covered, beside).map { max($0, $1) } }
        let missing = missing(from: covered)
        let others = wanted.indices.count { abs(wanted[$0] - covered[$0]) > Self.disagreement }
        agreements = others > Self.disagreeing ? 0 : agreements + 1
        for index in wanted.indices {
            let isGone = !missing.isEmpty && !contradicted.isEmpty && missing[index] && contradicted[index]
            wanted[index] += (isGone ? 1 : rate) * (covered[index] - wanted[index])
        }
        contradicted = missing
    }

    /// Leaves known hair where it is while it still looks like hair and is only doubted: that of a head that is lowered lies in
    /// its own shadow. It is kept for no longer than it was found before, so that what was hardly ever found is not.
    /// - Parameter passed: since the last search, in seconds.
    private mutating func keepDoubted(_ covered: inout [Float], _ doubted: [Bool]?, after passed: Float) {
        for index in covered.indices {
            if wanted[index] < Self.there {
                trust[index] = 0
            } else if covered[index] >= Self.there {
                trust[index] = min(Self.mostTrust, trust[index] + passed)
            } else if doubted?[index] == true, trust[index] > 0 {
                trust[index] -= passed
                if wanted[index] > Self.known { covered[index] = wanted[index] }
            }
        }
    }

    /// Of each texel: whether it was covered, and is not now; empty if none is. Edges come and go: what is thinner than three
    /// texels does not count.
    private func missing(from covered: [Float]) -> [Bool] {
        let stays = wanted.indices.map { wanted[$0] < Self.there || covered[$0] > Self.notFound }
        let core = TexelGrid.dilated(stays).map { !$0 }
        guard core.contains(true) else { return [] }
        let grown = TexelGrid.dilated(core)
        return grown.indices.map { grown[$0] && !stays[$0] }
    }

    /// To the next picture.
    mutating func advance() {
        guard !wanted.isEmpty else { return }
        let step = elapsed / Self.fade
        var most: Float = 0
        for index in coverage.indices {
            coverage[index] += max(-step, min(step, wanted[index] - coverage[index]))
            most = max(most, coverage[index])
        }
        isCovered = most > 0.02
    }
}

/// What the other thread has found.
private final class HairAnswer: Sendable {
    private struct State {
        var isBusy = false
        var outcome: HairSearch.Outcome?
    }

    private let state = Mutex(State())

    /// Whether the thread searches, or has found what nobody has taken.
    var isBusy: Bool { state.withLock { $0.isBusy } }

    func begin() { state.withLock { $0.isBusy = true } }

    func give(_ outcome: HairSearch.Outcome) { state.withLock { $0.outcome = outcome } }

    /// Nil: it has not finished.
    func take() -> HairSearch.Outcome? {
        state.withLock { state in
            guard let outcome = state.outcome else { return nil }
            state = State()
            return outcome
        }
    }
}

/// Looks for hair, on any thread.
private final class HairSearch: Sendable {
    /// The part of a picture around a face, and the face in it.
    struct Request: Sendable {
        let trackID: Int
        let scene: Int
        /// The time of the picture.
        let seconds: Double
        /// Of the head, in radians.
        let yaw: Float
        fileprivate let vertices: [Point]
        fileprivate let width: Float
        fileprivate let part: Part

        /// In pixels: more of them tell nothing more about 64 × 80 texels.
        private static let largestSide: Float = 288

        /// - Throws: `OutOfMemory`.
        init(
            _ instance: FaceInstance, in picture: borrowing PixelBuffer, at seconds: Double, scene: Int
        ) throws(OutOfMemory) {
            (trackID, self.scene, self.seconds) = (instance.trackID, scene, seconds)
            yaw = instance.face.pose.yaw
            let vertices = instance.face.vertices
            let square = HairFinder.square(vertices)
            // Turned, a square reaches farther.
            let reach = square.side * (abs(square.across.x) + abs(square.across.y)) / max(square.side, 1e-6) / 2
            let step = max(1, 2 * reach / Self.largestSide)
            let origin = square.center - reach
            part = try Part(of: picture, origin: origin, side: Int(2 * reach / step), step: step)
            self.vertices = vertices.map { ($0 - origin) / step }
            width = instance.width / step
        }
    }

    struct Outcome: Sendable {
        let request: Request
        let found: Result<HairFinder.Coverage, any Error>
    }

    private let texels: CanonicalTexels
    private let networks: NetworkFolder
    /// Nil until it is first asked for.
    private let finder = Mutex<HairFinder?>(nil)

    init(_ texels: CanonicalTexels, _ networks: NetworkFolder) { (self.texels, self.networks) = (texels, networks) }

    func outcome(of request: Request) -> Outcome {
        Outcome(
            request: request,
            found: Result {
                try finder.withLock { finder in
                    let ready = try finder ?? HairFinder(texels, networks)
                    finder = ready
                    return try ready.coverage(
                        vertices: request.vertices, width: request.width, in: request.part.pixels)
                }
            })
    }
}

/// A copy of a square of a picture with 8 bits, of every so many pixels one. Beyond the picture, its last pixels go on.
private final class Part: Sendable {
    let pixels: PixelBuffer

    /// - Parameters:
    ///   - origin: in pixels of the picture, not far outside.
    ///   - side: in pixels of the copy.
    ///   - step: pixels of the picture for each of the copy.
    init(of picture: borrowing PixelBuffer, origin: Point, side: Int, step: Float) throws(OutOfMemory) {
        let side = max(1, side)
        var pixels = try PixelBuffer(width: side, height: side, format: .rgba8)
        let (right, bottom) = (Float(picture.width - 1), Float(picture.height - 1))
        let columns = (0..<side).map { Int(max(0, min(right, origin.x + step * (Float($0) + 0.5)))) }
        let (stride, isDeep) = (picture.bytesPerRow, picture.format == .rgba16)
        picture.withUnsafeBytes { source in
            for y in 0..<side {
                let row = Int(max(0, min(bottom, origin.y + step * (Float(y) + 0.5)))) * stride
                pixels.withMutableRow(y) { target in
                    for (x, column) in columns.enumerated() {
                        if isDeep {
                            let pixel = source.loadUnaligned(fromByteOffset: row + 8 * column, as: SIMD4<UInt16>.self)
                            target[x] = SIMD4(truncatingIfNeeded: pixel &>> 8)
                        } else {
                            let pixel = source.loadUnaligned(fromByteOffset: row + 4 * column, as: UInt32.self)
                            target[x] = unsafeBitCast(pixel, to: SIMD4<UInt8>.self)
                        }
                    }
                }
            }
        }
        self.pixels = pixels
    }
}
