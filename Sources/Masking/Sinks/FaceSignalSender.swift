import FaceGeometry
import OpenSoundControl

/// Sends the faces of each frame to other programs by Open Sound Control: to avatars in the convention of the Virtual Motion
/// Capture protocol (https://protocol.vmc.info), and to lights and other things with addresses of our own. `docs/osc.md`
/// describes the messages.
package final class FaceSignalSender {
    private let sender: OSCSender
    private let expressions: AvatarExpressions
    private let say: (String) -> Void
    private var hasFailed = false
    /// The track whose head the avatar has; nil: none yet.
    private var avatarTrack: Int?
    /// The faces by their numbers in messages, from 1; nil: the number is free.
    private var slots: [Slot?] = []

    private struct Slot {
        let track: Int
        var states: Expression.States = []
        var blinks = 0
    }

    /// - Parameter say: is told when messages do not arrive, once.
    /// - Throws: `OSCError` if liblo is missing or the host is not known.
    package init(
        _ address: OSCAddress, expressions: AvatarExpressions, say: @escaping (String) -> Void
    ) throws(OSCError) {
        sender = try OSCSender(address)
        self.expressions = expressions
        self.say = say
    }

    /// - Parameters:
    ///   - size: of the frame, in pixels.
    ///   - seconds: the frame's time.
    package func send(_ faces: [FaceInstance], in size: (width: Int, height: Int), at seconds: Double) {
        let seen = faces.filter(\.isSeen)
        sendAvatar(seen, at: seconds)
        sendFaces(seen, in: size)
        sender.send()
        if let failure = sender.failure, !hasFailed {
            hasFailed = true
            say("messages to \(sender.address) do not arrive: \(failure); they are sent all the same")
        }
    }

    // MARK: Avatar

    /// The head and the expression of the person who has been followed for the longest time.
    private func sendAvatar(_ faces: [FaceInstance], at seconds: Double) {
        let face = faces.first { $0.trackID == avatarTrack } ?? faces.first
        sender.add("/VMC/Ext/OK", .integer(1))
        sender.add("/VMC/Ext/T", .float(Float(seconds)))
        guard let face else { return }
        avatarTrack = face.trackID
        let rotation = AvatarRotation(face.face.pose)
        sender.add(
            "/VMC/Ext/Bone/Pos", .string("Head"), .float(0), .float(0), .float(0), .float(rotation.x),
            .float(rotation.y), .float(rotation.z), .float(rotation.w))
        for (name, value) in expressions.values(of: face.signals, knowsGaze: face.face.pupils != nil) {
            sender.add("/VMC/Ext/Blend/Val", .string(name), .float(value))
        }
        sender.add("/VMC/Ext/Blend/Apply")
    }

    // MARK: All faces

    private func sendFaces(_ faces: [FaceInstance], in size: (width: Int, height: Int)) {
        sender.add("/bauta/faces", .integer(faces.count))
        for index in slots.indices {
            guard let slot = slots[index], !faces.contains(where: { $0.trackID == slot.track }) else { continue }
            sendStates(Slot(track: slot.track), since: slot, of: index)
            sender.add(address(index, "track"), .integer(0))
            slots[index] = nil
        }
        for face in faces { send(face, in: size) }
    }

    private func send(_ face: FaceInstance, in size: (width: Int, height: Int)) {
        let index = slot(of: face)
        let (box, pose) = (face.face.box, face.face.pose)
        let (width, height) = (Float(max(size.width, 1)), Float(max(size.height, 1)))
        sender.add(
            address(index, "position"), .float(box.center.x / width), .float(box.center.y / height))
        sender.add(address(index, "size"), .float(box.height / height))
        sender.add(address(index, "rotation"), .float(pose.yaw), .float(pose.pitch), .float(pose.roll))
        for name in ExpressionSignals.Name.allCases where !name.isGaze || face.face.pupils != nil {
            sender.add(address(index, name.rawValue), .float(face.signals[name]))
        }
        let old = slots[index] ?? Slot(track: face.trackID)
        var new = old
        (new.states, new.blinks) = (face.states, face.blinks)
        sendStates(new, since: old, of: index)
        slots[index] = new
    }

    /// What has changed.
    private func sendStates(_ new: Slot, since old: Slot, of index: Int) {
        for (bit, name) in Expression.States.names.enumerated() {
            let state = Expression.States(rawValue: 1 << bit)
            let isOn = new.states.contains(state)
            if isOn != old.states.contains(state) { sender.add(address(index, name), .integer(isOn ? 1 : 0)) }
        }
        if new.blinks > old.blinks { sender.add(address(index, "blinks"), .integer(new.blinks)) }
    }

    /// A face keeps its number while it is followed. Another one may get it later.
    private func slot(of face: FaceInstance) -> Int {
        if let index = slots.firstIndex(where: { $0?.track == face.trackID }) { return index }
        let free = slots.firstIndex { $0 == nil }
        if free == nil { slots.append(nil) }
        let index = free ?? slots.count - 1
        slots[index] = Slot(track: face.trackID)
        sender.add(address(index, "track"), .integer(face.trackID))
        return index
    }

    private func address(_ index: Int, _ name: String) -> String { "/bauta/face/\(index + 1)/\(name)" }
}
