// swift-tools-version: 6.2
import PackageDescription

// Without optimisation dlib's detector takes over a second per frame, so the C++ target is optimised in debug builds, too.
let optimised: [String] = ["-O3", "-fno-math-errno"]
// Without fused multiplications, which arm64 has and every x86-64 need not have, all processors compute the same.
let reproducible: [String] = ["-O3", "-ffp-contract=off"]

// scripts/package links them statically, because their sonames change with each release of a system.
let linksStatically = Context.environment["BAUTA_STATIC_LIBRARIES"] == "1"
func versioned(_ library: String) -> LinkerSetting {
    .linkedLibrary(linksStatically ? ":lib\(library).a" : library)
}

// With BAUTA_SANITIZED=1 (scripts/sanitize), the library does not contain Swift's runtime, parts of which are replaced.
let isSanitized = Context.environment["BAUTA_SANITIZED"] == "1"

let package = Package(
    name: "bauta",
    products: [
        .executable(name: "bauta", targets: ["bauta"]),
        .executable(name: "draw-samples", targets: ["draw-samples"]),
        // scripts/build-library links it for other programs.
        .library(name: "bauta-library", type: .dynamic, targets: ["Library"]),
    ],
    targets: [
        // libarchive, libdbus, libheif, libpipewire, librsvg, libv4lconvert and XNNPACK are loaded when they are needed.

        // System: the operating system and plain formats.
        .target(name: "Arguments", dependencies: ["Files", "JSON", "Threads"], path: "Sources/System/Arguments"),
        .target(name: "CDynamicLibrary", path: "Sources/System/CDynamicLibrary"),
        .target(name: "CSandbox", path: "Sources/System/CSandbox"),
        .target(name: "Files", dependencies: ["CFiles"], path: "Sources/System/Files", exclude: ["CFiles"]),
        .target(name: "CFiles", path: "Sources/System/Files/CFiles"),
        .target(name: "JSON", dependencies: ["CJansson"], path: "Sources/System/JSON", exclude: ["CJansson"]),
        .target(name: "CJansson", path: "Sources/System/JSON/CJansson", linkerSettings: [.linkedLibrary("jansson")]),
        .target(name: "Machine", dependencies: ["CProcessor"], path: "Sources/System/Machine", exclude: ["CProcessor"]),
        .target(name: "CProcessor", path: "Sources/System/Machine/CProcessor"),
        .target(name: "Threads", dependencies: ["Machine"], path: "Sources/System/Threads"),
        .target(name: "XML", dependencies: ["CXML"], path: "Sources/System/XML", exclude: ["CXML"]),
        .target(
            name: "CXML", path: "Sources/System/XML/CXML", cSettings: [.unsafeFlags(["-I/usr/include/libxml2"])],
            linkerSettings: [.linkedLibrary("xml2")]),

        // Pictures: pixels, and the files of still pictures.
        .target(
            name: "CFrameFormats", dependencies: ["CProcessor"], path: "Sources/Pictures/CFrameFormats",
            cSettings: [.unsafeFlags(["-O3"])]),
        .target(
            name: "ImageFiles",
            dependencies: ["CCodecs", "CHEIF", "CTIFF", "CWebP", "Files", "Machine", "Pixels", "XML"],
            path: "Sources/Pictures/ImageFiles", exclude: ["CCodecs", "CHEIF", "CTIFF", "CWebP"]),
        .target(
            name: "CCodecs", path: "Sources/Pictures/ImageFiles/CCodecs", cSettings: [.unsafeFlags(["-O2"])],
            linkerSettings: [
                .linkedLibrary("jpeg"), .linkedLibrary("png"), .linkedLibrary("z"), .linkedLibrary("lcms2"),
            ]),
        .target(
            name: "CHEIF", dependencies: ["CDynamicLibrary", "CSandbox"], path: "Sources/Pictures/ImageFiles/CHEIF",
            cSettings: [.unsafeFlags(["-O2"])]),
        .target(
            name: "CTIFF", dependencies: ["CSandbox"], path: "Sources/Pictures/ImageFiles/CTIFF",
            cSettings: [.unsafeFlags(["-O2"])], linkerSettings: [.linkedLibrary("tiff")]),
        .target(
            name: "CWebP", path: "Sources/Pictures/ImageFiles/CWebP", linkerSettings: [.linkedLibrary("webp")]),
        .target(name: "Pixels", path: "Sources/Pictures/Pixels"),

        // Media: cameras, clips, sound.
        .target(
            name: "Cameras", dependencies: ["CCamera", "FrameSources", "ImageFiles", "PipeWire", "Pixels", "Threads"],
            path: "Sources/Media/Cameras", exclude: ["CCamera"]),
        .target(
            name: "CCamera", dependencies: ["CDynamicLibrary"], path: "Sources/Media/Cameras/CCamera",
            cSettings: [.unsafeFlags(["-O3"])]),
        .target(
            name: "Clips",
            dependencies: [
                "CCamera", "CMedia", "CSandbox", "Files", "FrameSources", "JSON", "Machine", "Pixels", "Sound",
                "Threads",
            ], path: "Sources/Media/Clips", exclude: ["CMedia"]),
        .target(name: "CMedia", path: "Sources/Media/Clips/CMedia"),
        .target(
            name: "FrameSources", dependencies: ["Files", "ImageFiles", "Pixels", "Sound", "Threads"],
            path: "Sources/Media/FrameSources"),
        .target(
            name: "OpenSoundControl", dependencies: ["Files"], path: "Sources/Media/OpenSoundControl"),
        .target(
            name: "PipeWire", dependencies: ["CPipeWire", "Machine", "Pixels", "Threads"],
            path: "Sources/Media/PipeWire",
            exclude: ["CPipeWire"]),
        .target(
            name: "CPipeWire", dependencies: ["CDynamicLibrary", "CFrameFormats", "CProcessor"],
            path: "Sources/Media/PipeWire/CPipeWire",
            cSettings: [
                .unsafeFlags(["-O3", "-isystem", "/usr/include/pipewire-0.3", "-isystem", "/usr/include/spa-0.2"])
            ]),
        .target(name: "Sound", path: "Sources/Media/Sound"),

        // Faces: finding, following and recognising faces.
        .target(
            name: "Detection",
            dependencies: ["CVision", "FaceGeometry", "Files", "LandmarkModels", "NeuralNetworks", "Pixels", "Vision"],
            path: "Sources/Faces/Detection"),
        .target(name: "FaceGeometry", path: "Sources/Faces/FaceGeometry"),
        .target(
            name: "FaceRecognition",
            dependencies: [
                "CVision", "FaceGeometry", "FaceTracking", "Files", "ImageFiles", "JSON", "NeuralNetworks", "Pixels",
                "Threads", "Vision",
            ], path: "Sources/Faces/FaceRecognition"),
        .target(
            name: "FaceTracking",
            dependencies: [
                "COpticalFlow", "CVision", "Detection", "FaceGeometry", "Files", "LandmarkModels", "Machine",
                "NeuralNetworks", "Pixels", "Threads", "Vision",
            ], path: "Sources/Faces/FaceTracking", exclude: ["COpticalFlow"]),
        .target(
            name: "COpticalFlow", dependencies: ["CProcessor"], path: "Sources/Faces/FaceTracking/COpticalFlow",
            cSettings: [.unsafeFlags(reproducible)]),
        .target(name: "Gestures", dependencies: ["FaceGeometry"], path: "Sources/Faces/Gestures"),
        .target(
            name: "LandmarkModels",
            dependencies: [
                "CLandmarkCascade", "CVision", "FaceGeometry", "Files", "NeuralNetworks", "Pixels", "Vision",
            ], path: "Sources/Faces/LandmarkModels", exclude: ["CLandmarkCascade"]),
        .target(
            name: "CLandmarkCascade", dependencies: ["CProcessor"],
            path: "Sources/Faces/LandmarkModels/CLandmarkCascade", cSettings: [.unsafeFlags(reproducible)]),
        .target(
            name: "NeuralNetworks",
            dependencies: ["CNeuralNetwork", "FaceGeometry", "Files", "Machine", "Pixels", "Vision"],
            path: "Sources/Faces/NeuralNetworks", exclude: ["CNeuralNetwork"]),
        .target(
            name: "CNeuralNetwork", dependencies: ["CDynamicLibrary", "CProcessor"],
            path: "Sources/Faces/NeuralNetworks/CNeuralNetwork", cSettings: [.unsafeFlags(reproducible)]),
        .target(
            name: "Hands",
            dependencies: ["COpticalFlow", "FaceGeometry", "NeuralNetworks", "Pixels", "Threads", "Vision"],
            path: "Sources/Faces/Hands"),
        .target(
            name: "Occlusion",
            dependencies: [
                "CSkinColors", "FaceGeometry", "Hands", "NeuralNetworks", "PersonSegmentation", "Pixels", "Threads",
                "Vision",
            ],
            path: "Sources/Faces/Occlusion", exclude: ["CSkinColors"]),
        .target(
            name: "CSkinColors", dependencies: ["CProcessor"], path: "Sources/Faces/Occlusion/CSkinColors",
            cSettings: [.unsafeFlags(reproducible)]),
        .target(
            name: "PersonSegmentation", dependencies: ["FaceGeometry", "NeuralNetworks", "Pixels", "Vision"],
            path: "Sources/Faces/PersonSegmentation"),
        .target(
            name: "SyntheticFaces", dependencies: ["FaceGeometry", "Machine", "Pixels", "Threads"],
            path: "Sources/Faces/SyntheticFaces"),
        .target(
            name: "Vision", dependencies: ["CVision", "FaceGeometry", "Files", "Pixels"], path: "Sources/Faces/Vision",
            exclude: ["CVision"]),
        .target(
            name: "CVision", path: "Sources/Faces/Vision/CVision",
            cSettings: linksStatically ? [.define("BAUTA_STATIC_LIBRARIES")] : [],
            cxxSettings: [.unsafeFlags(optimised + ["-I/usr/include/opencv4"])],
            linkerSettings: [
                // A static library comes before those that it needs.
                versioned("dlib"), versioned("opencv_objdetect"), versioned("opencv_video"),
                versioned("opencv_imgproc"), versioned("opencv_core"), .linkedLibrary("blas"), .linkedLibrary("lapack"),
            ] + (linksStatically ? [.linkedLibrary("tbb")] : [])),

        // Masks: what a mask is, and what it draws.
        .target(
            name: "GLTF", dependencies: ["FaceGeometry", "Files", "ImageFiles", "JSON", "Pixels"],
            path: "Sources/Masks/GLTF"),
        .target(
            name: "MaskComposition", dependencies: ["FaceGeometry", "GLTF", "Masks", "Occlusion", "Pixels"],
            path: "Sources/Masks/MaskComposition"),
        .target(
            name: "Masks",
            dependencies: [
                "CArchive", "CSandbox", "CVectorGraphics", "FaceGeometry", "Files", "GLTF", "ImageFiles", "JSON",
                "Pixels", "Threads", "XML",
            ], path: "Sources/Masks/Masks", exclude: ["CArchive", "CVectorGraphics"]),
        .target(name: "CArchive", dependencies: ["CDynamicLibrary"], path: "Sources/Masks/Masks/CArchive"),
        .target(
            name: "CVectorGraphics", dependencies: ["CDynamicLibrary", "CSandbox"],
            path: "Sources/Masks/Masks/CVectorGraphics"),

        // Rendering: drawing, and windows.
        .target(
            name: "Display", dependencies: ["CGraphics", "CImGui", "Graphics", "Pixels"],
            path: "Sources/Rendering/Display", exclude: ["CImGui"]),
        .target(
            name: "CImGui", dependencies: ["CDynamicLibrary", "CGraphics"], path: "Sources/Rendering/Display/CImGui",
            cxxSettings: [.unsafeFlags(["-I/usr/include/imgui"])],
            linkerSettings: [.linkedLibrary("imgui"), .linkedLibrary("stb")]),
        .target(
            name: "FileDialogs", dependencies: ["Display", "Files", "ImageFiles", "Masks", "Pixels", "Threads"],
            path: "Sources/Rendering/FileDialogs"),
        .target(
            name: "Graphics", dependencies: ["CGraphics", "Machine", "Pixels"], path: "Sources/Rendering/Graphics",
            exclude: ["CGraphics"]),
        .target(
            name: "CGraphics", dependencies: ["CDynamicLibrary"], path: "Sources/Rendering/Graphics/CGraphics",
            linkerSettings: [.linkedLibrary("OpenGL")]),
        .target(
            name: "MaskRendering",
            dependencies: [
                "CGraphics", "FaceGeometry", "GLTF", "Graphics", "MaskComposition", "Masks", "Occlusion", "Pixels",
                "SoftwareRendering", "Threads",
            ], path: "Sources/Rendering/MaskRendering"),
        .target(
            name: "SoftwareRendering",
            dependencies: [
                "CRasterizer", "FaceGeometry", "GLTF", "Machine", "MaskComposition", "Masks", "Occlusion", "Pixels",
                "Threads",
            ], path: "Sources/Rendering/SoftwareRendering", exclude: ["CRasterizer"]),
        .target(
            name: "CRasterizer", path: "Sources/Rendering/SoftwareRendering/CRasterizer",
            cSettings: [.unsafeFlags(reproducible)]),

        // Pipeline: the path of a frame.
        .target(
            name: "Backgrounds",
            dependencies: [
                "Compositing", "FaceGeometry", "Files", "GLTF", "ImageFiles", "MaskComposition", "Masks",
                "NeuralNetworks", "PersonSegmentation", "Pixels", "Vision",
            ], path: "Sources/Pipeline/Backgrounds"),
        .target(
            name: "Capture", dependencies: ["Compositing", "FaceGeometry", "FaceTracking", "Pixels"],
            path: "Sources/Pipeline/Capture"),
        .target(
            name: "Compositing",
            dependencies: [
                "FaceGeometry", "FaceTracking", "FrameSources", "Gaze", "MaskComposition", "MaskRendering", "Masks",
                "Occlusion", "People", "Pixels", "Sound", "Vision",
            ], path: "Sources/Pipeline/Compositing"),
        .target(
            name: "FrameProcessing",
            dependencies: [
                "Clips", "Compositing", "FaceGeometry", "FaceRecognition", "FaceTracking", "FrameSources",
                "MaskComposition", "Pixels", "Sound", "Threads",
            ], path: "Sources/Pipeline/FrameProcessing"),
        .target(
            name: "Gaze",
            dependencies: ["FaceGeometry", "LandmarkModels", "Masks", "NeuralNetworks", "Pixels", "Vision"],
            path: "Sources/Pipeline/Gaze"),
        .target(
            name: "Installation",
            dependencies: [
                "Clips", "FaceGeometry", "Files", "Graphics", "ImageFiles", "JSON", "MaskRendering", "Masks", "Pixels",
                "Threads",
            ], path: "Sources/Pipeline/Installation"),
        .target(
            name: "People",
            dependencies: [
                "FaceGeometry", "FaceRecognition", "FaceTracking", "Files", "Gaze", "ImageFiles", "Installation",
                "Masks", "Pixels",
            ],
            path: "Sources/Pipeline/People"),
        .target(
            name: "PhotoRecords",
            dependencies: ["FaceGeometry", "Files", "ImageFiles", "JSON", "Pixels", "Records", "Vision"],
            path: "Sources/Pipeline/PhotoRecords"),
        .target(
            name: "Photographs",
            dependencies: [
                "Files", "Graphics", "ImageFiles", "Installation", "Machine", "Masks", "PhotoRecords",
                "PictureMasking", "Pixels", "Records", "Threads", "Vision",
            ], path: "Sources/Pipeline/Photographs"),
        .target(
            name: "PictureMasking",
            dependencies: [
                "Compositing", "FaceGeometry", "FaceTracking", "FrameProcessing", "ImageFiles", "Installation",
                "MaskComposition", "MaskRendering", "People", "PhotoRecords", "Pixels", "Records",
            ], path: "Sources/Pipeline/PictureMasking"),
        .target(
            name: "Records", dependencies: ["FaceGeometry", "FaceTracking", "Files", "JSON"],
            path: "Sources/Pipeline/Records"),
        .target(
            name: "SourceSelection",
            dependencies: [
                "Cameras", "Clips", "FaceGeometry", "Files", "FrameSources", "ImageFiles", "Pixels", "SyntheticFaces",
                "Threads",
            ], path: "Sources/Pipeline/SourceSelection"),
        .target(
            name: "TrackOutput",
            dependencies: [
                "Compositing", "FaceGeometry", "Files", "FrameProcessing", "Gaze", "JSON", "OpenSoundControl", "Pixels",
                "Records", "Sound",
            ], path: "Sources/Pipeline/TrackOutput"),
        .target(
            name: "Videos",
            dependencies: [
                "Clips", "Compositing", "FaceGeometry", "FaceTracking", "Files", "FrameProcessing", "ImageFiles",
                "Installation", "LandmarkModels", "MaskRendering", "People", "Pixels",
            ], path: "Sources/Pipeline/Videos"),

        // Program: commands and windows.
        .executableTarget(name: "bauta", dependencies: ["Commands"], path: "Sources/Program/bauta"),
        .target(
            name: "Commands",
            dependencies: [
                "Arguments", "Backgrounds", "CSandbox", "Cameras", "Capture", "Clips", "Compositing", "Display",
                "Evaluation",
                "FaceEvaluation", "FaceGeometry", "FaceRecognition", "FaceTracking", "Files", "FrameBenchmarks",
                "FrameProcessing", "Gaze", "Gestures", "Graphics", "ImageFiles", "Installation", "JSON",
                "LandmarkModels", "LiveControl", "LiveWindow", "Machine", "MaskAuthoring", "MaskEditor",
                "MaskRendering", "Masks", "NeuralNetworks", "OpenSoundControl", "People", "PhotoBenchmarks",
                "PhotoRecords", "PhotographWindow", "Photographs", "PictureMasking", "PipeWire", "Pixels", "Records",
                "ReviewWindow", "SourceSelection", "SyntheticFaces", "Threads", "TrackOutput", "TrackingEvaluation",
                "Videos", "Vision",
            ], path: "Sources/Program/Commands"),
        .target(
            name: "Library",
            dependencies: [
                "CBauta", "CFrameFormats", "Clips", "Compositing", "FaceGeometry", "FaceTracking", "Files",
                "FrameProcessing", "Gaze", "Graphics", "Installation", "MaskAuthoring", "MaskRendering", "Masks",
                "Pixels", "Threads", "Vision",
            ], path: "Sources/Program/Library", exclude: ["CBauta", "libbauta.map"],
            linkerSettings: [
                // Of the product `bauta-library`. Nothing else may depend on this target.
                .unsafeFlags(
                    (isSanitized ? [] : ["-static-stdlib"])
                        + [
                            "--version-script=\(Context.packageDirectory)/Sources/Program/Library/libbauta.map",
                            "-soname=libbauta.so.0", "-z", "nodelete",
                        ].flatMap { ["-Xlinker", $0] })
            ]),
        .target(name: "CBauta", path: "Sources/Program/Library/CBauta"),
        .target(name: "LiveControl", dependencies: ["Files", "Threads"], path: "Sources/Program/LiveControl"),
        .target(
            name: "LiveWindow",
            dependencies: [
                "Backgrounds", "CSandbox", "Cameras", "Capture", "Clips", "Compositing", "Display", "FaceGeometry",
                "FaceRecognition", "FaceTracking", "FileDialogs", "Files", "FrameProcessing", "FrameSources", "Gaze",
                "Gestures", "Graphics", "ImageFiles", "Installation", "JSON", "LandmarkModels", "LiveControl",
                "MaskAuthoring", "MaskComposition", "MaskRendering", "Masks", "NeuralNetworks", "OpenSoundControl",
                "People", "PipeWire", "Pixels", "Sound", "SourceSelection", "Threads", "TrackOutput", "Vision",
            ], path: "Sources/Program/LiveWindow"),
        .target(
            name: "MaskAuthoring",
            dependencies: [
                "Clips", "Compositing", "FaceGeometry", "FaceTracking", "Files", "FrameProcessing", "GLTF",
                "Gaze", "ImageFiles", "Installation", "JSON", "MaskComposition", "MaskRendering", "Masks", "Pixels",
                "Sound", "SyntheticFaces", "Threads", "Vision",
            ], path: "Sources/Program/MaskAuthoring"),
        .target(
            name: "MaskEditor",
            dependencies: [
                "Backgrounds", "CSandbox", "Cameras", "Clips", "Compositing", "Display", "FaceGeometry", "FaceTracking",
                "FileDialogs", "Files", "FrameProcessing", "FrameSources", "GLTF", "ImageFiles", "Installation", "JSON",
                "LiveWindow", "MaskAuthoring", "MaskComposition", "MaskRendering", "Masks", "NeuralNetworks",
                "Occlusion", "Pixels", "SyntheticFaces", "Threads",
            ], path: "Sources/Program/MaskEditor"),
        .target(
            name: "PhotographWindow",
            dependencies: [
                "Clips", "Compositing", "Display", "FaceGeometry", "FileDialogs", "Files", "ImageFiles", "Installation",
                "LiveWindow", "Pixels", "Threads",
            ],
            path: "Sources/Program/PhotographWindow"),
        .target(
            name: "ReviewWindow",
            dependencies: [
                "Clips", "Compositing", "Display", "FaceGeometry", "FaceTracking", "Files", "Graphics", "ImageFiles",
                "Installation", "PhotoRecords", "Pixels", "Records", "Threads", "Videos", "Vision",
            ], path: "Sources/Program/ReviewWindow"),

        // Lab: what measures the product and is not the product.
        .executableTarget(
            name: "draw-samples", dependencies: ["FaceGeometry", "Files", "ImageFiles", "Pixels", "SyntheticFaces"],
            path: "Sources/Lab/draw-samples"),
        .target(
            name: "Evaluation",
            dependencies: ["FaceGeometry", "Files", "ImageFiles", "JSON", "Pixels", "SyntheticFaces"],
            path: "Sources/Lab/Evaluation"),
        .target(
            name: "FaceEvaluation",
            dependencies: [
                "Clips", "Compositing", "Detection", "Evaluation", "FaceGeometry", "FaceRecognition", "FaceTracking",
                "Files", "ImageFiles", "NeuralNetworks", "People", "Pixels",
            ], path: "Sources/Lab/FaceEvaluation"),
        .target(
            name: "FrameBenchmarks",
            dependencies: [
                "Clips", "Compositing", "Evaluation", "FaceGeometry", "FaceTracking", "FrameProcessing", "GLTF",
                "Installation", "MaskComposition", "MaskRendering", "Masks", "Pixels",
            ], path: "Sources/Lab/FrameBenchmarks"),
        .target(
            name: "PhotoBenchmarks",
            dependencies: [
                "Evaluation", "Files", "ImageFiles", "Installation", "Machine", "PhotoRecords", "Photographs",
                "PictureMasking", "Threads",
            ], path: "Sources/Lab/PhotoBenchmarks"),
        .target(
            name: "TrackingEvaluation",
            dependencies: [
                "Clips", "Detection", "Evaluation", "FaceGeometry", "FaceTracking", "Files", "Gestures", "ImageFiles",
                "LandmarkModels", "Occlusion", "Pixels", "SyntheticFaces",
            ], path: "Sources/Lab/TrackingEvaluation"),

        // Tests
        // Pictures made byte by byte, whole and broken.
        .target(name: "NetworkBuilder", path: "Tests/NetworkBuilder"),
        .target(name: "ModelBuilder", path: "Tests/ModelBuilder"),
        .target(name: "PictureBuilders", dependencies: ["CCodecs", "CWebP"], path: "Tests/PictureBuilders"),
        .executableTarget(
            name: "draw-broken-pictures", dependencies: ["PictureBuilders"], path: "Tests/DrawBrokenPictures"),
        .target(
            name: "TestSupport",
            dependencies: [
                // It is not imported: it sets what Mesa draws with.
                "PreciseOpenGL",
                "FaceGeometry", "FaceTracking", "Files", "Graphics", "ImageFiles", "MaskComposition", "MaskRendering",
                "Masks", "Occlusion", "PictureBuilders", "Pixels", "SoftwareRendering", "Threads",
            ], path: "Tests/TestSupport"),
        .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
        .target(name: "PreciseOpenGL", path: "Tests/PreciseOpenGL"),
        .testTarget(
            name: "PixelsTests", dependencies: ["CFrameFormats", "PictureBuilders", "Pixels", "TestSupport"]),
        .testTarget(name: "SandboxTests", dependencies: ["CSandbox"]),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "CCamera", "CLandmarkCascade", "COpticalFlow", "Clips", "Detection", "Evaluation", "FaceGeometry",
                "FaceRecognition",
                "FaceTracking", "Files", "GLTF", "ImageFiles", "JSON", "LandmarkModels", "LiveControl",
                "MaskAuthoring", "MaskComposition", "Masks", "ModelBuilder", "NetworkBuilder", "NeuralNetworks",
                "PictureBuilders", "Pixels", "Records", "Sound", "Vision",
            ], path: "Tests/Fuzzing/Readers"),
        .testTarget(name: "FuzzTargetTests", dependencies: ["FuzzTargets", "PictureBuilders"]),
        .testTarget(name: "JSONTests", dependencies: ["JSON"]),
        .testTarget(
            name: "GLTFTests",
            dependencies: [
                "AllocationCounter", "FaceGeometry", "GLTF", "JSON", "ModelBuilder", "PictureBuilders", "TestSupport",
            ]),
        .testTarget(name: "MachineTests", dependencies: ["Machine", "TestSupport"]),
        .testTarget(name: "ThreadsTests", dependencies: ["Threads"]),
        .testTarget(name: "FilesTests", dependencies: ["CFiles", "Files", "TestSupport"]),
        .testTarget(
            name: "EvaluationTests",
            dependencies: [
                "Evaluation", "FaceGeometry", "FaceTracking", "Gestures", "Pixels", "SyntheticFaces", "TestSupport",
                "TrackingEvaluation",
            ]),
        .testTarget(
            name: "CaptureTests",
            dependencies: ["Capture", "FaceGeometry", "FaceTracking", "Pixels", "SyntheticFaces", "TestSupport"]),
        .testTarget(name: "GesturesTests", dependencies: ["FaceGeometry", "Gestures", "TestSupport"]),
        .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"]),
        .testTarget(name: "ArgumentsTests", dependencies: ["Arguments"]),
        .testTarget(
            name: "ImageFilesTests",
            dependencies: ["CHEIF", "CSandbox", "Files", "ImageFiles", "Pixels", "TestSupport"]),
        .testTarget(name: "FaceGeometryTests", dependencies: ["FaceGeometry", "SyntheticFaces", "TestSupport"]),
        .testTarget(
            name: "FaceTrackingTests",
            dependencies: [
                "AllocationCounter", "COpticalFlow", "Detection", "FaceGeometry", "FaceTracking", "Files", "ImageFiles",
                "LandmarkModels", "NetworkBuilder", "NeuralNetworks", "Pixels", "SyntheticFaces", "TestSupport",
                "Threads", "Vision",
            ]),
        .testTarget(
            name: "FaceRecognitionTests",
            dependencies: [
                "FaceGeometry", "FaceRecognition", "FaceTracking", "Files", "ImageFiles", "LandmarkModels",
                "NeuralNetworks", "Pixels", "SyntheticFaces", "TestSupport", "Vision",
            ]),
        .testTarget(
            name: "PipeWireTests", dependencies: ["CPipeWire", "PipeWire", "Pixels", "TestSupport", "Threads"]),
        .testTarget(name: "SoundTests", dependencies: ["AllocationCounter", "Sound", "TestSupport"]),
        .testTarget(
            name: "ClipsTests",
            dependencies: ["Cameras", "Clips", "Files", "Pixels", "Sound", "TestSupport", "Threads"]),
        .testTarget(
            name: "PipelineTests",
            dependencies: [
                "Compositing", "FaceGeometry", "FaceRecognition", "FaceTracking", "Files", "FrameProcessing",
                "FrameSources", "Gaze", "ImageFiles", "MaskComposition", "MaskRendering", "Masks", "NeuralNetworks",
                "OpenSoundControl", "People", "Pixels", "Records", "SourceSelection", "SyntheticFaces", "TestSupport",
                "Threads", "TrackOutput", "Vision",
            ]),
        // It loads the library, and so need not wait for its modules to be built.
        .testTarget(
            name: "LibraryTests",
            dependencies: ["CBauta", "CFrameFormats", "Files", "ImageFiles", "Pixels", "TestSupport"]),
        .testTarget(name: "LiveControlTests", dependencies: ["Files", "LiveControl", "TestSupport"]),
        .testTarget(
            name: "LiveWindowTests",
            dependencies: [
                "Backgrounds", "CGraphics", "CImGui", "Clips", "Compositing", "Display", "FaceGeometry", "FaceTracking",
                "FileDialogs", "Files", "FrameProcessing", "Gestures", "Graphics", "ImageFiles", "Installation", "JSON",
                "LiveControl", "LiveWindow", "MaskRendering", "Masks", "NeuralNetworks", "Pixels", "SourceSelection",
                "TestSupport", "Threads",
            ]),
        .testTarget(
            name: "PhotographWindowTests", dependencies: ["Clips", "FaceGeometry", "Files", "PhotographWindow"]),
        .testTarget(
            name: "ReviewWindowTests",
            dependencies: [
                "FaceGeometry", "FaceTracking", "Files", "PhotoRecords", "Records", "ReviewWindow", "TestSupport",
            ]),
        .testTarget(
            name: "MasksTests",
            dependencies: [
                "FaceGeometry", "Files", "GLTF", "ImageFiles", "Masks", "ModelBuilder", "Pixels", "TestSupport",
            ]),
        .testTarget(
            name: "MaskAuthoringTests",
            dependencies: [
                "Display", "FaceGeometry", "Files", "GLTF", "ImageFiles", "Installation", "JSON", "MaskAuthoring",
                "MaskComposition", "MaskEditor", "Masks", "PictureBuilders", "Pixels", "TestSupport", "Threads",
            ]),
        .testTarget(
            name: "HandsTests",
            dependencies: ["FaceGeometry", "Hands", "ImageFiles", "NeuralNetworks", "Pixels", "TestSupport"]),
        .testTarget(
            name: "BackgroundsTests",
            dependencies: [
                "Backgrounds", "Compositing", "FaceGeometry", "ImageFiles", "MaskComposition", "MaskRendering", "Masks",
                "NeuralNetworks", "Pixels", "SyntheticFaces", "TestSupport", "Vision",
            ]),
        .testTarget(
            name: "PersonSegmentationTests",
            dependencies: [
                "NeuralNetworks", "PersonSegmentation", "Pixels", "TestSupport",
            ]),
        .testTarget(
            name: "OcclusionTests",
            dependencies: [
                "AllocationCounter", "FaceGeometry", "Hands", "NeuralNetworks", "Occlusion", "Pixels",
                "SyntheticFaces", "TestSupport",
            ]),
        .testTarget(
            name: "MaskCompositionTests",
            dependencies: [
                "AllocationCounter", "FaceGeometry", "MaskComposition", "Masks", "Occlusion", "Pixels", "TestSupport",
            ]),
        .testTarget(
            name: "MaskRenderingTests",
            dependencies: [
                "AllocationCounter", "FaceGeometry", "Files", "GLTF", "Graphics", "ImageFiles", "MaskComposition",
                "MaskRendering", "Masks", "ModelBuilder", "Occlusion", "Pixels", "SoftwareRendering", "SyntheticFaces",
                "TestSupport", "Threads",
            ]),
        .testTarget(
            name: "SyntheticFacesTests",
            dependencies: ["FaceGeometry", "ImageFiles", "Pixels", "SyntheticFaces", "TestSupport"]),
        .testTarget(
            name: "CommandsTests",
            dependencies: [
                "Arguments", "Commands", "Compositing", "FaceGeometry", "FaceTracking", "FileDialogs", "Files",
                "FrameProcessing", "ImageFiles", "Installation", "JSON", "LiveWindow", "Machine", "NeuralNetworks",
                "PhotoRecords", "PhotographWindow", "PictureMasking", "Pixels", "SourceSelection", "TestSupport",
            ]),
        // They run the program, and so need not wait for its modules to be built.
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "CSandbox", "Clips", "Compositing", "FaceGeometry", "FaceRecognition", "FaceTracking", "Files",
                "ImageFiles", "JSON", "Masks", "NeuralNetworks", "PhotoRecords", "Photographs", "PictureMasking",
                "Pixels", "Records", "SyntheticFaces", "TestSupport",
            ]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// With BAUTA_FUZZING=1 (scripts/fuzz), all targets are built with libFuzzer's instrumentation.
