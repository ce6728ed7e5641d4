import Display

/// The gallery of the panel: which masks it shows, and their thumbnails.
final class MaskGallery {
    private enum Selection: Equatable {
        case all, favourites, lastUsed
    }

    private var selection = Selection.all
    /// Whether it was a list with names and authors.
    private var isList = false
    /// How many masks are in a row.
    private var columns = 1
    /// The mask that was reached with the arrow keys since the last typing, as an index of `MaskList.entries`; nil: none.
    private var reached: Int?
    /// The masks that the arrow keys have passed, from the one that was worn to the last, until the session wears that.
    private var passed: [Int] = []
    /// Whether the mask that was reached is still to be scrolled into sight.
    private var isReachedNew = false
    /// The worn mask, as an index of `MaskList.entries`, and whether it is still to be scrolled into sight; nil: the panel is
    /// closed.
    private var (worn, isWornNew): (Int?, Bool) = (nil, false)
    private var trial = MaskTrial()
    /// The text that the names of the masks must contain.
    private var search = ""
    /// Whether the field for searching takes the keyboard in the next frame.
    var focusesSearch = false
    private let thumbnails: MaskThumbnails

    /// A row of pictures, and one of the list, in the window's units.
    private static let (leastHeight, listRow): (Float, Float) = (130, 48)

    /// Why some pictures are blank, for the user; nil: none is, or nobody knows.
    var trouble: String? { thumbnails.trouble }

    init(_ thumbnails: MaskThumbnails) { self.thumbnails = thumbnails }

    /// The picture of the worn mask for a page outside the gallery.
    /// - Parameter isAlone: whether the gallery is closed: then no others are drawn.
    func picture(of masks: MaskList, isAlone: Bool) -> PanelPicture {
        if isAlone { thumbnails.update(masks.entries, first: [masks.index], isOnlyFirst: true) }
        return thumbnails.picture(masks.index)
    }

    /// - Parameters:
    ///   - lastUsed: keys of masks, the last one first.
    ///   - isFirst: whether the panel is shown for the first time: then it does not wait for thumbnails.
    ///   - isList: whether it is a list with names and authors.
    func draw(
        _ panels: Panels, _ masks: MaskList, lastUsed: [String], isList: Bool, isFirst: Bool, _ send: LivePanel.Send
    ) {
        self.isList = isList
        if masks.index == passed.last { passed = [] }
        panels.heading("Masks", icon: .smile)
        selection = panels.choice([("all", .all), ("favourites", .favourites), ("last used", .lastUsed)], selection)
        panels.sameLine(ifRoomFor: "list")
        let wantsList = panels.checkbox("list", isList)
        if wantsList != isList { send(.setGalleryList(wantsList)) }
        panels.hint("Shows names and authors.")
        if focusesSearch { panels.focusNext() }
        focusesSearch = false
        searchMasks(panels, masks, lastUsed)
        let shown = shown(of: masks, lastUsed)
        if shown.isEmpty {
            panels.text(
                search.isEmpty
                    ? "None yet. Click a mask's star to add it here."
                    : "No mask has this name. Drop a mask's folder or its .bauta file here to wear it; 'bauta mask install' adds it "
                        + "for good.")
            tryOn(nil, panels, send)
        } else {
            panels.scrolled("masks", width: 0, height: height(of: shown.count, panels), hasEdge: false) {
                showMasks(
                    panels, masks, shown, entered: firstFound(in: masks, lastUsed: lastUsed), isFirst: isFirst, send)
            }
        }
        if let trouble { panels.alarm(trouble) }
        if let package = masks.current.package, masks.current.key == nil {
            // The name is in the hint: a label would be cut at "##".
            if panels.button("install this mask", icon: .install) { send(.installMask) }
            panels.hint("Keeps \(package.path.name) in the gallery for the next sessions.")
        }
    }

    private func searchMasks(_ panels: Panels, _ masks: MaskList, _ lastUsed: [String]) {
        let field = panels.searchField(
            "search (Ctrl+F)", search,
            hint: "Ctrl+F. Enter puts on the first mask in the list, Up and Down another one. Over the masks, too, "
                + "letters are the keys of the help, so that C covers everywhere.")
        if field.text != search { reached = nil }
        // What was looked for is found, and where it lies among all is seen.
        if search != "", field.text == "" || (field.isEntered && !shown(of: masks, lastUsed).isEmpty) {
            (search, reached, isWornNew) = ("", nil, true)
        } else {
            search = field.text
        }
    }

    /// The height of the part with the masks, in the window's units: all of it and the first settings below stay in sight.
    /// While somebody searches, it stays as it is.
    private func height(of count: Int, _ panels: Panels) -> Float {
        let room = panels.windowSize.height
        let most = max(Self.leastHeight, (room < 560 ? 0.36 : 0.5) * room)
        let row = isList ? Self.listRow : Self.leastHeight
        return search.isEmpty ? min(most, row * Float((count + columns - 1) / columns)) : most
    }

