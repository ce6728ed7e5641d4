import FaceGeometry
import NeuralNetworks
import Pixels
import Vision

/// Follows the hands near the faces of a stream. It belongs to one thread.
package final class HandFollower {
    private enum Worker {
        case here(HandFinder)
        case elsewhere(any HandWorker)
    }

    private let worker: Worker
    private let flow = HandFlow()
    private let motion = NearbyMotion()
    /// Of the last picture.
    private var hands: [Hand] = []
    /// Pictures since new hands were looked for. Those that are known are found again in each picture, or as soon as the other
    /// thread can; meanwhile, they move with the optical flow.
    private var searchAge = HandFollower.longInterval
    /// Whether a result on its way belongs to another scene.
    private var isStale = false
    /// Pictures since there was a hand near a face, or something moved there.
    private var calmAge = 0
    /// Copies of deep pictures, nil until there is one.
    private var shallow: CopiedParts?

    /// In pictures: between searches for hands while there is one near a face, and otherwise; while something moves there, each
    /// picture is searched.
    private static let (interval, longInterval) = (3, 9)
    /// Of the squares that are searched, one in each picture: mostly where most palms are found.
    private static let sides = [0, 1, 0, 2].map { HandTarget.sides[$0] }
    private var searchCount = 0
    /// After so many pictures without a hand or a motion, none is expected.
    private static let calm = 9
    /// Faces that are larger than others.
    private static let mostFaces = 2

    /// - Parameter inBackground: whether another thread finds hands, for which no picture waits: they are known a little later.
    /// - Throws: `VisionError` with the path of a file; `OutOfMemory` or `NoThread`.
    package init(_ networks: NetworkFolder, inBackground: Bool) throws {
        worker = inBackground ? .elsewhere(try HandThread(networks)) : .here(try HandFinder(networks))
    }

    /// As if another thread always took so many pictures.
    /// - Throws: `VisionError` with the path of a file.
    package init(_ networks: NetworkFolder, pictures: Int) throws {
        worker = .elsewhere(try PacedHandWorker(networks, pictures: pictures))
    }

    /// Whether a hand is near a face, or may be coming: something moved there a moment ago.
    package var isAlert: Bool { calmAge < Self.calm }

    /// The next picture is of something else.
    package func forget() {
        hands = []
        (searchAge, calmAge) = (Self.longInterval, 0)
        flow.clear()
        motion.clear()
        if case .elsewhere(let thread) = worker { isStale = thread.dropResult() }
    }

    /// - Parameter picture: `rgba8` or `rgba16`, before anything is drawn on it.
    /// - Returns: the hands in the picture that are near a face.
    /// - Throws: `VisionError`, in the background also with the path of a damaged network, or `OutOfMemory`.
    package func follow(_ targets: [HandTarget], in picture: borrowing PixelBuffer) throws -> [Hand] {
        guard !targets.isEmpty else {
            forget()
            return []
        }
        let nearest = Array(targets.sorted { $0.width > $1.width }.prefix(Self.mostFaces))
        if picture.format == .rgba16 {
            let parts = try shallow ?? CopiedParts()
            shallow = parts
            try parts.take(picture, parts: nearest.map(\.surroundings) + hands.map(\.region))
            try parts.withPixels { pixels in try follow(largest: nearest, in: pixels) }
        } else {
            try follow(largest: nearest, in: picture)
        }
        return hands
    }

    private func follow(largest targets: [HandTarget], in picture: borrowing PixelBuffer) throws {
        searchAge += 1
        calmAge = hands.isEmpty ? calmAge + 1 : 0
        if flow.count > 0 {
            flow.add(picture)
            // Nobody knows where they are now: the other thread is too slow.
            if flow.count == 0 { hands = [] }
        }
        if case .elsewhere(let worker) = worker, let found = try worker.takeResult() {
            take(found)
        } else {
            for index in hands.indices { flow.carry(&hands[index], from: max(0, flow.count - 2)) }
        }
        var searches = searchAge >= Self.interval && !hands.isEmpty || searchAge >= Self.longInterval
        if !searches, hands.isEmpty, motion.isMoving(picture) { (searches, calmAge) = (true, 0) }
        guard searches || !hands.isEmpty else { return }
        let sides = searches ? [Self.sides[searchCount % Self.sides.count]] : []
        switch worker {
        case .here(let finder):
            hands = try finder.find(from: hands, near: targets, in: picture, searching: sides)
        case .elsewhere(let worker):
            if worker.isBusy { return }
            try worker.start(.init(hands: hands, targets: targets, sides: sides), in: picture)
        }
        if searches {
            (searchAge, searchCount) = (0, searchCount + 1)
            motion.begin(picture, near: targets[0])
        }
        if hands.isEmpty, case .here = worker { flow.clear() } else { flow.begin(picture, square: targets[0].square()) }
    }

    /// Moves what the other thread has found to where it is now.
    private func take(_ found: [Hand]) {
        defer { isStale = false }
        guard !isStale, flow.count > 0 else {
            hands = []
            return
        }
        hands = found
        if hands.isEmpty { flow.clear() }
        for index in hands.indices { flow.carry(&hands[index], from: 0) }
    }
}
