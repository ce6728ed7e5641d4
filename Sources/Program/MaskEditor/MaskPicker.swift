import Display
import Files
import Glibc
import Installation
import MaskAuthoring

/// Lets somebody who has named no mask choose one: a new one, one of their own, or a copy of one that comes with the program.
/// It belongs to the process's first thread.
package final class MaskPicker {
    /// What is edited.
    package enum Choice: Equatable {
        case new
        case own(FilePath)
        /// Of a mask in this folder.
        case copy(FilePath)

        /// The folder to edit, which is made if it is not there yet.
        /// - Parameters:
        ///   - folder: of the user's masks.
        ///   - assets: for a new mask.
        /// - Throws: what is wrong with the mask, or `FileError` if nothing can be written.
        package func folder(in folder: FilePath, assets: () throws -> AuthoringAssets) throws -> FilePath {
            switch self {
            case .own(let path): return path
            case .new:
                let new = Self.free("my-mask", in: folder)
                _ = try NewMask(assets: assets()).write(.template(.png), to: new)
                return new
            case .copy(let path):
                try Folder.create(folder)
                let new = Self.free("my-\(path.name)", in: folder)
                let pending = try PendingFolder(in: folder)
                try PackageFolder.write(try PackageFolder.files(in: path), to: pending.path)
                try pending.rename(to: new, replacing: false)
                return new
            }
        }

        /// Removes a copy in which nothing was changed, by any program: a mask that was only looked at leaves none.
        /// - Parameter copy: the folder that `folder(in:assets:)` has made.
        package func removeUntouched(_ copy: FilePath) {
            guard case .copy(let original) = self, !EditJournal(folder: copy).path.exists,
                let files = try? PackageFolder.files(in: original), files == (try? PackageFolder.files(in: copy)),
                Folder.entries(of: copy)?.allSatisfy({ !$0.isHidden && $0.bytes.last != UInt8(ascii: "~") }) == true
            else { return }
            Folder.delete(copy)
        }

        /// The name, or the first with a number that is free.
        private static func free(_ name: String, in folder: FilePath) -> FilePath {
            var (path, number) = (folder / FilePath(name), 1)
            while path.exists {
                number += 1
                path = folder / FilePath("\(name)-\(number)")
            }
            return path
        }
    }

    private let window: DisplayWindow
    private let entries: [(text: String, choice: Choice)]
    private var marked: Int?
    /// Whether a key has marked it, and the list has not been drawn since.
    private var isMarkedByKey = false
    private var choice: Choice?
    private var isRunning = true

    /// - Throws: `GraphicsError` without a display; `FileError` if shaders are missing.
    package init(_ data: DataFolder, scale: Float?) throws {
        window = try DisplayWindow(
            title: "Bauta – masks", width: 480, height: 600, scale: scale, shaders: try data.shaders("FramePresenter"))
        window.steersPanel = true
        let own = try? data.ownMasks()
        let masks = data.installedMasks().map { mask in
            let isOwn = own.map { mask.folder.parent == $0 } ?? false
            return (text: mask.name, choice: isOwn ? Choice.own(mask.folder) : .copy(mask.folder))
        }
        let yours = masks.filter { if case .own = $0.choice { true } else { false } }
        let others = masks.filter { if case .copy = $0.choice { true } else { false } }
        entries = yours.map { ("\($0.text)  (yours)", $0.choice) } + others
    }

    /// Runs until a mask is chosen, the window is closed or `isCancelled` returns true.
    /// - Returns: nil: none is.
    package func choose(isCancelled: () -> Bool) -> Choice? {
        var pace = DrawingPace(isHardware: window.isHardware)
        while isRunning, choice == nil, !isCancelled() {
            for event in window.events() { handle(event) }
            let start = ContinuousClock.now
            if window.isActive { pace.wake(at: start) }
            if window.isVisible, pace.pause(at: start) == .zero, pace.isDue(at: start) {
                draw()
                pace.drew(from: start, to: .now)
            }
            usleep(8_000)
        }
        return choice
    }

    private func handle(_ event: WindowEvent) {
        switch event {
        case .closed, .displayLost: isRunning = false
        case .dropped(let path): if (FilePath(path) / "mask.json").exists { choice = .own(FilePath(path)) }
        case .key(let key) where window.steerList(key) || window.steer(key): break
        case .key(let key): press(key)
        }
    }

    private func press(_ key: WindowEvent.Key) {
        let last = entries.count - 1
        switch key {
        case .escape, .letter("q"), .control("q", _): isRunning = false
        case .enter: choice = marked.map { entries[$0].choice } ?? .new
        case .down where last >= 0: mark(min(last, (marked ?? -1) + 1))
        case .up where marked == 0: marked = nil
        case .up: if let marked { mark(marked - 1) }
        case .control("+", _): _ = window.enlarge(steps: 1)
        case .control("-", _): _ = window.enlarge(steps: -1)
        default: break
        }
    }

    private func mark(_ index: Int) { (marked, isMarkedByKey) = (index, true) }

    private func draw() {
        window.show(isMirrored: false) { panels in
            let (width, height) = panels.windowSize
            panels.controls {
                panels.area("masks", x: 0, y: 0, width: width, height: height) {
                    panels.title("Which mask do you want to edit?")
                    if panels.defaultButton("A new mask", icon: .plus) { choice = .new }
                    panels.hint("A white face to paint on (Enter)")
                    panels.text("Or click one. Of those that come with Bauta, you edit a copy of your own.")
                    panels.scrolled("list", least: 120) { drawList(panels) }
                }
            }
        }
    }

    private func drawList(_ panels: Panels) {
        let input = panels.rows(entries.map(\.text), chosen: marked, showsChosen: isMarkedByKey)
        isMarkedByKey = false
        switch input {
        case nil: break
        case .clicked(let index): choice = entries[index].choice
        case .reached(let index): mark(index)
        case .pressed(let index): choice = entries[index].choice
        }
    }
}