if Context.environment["BAUTA_FUZZING"] != nil {
    package.targets += [
        .target(name: "CFuzzer", path: "Tests/Fuzzing/CFuzzer"),
        .executableTarget(
            name: "fuzz-readers",
            dependencies: ["CFuzzer", "FuzzTargets"],
            path: "Tests/Fuzzing/Program",
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
    ]
    for target in package.targets where target.type != .system {
        target.swiftSettings = [.unsafeFlags(["-sanitize=fuzzer,address"])]
        target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-fsanitize=fuzzer-no-link,address"])]
        target.cxxSettings = (target.cxxSettings ?? []) + [.unsafeFlags(["-fsanitize=fuzzer-no-link,address"])]
    }
}

// Tests that compute little themselves take the same time without optimisation, and half the time to compile.
let computing = [
    "ArchitectureTests", "FaceGeometryTests", "FaceTrackingTests", "LibraryTests", "MaskCompositionTests",
    "MaskRenderingTests", "OcclusionTests", "PixelsTests", "SoundTests", "SyntheticFacesTests",
]
for target in package.targets where target.type == .test {
    // A module that nobody imports needs no interface, for which it would be read a second time.
    let flags = ["-no-emit-module-separately-wmo"] + (computing.contains(target.name) ? [] : ["-Onone"])
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags)]
}

