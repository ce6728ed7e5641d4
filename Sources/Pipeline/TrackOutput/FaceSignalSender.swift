import FaceGeometry
import OpenSoundControl
import Sound

/// Sends the faces of each frame to other programs by Open Sound Control: to avatars in the convention of the Virtual Motion
/// Capture protocol (https://protocol.vmc.info), and to lights and other things with addresses of our own.
/// `docs/reference/osc.md` describes the messages.
package final class FaceSignalSender {
    private let sender: OSCSender
    private let expressions: AvatarExpressions
    private let say: (String) -> Void
    private var hasFailed = false
    /// The track whose head the avatar has, and when it was last seen; nil: none yet.
    private var avatar: (track: Int, seconds: Double)?
    /// The track IDs of the faces by their numbers in messages, from 1; nil: the number is free.
    private var slots: [Int?] = []
    private var hasSentSound = false

    /// The avatar belongs to nobody else until its person has been away for so long, in seconds.
    private static let absence = 2.0

    /// - Parameter say: is told when messages do not arrive, once.
    package init(_ receiver: OSCReceiver, expressions: AvatarExpressions, say: @escaping (String) -> Void) {
        sender = OSCSender(receiver)
        self.expressions = expressions
        self.say = say
    }

    /// - Parameters:
    ///   - faces: those that receivers may know of: none of a covered picture.
    ///   - size: of the frame, in pixels.
    ///   - seconds: the frame's time.
    ///   - sound: the sound signals; nil: no sound is used.
    package func send(
        _ faces: [FaceInstance], in size: (width: Int, height: Int), at seconds: Double, sound: SoundSignals?
    ) {
        let seen = faces.filter(\.isSeen)
        sendAvatar(seen, at: seconds)
        sender.add("/bauta/faces", .integer(seen.count))
        freeSlots(seen)
        for face in seen { send(face, in: size) }
        if let sound { send(sound) }
        sender.send()
        if let failure = sender.takeFailure(), !hasFailed {
            hasFailed = true
            say("messages to \(sender.address) do not arrive: \(failure); sending continues")
        }
    }

    /// Says that all faces have gone and nothing is heard, so that no light stays on.
    package func finish() {
        sender.add("/VMC/Ext/OK", .integer(0))
        sender.add("/bauta/faces", .integer(0))
        freeSlots([])
        if hasSentSound { send(SoundSignals.silence) }
        sender.send()
    }

    // MARK: Avatar

    /// The head and the expression of the person who has been followed for the longest time.
    private func sendAvatar(_ faces: [FaceInstance], at seconds: Double) {
        var face = faces.first { $0.trackID == avatar?.track }
        if face == nil, avatar.map({ abs(seconds - $0.seconds) > Self.absence }) ?? true { face = faces.first }
        sender.add("/VMC/Ext/OK", .integer(face == nil ? 0 : 1))
        sender.add("/VMC/Ext/T", .float(Float(seconds)))
        guard let face else { return }
        avatar = (face.trackID, seconds)
        let rotation = AvatarRotation(face.face.pose)
        sender.add(
            "/VMC/Ext/Bone/Pos", .string("Head"), .float(0), .float(0), .float(0), .float(rotation.x),
            .float(rotation.y), .float(rotation.z), .float(rotation.w))
        for (name, value) in expressions.values(of: face.signals, knowsGaze: face.face.pupils != nil) {
            sender.add("/VMC/Ext/Blend/Val", .string(name), .float(value))
        }
        sender.add("/VMC/Ext/Blend/Apply")
    }

    // MARK: Sound and all faces

    private func send(_ sound: SoundSignals) {
        hasSentSound = true
        sender.add("/bauta/sound/loudness", .float(sound.loudness))
        sender.add("/bauta/sound/beat", .float(sound.beat))
    }

    private func send(_ face: FaceInstance, in size: (width: Int, height: Int)) {
        let index = slot(of: face.trackID)
        let (box, pose) = (face.face.box, face.face.pose)
        let (width, height) = (Float(max(size.width, 1)), Float(max(size.height, 1)))
        add(index, "track", .integer(face.trackID))
        add(index, "position", .float(box.center.x / width), .float(box.center.y / height))
        add(index, "size", .float(box.height / height))
        add(index, "rotation", .float(pose.yaw), .float(pose.pitch), .float(pose.roll))
        for name in ExpressionSignals.Name.ofFace where !name.isGaze || face.face.pupils != nil {
            add(index, name.rawValue, .float(face.signals[name]))
        }
        add(index, states: face.states)
        add(index, "blinks", .integer(face.blinks))
    }

    /// The numbers of faces that have gone are free, and nothing of them stays.
    private func freeSlots(_ faces: [FaceInstance]) {
        for index in slots.indices {
            guard let track = slots[index], !faces.contains(where: { $0.trackID == track }) else { continue }
            slots[index] = nil
            for name in ExpressionSignals.Name.ofFace { add(index, name.rawValue, .float(0)) }
            add(index, states: [])
            add(index, "track", .integer(0))
        }
    }

    /// A face keeps its number while it is followed. Another one may get it later.
    private func slot(of track: Int) -> Int {
        if let index = slots.firstIndex(of: track) { return index }
        let free = slots.firstIndex(of: nil)
        if free == nil { slots.append(nil) }
        let index = free ?? slots.count - 1
        slots[index] = track
        return index
    }

    private func add(_ index: Int, states: Expression.States) {
        for (bit, name) in Expression.States.names.enumerated() {
            add(index, name, .float(states.contains(Expression.States(rawValue: 1 << bit)) ? 1 : 0))
        }
    }

    private func add(_ index: Int, _ name: String, _ arguments: OSCSender.Argument...) {
        sender.add("/bauta/face/\(index + 1)/\(name)", arguments)
    }
}
