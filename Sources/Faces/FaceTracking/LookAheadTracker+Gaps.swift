import FaceGeometry
import Pixels
import Vision

/// The backward track of a face before it was detected, or detected again.
extension LookAheadTracker {
    /// Follows a newly found face backwards in time through the frames held back, as long as it is a face and does not
    /// belong to another track: until the cut, the picture's edge, or a break of the flow with no certain face before it.
    func followBack(_ face: TrackedFace, stretch: Int) throws {
        guard let last = slots.last, !last.isCut else { return }
        do throws(VisionError) {
            try followBack(face, stretch: stretch, from: last)
        } catch {
            // Before the frame in which it fails it is not known.
            if error.kind != .failed { throw error }
        }
    }

    private func followBack(_ face: TrackedFace, stretch: Int, from last: Slot) throws(VisionError) {
        var before = last.seconds
        var follower: FaceFollower?
        var confidence = TrackConfidence()
        if face.isVouchedFor { confidence.vouch() }
        var lastDescriptor: FaceDescriptor?
        var nextDescriptor: FaceDescriptor?
        var mayBeAnother = false
        for index in slots.indices.reversed() {
            let slot = slots[index]
            let elapsed = Float(before - slot.seconds)
            var isInside = true
            let isThere = try slot.read { (pixels) throws(VisionError) in
                if let follower {
                    try follower.follow(pixels, seconds: elapsed, trustsModel: !confidence.reliesOnFlow)
                    try follower.probe(pixels)
                    isInside = FaceTracker.isInside(follower.box, pixels)
                } else {
                    let start = OrientedBox(around: face.measurement.fused)
                    follower = try FaceFollower(pixels, box: start, model: model, mean: mean, mesh: mesh)
                }
            }
            // A frame without pixels has been handed out.
            guard isThere, let follower else { return }
            if index == slots.count - 1 {
                lastDescriptor = follower.descriptor
                nextDescriptor = lastDescriptor
                continue
            }
            // It keeps its mask, but perhaps not its identity.
            let descriptor = follower.descriptor
            if let nextDescriptor, nextDescriptor.similarity(to: descriptor) < FaceDescriptor.sameLook {
                mayBeAnother = true
            }
            nextDescriptor = descriptor
            before = slot.seconds
            confidence.follow(isFlowGood: follower.isFlowGood, seconds: elapsed)
            let similarity = lastDescriptor?.similarity(to: follower.descriptor) ?? 0
            let isAlike = similarity >= TrackConfidence.dissimilar
            let isUncertain = follower.uncertainty >= FaceTracker.startingUncertainty
            let hasFailed = follower.hasJumped || isUncertain && !(confidence.isVouchedFor && isAlike)
            confidence.probe(hasFailed: hasFailed, uncertainty: follower.uncertainty)
            if hasFailed {
                if follower.modelReportsUncertainty || !isAlike { confidence.distrustFlow() }
            } else if !isUncertain {
                lastDescriptor = follower.descriptor
            }
            let box = follower.box
            let isTaken = slot.sightings.contains {
                ($0.measurement.fused.bounds.center - box.center).length < 0.5 * box.side
            }
            guard isInside, !isTaken, !hasFailed || confidence.reliesOnFlow else { return }
            // The step that leads here leads, inverted, from this frame to the later one.
            var measurement = follower.measurement
            if let later = slots[index + 1].sightings.firstIndex(where: { $0.stretch == stretch }) {
                slots[index + 1].sightings[later].measurement.step = measurement.step?.inverse
            }
            measurement.step = nil
            slot.sightings.append(
                Sighting(
                    trackID: face.trackID, stretch: stretch, measurement: measurement,
                    uncertainty: follower.uncertainty, mayBeAnother: mayBeAnother))
            if slot.isCut { return }
        }
    }

    /// Closes the gap between the first sighting of a face that was found again and the last one of the track that ended
    /// in its place, if it is in frames held back and in one scene: something was in front of the face for a moment. In
    /// between, its landmarks are interpolated.
    func bridgeGap(before trackID: Int) {
        func sighting(_ index: Int) -> Sighting? { slots[index].sightings.first { $0.trackID == trackID } }
        var first = slots.count - 1
        while first > 0, !slots[first].isCut, sighting(first - 1) != nil { first -= 1 }
        guard first > 0, !slots[first].isCut, let after = sighting(first) else { return }
        /// The track with this place that ended in a frame.
        func ended(_ index: Int) -> Sighting? {
            slots[index].sightings.first { old in
                (old.trackID == trackID || !slots[first].sightings.contains { $0.trackID == old.trackID })
                    && old.isNear(after)
            }
        }
        var lost = first - 1
        while lost > 0, ended(lost) == nil, slots[lost].isHeld, !slots[lost].isCut { lost -= 1 }
        guard let before = ended(lost) else { return }
        let duration = max(slots[first].seconds - slots[lost].seconds, 1e-6)
        var last = before.measurement.fused
        for index in lost + 1..<first {
            let fraction = Float((slots[index].seconds - slots[lost].seconds) / duration)
            var bridged = before
            bridged.measurement = before.measurement.interpolated(to: after.measurement, fraction: fraction)
            bridged.measurement.step = SkinStep(from: last, to: bridged.measurement.fused, mean: mean)
            bridged.uncertainty = nil
            bridged.isSeen = false
            // Somebody else may have come back.
            bridged.mayBeAnother = true
            slots[index].sightings.append(bridged)
            last = bridged.measurement.fused
        }
        if let found = slots[first].sightings.firstIndex(where: { $0.stretch == after.stretch }) {
            slots[first].sightings[found].measurement.step = SkinStep(
                from: last, to: after.measurement.fused, mean: mean)
        }
        // From here on both are one stretch, so that smoothing makes no step.
        let (old, new) = (before.stretch, after.stretch)
        for slot in slots {
            for index in slot.sightings.indices where slot.sightings[index].stretch == new {
                slot.sightings[index].stretch = old
            }
        }
        stretches[trackID] = old
    }
}

extension LookAheadTracker.Sighting {
    /// Whether another sighting is of about the same size and less than a face's width away.
    fileprivate func isNear(_ other: LookAheadTracker.Sighting) -> Bool {
        let (a, b) = (measurement.fused.bounds, other.measurement.fused.bounds)
        let ratio = a.width / max(b.width, 1e-3)
        return (a.center - b.center).length < max(a.width, b.width) && ratio > 0.6 && ratio < 1.7
    }
}
