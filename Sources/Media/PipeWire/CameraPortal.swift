import CPipeWire
import Glibc
import Synchronization
import Threads

/// The desktop's portal, which gives cameras to programs in a sandbox.
/// https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.Camera.html
enum CameraPortal {
    private enum Permission { case notAsked, asking, given, refused }

    private static let permission = Mutex(Permission.notAsked)

    /// Whether the program runs in a Flatpak, or `GTK_USE_PORTAL` is 1, which other programs heed, too.
    static var isNeeded: Bool {
        access("/.flatpak-info", F_OK) == 0 || getenv("GTK_USE_PORTAL").map { String(cString: $0) } == "1"
    }

    /// Whether the user has permitted cameras. The first call asks. Each waits up to a second: the answer comes at once if it
    /// was given earlier. A refusal holds until the program ends.
    static func isPermitted() -> Bool {
        permission.withLock { permission in
            guard permission == .notAsked else { return }
            permission = .asking
            // Nobody waits for the thread: the user may leave the question unanswered.
            let thread = try? DedicatedThread.start {
                let isGiven = cpipewire_portal_ask() == 0
                Self.permission.withLock { $0 = isGiven ? .given : .refused }
            }
            if thread == nil { permission = .notAsked }
        }
        for _ in 0..<50 {
            guard permission.withLock({ $0 == .asking }) else { break }
            usleep(20_000)
        }
        return permission.withLock { $0 == .given }
    }
}
