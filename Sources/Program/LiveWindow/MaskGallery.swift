import Display

/// The gallery of the panel: which masks it shows, and their thumbnails.
final class MaskGallery {
    private enum Selection: Equatable {
        case all, favourites, lastUsed
    }

    private var selection = Selection.all
    /// The text that the names of the masks must contain.
    private var search = ""
    /// Whether the field for searching takes the keyboard in the next frame.
    var focusesSearch = false
    private let thumbnails: MaskThumbnails

    init(_ thumbnails: MaskThumbnails) { self.thumbnails = thumbnails }

    /// - Parameters:
    ///   - lastUsed: keys of masks, the last one first.
    ///   - isFirst: whether the panel is shown for the first time: then it does not wait for thumbnails.
    func draw(
        _ panels: Panels, _ masks: MaskList, lastUsed: [String], isFirst: Bool, _ send: LivePanel.Send
    ) {
        panels.heading("Masks", icon: .smile)
        selection = panels.choice([("all", .all), ("favourites", .favourites), ("last used", .lastUsed)], selection)
        if focusesSearch { panels.focusNext() }
        focusesSearch = false
        search = panels.field("search", search, limit: 100, selectsAll: true)
        panels.hint("Ctrl+F. Enter puts on the first mask in the list.")
        let shown = shown(of: masks, lastUsed)
        let items = shown.map { index in
            PanelThumbnail(
                label: masks.entries[index].name, picture: thumbnails.picture(index),
                isMarked: masks.entries[index].key == nil ? nil : masks.isFavourite(index))
        }
        var seen: [Int] = []
        let click = panels.gallery(
            items, chosen: shown.firstIndex(of: masks.index), side: Float(MaskThumbnails.side),
            see: { seen.append(shown[$0]) })
        if !isFirst { thumbnails.update(masks.entries, first: seen + shown) }
        switch click {
        case .chosen(let place): send(.wear(index: shown[place]))
        case .marked(let place): send(.toggleFavourite(index: shown[place]))
        case nil: break
        }
        if shown.isEmpty { panels.text(search.isEmpty ? "None yet. Click a mask's star to add it here." : "None") }
        if let package = masks.current.package, masks.current.key == nil {
            // The name is in the hint: a label would be cut at "##".
            if panels.button("install this mask", icon: .install) { send(.installMask) }
            panels.hint("Keeps \(package.path.name) in the gallery for the next sessions.")
        }
    }

    /// Nobody sees the gallery: no more thumbnails are drawn.
    func rest() { thumbnails.rest() }

    /// Indices of `MaskList.entries`.
    private func shown(of masks: MaskList, _ lastUsed: [String]) -> [Int] {
        let listed =
            switch selection {
            case .all: masks.order
            case .favourites: masks.order.filter(masks.isFavourite)
            case .lastUsed: lastUsed.compactMap { key in masks.entries.firstIndex { $0.key == key } }
            }
        guard !search.isEmpty else { return listed }
        return listed.filter { masks.entries[$0].name.lowercased().contains(search.lowercased()) }
    }

    /// The first mask that the search has found, as an index of `MaskList.entries`; nil: nothing has been searched for, or
    /// found.
    func firstFound(in masks: MaskList, lastUsed: [String]) -> Int? {
        search.isEmpty ? nil : shown(of: masks, lastUsed).first
    }
}
