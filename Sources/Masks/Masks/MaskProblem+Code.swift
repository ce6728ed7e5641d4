extension MaskProblem {
    /// The kinds of problems. The names are stable; `bauta mask check --codes` lists them.
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
        case underUnused = "under-unused"
        case missingAuthor = "missing-author"
        case missingLicense = "missing-license"
        case licenseUnknown = "license-unknown"
        case likenessUnasked = "likeness-unasked"

        // Files
        case fileOutside = "file-outside"
        case fileMissing = "file-missing"
        case fileUnreadable = "file-unreadable"
        case unusedFile = "unused-file"

        // Pictures
        case textureUnreadable = "texture-unreadable"
        case textureTooLarge = "texture-too-large"
        case texturesTooLarge = "textures-too-large"
        case picturesTooSlow = "pictures-too-slow"
        case textureTooSmall = "texture-too-small"
        case textureEmpty = "texture-empty"
        case textureNotSquare = "texture-not-square"
        case textureEdge = "texture-edge"
        case animationUnreadable = "animation-unreadable"
        case animationTooLarge = "animation-too-large"
        case frameSizes = "frame-sizes"

        // Models
        case modelDamaged = "model-damaged"
        case modelTooLarge = "model-too-large"
        case modelExternal = "model-external"
        case modelCyclic = "model-cyclic"
        case modelNumber = "model-number"
        case modelUnsupported = "model-unsupported"
        case modelEmpty = "model-empty"
        case modelPicture = "model-picture"
        case modelReduced = "model-reduced"
        case modelDetailed = "model-detailed"
        case animationUnused = "model-animation-unused"
        case morphUnmoved = "model-morph-unmoved"
        case tooManySwinging = "too-many-swinging"

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
        case .neverShown, .underUnused, .missingAuthor, .missingLicense, .licenseUnknown, .likenessUnasked,
            .unusedFile, .textureTooSmall, .textureEmpty, .textureNotSquare, .textureEdge, .modelReduced,
            .modelDetailed, .animationUnused, .morphUnmoved, .landmarksOutside, .landmarksFolded:
            .warning
        default: .error
        }
    }
}
