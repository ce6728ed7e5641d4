import CBauta
import CFrameFormats
import Glibc
import Pixels

/// A copy of a picture of the caller, in its own format, which its masked pixels are written into: all others keep their bytes.
/// One thread at a time uses its bytes: whoever hands it on, as part of a job or a result, does not touch them after that.
final class HeldPicture: @unchecked Sendable {
    private let memory: UnsafeMutablePointer<UInt8>
    private let own: cframe_picture

    /// - Parameter picture: whose format and size it gets, and whose content is copied.
    /// - Throws: `OutOfMemory`.
    init(copying picture: cframe_picture) throws(OutOfMemory) {
        var own = picture
        var (count, offsets) = (0, [Int]())
        for plane in 0..<cframe_planes(picture.format) {
            offsets.append(count)
            let stride = cframe_row_bytes(picture.format, plane, picture.width)
            own.setStride(stride, ofPlane: Int(plane))
            count += stride * Int(cframe_rows(picture.format, plane, picture.height))
        }
        guard let memory = malloc(count) else {
            throw OutOfMemory(width: Int(picture.width), height: Int(picture.height))
        }
        self.memory = memory.assumingMemoryBound(to: UInt8.self)
        for (plane, offset) in offsets.enumerated() { own.setPlane(self.memory + offset, plane) }
        self.own = own
        overwrite(with: picture)
    }

    deinit { free(memory) }

    var width: Int { Int(own.width) }
    var height: Int { Int(own.height) }

    /// Whether a picture has the same format and size.
    func fits(_ picture: cframe_picture) -> Bool {
        own.format == picture.format && own.is_bt709 == picture.is_bt709 && own.is_full == picture.is_full
            && own.width == picture.width && own.height == picture.height
    }

    /// Whether another one has the same format and size.
    func fits(_ other: HeldPicture) -> Bool { fits(other.own) }

    /// A copy.
    func copy() throws(OutOfMemory) -> HeldPicture { try HeldPicture(copying: own) }

    /// - Parameter picture: one that fits.
    func overwrite(with picture: cframe_picture) { withUnsafePointers(picture, own) { cframe_copy($0, $1) } }

    /// - Parameter picture: one that fits.
    func copy(to picture: cframe_picture) { withUnsafePointers(own, picture) { cframe_copy($0, $1) } }

    /// - Parameter pixels: `rgba8`, of the same size.
    func convert(to pixels: inout PixelBuffer) {
        let (own, stride) = (own, pixels.bytesPerRow)
        pixels.withUnsafeMutableBytes { bytes in
            guard let rgba = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            withUnsafePointer(to: own) { cframe_to_rgba($0, rgba, stride) }
        }
    }

    /// Takes over the pixels that differ from what `convert` gives.
    /// - Parameters:
    ///   - pixels: `rgba8`, of the same size.
    ///   - all: whether all are taken over: values that RGB cannot tell apart are not left then.
    func update(from pixels: borrowing PixelBuffer, all: Bool) {
        let (own, stride) = (own, pixels.bytesPerRow)
        pixels.withUnsafeBytes { bytes in
            guard let rgba = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            withUnsafePointer(to: own) { picture in
                if all { return cframe_from_rgba(picture, rgba, stride) }
                withUnsafeTemporaryAllocation(byteCount: 8 * Int(picture.pointee.width), alignment: 64) { rows in
                    guard let rows = rows.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
                    cframe_update(picture, rgba, stride, rows)
                }
            }
        }
    }

    /// Makes everything grey.
    func hide() { own.hide() }
}

extension cframe_picture {
    /// The colour of covers (`FaceCover.color`).
    private static let grey: UInt8 = 72

    /// A picture of the caller.
    /// - Throws: `EngineError`: something in it is wrong.
    init(_ pointer: UnsafePointer<bauta_picture>) throws(EngineError) {
        guard pointer.pointee.size >= MemoryLayout<bauta_picture>.size else {
            throw .invalid(
                "picture->size is \(pointer.pointee.size), and must be sizeof(bauta_picture), "
                    + "\(MemoryLayout<bauta_picture>.size)")
        }
        let picture = pointer.pointee
        self.init()
        switch picture.format {
        case BAUTA_RGBA: format = CFRAME_RGBA
        case BAUTA_BGRA: format = CFRAME_BGRA
        case BAUTA_I420: format = CFRAME_I420
        case BAUTA_NV12: format = CFRAME_NV12
        case BAUTA_YUY2: format = CFRAME_YUY2
        default: throw .invalid("picture->format is \(picture.format.rawValue), and must be a bauta_format")
        }
        guard picture.matrix == BAUTA_BT601 || picture.matrix == BAUTA_BT709 else {
            throw .invalid("picture->matrix is \(picture.matrix.rawValue), and must be a bauta_matrix")
        }
        guard picture.range == BAUTA_LIMITED || picture.range == BAUTA_FULL else {
            throw .invalid("picture->range is \(picture.range.rawValue), and must be a bauta_range")
        }
        let sides: ClosedRange<UInt32> = 1...16384
        guard sides.contains(picture.width), sides.contains(picture.height) else {
            throw .invalid("picture: \(picture.width) × \(picture.height) pixels; each must be from 1 to 16384")
        }
        guard format != CFRAME_YUY2 || picture.width % 2 == 0 else {
            throw .invalid("picture->width is \(picture.width), and must be even with BAUTA_YUY2")
        }
        // Grey is made and compared without regard to what the format ignores.
        let isYUV = format != CFRAME_RGBA && format != CFRAME_BGRA
        (is_bt709, is_full) = (isYUV && picture.matrix == BAUTA_BT709, isYUV && picture.range == BAUTA_FULL)
        (width, height) = (picture.width, picture.height)
        let planes = [picture.planes.0, picture.planes.1, picture.planes.2]
        let strides = [picture.strides.0, picture.strides.1, picture.strides.2]
        for plane in 0..<Int(cframe_planes(format)) {
            guard let start = planes[plane] else { throw .invalid("picture->planes[\(plane)] is NULL") }
            let row = cframe_row_bytes(format, Int32(plane), width)
            guard (row...1 << 20).contains(strides[plane]) else {
                throw .invalid(
                    "picture->strides[\(plane)] is \(strides[plane]), and must be from \(row), a row, to \(1 << 20)")
            }
            setPlane(start, plane)
            setStride(strides[plane], ofPlane: plane)
        }
    }

    /// Makes everything grey.
    func hide() { withUnsafePointer(to: self) { cframe_fill($0, Self.grey) } }

    fileprivate mutating func setPlane(_ start: UnsafeMutablePointer<UInt8>, _ plane: Int) {
        switch plane {
        case 0: planes.0 = start
        case 1: planes.1 = start
        default: planes.2 = start
        }
    }

    fileprivate mutating func setStride(_ stride: Int, ofPlane plane: Int) {
        switch plane {
        case 0: strides.0 = stride
        case 1: strides.1 = stride
        default: strides.2 = stride
        }
    }
}

/// Gives C pointers to two pictures.
private func withUnsafePointers(
    _ a: cframe_picture, _ b: cframe_picture,
    _ body: (UnsafePointer<cframe_picture>, UnsafePointer<cframe_picture>) -> Void
) {
    withUnsafePointer(to: a) { a in withUnsafePointer(to: b) { body(a, $0) } }
}
