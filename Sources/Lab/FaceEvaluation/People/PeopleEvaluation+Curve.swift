import Evaluation
import FaceRecognition

/// How often two faces are taken for one person, by the distance up to which they are.
extension PeopleEvaluation {
    /// A point of the receiver operating characteristic.
    package struct OperatingPoint: Sendable {
        package let distance: Float
        /// Of the pairs of different people, those that are taken for one.
        package let falseAccepts: Double
        /// Of the pairs of one person, those that are taken for one.
        package let trueAccepts: Double
    }

    package var genuineCount: Int { pairs.count(where: \.isGenuine) }
    package var impostorCount: Int { pairs.count - genuineCount }

    package func point(at distance: Float) -> OperatingPoint {
        let accepted = pairs.filter { $0.distance <= distance }
        let genuine = accepted.count(where: \.isGenuine)
        return OperatingPoint(
            distance: distance, falseAccepts: Double(accepted.count - genuine) / Double(max(1, impostorCount)),
            trueAccepts: Double(genuine) / Double(max(1, genuineCount)))
    }

    /// The largest distance, in steps of 0.005, at which no more than a share of the pairs of different people is taken for
    /// one person.
    package func point(withFalseAccepts share: Double) -> OperatingPoint {
        let distances = stride(from: Float(1.2), through: 0.05, by: -0.005)
        return distances.lazy.map(point(at:)).first { $0.falseAccepts <= share } ?? point(at: 0)
    }

    /// The receiver operating characteristic, with the share of false accepts up to a tenth.
    package var plot: LinePlot {
        let steps = stride(from: Float(0), through: 1.2, by: 0.01)
        let points = steps.map(point(at:)).map { (x: $0.falseAccepts, y: $0.trueAccepts) }.filter { $0.x <= 0.1 }
        return LinePlot(
            title: "Recognition: \(genuineCount) pairs of one person, \(impostorCount) of two",
            xLabel: "pairs of two people that are taken for one, as a share",
            yLabel: "pairs of one person that are found, as a share", xMaximum: 0.1, yMaximum: 1,
            lines: [.init(name: "dlib's network", points: points)])
    }
}
