import FaceTracking
import JSON
import MaskRendering

/// Cameras, microphones and virtual cameras that the user has chosen, and what finds and draws faces. What is nil has never
/// been chosen.
package struct LiveDevices: Equatable, Sendable {
    /// A frame size with a rate.
    package struct CameraMode: Equatable, Sendable {
        package let width: Int
        package let height: Int
        /// Frames per second.
        package let rate: Int

        package init(width: Int, height: Int, rate: Int) {
            (self.width, self.height, self.rate) = (width, height, rate)
        }

        /// Reads "1280x720@30".
        package init?(_ text: String) {
            let numbers = text.split(separator: /[x@]/, omittingEmptySubsequences: false).map { Int($0) ?? 0 }
            guard numbers.count == 3, (1...16384).contains(numbers[0]), (1...16384).contains(numbers[1]),
                (1...1000).contains(numbers[2])
            else { return nil }
            self.init(width: numbers[0], height: numbers[1], rate: numbers[2])
            guard text == name else { return nil }
        }

        package var name: String { "\(width)x\(height)@\(rate)" }
        /// For the user.
        package var title: String { "\(width)×\(height) at \(rate) frames/s" }
    }

    /// The camera's name, or its path.
    package var camera: String?
    /// Nil: what cameras are asked for by themselves.
    package var cameraMode: CameraMode?
    /// By `Microphone.name`; nil: the default one.
    package var microphone: String?
    /// Whether recordings have the microphone's sound.
    package var recordsMicrophone: Bool?
    /// Whether recordings are in portrait format.
    package var isVertical: Bool?
    /// Whether a GIF is made of the last seconds, too.
    package var savesGIF: Bool?
    /// `VirtualCameraChoice.text` of the virtual camera that is written to; nil: none.
    package var virtualCamera: String?
    /// The folder of recordings and snapshots.
    package var folder: String?
    package var renderer: RendererChoice?
    /// Nil: the best that is installed.
    package var detector: FaceModels.Detector?
    /// Nil: the best that is installed.
    package var landmarks: FaceModels.LandmarkModelChoice?

    package init() {}
}

// MARK: JSON

extension LiveDevices {
    /// Reads the file.
    /// - Parameter warn: receives a sentence about each member that is not as it should be, and does not count.
    package init(_ json: JSONValue, warn: (String) -> Void) {
        func value<Value>(_ key: String, _ wanted: String, _ read: (JSONValue) -> Value?) -> Value? {
            json.preference(key, wanted, warn: warn, read)
        }
        func text(_ key: String) -> String? {
            value(key, "a text without control characters") { member in
                member.string.flatMap { text in
                    text.isEmpty || text.unicodeScalars.contains { $0.value < 32 || $0.value == 127 } ? nil : text
                }
            }
        }
        func word<Word: RawRepresentable & CaseIterable>(_ key: String) -> Word? where Word.RawValue == String {
            value(key, "one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))") { member in
                member.string.flatMap { Word(rawValue: $0) }
            }
        }
        camera = text("camera")
        cameraMode = value("cameraMode", "a size and a rate, like \"1280x720@30\"") { member in
            member.string.flatMap { CameraMode($0) }
        }
        microphone = text("microphone")
        recordsMicrophone = value("recordMicrophone", "true or false", \.bool)
        isVertical = value("portraitFormat", "true or false", \.bool)
        savesGIF = value("saveGIF", "true or false", \.bool)
        virtualCamera = text("virtualCamera")
        folder = text("folder")
        renderer = word("renderer")
        detector = word("detector")
        landmarks = word("landmarks")
    }

    /// Writes what differs from other choices into an object; its other members stay as they are.
    func write(changesSince old: LiveDevices, into json: inout JSONValue) {
        func text(_ key: String, _ part: KeyPath<LiveDevices, String?>) {
            if self[keyPath: part] != old[keyPath: part] { json[key] = self[keyPath: part].map { .string($0) } }
        }
        text("camera", \.camera)
        text("cameraMode", \.cameraMode?.name)
        text("microphone", \.microphone)
        if recordsMicrophone != old.recordsMicrophone { json["recordMicrophone"] = recordsMicrophone.map { .bool($0) } }
        if isVertical != old.isVertical { json["portraitFormat"] = isVertical.map { .bool($0) } }
        if savesGIF != old.savesGIF { json["saveGIF"] = savesGIF.map { .bool($0) } }
        text("virtualCamera", \.virtualCamera)
        text("folder", \.folder)
        text("renderer", \.renderer?.rawValue)
        text("detector", \.detector?.rawValue)
        text("landmarks", \.landmarks?.rawValue)
    }
}
