import Compositing
import Files
import ImageFiles
import NeuralNetworks
import PhotoRecords
import PictureMasking
import Pixels
import Synchronization
import Vision

/// What previews are drawn on: the photograph that was asked for last, and its faces, so that another mask is only drawn.
///
/// It keeps pictures of at most `closeSide` pixels a side, and the whole photograph from the first look at it to its first
/// preview.
final class PreviewSource: Sendable {
    private struct Key: Equatable {
        let photograph: FilePath
        let identity: FileIdentity?
        let turn: Orientation
        /// Which networks are there: further ones may find further faces.
        let networks: [Bool]
    }

    /// Reduced, with its faces.
    private final class Found: Sendable {
        let frame: Frame
        init(_ frame: consuming Frame) { self.frame = frame }
    }

    private struct State: ~Copyable {
        let key: Key
        /// Of the photograph, in pixels; nil: it has not been decoded yet.
        var longestSide: Int?
        /// Decoded, turned, as `rgba8`; nil: it is not needed, or has not been decoded yet.
        var whole: Picture?
        /// With the faces of the whole photograph.
        var found: Found?
        /// With the faces of the preview, and its longest side, in pixels.
        var covered: (found: Found, longestSide: Int)?

        /// - Returns: the whole photograph, which is decoded if that has not been done yet.
        mutating func takeWhole() throws -> Picture {
            if let whole = whole.take() { return whole }
            let picture = try PreviewSource.read(key.photograph, key.turn)
            longestSide = max(picture.pixels.width, picture.pixels.height)
            return picture
        }
    }

    private let closeSide: Int
    private let networks: NetworkFolder
    private let state = Mutex(State(key: Key(photograph: "", identity: nil, turn: .upright, networks: [])))

    /// - Parameter closeSide: the longest side of any preview, in pixels.
    init(closeSide: Int, networks: NetworkFolder) { (self.closeSide, self.networks) = (closeSide, networks) }

    /// Decodes a photograph, as `rgba8`.
    static func read(_ path: FilePath, _ turn: Orientation) throws -> Picture {
        var picture = try PictureReader.read(path)
        if turn != .upright { picture.pixels = try picture.pixels.turned(from: turn) }
        if picture.pixels.format != .rgba8 { picture.pixels = try picture.pixels.withEightBits() }
        return picture
    }

    /// Forgets another photograph, and what has changed.
    private func begin(_ photograph: FilePath, _ turn: Orientation, _ state: inout State) {
        let key = Key(
            photograph: photograph, identity: photograph.status().map(FileIdentity.init), turn: turn,
            networks: NetworkFolder.Network.allCases.map(networks.has))
        if state.key != key { state = State(key: key) }
    }

    /// A photograph as it is.
    func original(of photograph: FilePath, _ turn: Orientation, longestSide: Int) throws -> PixelBuffer {
        try state.withLock { state in
            begin(photograph, turn, &state)
            if let frame = state.found { return try frame.frame.pixels.reducedOrCopied(to: longestSide) }
            let picture = try state.takeWhole()
            let pixels = try picture.pixels.reducedOrCopied(to: longestSide)
            state.whole = consume picture
            return pixels
        }
    }

    /// The size of a preview as a share of the photograph's.
    func scale(of photograph: FilePath, _ turn: Orientation, to longestSide: Int) throws -> Double {
        try state.withLock { state in
            begin(photograph, turn, &state)
            if state.longestSide == nil { state.whole = try state.takeWhole() }
            return min(1, Double(longestSide) / Double(state.longestSide ?? longestSide))
        }
    }

    /// A photograph with its faces, to be drawn on.
    /// - Parameters:
    ///   - longestSide: of the preview, in pixels.
    ///   - isSearchedReduced: whether faces are looked for in the preview, and not in the whole photograph.
    ///   - masker: finds them, unless they are known.
    func frame(
        of photograph: FilePath, _ turn: Orientation, longestSide: Int, isSearchedReduced: Bool, _ masker: PictureMasker
    ) throws -> Frame {
        try state.withLock { state in
            begin(photograph, turn, &state)
            if isSearchedReduced {
                if let (found, side) = state.covered, side == longestSide { return try found.frame.copy() }
                var picture = try state.takeWhole()
                picture.pixels = try picture.pixels.reducedOrCopied(to: longestSide)
                let found = Found(try masker.analyzed(&picture))
                state.covered = (found, longestSide)
                return try found.frame.copy()
            }
            if let found = state.found { return try masker.reduced(found.frame, to: longestSide) }
            var picture = try state.takeWhole()
            let found = Found(try masker.reduced(masker.analyzed(&picture), to: closeSide))
            state.found = found
            return try masker.reduced(found.frame, to: longestSide)
        }
    }
}
