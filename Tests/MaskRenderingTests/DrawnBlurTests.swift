import FaceGeometry
import MaskComposition
import Pixels
import SoftwareRendering
import TestSupport
import Testing

/// The blur of what was drawn.
@Suite struct DrawnBlurTests {
    private static let (width, height) = (141, 90)
    /// Drawn in white on grey.
    private static let square = PixelRectangle(x: 40, y: 30, width: 50, height: 40)

    /// Of some face; what is drawn is another matter.
    private let list: DrawList

    init() throws {
        let reference = try Repository.referenceFace()
        let landmarks = reference.landmarks.mapped { Point(20, 10) + 60 * $0 }
        let instance = FaceInstance(face: Face(landmarks: landmarks, reference: reference), trackID: 1)
        let composer = MaskComposer(reference: reference, mesh: try Repository.mesh())
        let picture = try plain(Self.width, Self.height, SIMD4(180, 140, 120, 255))
        list = composer.drawList(try Repository.mask("kabuki"), on: [instance], in: picture)
    }

    /// A square, drawn and blurred.
    private func drawn(
        _ format: PixelFormat, _ generation: ProcessorGeneration? = nil, deviation: Float = 2,
        rectangle: PixelRectangle = square, encoding: ColorEncoding = .video, width: Int = width,
        sharpFace: PixelRectangle? = nil, blurred: PixelRectangle? = nil, threads: Int = 1
    ) throws -> PixelBuffer {
        var picture = try PixelBuffer(width: width, height: Self.height, format: format)
        let factor = format == .rgba16 ? 257 : 1
        func fill(_ area: PixelRectangle, _ value: Int) {
            let stride = picture.bytesPerRow
            picture.withUnsafeMutableBytes { bytes in
                for y in area.y..<area.y + area.height {
                    for x in area.x..<area.x + area.width {
                        for component in 0..<4 {
                            let (place, value) = (4 * x + component, (component == 3 ? 255 : value) * factor)
                            let offset = y * stride
                            if format == .rgba16 {
                                bytes.storeBytes(of: UInt16(value), toByteOffset: offset + 2 * place, as: UInt16.self)
                            } else {
                                bytes.storeBytes(of: UInt8(value), toByteOffset: offset + place, as: UInt8.self)
                            }
                        }
                    }
                }
            }
        }
        fill(picture.bounds, 100)
        var list = list
        list.faces[0].rectangle = blurred ?? rectangle
        list.faces[0].blur = deviation
        if let sharpFace {
            list.faces.append(list.faces[0])
            (list.faces[1].rectangle, list.faces[1].blur) = (sharpFace, 0)
        }
        let blur = DrawnBlur(threads: DrawingThreads(count: threads), generation: generation)
        blur.prepare(for: list, in: picture, encoding: encoding)
        fill(rectangle, 240)
        blur.blur(&picture)
        return picture
    }

    @Test func edgesBecomeSoft() throws {
        let picture = try drawn(.rgba8)
        let square = Self.square
        // Across the left edge, in the middle: a slope of the wanted width, which ends on both sides.
        let values = (-6...6).map { Int(picture[square.x + $0, 50].x) }
        #expect(values == values.sorted(), "\(values)")
        #expect(values[0] == 100 && values[12] == 240, "\(values)")
        // Outside, where less and less was drawn, it fades: half a pixel beyond the edge, to four fifths.
        #expect(abs(values[5] - 145) < 5 && abs(values[6] - 184) < 5, "\(values)")
        #expect(picture[65, 50] == SIMD4(240, 240, 240, 255) && picture[10, 10] == SIMD4(100, 100, 100, 255))
        #expect(picture[square.x, 50].w == 255)
    }

    @Test func nothingIsBlurredInSharpOrTransparentPictures() throws {
        func edge(_ picture: borrowing PixelBuffer) -> [UInt16] { [picture[39, 50].x, picture[40, 50].x] }
        #expect(edge(try drawn(.rgba8, deviation: 0.2)) == [100, 240])
        #expect(edge(try drawn(.rgba8, encoding: ColorEncoding(isOpaque: false))) == [100, 240])
    }

    /// Rows of 16 bits end with half a block of columns.
    @Test(arguments: [PixelFormat.rgba8, .rgba16]) func theRightEdgeIsBlurredToo(_ format: PixelFormat) throws {
        let picture = try drawn(format, rectangle: PixelRectangle(x: 131, y: 30, width: 5, height: 40), width: 136)
        let full: Float = format == .rgba16 ? 65535 : 255
        let edge = [Float(picture[130, 50].x) / full, Float(picture[131, 50].x) / full]
        #expect(edge[0] > 0.45 && edge[1] < 0.85, "\(edge)")
    }

    /// One in front is not made as blurred as one behind.
    @Test func theSharpestOfFacesThatMeetDecides() throws {
        let beside = PixelRectangle(x: 80, y: 30, width: 40, height: 40)
        let picture = try drawn(.rgba8, sharpFace: beside)
        #expect(picture[39, 50].x == 100 && picture[40, 50].x == 240)
        let apart = try drawn(.rgba8, sharpFace: PixelRectangle(x: 0, y: 0, width: 10, height: 10))
        #expect(apart[39, 50].x > 100)
    }

    /// On every generation of processors, and with 16 bits as with 8; also at the edges of pictures.
    @Test func allVersionsAgree() throws {
        let rectangles = [
            Self.square, PixelRectangle(x: 0, y: 0, width: 20, height: 10),
            PixelRectangle(x: 100, y: 60, width: 41, height: 30), PixelRectangle(x: 0, y: 0, width: 141, height: 90),
        ]
        for rectangle in rectangles {
            for deviation: Float in [0.5, 2, 9, 40] {
                let expected = try drawn(.rgba8, .baseline, deviation: deviation, rectangle: rectangle)
                let deep = try drawn(.rgba16, .baseline, deviation: deviation, rectangle: rectangle)
                for generation in ProcessorGeneration.supported {
                    let picture = try drawn(.rgba8, generation, deviation: deviation, rectangle: rectangle)
                    let other = try drawn(.rgba16, generation, deviation: deviation, rectangle: rectangle)
                    let same = picture.isSame(as: expected) && other.isSame(as: deep)
                    var near = true
                    for y in 0..<Self.height {
                        for x in 0..<Self.width {
                            if abs(Int(deep[x, y].x) / 257 - Int(expected[x, y].x)) > 3 { near = false }
                        }
                    }
                    #expect(same && near, "\(generation), \(rectangle), \(deviation)")
                }
            }
        }
    }

    /// Of so many pixels that several threads share them; also where nothing is drawn beside the middle.
    @Test(arguments: [PixelFormat.rgba8, .rgba16]) func anyNumberOfThreadsBlursTheSame(_ format: PixelFormat) throws {
        let whole = PixelRectangle(x: 0, y: 0, width: 400, height: 90)
        for rectangle in [whole, PixelRectangle(x: 150, y: 30, width: 40, height: 9)] {
            let alone = try drawn(format, deviation: 4, rectangle: rectangle, width: 400, blurred: whole)
            let together = try drawn(
                format, deviation: 4, rectangle: rectangle, width: 400, blurred: whole, threads: 3)
            let isSame = alone.isSame(as: together)
            #expect(isSame, "\(rectangle)")
        }
    }
}

extension PixelBuffer {
    fileprivate func isSame(as other: borrowing PixelBuffer) -> Bool {
        guard bounds == other.bounds else { return false }
        for y in 0..<height {
            for x in 0..<width where self[x, y] != other[x, y] { return false }
        }
        return true
    }
}
