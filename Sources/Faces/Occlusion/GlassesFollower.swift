import FaceGeometry
import Pixels

/// The dark frames of glasses on the faces of a stream. One picture may be wrong, so that pictures of a face seen from the front
/// vote; what they agree on is shown wherever it is dark now.
struct GlassesFollower {
    /// What is known of one face.
    private struct Votes {
        /// Of the last votes, the newest last: whether there was a frame.
        var results: [Bool] = []
        /// How often each cell belonged to it, 0…1.
        var cells = [Float](repeating: 0, count: GlassesCells.grid.count)
        var isWorn = false
        var lastVote = -Double.infinity
        /// Whether a vote that was due has been put off.
        var hasWaited = false
        var lastSeen = -Double.infinity
    }

    private let finder: GlassesFinder
    private var memory = GlassesFinder.Memory()
    /// By track ID.
    private var faces: [Int: Votes] = [:]

    /// Between two votes of a face, in seconds.
    private static let interval = 0.2
    private static let mostVotes = 10
    /// Of the last votes, so many for a frame put it on, and fewer than the second take it off.
    private static let (enough, tooFew) = (4, 3)
    /// How much a vote for a frame counts for its cells.
    private static let share: Float = 0.3
    /// Cells that belonged to it so often are part of it.
    private static let leastShare: Float = 0.25
    /// Who is turned farther does not vote, in radians.
    private static let frontal: Float = 0.3
    /// A face is remembered so long, in seconds.
    private static let memory = 30.0

    init(reference: ReferenceFace, mesh: FaceMesh) { finder = GlassesFinder(reference: reference, mesh: mesh) }

    /// Another source follows.
    mutating func forget() { faces = [:] }

    /// - Parameters:
    ///   - vertices: of the instance's mesh, in pixels.
    ///   - picture: `rgba8` or `rgba16`, before anything is drawn on it.
    ///   - seconds: the time of the picture.
    ///   - mayVote: false: the next picture votes, whatever it takes, because this one takes long enough.
    /// - Returns: nil if no glasses are worn.
    mutating func follow(
        _ instance: FaceInstance, vertices: [Point], in picture: borrowing PixelBuffer, at seconds: Double,
        mayVote: Bool = true
    ) -> OcclusionMatte? {
        guard finder.canSearch(instance) else { return nil }
        var votes = faces.removeValue(forKey: instance.trackID) ?? Votes()
        defer {
            votes.lastSeen = seconds
            faces[instance.trackID] = votes
            if faces.count > 1 { faces = faces.filter { abs(seconds - $0.value.lastSeen) <= Self.memory } }
        }
        let pose = instance.face.pose
        let isDue =
            !(0..<Self.interval).contains(seconds - votes.lastVote)
            && abs(pose.yaw) < Self.frontal && abs(pose.pitch) < Self.frontal
        let votesNow = isDue && (mayVote || votes.hasWaited)
        votes.hasWaited = isDue && !votesNow
        guard votesNow || votes.isWorn else { return nil }
        finder.findContrast(vertices, width: instance.width, in: picture, &memory)
        if votesNow {
            Self.vote(finder.frame(memory.contrast), &votes)
            votes.lastVote = seconds
        }
        guard votes.isWorn else { return nil }
        let cells = votes.cells.indices.filter { votes.cells[$0] >= Self.leastShare }
        return finder.matte(memory.contrast, cells, vertices)
    }

    /// - Parameter frame: its cells; nil: nothing was found.
    private static func vote(_ frame: [Int]?, _ votes: inout Votes) {
        votes.results.append(frame != nil)
        if votes.results.count > mostVotes { votes.results.removeFirst() }
        let count = votes.results.count { $0 }
        votes.isWorn = votes.isWorn ? count >= tooFew : count >= enough && 2 * count >= votes.results.count
        guard let frame else { return }
        for index in votes.cells.indices { votes.cells[index] *= 1 - share }
        for index in frame { votes.cells[index] += share }
    }
}