    /// - Parameters:
    ///   - shown: indices of `MaskList.entries`; at least one.
    ///   - entered: the one that Enter puts on; nil: none.
    private func showMasks(
        _ panels: Panels, _ masks: MaskList, _ shown: [Int], entered: Int?, isFirst: Bool, _ send: LivePanel.Send
    ) {
        if masks.index != worn { (worn, isWornNew) = (masks.index, true) }
        let place = isReachedNew ? reached : isWornNew && !isFirst ? worn : nil
        let items = shown.map { index in
            PanelThumbnail(
                label: masks.entries[index].name, detail: Self.detail(of: masks.entries[index]),
                picture: thumbnails.picture(index),
                isMarked: masks.entries[index].key == nil ? nil : masks.isFavourite(index))
        }
        var seen: [Int] = []
        let input = panels.gallery(
            items, chosen: shown.firstIndex(of: masks.index), entered: entered.flatMap { shown.firstIndex(of: $0) },
            isList: isList, side: Float(MaskThumbnails.side),
            inSight: place.flatMap { shown.firstIndex(of: $0) }, see: { seen.append(shown[$0]) })
        (isReachedNew, isWornNew) = (false, isWornNew && isFirst)
        columns = input.columns
        if !isFirst { thumbnails.update(masks.entries, first: seen + shown) }
        tryOn(input.hovered.map { shown[$0] }, panels, send)
        switch input.click {
        case .chosen(let place):
            send(.wear(index: shown[place]))
            if input.isReached { (reached, isReachedNew) = (shown[place], true) }
        case .marked(let place): send(.toggleFavourite(index: shown[place]))
        case nil: break
        }
    }

    /// - Parameter pointed: what the mouse is over, as an index of `MaskList.entries`; nil: no mask.
    private func tryOn(_ pointed: Int?, _ panels: Panels, _ send: LivePanel.Send) {
        let tried = trial.mask
        guard trial.update(pointed, mouseRest: panels.mouseRest, at: .now) != tried else { return }
        send(.tryOn(index: trial.mask))
    }

    private static func detail(of entry: MaskList.Entry) -> String {
        let title = entry.credits.name.flatMap { $0.lowercased() == entry.name.lowercased() ? nil : $0 }
        return [title, entry.credits.author].compactMap { $0 }.joined(separator: " · ")
    }

    /// Nobody sees the gallery: no more thumbnails are drawn, no mask is tried on, and the next time all masks are there.
    func close(_ send: LivePanel.Send) {
        thumbnails.rest()
        (search, reached, worn) = ("", nil, nil)
        if trial.mask != nil { send(.tryOn(index: nil)) }
        trial = MaskTrial()
    }

    /// The mask so many rows further down, as an index of `MaskList.entries`; nil: none. One that is out of sight is scrolled
    /// there.
    func mask(rows: Int, in masks: MaskList, lastUsed: [String]) -> Int? {
        let shown = shown(of: masks, lastUsed)
        if passed.isEmpty || !passed.contains(masks.index) { passed = [masks.index] }
        let place = passed.last.flatMap { shown.firstIndex(of: $0) }.map { $0 + rows * (isList ? 1 : columns) } ?? 0
        guard shown.indices.contains(place) else { return nil }
        passed.append(shown[place])
        (reached, isReachedNew) = (shown[place], true)
        return reached
    }

    /// Indices of `MaskList.entries`.
    private func shown(of masks: MaskList, _ lastUsed: [String]) -> [Int] {
        let listed =
            switch selection {
            case .all: masks.order
            case .favourites: masks.order.filter(masks.isFavourite)
            case .lastUsed: lastUsed.compactMap { key in masks.entries.firstIndex { $0.key == key } }
            }
        guard !search.isEmpty else { return listed }
        return listed.filter { index in
            let entry = masks.entries[index]
            let texts = [entry.name] + (isList ? [entry.credits.name, entry.credits.author].compactMap { $0 } : [])
            return texts.contains { $0.lowercased().contains(search.lowercased()) }
        }
    }

    /// The first mask that the search has found, as an index of `MaskList.entries`; nil: nothing has been searched for, or
    /// found.
    func firstFound(in masks: MaskList, lastUsed: [String]) -> Int? {
        search.isEmpty || reached != nil ? nil : shown(of: masks, lastUsed).first
    }
}

/// The mask of the gallery that is worn while the mouse is over it.
package struct MaskTrial {
    /// As an index of `MaskList.entries`; nil: none.
    package private(set) var mask: Int?
    /// What the mouse is over, and since when.
    private var pointed: (mask: Int?, since: ContinuousClock.Instant) = (nil, .now)

    /// A mask that the mouse only passes is not loaded, and no gap between two masks takes off the first, in seconds.
    private static let delay = 0.2
    /// What comes under a mouse that has rested for so long is not meant, in seconds: the panel was scrolled.
    private static let longestRest: Float = 0.5

    package init() {}

    /// To be called for each frame.
    /// - Parameters:
    ///   - new: what the mouse is over; nil: no mask.
    ///   - mouseRest: how long the mouse has rested, in seconds.
    /// - Returns: `mask`.
    package mutating func update(_ new: Int?, mouseRest: Float, at now: ContinuousClock.Instant) -> Int? {
        if new != pointed.mask, new == nil || mouseRest < Self.longestRest { pointed = (new, now) }
        if new == pointed.mask, now - pointed.since >= .seconds(Self.delay) { mask = new }
        return mask
    }
}
