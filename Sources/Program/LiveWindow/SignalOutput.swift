import FaceGeometry
import OpenSoundControl
import Sound
import Threads
import TrackOutput

/// Faces for other programs: `--osc`. The receiver's address is looked up first, which may take some seconds; what comes
/// before is not sent.
final class SignalOutput {
    /// Nil: nothing is sent, or the receiver has not been found yet.
    private var sender: FaceSignalSender?
    /// Why the receiver cannot be found; nil: it can, or is being looked for.
    private(set) var failure: OSCError?
    /// Not even the end of the session waits for it.
    private let lookUp = BackgroundWork()

    /// Begins to look the receiver up.
    /// - Parameters:
    ///   - log: receives why faces cannot be sent.
    ///   - failed: is called by `handBack` or `waitForReceiver` if the receiver cannot be found.
    func find(
        _ address: OSCAddress, expressions: AvatarExpressions, log: @escaping @Sendable (String) -> Void,
        failed: @escaping (OSCError) -> Void
    ) {
        lookUp.add { () -> Result<OSCReceiver, OSCError> in
            Result { () throws(OSCError) in try OSCReceiver(address) }
        } finish: { [unowned self] found in
            switch found {
            case .success(let receiver):
                sender = FaceSignalSender(receiver, expressions: expressions) { log($0) }
            case .failure(let error):
                failure = error
                failed(error)
            }
        }
    }

    /// For sources whose every frame counts.
    /// - Parameter isCancelled: called several times a second; whether waiting is to end.
    func waitForReceiver(unless isCancelled: () -> Bool) { lookUp.finish(unless: isCancelled) }

    /// Takes what has been found. To be called for each frame.
    func handBack() { lookUp.handBack() }

    /// See `FaceSignalSender.send`.
    func send(_ faces: [FaceInstance], in size: (width: Int, height: Int), at seconds: Double, sound: SoundSignals?) {
        sender?.send(faces, in: size, at: seconds, sound: sound)
    }

    func finish() { sender?.finish() }
}
