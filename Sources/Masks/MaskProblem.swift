/// Something that is wrong with a mask, or may look wrong: what, where, and what would be right. Thrown where a mask
/// cannot be used for it.
package struct MaskProblem: Error, Equatable, CustomStringConvertible {
    package enum Severity: String, CaseIterable, Sendable {
        /// The mask cannot be worn.
        case error
        /// It can, but probably not as it was meant, or not by everybody.
        case warning
    }

    /// Where in a file.
    package enum Place: Equatable, Sendable {
        /// A JSON pointer (RFC 6901).
        case pointer(String)
        /// In a text, both from 1.
        case line(Int, column: Int? = nil)
        /// In a picture, from its top left corner.
        case pixel(x: Int, y: Int)
    }

    package let code: Code
    /// The file at fault.
    package let path: String
    /// Nil when the fault is in the file as a whole.
    package let place: Place?
    package let reason: String

    package init(_ code: Code, path: String, at place: Place? = nil, _ reason: String) {
        self.code = code
        self.path = path
        self.place = place
        self.reason = reason
    }

    package var pointer: String? { if case .pointer(let pointer)? = place { pointer } else { nil } }

    /// The same of a file that people know by another path.
    package func withPath(_ path: String) -> MaskProblem { MaskProblem(code, path: path, at: place, reason) }

    package var description: String {
        switch place {
        case nil: "\(path): \(reason)"
        case .pointer(""): "\(path): the whole document: \(reason)"
        case .pointer(let pointer): "\(path): \(pointer): \(reason)"
        case .line(let line, nil): "\(path): line \(line): \(reason)"
        case .line(let line, let column?): "\(path): line \(line), column \(column): \(reason)"
        case .pixel(let x, let y): "\(path): pixel (\(x), \(y)): \(reason)"
        }
    }
}

extension MaskProblem {
    /// What kinds of problems there are. The names are stable; `docs/mask-issues.md` is made of this list.
    package enum Code: String, CaseIterable, Sendable {
        // mask.json
        case manifestUnreadable = "manifest-unreadable"
        case manifestNotJSON = "manifest-not-json"
        case formatUnknown = "format-unknown"
        case unknownKey = "unknown-key"
        case missingKey = "missing-key"
        case wrongType = "wrong-type"
        case emptyValue = "empty-value"
        case outOfRange = "out-of-range"
        case unknownWord = "unknown-word"
        case conflictingKeys = "conflicting-keys"
        case tooManyLayers = "too-many-layers"
        case groupsTooDeep = "groups-too-deep"
        case neverShown = "never-shown"
        case missingAuthor = "missing-author"
        case missingLicense = "missing-license"

        // Files
        case fileOutside = "file-outside"
        case fileMissing = "file-missing"
        case fileUnreadable = "file-unreadable"
        case unusedFile = "unused-file"

        // Pictures
        case textureUnreadable = "texture-unreadable"
        case textureTooLarge = "texture-too-large"
        case texturesTooLarge = "textures-too-large"
        case textureTooSmall = "texture-too-small"
        case textureEmpty = "texture-empty"
        case textureNotSquare = "texture-not-square"
        case textureEdge = "texture-edge"
        case animationUnreadable = "animation-unreadable"
        case animationTooLarge = "animation-too-large"
        case frameSizes = "frame-sizes"

        // Landmarks
        case landmarksUnreadable = "landmarks-unreadable"
        case landmarksCount = "landmarks-count"
        case landmarksOutside = "landmarks-outside"
        case landmarksFolded = "landmarks-folded"

        // Packed masks
        case archiveNotZip = "archive-not-zip"
        case archiveDamaged = "archive-damaged"
        case archiveNoManifest = "archive-no-manifest"
        case archiveAbsolutePath = "archive-absolute-path"
        case archiveParentPath = "archive-parent-path"
        case archiveOddName = "archive-odd-name"
        case archiveLink = "archive-link"
        case archiveSpecialFile = "archive-special-file"
        case archiveDuplicate = "archive-duplicate"
        case archiveCollidingCase = "archive-colliding-case"
        case archiveFileInTheWay = "archive-file-in-the-way"
        case archiveEncrypted = "archive-encrypted"
        case archiveTooManyFiles = "archive-too-many-files"
        case archiveFileTooLarge = "archive-file-too-large"
        case archiveTooLarge = "archive-too-large"
        case archiveTooDeep = "archive-too-deep"
    }
}

extension MaskProblem.Code {
    package var severity: MaskProblem.Severity {
        switch self {
        case .neverShown, .missingAuthor, .missingLicense, .unusedFile, .textureTooSmall, .textureEmpty,
            .textureNotSquare, .textureEdge, .landmarksOutside, .landmarksFolded:
            .warning
        default: .error
        }
    }

    /// What it means, as a sentence.
    package var meaning: String { text.meaning }

    /// What would be right, as a sentence.
    package var remedy: String { text.remedy }

