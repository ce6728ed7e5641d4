extension MaskProblem.Code {
    /// The meaning of the code, as a sentence.
    package var meaning: String { Self.texts[self]?.meaning ?? "" }

    /// How to fix it, as a sentence.
    package var remedy: String { Self.texts[self]?.remedy ?? "" }

    private static let texts: [MaskProblem.Code: (meaning: String, remedy: String)] = [
        .manifestUnreadable: (
            "`mask.json` is missing, cannot be read, is empty, or is larger than 1 MiB.",
            "A mask is a folder with a `mask.json`; `bauta mask new` creates one."
        ),
        .manifestNotJSON: (
            "`mask.json` is not valid JSON, or an object has the same key twice.",
            "Fix the named line: a missing or extra comma, a quotation mark, a comment."
        ),
        .formatUnknown: (
            "`format` is not 1.",
            "This version reads format 1; install a newer version of Bauta."
        ),
        .unknownKey: (
            "The key is not allowed here.",
            "Correct its spelling or remove it; the message lists the allowed keys."
        ),
        .missingKey: (
            "A required key is missing.",
            "Add it."
        ),
        .wrongType: (
            "A value has the wrong type.",
            "Use the type that the message names."
        ),
        .emptyValue: (
            "A text or list is empty.",
            "Fill it."
        ),
        .outOfRange: (
            "A number is too small, too large, or not whole.",
            "Use a number in the range that the message names."
        ),
        .unknownWord: (
            "A word is not one of the allowed ones.",
            "Use one of those that the message lists."
        ),
        .conflictingKeys: (
            "Two keys exclude each other.",
            "Remove one of them."
        ),
        .tooManyLayers: (
            "There are more than 64 layers.",
            "Combine some of them into one texture."
        ),
        .groupsTooDeep: (
            "Groups are nested more than eight deep.",
            "Move the inner layers into an outer group."
        ),
        .neverShown: (
            "A layer is never visible: its opacity is 0, or `when` contradicts itself.",
            "Correct it, or write `\"hidden\": true` if that is intended."
        ),
        .underUnused: (
            "`under` names hair or glasses, but the mask has stickers or props, which are in front of them.",
            "Remove the name, or make a mask of warps and deformations alone."
        ),
        .missingAuthor: (
            "`author` is missing.",
            "Name the author, so that users can give credit."
        ),
        .missingLicense: (
            "`license` is missing, so nobody else may distribute the mask.",
            "Give an SPDX identifier, such as `CC0-1.0` or `CC-BY-4.0`."
        ),
        .licenseUnknown: (
            "`license` is not an SPDX identifier, so programs cannot tell what it allows.",
            "Use the identifier that the message names, one of <https://spdx.org/licenses/>, or `LicenseRef-` followed by a name of your own."
        ),
        .likenessUnasked: (
            "The mask shows the face of a person who has not agreed that others wear it: `likeness` is `unasked`.",
            "Ask the person. If they agree, write `\"likeness\": \"agreed\"`; if not, do not share the mask. A face that is "
                + "drawn or made up needs no `likeness`."
        ),
        .fileOutside: (
            "A file name leads out of the mask's folder.",
            "Copy the file into the folder and refer to it there."
        ),
        .fileMissing: (
            "A file does not exist.",
            "Add it, or correct its name."
        ),
        .fileUnreadable: (
            "A file cannot be read.",
            "Check its permissions and size; a points file is at most 64 KiB."
        ),
        .unusedFile: (
            "No part of the mask uses this file. Sources of a texture (`face.svg`, `face.kra` for `face.png`), "
                + "`thumbnail.png`, and texts (`.md`, `.txt`, LICENSE) are not reported.",
            "Use it or delete it: it would be packed too."
        ),
        .textureUnreadable: (
            "A texture is damaged, or not in a format that Bauta reads.",
            "Export it again as PNG, JPEG, OpenRaster or SVG."
        ),
        .textureTooLarge: (
            "A texture is wider or higher than 8192 pixels.",
            "Scale it down; 2048 pixels are enough."
        ),
        .texturesTooLarge: (
            "The pictures of the mask have more than 128 million pixels together.",
            "Scale some of them down, or use one in several layers."
        ),
        .picturesTooSlow: (
            "Reading the pictures of the mask takes more than a minute of processor time.",
            "Use fewer filters and repetitions in SVG textures, or save them as PNG."
        ),
        .textureTooSmall: (
            "A texture has fewer than 200 pixels across the face and will look blurred on large faces.",
            "Use a larger texture: a template of 1024 × 1024 pixels has 602 across the face."
        ),
        .textureEmpty: (
            "Every pixel of a texture is transparent.",
            "Check that the right layer was exported."
        ),
        .textureNotSquare: (
            "A texture for the canonical UV template is not square, and will be stretched.",
            "Make it square, or give it landmarks of its own."
        ),
        .textureEdge: (
            "The half-transparent pixels along a painted edge are mixed with black or white, which makes a "
                + "dark or light fringe. The picture was saved with premultiplied alpha, or flattened on a "
                + "background.",
            "Export it with straight alpha and without a background; in GIMP, keep the colour of transparent pixels."
        ),
        .animationUnreadable: (
            "An animation cannot be read, or has only one frame.",
            "Export it again as APNG or GIF."
        ),
        .animationTooLarge: (
            "An animation has more than 240 frames, or more than 128 million pixels in all frames.",
            "Shorten it or scale it down."
        ),
        .frameSizes: (
            "The frames of an animation differ in size.",
            "Give all frames the size of the first."
        ),
        .modelDamaged: (
            "A model is not glTF 2.0, is cut off, or contradicts itself.",
            "Export it again as glTF 2.0 binary (`.glb`)."
        ),
        .modelTooLarge: (
            "A model is larger than allowed: 32 MiB, of them 4 MiB JSON, 200,000 triangles, 4,096 nodes, 32 pictures of up "
                + "to 4096 pixels a side, 64 million pixels in all, 1,024 joints of a skin, 64 animations with 2,000,000 "
                + "numbers in their keys, and 1,000,000 vertices that morph targets move.",
            "Reduce its triangles and pictures; a few thousand triangles are enough for most props."
        ),
        .modelExternal: (
            "A model refers to another file or to the network.",
            "Export it as one file (`.glb`)."
        ),
        .modelCyclic: (
            "The nodes of a model form a cycle, or one has two parents.",
            "Export it again from the program that made it."
        ),
        .modelNumber: (
            "A number in a model is not finite, or out of range.",
            "Look for broken transforms and vertices, and export it again."
        ),
        .modelUnsupported: (
            "A model requires an extension, or stores its numbers in a way, that Bauta does not read.",
            "Export it without compression and without extensions."
        ),
        .modelEmpty: (
            "A model has no triangles, or no width.",
            "Check that its meshes are exported with the scene."
        ),
        .modelPicture: (
            "A picture inside a model cannot be read.",
            "Use PNG or JPEG for its textures."
        ),
        .modelReduced: (
            "Something in a model is left out: optional extensions, points and lines, more than four joints of a vertex.",
            "Export the model without it, or live without it."
        ),
        .modelDetailed: (
            "A model has more than 60,000 triangles and is drawn slowly without a graphics card.",
            "Reduce its triangles."
        ),
        .morphUnmoved: (
            "A model has morph targets named like ARKit's whose expressions cannot be measured.",
            "Leave them out, or move them by an animation."
        ),
        .tooManySwinging: (
            "More than 64 nodes swing in the props of a mask.",
            "Name fewer nodes in `swing`, or give them fewer bones."
        ),
        .animationUnused: (
            "A model has animations that no layer plays. The message lists them with their lengths.",
            "Name them in `animations` of the layer, with a `position` that a signal of the face moves, or remove them."
        ),
        .landmarksUnreadable: (
            "A points file is not in iBUG's format.",
            "Fix the named line."
        ),
        .landmarksCount: (
            "A points file has neither 68 nor 79 points.",
            "Give the 68 landmarks, or these and the 11 head points."
        ),
        .landmarksOutside: (
            "Landmarks lie outside the texture.",
            "Move them onto the picture (`bauta mask edit`), or enlarge the picture."
        ),
        .landmarksFolded: (
            "Triangles of the mesh are flipped on the texture: landmarks are swapped or crossed.",
            "Move the landmarks apart (`bauta mask edit` shows them)."
        ),
        .archiveNotZip: (
            "The file is not a zip archive.",
            "Download it again; it may be incomplete."
        ),
        .archiveDamaged: (
            "The archive is damaged.",
            "Download it again."
        ),
        .archiveNoManifest: (
            "There is no `mask.json` at the top of the archive.",
            "Pack the content of the folder, as `bauta mask pack` does."
        ),
        .archiveAbsolutePath: (
            "An entry is an absolute path.",
            "Do not trust this archive."
        ),
        .archiveParentPath: (
            "An entry leads out of the package.",
            "Do not trust this archive."
        ),
        .archiveOddName: (
            "An entry has a name that is too long, not UTF-8, or not allowed on every system.",
            "Rename the file and pack the mask again."
        ),
        .archiveLink: (
            "An entry is a link.",
            "Pack the file itself."
        ),
        .archiveSpecialFile: (
            "An entry is neither a file nor a folder.",
            "Do not trust this archive."
        ),
        .archiveDuplicate: (
            "The archive contains a file twice.",
            "Pack the mask again."
        ),
        .archiveCollidingCase: (
            "Two names differ only in upper and lower case.",
            "Rename one of them: some systems cannot distinguish them."
        ),
        .archiveFileInTheWay: (
            "A name is both a file's and a folder's.",
            "Rename one of them."
        ),
        .archiveEncrypted: (
            "An entry is encrypted.",
            "Pack the mask without a password."
        ),
        .archiveTooManyFiles: (
            "There are more than 512 entries.",
            "Remove files that the mask does not need."
        ),
        .archiveFileTooLarge: (
            "A file is larger than 64 MiB.",
            "Make it smaller."
        ),
        .archiveTooLarge: (
            "The archive unpacks to more than 256 MiB.",
            "Make its pictures smaller."
        ),
        .archiveTooDeep: (
            "A file is nested in more than three folders.",
            "Move it up."
        ),
    ]
}
