import Foundation
import ImageFiles
import Masks
import Pixels
import TestSupport
import Testing

/// SVG that somebody made to stop the program.
@Suite struct HostileVectorPictureTests {
    private static func document(_ side: Int, _ content: String) -> [UInt8] {
        let head = #"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" "#
        return Array("\(head)width=\"\(side)\" height=\"\(side)\">\(content)</svg>".utf8)
    }

    /// The kind of error within one second and so much memory.
    private func kind(of bytes: [UInt8], memory: Int = 2 << 30) -> PictureError.Kind? {
        var limits = VectorPicture.Limits()
        limits.seconds = 1
        limits.memory = memory
        do {
            _ = try VectorPicture.painting(bytes, path: "t.svg", maximumSide: 8192, limits: limits)
            return nil
        } catch {
            return error.kind
        }
    }

    /// Turbulence at 8192 × 8192 took minutes for each filter.
    @Test func filtersWithoutEnd() {
        let noise = #"<feTurbulence baseFrequency="0.05" numOctaves="20"/>"#
        let filter = "<filter id=\"f\" x=\"0\" y=\"0\" width=\"1\" height=\"1\">\(String(repeating: noise, count: 50))"
        let bytes = Self.document(
            8192, filter + ##"</filter><rect width="8192" height="8192" filter="url(#f)"/>"##)
        #expect(kind(of: bytes) == .tooLarge)
    }

    /// Each group shows the one before it many times.
    @Test func repetitionsWithoutEnd() {
        var content = ##"<g id="g0"><rect width="9" height="9" filter="url(#b)"/></g>"##
        content += #"<filter id="b"><feGaussianBlur stdDeviation="30"/></filter>"#
        for level in 1...5 {
            let uses = String(repeating: "<use xlink:href=\"#g\(level - 1)\"/>", count: 10)
            content += "<g id=\"g\(level)\">\(uses)</g>"
        }
        #expect(kind(of: Self.document(4000, content)) == .tooLarge)
    }

    @Test func memoryHasALimit() {
        let filter = #"<filter id="f" x="0" y="0" width="1" height="1"><feGaussianBlur stdDeviation="2"/></filter>"#
        let bytes = Self.document(6000, filter + ##"<rect width="6000" height="6000" filter="url(#f)"/>"##)
        // librsvg says so itself, or ends.
        #expect([.tooLarge, .damaged].contains(kind(of: bytes, memory: 64 << 20)))
        #expect(kind(of: Self.document(60, filter + ##"<rect width="9" height="9" filter="url(#f)"/>"##)) == nil)
    }

    /// A deep nest of elements overflows the stack of recursive readers.
    @Test func deepNesting() {
        let depth = 200_000
        let bytes = Self.document(
            10, String(repeating: "<g>", count: depth) + String(repeating: "</g>", count: depth))
        #expect(kind(of: bytes) != .outOfMemory)
    }
}
