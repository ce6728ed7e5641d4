// swift-tools-version: 6.2
import PackageDescription

// Without optimisation dlib's detector takes over a second per frame, so the C++ target is optimised in debug builds, too.
let optimised: [String] = ["-O3", "-fno-math-errno"]

let package = Package(
    name: "bauta",
    products: [
        .executable(name: "bauta", targets: ["bauta"]),
        .executable(name: "draw-samples", targets: ["draw-samples"]),
    ],
    targets: [
        .executableTarget(name: "bauta", dependencies: ["Commands"]),
        .target(
            name: "Commands",
            dependencies: [
                "CSandbox", "CommandLine", "Graphics", "MaskRendering", "Masks", "FaceTracking", "Media", "ImageFiles",
                "FaceGeometry", "Machine", "Pixels", "JSON", "Files", "FaceRecognition", "Masking", "LiveControl",
                "LiveWindow", "OpenSoundControl", "MaskEditor", "MaskAuthoring", "Capture", "Evaluation", "Gestures",
                "Threads",
            ]),
        .target(
            name: "Evaluation",
            dependencies: [
                "MaskComposition", "MaskRendering", "Masks", "Models", "FaceTracking", "Media", "ImageFiles",
                "FaceGeometry", "FaceRecognition", "Gestures", "Occlusion", "Pixels", "Files", "Machine",
                "SyntheticFaces", "Masking", "Threads",
            ]),
        .target(name: "Display", dependencies: ["CGraphics", "CImGui", "Graphics", "Pixels"]),
        .target(
            name: "Masking",
            dependencies: [
                "FaceRecognition", "FaceTracking", "FaceGeometry", "Files", "Graphics", "ImageFiles", "JSON",
                "MaskComposition", "Machine", "MaskRendering", "Masks", "Media", "Occlusion", "OpenSoundControl",
                "Pixels", "Sound", "SyntheticFaces", "Threads",
            ]),
        .target(
            name: "MaskRendering",
            dependencies: [
                "CGraphics", "Graphics", "SoftwareRendering", "MaskComposition", "Occlusion", "Pixels", "FaceGeometry",
                "Masks", "Models", "Threads",
            ]),
        .target(
            name: "SoftwareRendering",
            dependencies: [
                "CRasterizer", "Machine", "MaskComposition", "Masks", "Models", "Occlusion", "FaceGeometry", "Pixels",
                "Threads",
            ]),
        .target(name: "MaskComposition", dependencies: ["Pixels", "FaceGeometry", "Masks", "Models", "Occlusion"]),
        .target(name: "Occlusion", dependencies: ["FaceGeometry", "Pixels"]),
        .target(name: "Gestures", dependencies: ["FaceGeometry"]),
        .target(name: "Graphics", dependencies: ["CGraphics", "Pixels"]),
        .target(
            name: "Masks",
            dependencies: [
                "CArchive", "CSandbox", "CVectorGraphics", "Models", "Pixels", "FaceGeometry", "Files", "ImageFiles",
                "JSON", "Threads", "XML",
            ]),
        .target(name: "Models", dependencies: ["FaceGeometry", "Files", "ImageFiles", "JSON", "Pixels"]),
        .target(name: "XML", dependencies: ["CXML"]),
        // libarchive, libheif, librsvg, libtiff, libv4lconvert, libwebp, libxml2 and XNNPACK are loaded when they are needed.
        .target(name: "CArchive", dependencies: ["CDynamicLibrary"]),
        .target(name: "CVectorGraphics", dependencies: ["CDynamicLibrary", "CSandbox"]),
        .target(
            name: "CXML", dependencies: ["CDynamicLibrary"], cSettings: [.unsafeFlags(["-I/usr/include/libxml2"])]),
        .target(name: "CDynamicLibrary"),
        .target(
            name: "MaskEditor",
            dependencies: [
                "Display", "Masking", "MaskAuthoring", "MaskRendering", "Masks", "FaceTracking", "SyntheticFaces",
                "FaceGeometry", "Media", "ImageFiles", "Files", "Pixels", "Threads", "JSON",
            ]),
        .target(
            name: "LiveWindow",
            dependencies: [
                "Display", "Masking", "MaskAuthoring", "MaskComposition", "MaskRendering", "Masks", "FaceTracking",
                "Capture", "FaceGeometry", "FaceRecognition", "Gestures", "Media", "ImageFiles", "Files", "JSON",
                "LiveControl", "OpenSoundControl", "Pixels", "Sound", "Threads",
            ]),
        .target(name: "Capture", dependencies: ["FaceGeometry", "FaceTracking", "Masking", "Pixels"]),
        .target(name: "LiveControl", dependencies: ["Files", "Threads"]),
        .target(name: "OpenSoundControl", dependencies: ["COSC", "Files"]),
        .target(name: "COSC", dependencies: ["CDynamicLibrary"]),
        .target(
            name: "MaskAuthoring",
            dependencies: [
                "Masking", "MaskComposition", "MaskRendering", "Masks", "Models", "FaceTracking", "SyntheticFaces",
                "FaceGeometry", "Media", "ImageFiles", "Pixels", "Files", "JSON", "Sound",
            ]),
        .target(
            name: "FaceTracking",
            dependencies: [
                "CVision", "CLandmarkCascade", "CNeuralNetwork", "COpticalFlow", "Machine", "Pixels", "FaceGeometry",
                "Files", "Threads",
            ]),
        .target(
            name: "FaceRecognition",
            dependencies: [
                "CVision", "FaceTracking", "FaceGeometry", "Files", "ImageFiles", "JSON", "Pixels", "Threads",
            ]),
        .target(
            name: "Media",
            dependencies: [
                "CMedia", "CCamera", "CSandbox", "Machine", "Pixels", "JSON", "Sound", "Threads", "ImageFiles", "Files",
            ]),
        .target(name: "CCamera", dependencies: ["CDynamicLibrary"], cSettings: [.unsafeFlags(["-O3"])]),
        .target(name: "CMedia"),
        .target(name: "CSandbox"),
        .target(
            name: "ImageFiles", dependencies: ["CCodecs", "CHEIF", "CTIFF", "CWebP", "Files", "Pixels", "XML"]),
        .target(name: "CHEIF", dependencies: ["CDynamicLibrary", "CSandbox"], cSettings: [.unsafeFlags(["-O2"])]),
        .target(name: "CTIFF", dependencies: ["CDynamicLibrary", "CSandbox"], cSettings: [.unsafeFlags(["-O2"])]),
        .target(name: "CWebP", dependencies: ["CDynamicLibrary"]),
        .target(name: "FaceGeometry"),
        .target(name: "Pixels"),
        .target(name: "Sound"),
        .target(name: "Threads", dependencies: ["Machine"]),
        .target(name: "Machine", dependencies: ["CProcessor"]),
        .target(name: "CFiles"),
        .target(name: "Files", dependencies: ["CFiles"]),
        .target(name: "CommandLine", dependencies: ["Files", "JSON", "Threads"]),
        .target(name: "JSON", dependencies: ["CJansson"]),

        // Synthetic faces: the pictures in samples/ and the ground truth of the tests.
        .target(name: "SyntheticFaces", dependencies: ["FaceGeometry", "Machine", "Pixels", "Threads"]),
        .executableTarget(
            name: "draw-samples",
            dependencies: ["SyntheticFaces", "Files", "ImageFiles", "FaceGeometry", "Pixels"]),

        .target(
            name: "CVision",
            cxxSettings: [.unsafeFlags(optimised + ["-I/usr/include/opencv4"])],
            linkerSettings: [
                .linkedLibrary("dlib"), .linkedLibrary("opencv_core"),
                .linkedLibrary("opencv_imgproc"), .linkedLibrary("opencv_objdetect"), .linkedLibrary("opencv_video"),
                .linkedLibrary("blas"), .linkedLibrary("lapack"),
            ]),
        .target(name: "CProcessor"),
        // Without fused multiplications all processors compute the same.
        .target(name: "CRasterizer", cSettings: [.unsafeFlags(["-O3", "-ffp-contract=off"])]),
        .target(
            name: "CLandmarkCascade", dependencies: ["CProcessor"], cSettings: [.unsafeFlags(["-O3"])]),
        .target(name: "COpticalFlow", dependencies: ["CProcessor"], cSettings: [.unsafeFlags(["-O3"])]),
        .target(
            name: "CNeuralNetwork", dependencies: ["CDynamicLibrary", "CProcessor"],
            cSettings: [.unsafeFlags(["-O3"])]),
        .target(
            name: "CCodecs",
            cSettings: [.unsafeFlags(["-O2"])],
            linkerSettings: [
                .linkedLibrary("jpeg"), .linkedLibrary("png"), .linkedLibrary("z"),
                .linkedLibrary("lcms2"),
            ]),
        .target(name: "CJansson", linkerSettings: [.linkedLibrary("jansson")]),
        .target(
            name: "CGraphics", dependencies: ["CDynamicLibrary"], linkerSettings: [.linkedLibrary("OpenGL")]),

        .target(
            name: "CImGui", dependencies: ["CDynamicLibrary", "CGraphics"],
            cxxSettings: [.unsafeFlags(["-I/usr/include/imgui"])],
            linkerSettings: [.linkedLibrary("imgui"), .linkedLibrary("stb")]),

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
                "PictureBuilders", "PreciseOpenGL", "Pixels", "ImageFiles", "FaceGeometry", "FaceTracking", "Files",
                "Graphics", "Masks", "MaskRendering", "SoftwareRendering", "SyntheticFaces", "Threads",
            ],
            path: "Tests/TestSupport"),
        .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
        .target(name: "PreciseOpenGL", path: "Tests/PreciseOpenGL"),
        .testTarget(name: "PixelsTests", dependencies: ["Pixels", "TestSupport"]),
        .testTarget(name: "SandboxTests", dependencies: ["CSandbox"]),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "CCamera", "CLandmarkCascade", "COpticalFlow", "FaceGeometry", "FaceRecognition", "FaceTracking",
                "Files", "ImageFiles", "JSON", "LiveControl", "MaskComposition", "Masks", "Media", "ModelBuilder",
                "Models", "NetworkBuilder", "PictureBuilders", "Pixels", "Sound",
            ],
            path: "Tests/Fuzzing/Readers"),
        .testTarget(name: "FuzzTargetTests", dependencies: ["FuzzTargets", "PictureBuilders"]),
        .testTarget(name: "JSONTests", dependencies: ["JSON"]),
        .testTarget(
            name: "ModelsTests",
            dependencies: [
                "AllocationCounter", "FaceGeometry", "JSON", "ModelBuilder", "Models", "PictureBuilders", "TestSupport",
            ]),
        .testTarget(name: "MachineTests", dependencies: ["Machine", "TestSupport"]),
        .testTarget(name: "ThreadsTests", dependencies: ["Threads"]),
        .testTarget(name: "FilesTests", dependencies: ["CFiles", "Files", "TestSupport"]),
        .testTarget(
            name: "EvaluationTests",
            dependencies: [
                "Evaluation", "FaceGeometry", "FaceTracking", "Gestures", "Pixels", "SyntheticFaces", "TestSupport",
            ]),
        .testTarget(
            name: "CaptureTests",
            dependencies: ["Capture", "FaceGeometry", "FaceTracking", "Pixels", "SyntheticFaces", "TestSupport"]),
        .testTarget(name: "GesturesTests", dependencies: ["FaceGeometry", "Gestures", "TestSupport"]),
        .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"]),
        .testTarget(name: "CommandLineTests", dependencies: ["CommandLine", "Files", "TestSupport"]),
        .testTarget(
            name: "ImageFilesTests", dependencies: ["CHEIF", "CSandbox", "ImageFiles", "Pixels", "TestSupport"]),
        .testTarget(name: "FaceGeometryTests", dependencies: ["FaceGeometry", "SyntheticFaces", "TestSupport"]),
        .testTarget(
            name: "FaceTrackingTests",
            dependencies: [
                "COpticalFlow", "FaceTracking", "FaceGeometry", "Files", "ImageFiles", "NetworkBuilder", "Pixels",
                "SyntheticFaces", "TestSupport", "AllocationCounter", "Threads",
            ]),
        .testTarget(
            name: "FaceRecognitionTests",
            dependencies: [
                "FaceRecognition", "FaceTracking", "FaceGeometry", "Files", "ImageFiles", "Pixels", "SyntheticFaces",
                "TestSupport",
            ]),
        .testTarget(name: "SoundTests", dependencies: ["AllocationCounter", "Sound", "TestSupport"]),
        .testTarget(name: "MediaTests", dependencies: ["Files", "Media", "Pixels", "Sound", "TestSupport", "Threads"]),
        .testTarget(
            name: "MaskingTests",
            dependencies: [
                "Masking", "MaskComposition", "MaskRendering", "Masks", "FaceRecognition", "FaceTracking",
                "FaceGeometry", "ImageFiles", "Media", "OpenSoundControl", "Pixels", "Sound", "SyntheticFaces",
                "TestSupport", "Threads",
            ]),
        .testTarget(name: "LiveControlTests", dependencies: ["Files", "LiveControl", "TestSupport"]),
        .testTarget(
            name: "LiveWindowTests",
            dependencies: [
                "CGraphics", "Display", "FaceTracking", "Files", "Gestures", "Graphics", "JSON", "LiveControl",
                "LiveWindow", "MaskRendering", "Masking", "Masks", "Media", "TestSupport", "Threads",
            ]),
        .testTarget(
            name: "MasksTests",
            dependencies: ["Files", "Masks", "ModelBuilder", "Models", "FaceGeometry", "TestSupport"]),
        .testTarget(
            name: "MaskAuthoringTests",
            dependencies: [
                "MaskAuthoring", "Files", "MaskComposition", "Masking", "Masks", "FaceGeometry", "ImageFiles", "JSON",
                "PictureBuilders", "Pixels", "TestSupport",
            ]),
        .testTarget(
            name: "OcclusionTests",
            dependencies: [
                "AllocationCounter", "Occlusion", "FaceGeometry", "Pixels", "SyntheticFaces", "TestSupport",
            ]),
        .testTarget(
            name: "MaskCompositionTests",
            dependencies: [
                "MaskComposition", "Masks", "Occlusion", "FaceGeometry", "Pixels", "TestSupport", "AllocationCounter",
            ]),
        .testTarget(
            name: "MaskRenderingTests",
            dependencies: [
                "Graphics", "MaskComposition", "MaskRendering", "ModelBuilder", "SoftwareRendering", "Masks", "Models",
                "FaceGeometry", "ImageFiles", "Occlusion", "Pixels", "SyntheticFaces", "Threads", "TestSupport",
                "AllocationCounter",
            ]),
        .testTarget(
            name: "SyntheticFacesTests",
            dependencies: ["SyntheticFaces", "FaceGeometry", "ImageFiles", "Pixels", "TestSupport"]),
        .testTarget(
            name: "CommandsTests",
            dependencies: ["Commands", "CommandLine", "Files", "ImageFiles", "JSON", "Masking", "TestSupport"]),
        // They run the program, and so need not wait for its modules to be built.
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "CSandbox", "Files", "ImageFiles", "FaceGeometry", "FaceRecognition", "FaceTracking", "JSON", "Masking",
                "Media", "Pixels", "SyntheticFaces", "TestSupport",
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
    "FaceGeometryTests", "FaceTrackingTests", "ImageFilesTests", "MaskCompositionTests", "MaskRenderingTests",
    "OcclusionTests", "PixelsTests", "SoundTests", "SyntheticFacesTests",
]
for target in package.targets where target.type == .test && !computing.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"])]
}

// Warnings are errors, except deprecations by a later SDK.
for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning),
        ]
}
