import Display
import LiveControl

/// The gallery of the panel.
extension LivePanel {
    /// Which masks the gallery shows.
    enum Gallery: Equatable {
        case all, favourites, lastUsed
    }

    func chooseMask(_ panels: Panels) {
        panels.heading("Masks", icon: .smile)
        gallery = panels.choice([("all", .all), ("favourites", .favourites), ("last used", .lastUsed)], gallery)
        if focusesSearch { panels.focusNext() }
        focusesSearch = false
        search = panels.field("search", search, limit: 100, selectsAll: true)
        panels.hint("Ctrl+F. Enter wears the first mask that is found.")
        let masks = session.masks
        let shown = shownMasks()
        let items = shown.map { index in
            PanelThumbnail(
                label: masks.entries[index].name, picture: thumbnails.picture(index),
                isMarked: masks.entries[index].key == nil ? nil : masks.isFavourite(index))
        }
        var seen: [Int] = []
        let click = panels.gallery(
            items, chosen: shown.firstIndex(of: masks.index), side: Float(MaskThumbnails.side),
            see: { seen.append(shown[$0]) })
        if shownFrames > 0 { thumbnails.update(first: seen + shown) }
        switch click {
        case .chosen(let place): session.choose(shown[place])
        case .marked(let place): masks.toggleFavourite(shown[place])
        case nil: break
        }
        if shown.isEmpty { panels.text(search.isEmpty ? "None yet. The star of a mask makes it a favourite." : "None") }
        if let package = masks.current.package, masks.current.key == nil {
            // The name is in the hint: a label would be cut at "##".
            if panels.button("install this mask", icon: .install) { session.installMask() }
            panels.hint("Keeps \(package.path.name): it will be in the gallery next time.")
        }
        chooseKey(panels)
        let fades = panels.checkbox("fade to the next mask", session.fade > 0)
        if fades != (session.fade > 0) { session.fade = fades ? MaskFade.defaultSeconds : 0 }
    }

    private func chooseKey(_ panels: Panels) {
        let command = ControlCommand.wear(session.masks.current.name)
        let keys = session.preferences.keys.keys(of: command).compactMap(\.name)
        let label = keys.isEmpty ? "key for this mask" : "key for this mask: \(keys.joined(separator: ", "))"
        if panels.button(label, icon: .keyboard) {
            session.commandForKey = command
        }
        panels.hint("Press the button, then the key. ~/.config/bauta/live.json holds keys for other commands, too.")
    }

    /// Indices of the masks that the gallery shows.
    private func shownMasks() -> [Int] {
        let masks = session.masks
        let listed =
            switch gallery {
            case .all: masks.order
            case .favourites: masks.order.filter(masks.isFavourite)
            case .lastUsed:
                session.preferences.lastUsed.compactMap { key in masks.entries.firstIndex { $0.key == key } }
            }
        guard !search.isEmpty else { return listed }
        return listed.filter { masks.entries[$0].name.lowercased().contains(search.lowercased()) }
    }

    /// Wears the first mask that the search has found; nothing has been searched for: none.
    func chooseFirstFound() {
        if !search.isEmpty, let first = shownMasks().first { session.choose(first) }
    }
}
