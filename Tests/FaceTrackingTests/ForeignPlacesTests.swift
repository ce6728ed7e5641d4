import FaceGeometry
import FaceTracking
import Testing

/// What moves in front of a face.
struct ForeignPlacesTests {
    private let box = OrientedBox(center: Point(100, 100), side: 80, roll: 0)
    private let frame: Float = 1 / 30

    /// Points all over the face, those to the left of `edge` foreign.
    private func observation(leftOf edge: Float) -> ForeignPlaces.Observation {
        var observation = ForeignPlaces.Observation()
        for y in stride(from: 62, to: 140, by: 2) {
            for x in stride(from: 62, to: 140, by: 2) {
                observation.note(Point(Float(x), Float(y)), on: box, isForeign: Float(x) < edge)
            }
        }
        return observation
    }

    @Test func pointsOnAHandCountLess() {
        let places = ForeignPlaces().learning(observation(leftOf: 90), seconds: frame)
        #expect(places.share(at: Point(70, 100), on: box) > 0.9)
        #expect(places.share(at: Point(130, 100), on: box) == 0)
        // The hand moves on.
        #expect(places.share(at: Point(92, 100), on: box) > 0.5)
    }

    @Test func fewForeignPointsAreNoHand() {
        #expect(ForeignPlaces().learning(observation(leftOf: 64), seconds: frame).caution == 0)
    }

    @Test func aHandIsForgotten() {
        var places = ForeignPlaces().learning(observation(leftOf: 90), seconds: frame)
        for _ in 0..<30 { places = places.learning(observation(leftOf: 0), seconds: frame) }
        #expect(places.share(at: Point(70, 100), on: box) < 0.01)
    }

    /// Coordinates may be anything.
    @Test func placesOutsideAreNotForeign() {
        var observation = observation(leftOf: 90)
        for value in [Float.nan, .infinity, -1e30] {
            observation.note(Point(value, 100), on: box, isForeign: true)
            observation.note(Point(100, value), on: OrientedBox(center: .zero, side: 0, roll: 0), isForeign: true)
        }
        let places = ForeignPlaces().learning(observation, seconds: frame)
        #expect(places.share(at: Point(.nan, .infinity), on: box) == 0)
        #expect(places.share(at: Point(100, 300), on: box) == 0)
    }
}

/// How far the landmark model is trusted.
struct ModelTrustTests {
    private let frame: Float = 1 / 30

    @Test func aHandTakesTheTrustAndGivesItBack() {
        var trust = ModelTrust()
        trust.follow(disturbance: 0.02, isReliable: true, seconds: frame)
        #expect(trust.value == 1)
        for _ in 0..<10 { trust.follow(disturbance: 0.4, isReliable: true, seconds: frame) }
        #expect(trust.value < 0.1)
        for _ in 0..<15 { trust.follow(disturbance: 0, isReliable: true, seconds: frame) }
        #expect(trust.value > 0.9)
    }

    /// Where flow breaks, there is nothing else.
    @Test func theModelIsTrustedWhereFlowBreaks() {
        var trust = ModelTrust()
        trust.follow(disturbance: 0.4, isReliable: true, seconds: frame)
        trust.follow(disturbance: 0.4, isReliable: false, seconds: frame)
        trust.follow(disturbance: 0.4, isReliable: true, seconds: frame)
        #expect(trust.value == 1)
        trust.follow(disturbance: 0, isReliable: true, seconds: frame)
        trust.follow(disturbance: 0.4, isReliable: true, seconds: frame)
        #expect(trust.value < 0.1)
    }

    /// A microphone that swings in front of a face for ever does not keep the mask from its place.
    @Test func theTrustComesBackUnderALastingDisturbance() {
        var trust = ModelTrust()
        for _ in 0..<30 { trust.follow(disturbance: 0.4, isReliable: true, seconds: frame) }
        #expect(trust.value < 0.1)
        for _ in 0..<70 { trust.follow(disturbance: 0.4, isReliable: true, seconds: frame) }
        #expect(trust.value == 1)
    }
}
