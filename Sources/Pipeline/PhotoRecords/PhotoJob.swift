import FaceGeometry
import Files
import Pixels

/// One photograph to mask.
package struct PhotoJob: Sendable {
    package var input: FilePath
    /// The file that the result is written to.
    package var output: FilePath
    /// Whether the user named the file. One that was found in a folder is ignored if neither its content nor its name is
    /// that of a picture.
    package var isNamed: Bool
    /// Its place in the list of all photographs, from 0, also those of other shards.
    package var number = 0
    /// How the user turns the photograph, which lies on its side though its file does not say so.
    package var turn = Orientation.upright
    /// The masks that the user has chosen for some of its faces.
    package var wearing: [ChosenMask] = []
    /// Why the job cannot be done, if that is known before anything is read.
    package var obstacle: String?
    /// Of the photograph's file, in bytes.
    package var size: Int64
    /// Where in the bytes of `input` its name begins that is the same on all machines: below the folder that was given.
    package let nameStart: Int

    /// - Parameter folder: the folder that was given and searched; nil: that in which the file is.
    package init(
        input: FilePath, output: FilePath, isNamed: Bool, obstacle: String? = nil, size: Int64 = 0,
        in folder: FilePath? = nil
    ) {
        self.input = input
        let name = folder.flatMap { input.relative(to: $0) } ?? input.name
        nameStart = input.withoutFinalSlashes.bytes.count - name.bytes.count
        self.output = output
        self.isNamed = isNamed
        self.obstacle = obstacle
        self.size = size
    }

    /// What the user has chosen for this photograph: a text that says the same of the same choice in every version. Nil:
    /// nothing.
    var byHand: String? {
        if turn == .upright, wearing.isEmpty { return nil }
        // The place in thousandths, and the mask's index.
        let masks = wearing.map { choice in
            let (x, y) = (Int((1000 * choice.place.x).rounded()), Int((1000 * choice.place.y).rounded()))
            return "\(x),\(y):\(choice.mask.map(String.init) ?? "none")"
        }
        return ([turn.name] + masks).joined(separator: " ")
    }
}

extension Orientation {
    fileprivate var name: String {
        switch self {
        case .turnRight: "turnRight"
        case .upsideDown: "upsideDown"
        case .turnLeft: "turnLeft"
        case .upright, .mirrored, .mirroredUpsideDown, .transposed, .transversed: "\(rawValue)"
        }
    }
}
