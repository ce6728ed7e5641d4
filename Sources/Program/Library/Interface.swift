import CBauta
import CFrameFormats
import FaceGeometry
import Files
import Glibc
import Installation

// The functions of `bauta.h`, which describes them in full.

/// The version of the library.
@c @implementation
public func bauta_version() -> UnsafePointer<CChar>! { version }

// Safe: nobody writes to it.
private nonisolated(unsafe) let version = UnsafePointer<CChar>(strdup(Release.version))

/// Opens an engine.
@c @implementation
public func bauta_open(
    _ data: UnsafePointer<CChar>!, _ engine: UnsafeMutablePointer<OpaquePointer?>!
) -> bauta_result {
    result { () throws(EngineError) in
        guard let engine else { throw .invalid("engine is NULL") }
        engine.pointee = nil
        if data?.pointee == 0 { throw .invalid("data is empty, and must be the path of a folder or NULL") }
        do {
            let folder =
                if let data { try DataFolder(checking: FilePath(cString: data)) } else {
                    try DataFolder.find(near: cbauta_library_path().map { FilePath(cString: $0) })
                }
            engine.pointee = OpaquePointer(Unmanaged.passRetained(try Engine(data: folder)).toOpaque())
        } catch {
            throw EngineError(classifying: error)
        }
        return BAUTA_OK
    }
}

/// Ends an engine.
@c @implementation
public func bauta_close(_ engine: OpaquePointer!) {
    guard let engine else { return }
    withSignalsBlocked {
        let engine = Unmanaged<Engine>.fromOpaque(UnsafeRawPointer(engine))
        engine.takeUnretainedValue().close()
        engine.release()
    }
}

/// Begins to load a mask.
@c @implementation
public func bauta_set_mask(_ engine: OpaquePointer!, _ mask: UnsafePointer<CChar>!) -> bauta_result {
    result(engine) { engine throws(EngineError) in
        let mask = mask.map { FilePath(cString: $0) }
        if mask?.isEmpty == true { throw .invalid("mask is empty, and must be a name, a path or NULL") }
        engine.wear(mask)
        return mask == nil ? BAUTA_OK : BAUTA_PENDING
    }
}

/// What has become of loading mask and models.
@c @implementation
public func bauta_status(_ engine: OpaquePointer!) -> bauta_result {
    result(engine) { engine throws(EngineError) in try engine.status() }
}

/// Sets an option for the pictures that follow.
@c @implementation
public func bauta_set_option(
    _ engine: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!
) -> bauta_result {
    result(engine) { engine throws(EngineError) in
        guard let name else { throw .invalid("name is NULL") }
        try engine.setOption(String(cString: name), to: value.map { String(cString: $0) })
        return BAUTA_OK
    }
}

/// Masks a picture in place.
@c @implementation
public func bauta_process(
    _ engine: OpaquePointer!, _ picture: UnsafeMutablePointer<bauta_picture>!, _ seconds: Double
) -> bauta_result {
    result(engine) { engine throws(EngineError) in
        guard let picture else { throw .invalid("picture is NULL") }
        return try engine.process(cframe_picture(picture), at: seconds)
    }
}

/// The next picture comes from another source.
@c @implementation
public func bauta_reset(_ engine: OpaquePointer!) {
    guard engine != nil else { return }
    _ = result(engine) { engine in
        engine.reset()
        return BAUTA_OK
    }
}

/// The faces of the last picture.
@c @implementation
public func bauta_faces(_ engine: OpaquePointer!, _ faces: UnsafeMutablePointer<bauta_face>!, _ capacity: Int) -> Int {
    var count = 0
    _ = result(engine) { engine throws(EngineError) in
        guard let faces, capacity > 0 else {
            count = engine.faces.count
            return BAUTA_OK
        }
        // Of a later version, whose elements are larger.
        guard (MemoryLayout<bauta_face>.size...1 << 16).contains(faces.pointee.size) else {
            throw .invalid(
                "faces->size is \(faces.pointee.size), and must be sizeof(bauta_face), "
                    + "\(MemoryLayout<bauta_face>.size)")
        }
        count = engine.faces.count
        let size = faces.pointee.size
        for (index, face) in engine.faces.prefix(capacity).enumerated() {
            let place = UnsafeMutableRawPointer(faces) + index * size
            place.storeBytes(of: bauta_face(face, size: size), as: bauta_face.self)
        }
        return BAUTA_OK
    }
    return count
}

/// The name of an installed mask.
@c @implementation
public func bauta_mask_name(_ engine: OpaquePointer!, _ index: Int) -> UnsafePointer<CChar>! {
    var name: UnsafePointer<CChar>?
    _ = result(engine) { engine in
        name = engine.maskName(index)
        return BAUTA_OK
    }
    return name
}

extension bauta_face {
    fileprivate init(_ instance: FaceInstance, size: Int) {
        self.init()
        let (face, degrees) = (instance.face, 180 / Float.pi)
        let bounds = face.landmarks.bounds
        self.size = size
        track = Int32(truncatingIfNeeded: instance.trackID)
        (left, top, right, bottom) = (bounds.x, bounds.y, bounds.x + bounds.width, bounds.y + bounds.height)
        (yaw, pitch, roll) = (degrees * face.pose.yaw, degrees * face.pose.pitch, degrees * face.pose.roll)
        withUnsafeMutableBytes(of: &landmarks) { bytes in
            for index in 0..<Landmarks.count {
                bytes.storeBytes(of: face.landmarks[index], toByteOffset: 8 * index, as: Point.self)
            }
        }
    }
}

// MARK: Calls

/// Runs the body of a function, and keeps the text of its error.
private func result(_ body: () throws(EngineError) -> bauta_result) -> bauta_result {
    withSignalsBlocked {
        do throws(EngineError) {
            return try body()
        } catch {
            cbauta_set_error_text(error.description)
            return error.result
        }
    }
}

/// Runs the body of a function of an engine.
private func result(
    _ engine: OpaquePointer?, _ body: (Engine) throws(EngineError) -> bauta_result
) -> bauta_result {
    result { () throws(EngineError) in
        guard let engine else { throw .invalid("engine is NULL") }
        return try body(Unmanaged<Engine>.fromOpaque(UnsafeRawPointer(engine)).takeUnretainedValue())
    }
}

/// Signals that a thread causes by its own faults, which can only be handled there.
private let ownSignals = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP]

/// Threads that are started meanwhile inherit it: the process's signals go to its own threads, and a pipe whose reader has
/// ended gives an error alone.
private func withSignalsBlocked<Value>(_ body: () -> Value) -> Value {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigfillset(&blocked)
    for signal in ownSignals { sigdelset(&blocked, signal) }
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
}
