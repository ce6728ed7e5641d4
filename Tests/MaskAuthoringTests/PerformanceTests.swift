import FaceGeometry
import JSON
import MaskAuthoring
import Testing

/// What a face did, for a drawn head to do again.
@Suite struct PerformanceTests {
    private static func signals(_ smile: Float) -> ExpressionSignals {
        var signals = ExpressionSignals()
        signals[.smile] = smile
        signals[.turn] = -smile
        return signals
    }

    private static func performance() -> Performance {
        var performance = Performance()
        for (time, smile) in [(7, 0), (7.5, 0.5), (7.25, 1), (8.5, 1)] as [(Double, Float)] {
            performance.add(signals(smile), at: time)
        }
        return performance
    }

    @Test func signalsAreThoseBetweenTheMoments() {
        let performance = Self.performance()
        #expect(performance.seconds == 1.5 && performance.canBePlayed && !performance.isFull)
        for (time, smile) in [(-1, 0), (0, 0), (0.25, 0.25), (0.5, 0.5), (1, 0.75), (1.5, 1), (9, 1)]
            as [(Float, Float)]
        {
            #expect(abs(performance.signals(at: time)[.smile] - smile) < 1e-5, "at \(time)")
            #expect(abs(performance.signals(at: time)[.turn] + smile) < 1e-5, "at \(time)")
        }
        #expect(Performance().signals(at: 1) == ExpressionSignals() && !Performance().canBePlayed)
    }

    @Test func itEnds() {
        var performance = Performance()
        for frame in 0..<2000 { performance.add(Self.signals(0), at: Double(frame) / 30) }
        #expect(performance.isFull && performance.seconds == Performance.longest)
        var dense = Performance()
        for frame in 0..<2000 { dense.add(Self.signals(0), at: Double(frame) / 150) }
        #expect(dense.isFull && Performance(dense.json) != nil)
        // A camera that was away.
        var paused = Self.performance()
        paused.add(Self.signals(1), at: 100)
        #expect(paused.isFull && paused.json == Self.performance().json)
    }

    @Test func aFileIsReadAsItWasWritten() throws {
        let json = Self.performance().json
        let read = try #require(Performance(json))
        #expect(read.json == json && read.seconds == 1.5)
        #expect(abs(read.signals(at: 1)[.smile] - 0.75) < 1e-3)
    }

    @Test func anythingElseIsRefused() throws {
        func changed(_ change: (inout JSONValue) -> Void) -> JSONValue {
            var json = Self.performance().json
            change(&json)
            return json
        }
        let wrong = [
            .null, changed { $0["version"] = .integer(2) },
            changed { $0["seconds"] = .array([.number(0), .number(1)]) },
            changed { $0["seconds"] = .array([.number(0), .number(2), .number(1)]) },
            changed { $0["seconds"] = .array([.number(0), .number(1), .number(21)]) },
            changed { $0["seconds"] = .array([.number(1), .number(2), .number(3)]) },
            changed { $0["seconds"] = .array([.number(0)]) }, changed { $0["signals"]?["smile"] = nil },
            changed { $0["signals"]?["smile"] = .array([.number(0), .string("x"), .number(1)]) },
        ]
        for json in wrong { #expect(Performance(json) == nil, "\(json.text(indented: false))") }
        let loud = changed { $0["signals"]?["smile"] = .array([.number(0), .number(1e30), .number(-8)]) }
        let read = try #require(Performance(loud))
        #expect(read.signals(at: 0.5)[.smile] == 1 && read.signals(at: 1.5)[.smile] == -1)
    }
}
