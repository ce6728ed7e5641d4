import Files
import Glibc
import Masks

/// Keeping unsaved changes, and asking about them.
extension EditedPackage {
    package enum Question {
        /// Whether unsaved changes of an earlier run are to be restored.
        case recover(EditJournal.Content)
        /// Whether another program's version or the unsaved one is to be used.
        case changedOnDisk(MaskDocument)
        /// Whether unsaved changes are to be saved before closing.
        case close
    }

    /// Asks whether the unsaved changes of an earlier run are to be restored, if there are any. A journal that cannot be
    /// read is kept under another name.
    package func offerJournal() throws {
        do {
            guard let content = try journal.read() else { return }
            if content.document == history.current, content.mattes.isEmpty { return journal.remove() }
            question = .recover(content)
        } catch {
            let kept = journal.path + ".broken"
            guard journal.path.withCString({ path in kept.withCString { rename(path, $0) } }) == 0 else { throw error }
            show("\(error). It is kept as \(kept).", true)
        }
    }

    /// Whether the journal is not yet as the changes are: `keepJournal` has to be called again.
    package var isJournalBehind: Bool {
        question == nil && !journaling.isDiscarded && journaling.written != history.revision
    }

    /// Has unsaved changes written to the journal, on another thread: after each edit, and every half second during one.
    /// While one state is being written, the next waits; what could not be written is tried again. Call it often.
    package func keepJournal(isEditing: Bool) {
        journaling.handBack { show("The journal of unsaved changes cannot be written: \($0)", true) }
        let revision = history.revision
        guard isJournalBehind, journaling.canTake(revision, isEditing: isEditing) else { return }
        if history.isSaved {
            journaling.add(revision) { [journal] in journal.remove() }
        } else {
            let unsaved = unsavedState
            journaling.add(revision) { [journal] in try unsaved.write(to: journal) }
        }
    }

    /// Leaves the journal as the next start is to find it: with the unsaved changes, and none where everything is saved or
    /// discarded. To be called when the program ends, however it does. Waits for what is being written.
    /// - Returns: the journal's path; nil if there are no unsaved changes.
    package func keepForNextStart() throws -> FilePath? {
        journaling.finish()
        // Those of an earlier run are offered again.
        if case .recover? = question { return journal.path }
        if history.isSaved || journaling.isDiscarded {
            journal.remove()
            return nil
        }
        try unsavedState.write(to: journal)
        return journal.path
    }

    /// Nothing is unsaved, or everything is discarded.
    func removeJournal() {
        journaling.finish()
        journal.remove()
    }

    private var unsavedState: UnsavedState {
        let strokes = unsavedMattes.map { name, matte in
            let saved = history.saved.mattes[name].flatMap { $0.base === matte.base ? $0 : nil }
            return (name, matte, saved ?? (isOnDisk(matte.base, name) ? Matte(matte.base) : nil))
        }
        return UnsavedState(document: history.current, strokes: strokes)
    }

    /// The unsaved changes of an earlier run. Strokes that cannot be restored are reported.
    private func restored(_ content: EditJournal.Content) -> MaskDocument {
        var document = content.document
        var troubles: [String] = []
        // Layers that were added name pictures that the saved mask does not, and it names those of layers that were removed.
        let files = PackageFiles(folder: folder, unsaved: document.files, textures: textures)
        let uses = loader.read(files).textureUses + reading.textureUses
        for (name, journaled) in content.mattes.sorted(by: { $0.key < $1.key }) {
            let texture = uses.first { self.name(of: $0.texture) == name }?.texture
            do {
                document.mattes[name] = try journaled.matte(of: texture, path: folder / name)
            } catch {
                troubles.append("\(error)")
            }
        }
        if troubles.isEmpty {
            show("The changes are restored, but not saved yet.", false)
        } else {
            let kept = journal.path + ".broken"
            _ = journal.path.withCString { path in kept.withCString { rename(path, $0) } }
            show(
                "The brush strokes cannot be restored: \(troubles.joined(separator: "; ")). They are kept in \(kept).",
                true)
        }
        return document
    }

    // MARK: Questions

    package func askToClose() { question = .close }

    /// - Returns: whether the editor is to be closed.
    package func answer(_ isYes: Bool) -> Bool {
        defer { question = nil }
        switch question {
        case .recover(let content):
            adoptEmptyPictures(of: content.document)
            if isYes {
                let document = restored(content)
                history.change("restore unsaved changes") { $0 = document }
            } else {
                removeJournal()
            }
        case .changedOnDisk(let document):
            // Both versions become steps, so that undo restores the rejected one.
            var own = history.current
            own.mattes = mattes
            disk.changed = []
            history.change("changes by another program") { $0 = $0.replaced(by: document) }
            if !isYes { history.change("keep unsaved changes") { $0 = own } }
            history.markSaved(as: document)
            readRevision = -1
        case .close:
            if isYes {
                save()
            } else {
                journaling.isDiscarded = true
                removeJournal()
            }
            return !isYes || history.isSaved
        case nil: break
        }
        return false
    }

    /// Withdraws the question whether to save before closing.
    package func cancelClosing() { if case .close? = question { question = nil } }
}
