import OpenSoundControl
import TrackOutput

/// Faces for other programs: `--osc`.
extension LiveSession {
    /// Looks up the receiver's address, which may take some seconds; what comes before is not sent. Where every frame of the
    /// source counts, it is waited for.
    /// - Parameter isCancelled: called several times a second; whether waiting is to end.
    func findReceiver(unless isCancelled: () -> Bool) {
        guard let wanted = settings.signals else { return }
        lookUp.add { () -> Result<OSCReceiver, OSCError> in
            Result { () throws(OSCError) in try OSCReceiver(wanted.address) }
        } finish: { [unowned self] found in
            switch found {
            case .success(let receiver):
                signals = FaceSignalSender(receiver, expressions: wanted.expressions) { [log] in log($0) }
            case .failure(let error):
                signalFailure = error
                messages.say("\(error)", isAlarm: true)
                // Nobody sees the message in time.
                if window == nil { isRunning = false }
            }
        }
        if !source.description.isLive { lookUp.finish(unless: isCancelled) }
    }
}
