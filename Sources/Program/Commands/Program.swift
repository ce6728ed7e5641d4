import Arguments
import Clips
import Evaluation
import FaceGeometry
import FaceRecognition
import Files
import Glibc
import Graphics
import ImageFiles
import Installation
import LandmarkModels
import LiveControl
import Machine
import MaskAuthoring
import Masks
import OpenSoundControl
import PipeWire
import Pixels
import Threads
import Videos
import Vision

/// The program `bauta`: parses its arguments, runs a command, exits.
public enum Program {
    package static let version = Release.version

    package static let root = CommandDefinition(
        name: "bauta",
        overview: "Puts masks on faces.",
        options: [Flag("version", help: "Show version, commit, renderer, models and libraries.")],
        examples: [
            "bauta live                                # a mask in front of the camera",
            "bauta photo portrait.jpg                  # writes masked/portrait.jpg",
            "bauta photo --mask skull --recursive Pictures --output Masked",
            "bauta video film.mp4                      # writes masked/film.mp4",
        ],
        subcommands: [
            LiveCommand.definition, PhotoCommand.definition, VideoCommand.definition, ReviewCommand.definition,
            CaptureCommand.definition, TrackCommand.definition, MaskCommand.definition, PeopleCommand.definition,
            ControlCommands.definition,
            CameraCommand.definition, DoctorCommand.definition, FetchNetworksCommand.definition,
            ManualCommand.definition,
        ] + CompletionCommands.definitions + [LabCommand.definition],
        topics: [ModelOptions.topic])

    /// The output of the program without arguments.
    private static let welcome = """
        Bauta puts masks on faces.

          bauta live                       # a mask in front of the camera
          bauta photo portrait.jpg         # on a photograph: masked/portrait.jpg
          bauta video film.mp4             # on a video: masked/film.mp4
          bauta photo --anonymise Pictures # covers all faces it finds
          bauta mask list                  # the masks, for --mask NAME

        'bauta help' lists all commands, and 'bauta help COMMAND' explains one.

        """

    /// Runs the program with the process's arguments. Does not return.
    public static func main() -> Never {
        Console.openMissingStreams()
        signal(SIGPIPE, SIG_IGN)
        // A file that may not grow is an error of the call that writes it.
        signal(SIGXFSZ, SIG_IGN)
        Interrupt.unblock()
        let code = run(ThisProgram.arguments)
        exit(Console.finish(code).rawValue)
    }

    /// - Parameter arguments: as the system passes them: paths among them may not be UTF-8.
    static func run(_ arguments: [FilePath]) -> ExitCode {
        if arguments == ["--version"] {
            Console.output(VersionText.text(version))
            return .success
        }
        if arguments.isEmpty {
            Console.output(welcome)
            return .success
        }
        do {
            switch try root.parse(arguments) {
            case .topic(let topic):
                Console.output(HelpText.text(for: topic, columns: Console.columns))
                return .success
            case .help(let command, let path, let isWhole):
                Console.output(HelpText.text(for: command, path: path, columns: Console.columns, isWhole: isWhole))
                return .success
            case .run(let command, let parsed):
                for warning in parsed.warnings { Console.warning(warning) }
                return try command.perform(parsed)
            }
        } catch let error as UsageError {
            Console.failure("\(error.description)\n  See '\(error.commandPath) --help'.")
            return .usage
        } catch {
            let failure = CommandFailure(classifying: error)
            Console.failure(failure.description)
            return failure.exitCode
        }
    }
}

extension CommandFailure {
    /// Gives the errors of the libraries their exit codes.
    init(classifying error: any Error) {
        switch error {
        case let error as CommandFailure:
            self = error
        case let error as FileError:
            switch error.kind {
            case .unreadable, .isFolder, .changed: self.init(.noInput, "\(error)")
            case .damaged, .tooLarge: self.init(.dataError, "\(error)")
            case .unwritable, .alreadyExists: self.init(.cannotCreate, "\(error)")
            }
        case let error as EvaluationError:
            switch error.kind {
            case .noInput: self.init(.noInput, error.description)
            case .unusableInput: self.init(.dataError, error.description)
            case .stopped: self.init(.interrupted, error.description)
            }
        case let error as PictureError:
            switch error.kind {
            case .unreadable: self.init(.noInput, "\(error)")
            case .notAPicture, .video, .unsupported, .damaged, .tooLarge: self.init(.dataError, "\(error)")
            case .unwritable, .wouldOverwrite: self.init(.cannotCreate, "\(error)")
            case .outOfMemory: self.init(.unavailable, "\(error)")
            }
        case let error as PipeWireError:
            self.init(.unavailable, "\(error)")
        case let error as DataFolderError:
            self.init(error)
        case is MaskProblem where Interrupt.isRequested, is InvalidMask where Interrupt.isRequested:
            // Its reading was cut short.
            self.init(.interrupted, "interrupted")
        case let error as MaskProblem:
            self.init(.dataError, "\(error) [\(error.code.rawValue)]")
        case let error as InvalidMask: self.init(.dataError, "\(error)")
        case let error as PortraitError: self.init(.dataError, "\(error)")
        case let error as MaskArchive.WritingFailure:
            self.init(.unavailable, "\(error)")
        case let error as VisionError:
            switch error.kind {
            case .modelUnreadable:
                let advice =
                    error.reason.hasPrefix(LandmarkCascade.defaultModelPath)
                    ? ": \(SystemRelease.current.remedy(.landmarkModel))" : ""
                self.init(.unavailable, "\(error)\(advice)")
            case .modelInvalid: self.init(.dataError, "\(error)")
            case .outOfMemory, .failed: self.init(.softwareError, "\(error)")
            }
        case let error as ClipError:
            switch error.kind {
            case .unreadable: self.init(.noInput, "\(error)")
            case .notAVideo, .damaged: self.init(.dataError, "\(error)")
            case .unwritable: self.init(.cannotCreate, "\(error)")
            case .noFFmpeg, .outOfMemory: self.init(.unavailable, "\(error)")
            case .interrupted: self.init(.interrupted, "\(error)")
            }
        case let error as GraphicsError:
            let isMissing = error.kind == .noOpenGL || error.kind == .outOfMemory
            self.init(isMissing ? .unavailable : .softwareError, "\(error)")
        case is VideoMasker.NoFace:
            self.init(.dataError, "\(error)")
        case let error as ControlClient.Failure:
            self.init(.unavailable, "\(error)")
        case is PeopleStore.Busy:
            self.init(.busy, "\(error)")
        case is EnrolledPeople.Full:
            self.init(.cannotCreate, "\(error)")
        case let error as OSCError:
            self.init(.unavailable, "\(error)")
        case is OutOfMemory, is NoThread:
            self.init(.unavailable, "\(error)")
        default:
            self.init(.softwareError, "\(error)")
        }
    }
}

extension CommandFailure {
    fileprivate init(_ error: DataFolderError) {
        switch error {
        case .notFound, .notADataFolder, .wrongVariable: self.init(.unavailable, "\(error)")
        case .damaged: self.init(.dataError, "\(error)")
        case .unknownMask(let name, let installed):
            let suggestion = Suggestion.text(for: name, among: installed)
            self.init(
                .noInput,
                "there is no mask and no folder '\(name)'.\(suggestion) Masks: \(installed.joined(separator: ", "))")
        case .ambiguousMask: self.init(.noInput, "\(error)")
        }
    }
}
