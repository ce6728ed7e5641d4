import Cameras
import Clips
import PipeWire
import Synchronization
import Threads

/// The connected cameras, microphones and virtual cameras. The list is updated on a separate thread, because opening
/// devices can take seconds.
package final class DeviceList: Sendable {
    package struct Entry: Equatable, Sendable {
        let path: String
        let name: String
        /// Those that can be read, the largest first.
        let modes: [LiveDevices.CameraMode]
    }

    struct Found: Sendable {
        var cameras: [Entry] = []
        /// Why other cameras cannot be opened, in words.
        var unusable: [String] = []
        var microphones: [Microphone] = []
        var virtualCameras: [VirtualCamera] = []
        var hasPipeWire = false
        /// The programs that are installed here, and show cameras.
        var callPrograms: [CallProgram] = []
        /// What has become of the wish for a device; nil: there was none.
        var making: Making?

        /// The index of a camera that is asked for as `Camera.find` understands it.
        func camera(_ wanted: String?) -> Int? {
            guard let wanted else { return cameras.isEmpty ? nil : 0 }
            return Camera.index(of: wanted, among: cameras.map { ($0.path, $0.name) })
        }

        /// The name by which another session finds a camera: its path may change, but not its name.
        func name(of camera: Entry) -> String {
            let isOnly = cameras.count { $0.name.lowercased().contains(camera.name.lowercased()) } == 1
            let isName =
                !camera.name.isEmpty && Int(camera.name) == nil && camera.name.first != "/"
                && !camera.name.hasPrefix(Camera.pipeWirePrefix)
            return isOnly && isName ? camera.name : camera.path
        }
    }

    enum Making: Equatable {
        /// The user is asked for the permission.
        case runs
        case done(String)
        case failed(String)
    }

    private struct State {
        var found = Found()
        var isUpdating = false
        var thread: DedicatedThread.Handle?
    }

    private let state = Mutex(State())

    /// The devices that the last update found.
    var found: Found { state.withLock { $0.found } }

    /// Starts an update, unless one is running, or the system gives no more threads.
    func update() {
        state.withLock { state in
            guard !state.isUpdating else { return }
            state.isUpdating = true
            state.thread?.join()
            state.thread = try? DedicatedThread.start { [self] in
                let cameras = Camera.all().filter { $0.bestMode(width: 1280, height: 720, rate: 30) != nil }
                    .map { Entry(path: $0.path, name: $0.name, modes: Self.modes($0)) }
                let found = Found(
                    cameras: cameras, unusable: Camera.failures().map(\.description), microphones: Microphone.all(),
                    virtualCameras: VirtualCamera.all(),
                    hasPipeWire: (try? PipeWireCamera.check()) != nil, callPrograms: CallProgram.installed)
                self.state.withLock { state in
                    let making = state.found.making
                    state.found = found
                    state.found.making = making
                    state.isUpdating = false
                }
            }
            state.isUpdating = state.thread != nil
        }
    }

    /// Makes a device for programs that do not know PipeWire, unless there is one. Nobody waits for the thread: the user may
    /// leave the question unanswered.
    func makeVirtualCamera(isKept: Bool) {
        guard state.withLock({ $0.found.making != .runs }) else { return }
        state.withLock { $0.found.making = .runs }
        let thread = try? DedicatedThread.start { [self] in
            let making: Making
            do throws(LoopbackModule.Failure) {
                let device = try LoopbackModule.makeDevice(isKept: isKept)
                making = .done("\(device.path) (\(device.name)) is there. Choose it under 'through'.")
            } catch {
                making = .failed("\(error)")
            }
            state.withLock { $0.found.making = making }
            update()
        }
        if thread == nil { state.withLock { $0.found.making = .failed("The system gives no more threads") } }
    }

    private static func modes(_ camera: Camera) -> [LiveDevices.CameraMode] {
        var modes: [LiveDevices.CameraMode] = []
        for mode in camera.modes where mode.format.isReadable && mode.rate >= 1 && mode.rate <= 1000 {
            let mode = LiveDevices.CameraMode(width: mode.width, height: mode.height, rate: Int(mode.rate.rounded()))
            if !modes.contains(mode) { modes.append(mode) }
        }
        return modes.sorted { ($0.width * $0.height, $0.rate) > ($1.width * $1.height, $1.rate) }
    }

    /// Waits until a running update ends.
    func stop() {
        let thread = state.withLock { state in
            defer { state.thread = nil }
            return state.thread
        }
        thread?.join()
    }
}
