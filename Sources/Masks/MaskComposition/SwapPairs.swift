import FaceGeometry

/// Who swaps faces with whom: pairs, so that each face is given to the one whose face it gets. A pair of a stream stays together
/// while it suits a little less well than new ones must.
struct SwapPairs {
    private struct Followed {
        var look: SwapLook
        var seconds: Double
    }

    /// By track ID: those of the stream, and of the picture.
    private var kept: [Int: Int] = [:]
    private var partners: [Int: Int] = [:]
    /// By track ID, of the stream.
    private var followed: [Int: Followed] = [:]
    private var looks: [(trackID: Int, look: SwapLook)] = []

    /// Another scene follows.
    mutating func forget() {
        kept.removeAll(keepingCapacity: true)
        followed.removeAll(keepingCapacity: true)
    }

    /// The track ID of the face that another one shows; nil: none.
    func partner(of trackID: Int) -> Int? { partners[trackID] }

    // MARK: Pairing

    mutating func beginPicture() {
        partners.removeAll(keepingCapacity: true)
        looks.removeAll(keepingCapacity: true)
    }

    /// - Parameters:
    ///   - look: nil where the face was not seen.
    ///   - seconds: of the picture; nil: a single one, which leaves no trace.
    mutating func add(_ trackID: Int, _ look: SwapLook?, at seconds: Double?) {
        guard let seconds else {
            if let look { looks.append((trackID, look)) }
            return
        }
        if let look {
            let known = followed[trackID]
            let weight = TemporalSmoothing.weight(after: known.map { seconds - $0.seconds })
            var mean = known?.look ?? look
            mean.approach(look, by: weight)
            followed[trackID] = Followed(look: mean, seconds: seconds)
        }
        if let look = followed[trackID]?.look { looks.append((trackID, look)) }
    }

    /// Finds the pairs among the faces that were added: first those that were pairs already, then whoever suits best.
    mutating func pair(at seconds: Double?) {
        if seconds != nil {
            for (place, one) in looks.enumerated() {
                guard let partner = kept[one.trackID],
                    let other = looks[(place + 1)...].first(where: { $0.trackID == partner }),
                    one.look.suits(.later), other.look.suits(.later), one.look.distance(to: other.look, .later) != nil
                else { continue }
                join(one.trackID, other.trackID)
            }
        }
        while let (one, other) = best() { join(one, other) }
        guard seconds != nil else { return }
        swap(&kept, &partners)
        partners.removeAll(keepingCapacity: true)
        for (one, other) in kept { partners[one] = other }
        if followed.count > 2 * looks.count + 8 {
            followed = followed.filter { known in looks.contains { $0.trackID == known.key } }
        }
    }

    private mutating func join(_ one: Int, _ other: Int) { (partners[one], partners[other]) = (other, one) }

    private func best() -> (Int, Int)? {
        var (result, least): ((Int, Int)?, Float) = (nil, .infinity)
        for (place, one) in looks.enumerated() where partners[one.trackID] == nil && one.look.suits(.first) {
            for other in looks[(place + 1)...] where partners[other.trackID] == nil && other.look.suits(.first) {
                guard let distance = one.look.distance(to: other.look, .first), distance < least else { continue }
                (result, least) = ((one.trackID, other.trackID), distance)
            }
        }
        return result
    }
}
