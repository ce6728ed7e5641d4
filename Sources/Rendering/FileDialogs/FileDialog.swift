import Display
import Files
import Glibc
import Pixels
import Threads

/// A dialog in which the user chooses a file, or the place and name of a new folder. Names may be any bytes.
package final class FileDialog {
    package struct Request {
        let title: String
        /// The action for the chosen file.
        let button: String
        /// The files that can be chosen, for a sentence.
        var kind: String
        /// The mask's, for a button that leads there; nil: none does.
        var maskFolder: FilePath?
        /// Whether a file is listed, unless the user wants to see all of them.
        var lists: (FilePath) -> Bool
        /// Whether a file is listed behind the others.
        var isLast: (FilePath) -> Bool
        /// Makes a picture of a file that is none, on another thread, unless the signal stops it; nil: such files have no
        /// preview.
        var preview: (@Sendable (FilePath, StopSignal) -> PixelBuffer?)?
        /// The button that takes the shown folder itself; nil: none does.
        var folderButton: FolderButton?
        /// Takes several files that are chosen at once, as `take` does; nil: one is chosen.
        var takeSeveral: (([FilePath]) throws -> Void)?
        /// The name that is offered for a new file or folder; nil: an existing file is chosen.
        var newName: String?
        /// What has this name.
        var newLabel: String
        /// Whether a file may be replaced, once the user has said so.
        var mayReplace: Bool
        /// Takes the chosen path. If it throws, the dialog stays open and shows the error.
        var take: (FilePath) throws -> Void
        /// Writes a file, on another thread, instead of `take`; nil: nothing is written.
        var write: (@Sendable (_ path: FilePath, _ replacing: Bool) throws -> String)?
        /// Is told what was written.
        var written: (String) -> Void

        package init(
            title: String, button: String, kind: String = "files", maskFolder: FilePath? = nil,
            lists: @escaping (FilePath) -> Bool = { _ in true }, isLast: @escaping (FilePath) -> Bool = { _ in false },
            preview: (@Sendable (FilePath, StopSignal) -> PixelBuffer?)? = nil, folderButton: FolderButton? = nil,
            newName: String? = nil, newLabel: String = "name",
            takeSeveral: (([FilePath]) throws -> Void)? = nil, mayReplace: Bool = false,
            write: (@Sendable (_ path: FilePath, _ replacing: Bool) throws -> String)? = nil,
            written: @escaping (String) -> Void = { _ in }, take: @escaping (FilePath) throws -> Void
        ) {
            (self.title, self.button, self.kind, self.maskFolder) = (title, button, kind, maskFolder)
            (self.isLast, self.preview, self.takeSeveral) = (isLast, preview, takeSeveral)
            (self.lists, self.folderButton, self.newName, self.mayReplace) = (lists, folderButton, newName, mayReplace)
            (self.write, self.written, self.take, self.newLabel) = (write, written, take, newLabel)
        }

        /// That a folder has none of these files, for the user.
        package var lack: String {
            let words = kind.split(separator: " (", maxSplits: 1, omittingEmptySubsequences: false)
            return "No \(words[0]) here" + (words.count > 1 ? " (\(words[1])" : "") + "."
        }
    }

    /// A button that takes the shown folder itself, if the folder has files for it.
    package struct FolderButton {
        let label: String
        /// So many levels of folders are taken, at least 1.
        let depth: Int
        let takes: (FilePath) -> Bool
        /// Whether the shown folder has such files.
        fileprivate(set) var isUsable = false

        /// - Parameter takes: whether a file, by its name, is one of those that are taken with the folder.
        package init(_ label: String, depth: Int, takes: @escaping (FilePath) -> Bool) {
            (self.label, self.depth, self.takes) = (label, depth, takes)
        }

        /// False: there are none. Where looking would take long, it is true: the window would stand still.
        package func isFor(_ folder: FilePath) -> Bool {
            Folder.contains(folder, depth: depth, most: 200, where: takes)
        }
    }

    private enum Field {
        case path, name
    }

    private struct Entry {
        let name: FilePath
        let isFolder: Bool
        /// Size and date, for the user; empty for folders.
        let detail: String
    }

    private var request: Request?
    /// The masks that come with the program, whose parts may be taken; nil: none may.
    private let examples: FilePath?
    private var folder: FilePath = "/"
    private var entries: [Entry] = []
    /// Whether the user wants to see files of other kinds, too.
    private var listsAll = false
    /// How many files of other kinds are not listed, and how many of the folder's files and folders are not looked at, because
    /// the window would stand still.
    private var unlisted = (others: 0, left: 0)
    private static let mostEntries = 5000
    /// How many entries Page Up and Page Down go on.
    private static let page = 10
    private var selection = FileSelection()
    private var chosen: Int? { selection.current }
    /// Whether that was a key, and the list has not been drawn since.
    private var hasChosenByKey = false
    private var newName = ""
    /// The path of the folder, or what the user types in its place.
    private var typedPath = ""
    /// Whether the field still shows what had been typed before the folder changed.
    private var isFieldOld = false
    /// The beginning of a name that is being typed, and when its last letter came.
    private var prefix: (text: String, time: ContinuousClock.Instant) = ("", .now)
    private var trouble: String?
    /// The path of a folder that is about to be saved, and whether the dialog has said so; nil: none is.
    private var saved: (path: FilePath, isTold: Bool)?
    /// Writes files, which may take long.
    private let writing = BackgroundWork()
    /// The path of a file that the user may replace; nil: none.
    private var replaceable: FilePath?
    /// The field that takes the keyboard in the next frame.
    private var focused: Field?
    private let preview = PicturePreview()
    private var leavesControl = false
    /// When a click in the list has shown another folder.
    private var folderClick = ContinuousClock.now - FileDialog.doubleClick
    private static let doubleClick = Duration.milliseconds(400)

    package var isOpen: Bool { request != nil }
    /// Whether the button that takes the shown folder itself can be pressed.
    package var canTakeFolder: Bool { request?.folderButton?.isUsable ?? false }
    /// Whether the dialog changes without the user: a preview is being read, or a folder is about to be saved.
    package var isWaiting: Bool { preview.isReading || saved != nil || writing.isBusy }

    /// - Parameter examples: the folder of the masks that come with the program, for requests with a mask's folder.
    package init(examples: FilePath? = nil) { self.examples = examples }

    /// Waits for what is being written.
    package func stop() { writing.finish() }

    package func open(_ request: Request, at folder: FilePath) {
        self.request = request
        (newName, listsAll) = (request.newName ?? "", false)
        focused = request.newName == nil ? nil : .name
        guard !enter(folder.isEmpty ? "." : folder) else { return }
        let reason = trouble
        enter(Self.start)
        trouble = reason
    }

    private func close() {
        (request, saved, replaceable) = (nil, nil, nil)
        (entries, selection, trouble, leavesControl) = ([], FileSelection(), nil, false)
        preview.show(nil)
    }

    /// - Returns: whether the folder is shown. Otherwise all stays as it was, and the dialog says why.
    @discardableResult
    private func enter(_ path: FilePath) -> Bool {
        let full = path.resolved ?? path
        let names: [FilePath]
        do throws(FileError) {
            names = try Folder.list(full)
        } catch {
            trouble = "\(error)"
            return false
        }
        (folder, selection, trouble, replaceable) = (full, FileSelection(), nil, nil)
        (typedPath, isFieldOld) = (full.description, true)
        preview.show(nil)
        let lists = request?.newName == nil ? request?.lists : nil
        let shown = names.filter { !$0.isHidden }
        unlisted.left = max(0, shown.count - Self.mostEntries)
        let all = shown.prefix(Self.mostEntries).map { name in
            let status = (full / name).status()
            let isFolder = status?.type == S_IFDIR
            let detail = isFolder ? nil : status.map { Self.detail(of: $0) }
            return Entry(name: name, isFolder: isFolder, detail: detail ?? "")
        }
        let folders = all.filter { $0.isFolder && (lists == nil || listsAll || leads(to: full / $0.name, lists)) }
        let files = all.filter { !$0.isFolder }
        let listed = files.filter { file in lists.map { listsAll || $0(full / file.name) } ?? false }
        unlisted.others = lists == nil ? 0 : files.count - listed.count
        let isLast = { [request] (file: Entry) in request?.isLast(full / file.name) ?? false }
        entries = folders + listed.filter { !isLast($0) } + listed.filter(isLast)
        let isOfExamples = isExample(full) || full == examples?.resolved
        if let lists, listed.isEmpty, isOfExamples, !listsAll { entries = filesBelow(full, folders, lists) }
        if let button = request?.folderButton { request?.folderButton?.isUsable = button.isFor(full) }
        return true
    }

    /// Of the masks that come with the program, the files in the folders themselves: nobody knows which one to look into.
    private func filesBelow(
        _ folder: FilePath, _ folders: [Entry], _ lists: (FilePath) -> Bool
    ) -> [Entry] {
        folders.flatMap { below in
            let names = (Folder.entries(of: folder / below.name) ?? []).sorted()
            return names.map { below.name / $0 }.compactMap { name -> Entry? in
                guard !name.name.isHidden, lists(folder / name), let status = (folder / name).status(),
                    status.type == S_IFREG
                else { return nil }
                return Entry(name: name, isFolder: false, detail: Self.detail(of: status))
            }
        }
    }

    /// Whether a path is among the masks that come with the program.
    package func isExample(_ path: FilePath) -> Bool {
        guard let examples else { return false }
        return path.relative(to: examples.resolved ?? examples) != nil
    }

    /// Whether a folder is listed. Of the program's own masks, those without a file of the kind are not; the user's folders
    /// all are.
    private func leads(to path: FilePath, _ lists: ((FilePath) -> Bool)?) -> Bool {
        guard let lists, isExample(path) else { return true }
        return Folder.contains(path, depth: 3, most: 1000, where: lists)
    }

    /// Shows another folder, and leaves the button that leads there: the next arrow is for the list.
    private func go(to folder: FilePath) {
        enter(folder)
        leavesControl = true
    }

    /// Whether the control that has the keyboard is to lose it; once. To be asked before each key.
    package func takeLeave() -> Bool {
        defer { leavesControl = false }
        return leavesControl
    }

    package func press(_ key: WindowEvent.Key) {
        if writing.isBusy { return }
        switch key {
        case .escape: close()
        case .enter: accept()
        case .up, .down:
            guard !entries.isEmpty else { return }
            let step = key == .up ? -1 : 1
            chooseByKey(chosen.map { max(0, min(entries.count - 1, $0 + step)) } ?? 0)
        case .pageUp, .pageDown:
            let step = key == .pageUp ? -Self.page : Self.page
            chooseByKey(max(0, min(entries.count - 1, (chosen ?? 0) + step)))
        case .home: chooseByKey(0)
        case .end: chooseByKey(entries.count - 1)
        case .left, .backspace: enter(folder.parent.isEmpty ? "/" : folder.parent)
        case .letter(let letter): look(for: letter)
        case .digit(let digit): look(for: Character("\(digit)"))
        case .period: look(for: ".")
        // Shift makes an underscore of it.
        case .minus: look(for: "-")
        case .space: look(for: " ")
        case .slash: focused = .path
        default: break
        }
    }

    /// Chooses the first entry that begins with what is typed within a second.
    private func look(for letter: Character) {
        let isSame = ContinuousClock.now - prefix.time < .seconds(1)
        prefix = ((isSame ? prefix.text : "") + String(letter), .now)
        let wanted = Self.typed(prefix.text)
        if let found = entries.firstIndex(where: { Self.typed($0.name.description).hasPrefix(wanted) }) {
            chooseByKey(found)
            trouble = nil
        } else {
            trouble = "No name here begins with \"\(prefix.text)\". A path begins with / or ~."
        }
    }

    /// A name as its keys are told apart: small and large letters are the same, and so are "-", "_" and spaces.
    private static func typed(_ name: String) -> String {
        String(name.lowercased().map { $0 == "_" || $0 == " " ? "-" : $0 })
    }

    /// Goes to the folder that has been typed, or chooses the file. `~` is the home folder.
    private func goToTypedPath() {
        var path = FilePath(typed: typedPath).withoutFinalSlashes
        if !path.isAbsolute { path = folder / path }
        if Folder.exists(path) {
            enter(path)
            return
        }
        guard request?.newName == nil, path.exists else {
            trouble = "There is no \(request?.newName == nil ? "file or folder" : "folder") at this path."
            focused = .path
            return
        }
        take(path)
    }

    /// Where files of a user usually are; those that are there.
    private static let usersFolders: [(label: String, folder: FilePath)] = [
        ("pictures", UserFolders.pictures), ("videos", UserFolders.videos),
    ].compactMap { label, folder in folder.map { (label, $0) } }

    private static var home: FilePath? { FilePath(environment: "HOME") }

    /// Where a dialog begins that has no other place: the home, or else the current folder.
    package static var start: FilePath { home ?? FilePath(".").resolved ?? "/" }

    private func choose(_ index: Int) {
        guard entries.indices.contains(index) else { return }
        selection.choose(index)
        preview(index)
    }

    private func preview(_ index: Int) {
        let entry = entries[index]
        preview.show(entry.isFolder ? nil : folder / entry.name, drawing: request?.preview)
    }

    /// The entry may be out of sight.
    private func chooseByKey(_ index: Int) {
        choose(index)
        hasChosenByKey = true
    }

    private func accept() {
        guard let request else { return }
        if typedPath != folder.description { return goToTypedPath() }
        let paths = selection.all.filter { entries.indices.contains($0) }.map { folder / entries[$0].name }
        if paths.count > 1, let take = request.takeSeveral { return end(request, paths[0]) { try take(paths) } }
        let entry = chosen.flatMap { entries.indices.contains($0) ? entries[$0] : nil }
        if let entry, entry.isFolder, request.newName == nil || newName.isEmpty {
            enter(folder / entry.name)
            return
        }
        if request.newName != nil {
            let name = FilePath(newName)
            guard name.isPortableName, !name.isHidden else {
                trouble = "Not a valid name: use up to 200 bytes, without / \\ : * ? \" < > |"
                focused = .name
                return
            }
            (saved, trouble) = ((folder / name, false), nil)
            return
        } else {
            guard let entry else { return }
            take(folder / entry.name)
        }
    }

    /// Saves what has been told.
    private func save() {
        guard let (path, isTold) = saved else { return }
        saved = isTold ? nil : (path, true)
        if isTold { take(path) }
    }

    private func take(_ path: FilePath) {
        guard let request else { return }
        guard let write = request.write else { return end(request, path) { try request.take(path) } }
        writing.add { [isReplacing = path == replaceable] in
            Result { try write(path, isReplacing) }
        } finish: { [unowned self] result in
            end(request, path) { request.written(try result.get()) }
        }
    }

    /// Closes the dialog, or says why not.
    private func end(_ request: Request, _ path: FilePath, _ result: () throws -> Void) {
        do {
            try result()
            // It may have opened the next request.
            if self.request?.title == request.title { close() }
        } catch let error as FileError where error.kind == .alreadyExists {
            replaceable = !request.mayReplace || Folder.exists(path) ? nil : path
            let way = replaceable == nil ? "" : ", or replace the file"
            trouble = "This name is already in use; choose another one\(way)."
            focused = .name
        } catch let error as FileError {
            trouble = "\(FilePath(error.path).name.shortened(to: 60)): \(error.reason)"
        } catch {
            trouble = "\(error)"
        }
    }

    // MARK: Drawing

    package func draw(_ panels: Panels) {
        save()
        writing.handBack()
        guard let request else { return }
        let window = panels.windowSize
        let (width, height) = (min(680, window.width - 20), min(500, window.height - 20))
        panels.area(
            "file chooser", x: (window.width - width) / 2, y: (window.height - height) / 2, width: width,
            height: height,
            isInFront: true
        ) {
            panels.heading(request.title)
            if writing.isBusy { return panels.text("Writing …") }
            if panels.button("up") { go(to: folder.parent.isEmpty ? "/" : folder.parent) }
            panels.hint("To the folder above (Left, Backspace)")
            let firstRow = panels.roomBelow
            if let home = Self.home {
                panels.sameLine(ifRoomFor: "home", hasIcon: false)
                if panels.button("home") { go(to: home) }
                panels.hint("\(home)")
            }
            for (label, folder) in Self.usersFolders {
                panels.sameLine(ifRoomFor: label, hasIcon: false)
                if panels.button(label) { go(to: folder) }
                panels.hint("\(folder)")
            }
            if let mask = request.maskFolder {
                panels.sameLine(ifRoomFor: "mask", hasIcon: false)
                if panels.button("mask") { go(to: mask) }
                panels.hint("To the files of the mask: \(mask)")
            }
            if request.maskFolder != nil, let examples {
                panels.sameLine(ifRoomFor: "Bauta's", hasIcon: false)
                if panels.button("Bauta's") { go(to: examples) }
                panels.hint("To the masks that come with Bauta: you may use their pictures and models")
            }
            let furtherRows = firstRow - panels.roomBelow
            panels.itemWidth(-1)
            if take(focus: .path) { panels.focusNext() }
            let path = panels.field("path", typedPath, limit: 4000)
            panels.hint("Type or paste a path, then Enter. In the list, type letters to jump to a name.")
            if path != typedPath, !isFieldOld { (typedPath, trouble) = (path, nil) }
            isFieldOld = false
            let side: Float = request.newName == nil && width > 420 ? 200 : 0
            // There is room for what is wrong, which may take three lines: nothing moves when it is said.
            let list = max(60, height - 200 - furtherRows)
            panels.scrolled("entries", width: width - 28 - side, height: list) { drawEntries(panels) }
            if side > 0 {
                panels.sameLine()
                panels.canvas("preview", width: side - 8, height: list) { preview.draw($0) }
            } else if request.newName != nil {
                panels.itemWidth(-1)
                if take(focus: .name) { panels.focusNext() }
                let name = panels.field(request.newLabel, newName, limit: 200, selectsAll: true)
                if name != newName { (newName, trouble, replaceable) = (name, nil, nil) }
            }
            let help = request.takeSeveral != nil ? "Ctrl or Shift with a click chooses several." : ""
            if let trouble { panels.alarm(trouble) } else { panels.text(saved == nil ? help : "Saving …") }
            panels.disabled(request.newName == nil && chosen == nil && typedPath == folder.description) {
                let count = selection.all.count
                let label = count > 1 ? "\(request.button) \(count)##open" : "\(request.button)##open"
                if panels.defaultButton(replaceable == nil ? label : "replace") { accept() }
            }
            panels.hint("Enter")
            if let button = request.folderButton {
                panels.sameLine(ifRoomFor: button.label, hasIcon: false)
                panels.disabled(!button.isUsable) { if panels.button(button.label) { take(folder) } }
                panels.hint(button.isUsable ? "\(folder)" : "There are none in this folder")
            }
            panels.sameLine(ifRoomFor: "cancel", hasIcon: false)
            if panels.button("cancel") { close() }
            panels.hint("Esc")
            if unlisted.others > 0 || listsAll {
                panels.sameLine(ifRoomFor: "all files")
                let wantsAll = panels.checkbox("all files", listsAll)
                panels.hint("Lists files with other names than \(request.kind) usually have, too")
                if wantsAll != listsAll {
                    listsAll = wantsAll
                    enter(folder)
                }
            }
        }
    }

    private func take(focus field: Field) -> Bool {
        guard focused == field else { return false }
        focused = nil
        return true
    }

    private func drawEntries(_ panels: Panels) {
        if let request, request.newName == nil, entries.allSatisfy(\.isFolder) {
            panels.text(
                unlisted.others > 0 || entries.isEmpty
                    ? request.lack
                    : "Look for \(request.kind) in one of these folders, or in another place:")
        }
        if unlisted.left > 0 {
            panels.text("\(unlisted.left) more are not listed: type the path of one of them.")
        }
        // What a click does may replace the list.
        var clicked: Int?
        let texts = entries.map { $0.isFolder ? "\($0.name)/" : "\($0.name)" }
        let input = panels.rows(
            texts, details: entries.map(\.detail), chosen: chosen, others: selection.contains,
            showsChosen: hasChosenByKey)
        hasChosenByKey = false
        switch input {
        case .clicked(let index): clicked = index
        case .reached(let index): chooseByKey(index)
        case .pressed: accept()
        case nil: break
        }
        guard let clicked, entries.indices.contains(clicked) else { return }
        let isModified = panels.isControlDown || panels.isShiftDown
        if request?.takeSeveral != nil, isModified, !entries[clicked].isFolder {
            if panels.isControlDown {
                selection.toggle(clicked) { !entries[$0].isFolder }
            } else {
                selection.extend(to: clicked) { !entries[$0].isFolder }
            }
            preview(clicked)
        } else if ContinuousClock.now - folderClick < Self.doubleClick {
            // The second one of a double click is not meant for what has come under the mouse.
        } else if entries[clicked].isFolder {
            folderClick = .now
            enter(folder / entries[clicked].name)
        } else if clicked == chosen, selection.all.count == 1 {
            accept()
        } else {
            choose(clicked)
        }
    }
}

extension FilePath {
    /// For texts: the last names of a long path, as many as there is room for in about so many characters. Names of folders stay
    /// whole; a file's name that is too long itself loses its middle.
    package func shortened(to length: Int) -> String {
        let text = description
        if text.count <= length { return text }
        let names = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard names.count > 1, var end = names.last, end.count + 2 <= length else {
            let (name, first) = (names.last ?? text, max(1, (length - 3) / 3))
            return name.count <= length ? name : "\(name.prefix(first)) … \(name.suffix(length - 3 - first))"
        }
        var rest = names.dropLast()
        while let last = rest.last, last.count + end.count + 3 <= length {
            end = "\(last)/\(end)"
            rest = rest.dropLast()
        }
        return "…/\(end)"
    }
}
