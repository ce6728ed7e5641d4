/// A CMYK JPEG: a row of blocks of 8 × 8 pixels, each of one colour (ITU-T T.81).
package struct CMYKJPEGBuilder {
    /// Cyan, magenta, yellow and black; 255 is all ink.
    package var blocks: [SIMD4<UInt8>]
    /// Whether there is Adobe's marker, so that values are stored inverted.
    package var isAdobes = false
    package var profile: [UInt8]?

    package init(blocks: [SIMD4<UInt8>]) { self.blocks = blocks }

    package var bytes: [UInt8] {
        var file: [UInt8] = [0xFF, 0xD8]
        if isAdobes { file += segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]) }
        if let profile { file += segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile) }
        file += segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
        let width = 8 * blocks.count
        file += segment(
            0xC0, [8, 0, 8, UInt8(width >> 8), UInt8(width & 0xFF), 4] + (1...4).flatMap { [UInt8($0), 0x11, 0] })
        // Of the constant part: 12 categories with 4 bits each. Of the others: nothing but the end of the block.
        file += segment(0xC4, [0x00, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + (0...11).map { UInt8($0) })
        file += segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
        file += segment(0xDA, [4] + (1...4).flatMap { [UInt8($0), 0] } + [0, 63, 0])
        return file + scan + [0xFF, 0xD9]
    }

    private var scan: [UInt8] {
        var bits: [Bool] = []
        func append(_ number: Int, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(number >> bit & 1 == 1) }
        }
        var last = SIMD4<Int>(repeating: 0)
        for block in blocks {
            let stored = isAdobes ? 255 &- block : block
            for component in 0..<4 {
                let constant = 8 * (Int(stored[component]) - 128)
                let difference = constant - last[component]
                last[component] = constant
                let category = Int.bitWidth - abs(difference).leadingZeroBitCount
                append(category, 4)
                append(difference < 0 ? difference + (1 << category) - 1 : difference, category)
                append(0, 1)
            }
        }
        while bits.count % 8 != 0 { bits.append(true) }
        return stride(from: 0, to: bits.count, by: 8).flatMap { start -> [UInt8] in
            let byte = bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
            return byte == 0xFF ? [0xFF, 0] : [byte]
        }
    }

    private func segment(_ code: UInt8, _ data: [UInt8]) -> [UInt8] {
        [0xFF, code, UInt8((data.count + 2) >> 8), UInt8((data.count + 2) & 0xFF)] + data
    }
}

extension ICCBuilder {
    /// A printing profile that takes every ink but black for a middle grey (L* = 50, which is 119 in sRGB).
    package static func cmykProfile() -> [UInt8] {
        let ramp = (0...255).map { UInt8($0) }
        // Cyan changes least often, black most often: 2 steps each.
        let colors = (0..<16).flatMap { index -> [UInt8] in
            [index == 0 ? 255 : index % 2 == 1 ? 0 : 128, 128, 128]
        }
        let matrix = [65_536, 0, 0, 0, 65_536, 0, 0, 0, 65_536].flatMap(PNGBuilder.big)
        var table = Array("mft1".utf8) + [0, 0, 0, 0, 4, 3, 2, 0] + matrix
        table += ramp + ramp + ramp + ramp + colors + ramp + ramp + ramp
        let start = 128 + 4 + 12
        var header = PNGBuilder.big(start + table.count) + Array("lcms".utf8) + [2, 0x40, 0, 0]
        header += Array("prtrCMYKLab ".utf8)
        header += [UInt8](repeating: 0, count: 12) + Array("acspAPPL".utf8) + [UInt8](repeating: 0, count: 24)
        header += PNGBuilder.big(63_190) + PNGBuilder.big(65_536) + PNGBuilder.big(54_061)
        header += [UInt8](repeating: 0, count: 128 - header.count)
        return header + PNGBuilder.big(1) + Array("A2B0".utf8) + PNGBuilder.big(start) + PNGBuilder.big(table.count)
            + table
    }
}
