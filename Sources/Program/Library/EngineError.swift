import CBauta
import Clips
import Files
import Graphics
import Installation
import MaskAuthoring
import Masks
import Pixels
import Threads
import Vision

/// Why a function of the library fails: its result, and a sentence for the developer who uses it.
struct EngineError: Error, CustomStringConvertible {
    let result: bauta_result
    let description: String

    /// An argument is wrong.
    static func invalid(_ description: String) -> EngineError {
        EngineError(result: BAUTA_INVALID, description: description)
    }

    init(result: bauta_result, description: String) { (self.result, self.description) = (result, description) }

    /// Gives the errors of other modules their results.
    init(classifying error: any Error) {
        let description =
            if case DataFolderError.notFound = error {
                "no folder above the library contains the folders face, masks and shaders, or share/bauta with them; "
                    + "name one in bauta_open or in BAUTA_DATA"
            } else { "\(error)" }
        self.init(result: Self.result(of: error), description: description)
    }

    private static func result(of error: any Error) -> bauta_result {
        switch error {
        case let error as EngineError: error.result
        case let error as FileError:
            switch error.kind {
            case .unreadable, .isFolder, .changed: BAUTA_NOT_FOUND
            case .damaged, .tooLarge: BAUTA_DAMAGED
            case .unwritable, .alreadyExists: BAUTA_FAILED
            }
        case let error as DataFolderError:
            switch error {
            case .notFound, .notADataFolder, .wrongVariable, .unknownMask: BAUTA_NOT_FOUND
            case .damaged: BAUTA_DAMAGED
            case .ambiguousMask: BAUTA_INVALID
            }
        case is MaskProblem, is InvalidMask: BAUTA_DAMAGED
        case let error as VisionError:
            switch error.kind {
            case .modelUnreadable: BAUTA_NOT_FOUND
            case .modelInvalid: BAUTA_DAMAGED
            case .outOfMemory: BAUTA_NO_MEMORY
            case .failed: BAUTA_FAILED
            }
        case let error as ClipError:
            switch error.kind {
            case .unreadable, .noFFmpeg: BAUTA_NOT_FOUND
            case .notAVideo, .damaged: BAUTA_DAMAGED
            case .outOfMemory: BAUTA_NO_MEMORY
            case .unwritable, .interrupted: BAUTA_FAILED
            }
        case let error as GraphicsError: error.kind == .outOfMemory ? BAUTA_NO_MEMORY : BAUTA_FAILED
        case is OutOfMemory, is NoThread: BAUTA_NO_MEMORY
        default: BAUTA_FAILED
        }
    }
}