    private var text: (meaning: String, remedy: String) {
        switch self {
        case .manifestUnreadable:
            (
                "`mask.json` is missing, cannot be read, is empty, or has more than 1 MiB.",
                "A mask is a folder with a `mask.json`; `bauta mask new` makes one."
            )
        case .manifestNotJSON:
            (
                "`mask.json` is not valid JSON, or says a key twice.",
                "Mend the line that is named: a comma too many or too few, a quotation mark, a comment."
            )
        case .formatUnknown: ("`format` is not 1.", "This version reads format 1; a newer mask wants a newer Bauta.")
        case .unknownKey:
            (
                "A key is not known at this place.",
                "Correct its spelling, or take it out; the message lists the known ones."
            )
        case .missingKey: ("A key that is needed is not there.", "Add it.")
        case .wrongType: ("A value has another type than it should.", "Write the type that the message asks for.")
        case .emptyValue: ("A text or a list is empty that must not be.", "Fill it.")
        case .outOfRange: ("A number is too small, too large, or not whole.", "Take one from the range that is named.")
        case .unknownWord:
            ("A word is not one of those that are possible.", "Take one of those that the message lists.")
        case .conflictingKeys: ("Two keys exclude each other.", "Keep one of them.")
        case .tooManyLayers: ("There are more than 64 layers.", "Paint some of them into one texture.")
        case .groupsTooDeep: ("Groups lie in more than eight groups.", "Take some groups apart.")
        case .neverShown:
            (
                "A layer can never be seen: its opacity is 0, or `when` asks for the contrary of itself.",
                "Correct it, or say `\"hidden\": true` where that is what is meant."
            )
        case .missingAuthor:
            ("`author` is not said.", "Say who made the mask, so that whoever gets it knows whom to thank.")
        case .missingLicense:
            (
                "`license` is not said: nobody may pass the mask on.",
                "Give an SPDX identifier, for instance `CC0-1.0` or `CC-BY-4.0`."
            )
        case .fileOutside:
            ("A file's name leads out of the mask's folder.", "Copy the file into the folder and name it there.")
        case .fileMissing: ("A file that is named is not there.", "Put it there, or correct its name.")
        case .fileUnreadable:
            ("A file cannot be read.", "Look at its rights and size; a points file has 64 KiB at most.")
        case .unusedFile:
            (
                "A file lies in the folder that nothing uses. Sources beside a texture (`face.svg`, `face.kra` for "
                    + "`face.png`), `thumbnail.png`, and texts (`.md`, `.txt`, LICENSE) are not counted.",
                "Use it, or take it away: it would be packed too."
            )
        case .textureUnreadable:
            (
                "A texture is no picture that Bauta reads, or is damaged.",
                "Export it as PNG, JPEG, OpenRaster or SVG again."
            )
        case .textureTooLarge: ("A texture has more than 8192 pixels a side.", "Scale it down; 2048 are plenty.")
        case .texturesTooLarge:
            (
                "The pictures of a mask have more than 128 million pixels together.",
                "Scale some of them down, or use one in several layers."
            )
        case .textureTooSmall:
            (
                "A texture has fewer than 200 pixels for the width of the face: it will look blurred on faces that fill "
                    + "a camera's picture.",
                "Paint it larger: a sheet of 1024 × 1024 pixels has 602 for the face."
            )
        case .textureEmpty: ("Nothing is painted on a texture.", "Look whether the right layer was exported.")
        case .textureNotSquare:
            (
                "A texture on the reference sheet is not square, and will be stretched.",
                "Make it square, or give it landmarks of its own."
            )
        case .textureEdge:
            (
                "The half-transparent pixels along a painted edge are mixed with black or white: on a face there will be "
                    + "a dark or light fringe. The picture was saved with premultiplied alpha, or flattened on a background.",
                "Export it with straight alpha and no background; in GIMP, keep the colour of transparent pixels."
            )
        case .animationUnreadable: ("An animation cannot be read, or does not move.", "Export it as APNG or GIF again.")
        case .animationTooLarge:
            ("An animation has more than 240 frames, or 128 million pixels in all.", "Shorten it, or make it smaller.")
        case .frameSizes: ("The frames of an animation differ in size.", "Make all of them as large as the first.")
        case .landmarksUnreadable: ("A points file is not in iBUG's format.", "Mend the line that is named.")
        case .landmarksCount:
            ("A points file has neither 68 nor 79 points.", "Give the 68 landmarks, or these and the 11 head points.")
        case .landmarksOutside:
            (
                "Landmarks lie outside of the texture.",
                "Move them onto the picture (`bauta mask edit`), or give it more room."
            )
        case .landmarksFolded:
            (
                "Triangles of the mesh are turned over on the texture: landmarks are confused or crossed.",
                "Move them apart (`bauta mask edit` shows them)."
            )
        case .archiveNotZip: ("The file is no zip archive.", "Ask for the mask again; it may have come only in part.")
        case .archiveDamaged: ("The archive is damaged.", "Ask for the mask again.")
        case .archiveNoManifest:
            ("There is no `mask.json` at the top of the archive.", "Pack the folder's content: `bauta mask pack` does.")
        case .archiveAbsolutePath: ("An entry is an absolute path.", "Do not trust this archive.")
        case .archiveParentPath: ("An entry leads out of the package.", "Do not trust this archive.")
        case .archiveOddName:
            (
                "An entry has a name that is too long, not UTF-8, or that not every system can have.",
                "Rename the file and pack the mask again."
            )
        case .archiveLink: ("An entry is a link.", "Pack the file itself.")
        case .archiveSpecialFile: ("An entry is neither a file nor a folder.", "Do not trust this archive.")
        case .archiveDuplicate: ("A file is in the archive twice.", "Pack the mask again.")
        case .archiveCollidingCase:
            ("Names differ in upper and lower case only.", "Rename one of them: not every system tells them apart.")
        case .archiveFileInTheWay: ("A name is both a file's and a folder's.", "Rename one of them.")
        case .archiveEncrypted: ("An entry is encrypted.", "Pack the mask without a password.")
        case .archiveTooManyFiles: ("There are more than 512 entries.", "Take away what the mask does not need.")
        case .archiveFileTooLarge: ("A file has more than 64 MiB.", "Make it smaller.")
        case .archiveTooLarge: ("The archive unpacks to more than 256 MiB.", "Make its pictures smaller.")
        case .archiveTooDeep: ("A file lies in more than three folders.", "Put it further up.")
        }
    }
}
