import Files

/// Records of IPTC's Information Interchange Model 4.2: a row of data sets, each 0x1C, record, data set, size, data.
enum IPTCRecords {
    /// The records without the preview of record 2 (data sets 200 to 202) and the objects that records 7 to 9 hold.
    /// - Returns: nil when nothing is left, or the records cannot be parsed and so may hold a picture.
    static func withoutPictures(_ bytes: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            guard let size = bytes.big16(at: position + 3), bytes[position] == 0x1C else {
                // Some programs pad the end.
                return bytes[position...].allSatisfy { $0 == 0 } && !result.isEmpty ? result : nil
            }
            let (record, dataSet) = (bytes[position + 1], bytes[position + 2])
            // Beyond 32767 bytes the size itself follows; only pictures are that large.
            guard size < 0x8000, position + 5 + size <= bytes.count else { return nil }
            let end = position + 5 + size
            if !(record == 2 && (200...202).contains(dataSet)), record < 7 { result += bytes[position..<end] }
            position = end
        }
        return result.isEmpty ? nil : result
    }
}
