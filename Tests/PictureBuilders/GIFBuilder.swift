/// GIF files of any kind, honest or not.
package struct GIFBuilder {
    package struct Image {
        package var left = 0
        package var top = 0
        package var width: Int
        package var height: Int
        package var isInterlaced = false
        /// Nil: none is.
        package var transparent: Int?
        /// Column and row to index.
        package var value: (Int, Int) -> Int

        package init(width: Int, height: Int, value: @escaping (Int, Int) -> Int) {
            (self.width, self.height, self.value) = (width, height, value)
        }
    }

    package var width: Int
    package var height: Int
    /// Of an index: 2 to 8.
    package var bits = 8
    /// Red, green and blue of each index.
    package var palette: [UInt8]
    package var images: [Image]
    /// Extensions before the images: label, and blocks.
    package var extensions: [(label: UInt8, blocks: [[UInt8]])] = []

    /// A GIF of one image that fills it.
    package init(width: Int, height: Int, bits: Int = 8, value: @escaping (Int, Int) -> Int) {
        (self.width, self.height, self.bits) = (width, height, bits)
        palette = []
        for index in 0..<(1 << bits) { palette += [UInt8(index), UInt8(255 - index), UInt8(index / 2)] }
        images = [Image(width: width, height: height, value: value)]
    }

    package var bytes: [UInt8] {
        var file = Array("GIF89a".utf8)
        file += number(width)
        file += number(height)
        file += [0x80 | UInt8(bits - 1), 0, 0]
        file += palette
        for found in extensions {
            file += [0x21, found.label]
            for block in found.blocks { file += [UInt8(block.count)] + block }
            file.append(0)
        }
        for image in images {
            if let transparent = image.transparent { file += [0x21, 0xF9, 4, 1, 0, 0, UInt8(transparent), 0] }
            file += [0x2C] + number(image.left) + number(image.top) + number(image.width) + number(image.height)
            file += [image.isInterlaced ? 0x40 : 0, UInt8(bits)]
            let codes = compressed(indices(of: image))
            for start in stride(from: 0, to: codes.count, by: 255) {
                let block = codes[start..<min(codes.count, start + 255)]
                file += [UInt8(block.count)] + block
            }
            file.append(0)
        }
        return file + [0x3B]
    }

    private func indices(of image: Image) -> [Int] {
        let passes = image.isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
        return passes.flatMap { pass in
            stride(from: pass.0, to: image.height, by: pass.1).flatMap { y in
                (0..<image.width).map { x in image.value(x, y) }
            }
        }
    }

    /// LZW with codes of up to 12 bits.
    private func compressed(_ indices: [Int]) -> [UInt8] {
        let clear = 1 << bits
        var (bytes, held, heldBits): ([UInt8], Int, Int) = ([], 0, 0)
        var (size, count): (Int, Int) = (bits + 1, clear + 2)
        var strings: [[Int]: Int] = [:]
        func write(_ code: Int) {
            held |= code << heldBits
            heldBits += size
            while heldBits >= 8 {
                bytes.append(UInt8(held & 0xFF))
                held >>= 8
                heldBits -= 8
            }
        }
        func begin() {
            write(clear)
            (size, count) = (bits + 1, clear + 2)
            strings = Dictionary(uniqueKeysWithValues: (0..<clear).map { ([$0], $0) })
        }
        begin()
        var string: [Int] = []
        for index in indices {
            if strings[string + [index]] != nil {
                string.append(index)
                continue
            }
            write(strings[string] ?? 0)
            strings[string + [index]] = count
            count += 1
            if count > 1 << size { size += 1 }
            if count == 4096 { begin() }
            string = [index]
        }
        if !string.isEmpty { write(strings[string] ?? 0) }
        write(clear + 1)
        if heldBits > 0 { bytes.append(UInt8(held & 0xFF)) }
        return bytes
    }

    private func number(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
}
