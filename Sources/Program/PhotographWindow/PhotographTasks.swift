import Files
import Pixels

/// What the window of photographs has done. Each function is called on a thread of the window's own.
package struct PhotographTasks: Sendable {
    /// The photographs among the chosen files and folders, their first one unmasked.
    package let find: @Sendable (_ inputs: [FilePath]) -> Found
    /// A photograph with a mask, reduced for a window.
    package let preview: @Sendable (_ photograph: FilePath, _ mask: FilePath) -> Shown
    /// Masks all of them into a new folder.
    package let mask: @Sendable (_ inputs: [FilePath], _ mask: FilePath, _ progress: PhotographProgress) -> Made

    package typealias Found = Result<PhotographSelection, PhotographObstacle>
    package typealias Shown = Result<ShownPhotograph, PhotographObstacle>
    package typealias Made = Result<PhotographResults, PhotographObstacle>

    package init(
        find: @escaping @Sendable ([FilePath]) -> Found, preview: @escaping @Sendable (FilePath, FilePath) -> Shown,
        mask: @escaping @Sendable ([FilePath], FilePath, PhotographProgress) -> Made
    ) {
        (self.find, self.preview, self.mask) = (find, preview, mask)
    }
}

/// Why something cannot be done: a sentence.
package struct PhotographObstacle: Error, Equatable, CustomStringConvertible {
    package let description: String
    package init(_ error: any Error) { description = "\(error)" }
    package init(_ text: String) { description = text }
}

/// A picture that several threads may read.
package final class ShownPhotograph: Sendable {
    /// `rgba8`.
    let pixels: PixelBuffer
    /// Of the faces that wear a mask; nil: nobody has looked for faces.
    let faceCount: Int?

    /// What the mask leaves out or leaves visible; nil: nothing.
    let notice: String?

    package init(_ pixels: consuming PixelBuffer, faceCount: Int? = nil, notice: String? = nil) {
        self.pixels = pixels
        (self.faceCount, self.notice) = (faceCount, notice)
    }
}

/// The photographs among files and folders.
package struct PhotographSelection: Sendable {
    let inputs: [FilePath]
    let count: Int
    let first: FilePath
    let shown: ShownPhotograph

    /// - Parameters:
    ///   - inputs: as they were chosen.
    ///   - first: the photograph that is shown.
    package init(inputs: [FilePath], count: Int, first: FilePath, shown: ShownPhotograph) {
        (self.inputs, self.count, self.first, self.shown) = (inputs, count, first, shown)
    }
}

/// What was made of the photographs.
package struct PhotographResults: Equatable, Sendable {
    package var folder: FilePath
    package var masked = 0
    package var faceless = 0
    package var failed = 0
    /// Why the first of them failed, or else what was left out.
    package var failure: String?

    package init(folder: FilePath) { self.folder = folder }

    /// A sentence for the user.
    package var text: String {
        var parts = ["\(masked) masked"]
        if faceless > 0 { parts.append("\(faceless) without a face, copied") }
        if failed > 0 { parts.append("\(failed) failed") }
        return parts.joined(separator: ", ")
    }
}
