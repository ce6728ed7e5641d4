import FaceGeometry
import Testing

@Suite struct CoarseMapTests {
    private let map = CoarseMap(width: 3, height: 2, values: [0, 1, 2, 10, 11, 12])

    @Test func straightLinesLieBetweenTheMiddles() {
        #expect(map.value(at: Point(0.5, 0.5)) == 0 && map.value(at: Point(2.5, 1.5)) == 12)
        #expect(map.value(at: Point(1, 1)) == 5.5)
        #expect(map.value(at: Point(1.75, 0.5)) == 1.25)
    }

    @Test func outsideTheOutermostCellsGoOn() {
        #expect(map.value(at: Point(-9, -9)) == 0 && map.value(at: Point(99, 99)) == 12)
        #expect(map.value(at: Point(1.5, 99)) == 11)
        let one = CoarseMap(width: 1, height: 1, filledWith: 7)
        #expect(one.value(at: Point(3, -3)) == 7)
    }

    @Test func blurringKeepsWhatIsEvenAndSpreadsWhatIsNot() {
        let even = CoarseMap(width: 5, height: 4, filledWith: 3)
        for value in even.blurred(reach: 2, times: 3).values { #expect(abs(value - 3) < 1e-5) }
        var point = CoarseMap(width: 9, height: 7, filledWith: 0)
        point.values[3 * 9 + 4] = 9
        let blurred = point.blurred(reach: 1)
        for y in 0..<7 {
            for x in 0..<9 {
                let isNear = (3...5).contains(x) && (2...4).contains(y)
                #expect(abs(blurred.values[y * 9 + x] - (isNear ? 1 : 0)) < 1e-5)
            }
        }
    }
}