// What others inline of a module is compiled again in each of them. Only these modules are called for every pixel, texel or
// point; the others are called and not inlined.
let inlined = [
    "Compositing", "Detection", "FaceGeometry", "FaceTracking", "GLTF", "Gestures", "Hands", "LandmarkModels",
    "MaskComposition", "MaskRendering", "NeuralNetworks", "Occlusion", "Pixels", "SoftwareRendering", "Sound",
    "SyntheticFaces", "Threads", "Vision",
]
// These read arguments, call others and print or show, and compute little: optimised, they take twice as long to compile.
let calling = ["Arguments", "Commands", "FileDialogs", "LiveControl", "PhotographWindow", "ReviewWindow"]
for target in package.targets where target.type != .test && !inlined.contains(target.name) {
    let flags = ["-disable-cmo", "-no-emit-module-separately-wmo"] + (calling.contains(target.name) ? ["-Onone"] : [])
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags)]
}

// Whole suites that take minutes are not even compiled unless they are wanted (scripts/test-slow).
if Context.environment["BAUTA_SLOW_TESTS"] != "1" {
    let partlySlow = [
        "EvaluationTests", "FaceRecognitionTests", "FaceTrackingTests", "LibraryTests", "PipelineTests", "ProgramTests",
    ]
    for target in package.targets where partlySlow.contains(target.name) { target.exclude.append("Slow") }
}

// With BAUTA_STRICT=1 (scripts/test), warnings are errors, except deprecations by a later SDK. Other compilers and other
// headers than the tried ones may warn of what is right.
if Context.environment["BAUTA_STRICT"] == "1" {
    for target in package.targets where target.type != .system {
        target.swiftSettings =
            (target.swiftSettings ?? []) + [
                .treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning),
            ]
    }
}
