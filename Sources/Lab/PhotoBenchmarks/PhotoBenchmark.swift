import Evaluation
import Files
import ImageFiles
import Installation
import PhotoRecords
import PictureMasking

/// The cost of masking photographs, by stage, on one thread. Results are encoded and not written.
package struct PhotoBenchmark {
    package struct Photograph {
        package let path: String
        /// In pixels.
        package let width: Int
        /// In pixels.
        package let height: Int
        package let faces: Int
        /// Milliseconds of each of `PhotoBenchmark.stages`.
        package let stages: [Samples]

        /// The sum of the stages' medians, in milliseconds.
        package var total: Double { stages.reduce(0) { $0 + $1.median } }
    }

    /// Decoding includes reading the file, and encoding adapting the metadata.
    package static let stages: [PhotoTimes.Stage] = [.decode, .detect, .landmarks, .render, .encode]

    package let photographs: [Photograph]

    /// - Parameter repetitions: how often each photograph is masked, after once that is not measured.
    /// - Throws: `EvaluationError` if the measurement is stopped, and the errors of reading, masking and encoding.
    package init(
        photographs paths: [String], options: PhotoOptions, data: DataFolder, repetitions: Int, isStopped: StopCheck
    ) throws {
        let studio = try PictureStudio(options: options, data: data)
        let masker = try PictureMasker(studio: studio, options: options)
        photographs = try paths.map { path in
            try Self.measure(path, masker: masker, repetitions: repetitions, isStopped)
        }
    }

    private static func measure(
        _ path: String, masker: PictureMasker, repetitions: Int, _ isStopped: StopCheck
    ) throws -> Photograph {
        var stages = Self.stages.map { Samples($0.rawValue) }
        var last = PhotoOutcome(input: FilePath(path), output: nil, status: .noFace)
        for repetition in 0...repetitions {
            try checkStop(isStopped)
            let clock = ContinuousClock()
            let start = clock.now
            var picture = try PictureReader.read(path)
            last.times[.decode] = clock.now - start
            (last.width, last.height) = (picture.pixels.width, picture.pixels.height)
            try masker.mask(&picture, &last)
            let encoding = clock.now
            _ = try PictureWriter.encode(picture, options: .init(format: picture.format ?? .png), path: path)
            last.times[.encode] = clock.now - encoding
            guard repetition > 0 else { continue }
            for (index, stage) in Self.stages.enumerated() { stages[index].add(last.times[stage]) }
        }
        return Photograph(
            path: path, width: last.width ?? 0, height: last.height ?? 0, faces: last.faces.count, stages: stages)
    }
}
