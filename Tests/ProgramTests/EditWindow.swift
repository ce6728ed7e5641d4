import TestSupport
import Testing

/// The editor's window, with a few steps that several tests take.
struct EditWindow {
    static let background = SIMD4<UInt8>(15, 15, 15, 255)
    /// The text of problems.
    static let problem = SIMD4<UInt8>(255, 115, 102, 255)
    /// What can be moved of a slider.
    static let accent = SIMD4<UInt8>(108, 84, 36, 255)
    /// Behind the synthetic head of Ada.
    static let wall = SIMD4<UInt8>(173, 182, 188, 255)
    static let button = SIMD4<UInt8>(59, 59, 62, 255)
    /// The button that restores unsaved changes.
    static let restore = (x: 477, y: 440)
    /// The row of the wolf's face in the list of layers.
    private static let row = (x: 90, y: 273)

    let display: TestDisplay
    let window: String
    let program: RunningProgram

    /// Runs the editor on a mask until it ends.
    /// - Parameters:
    ///   - environment: besides that of the display.
    ///   - body: is called when the synthetic head is there.
    static func run(
        _ mask: String, on display: TestDisplay, environment: [String: String] = [:],
        _ body: @escaping (EditWindow) throws -> Void
    ) throws -> ProgramRun {
        let environment = display.environment.merging(environment) { $1 }
        return try ProgramRun.bauta(["mask", "edit", mask], environment: environment) { program in
            let window = try display.window(of: program)
            try display.waitForPicture(window, .lacks(background, in: .model, below: 0.3))
            try body(EditWindow(display: display, window: window, program: program))
        }
    }

    /// Chooses the layer of the wolf's face.
    /// - Returns: what the window shows then.
    func chooseWolf() throws -> Screenshot {
        let before = try display.settledPicture(window, in: .texture)
        try clickWolf()
        // The size of its texture is written above it.
        try display.waitForPicture(
            window, .differs(from: before, "the one before the click", in: .texture, by: 0.01),
            .shows(SIMD4(255, 255, 255, 255), in: .status, above: 0.01))
        return try display.settledPicture(window, count: 4)
    }

    /// Clicks on the wolf's face in the list of layers.
    func clickWolf() throws { try display.click(Self.row.x, Self.row.y, in: window) }

    /// Clicks on what hides the wolf's face and shows it again.
    func clickEye() throws { try display.click(20, Self.row.y, in: window) }
}
