extension LandmarkTopology {
    /// The 68 landmarks of iBUG's 300-W annotations (Sagonas et al., "300 Faces in-the-Wild Challenge", 2016), counted
    /// from 0.
    package static let ibug68 = LandmarkTopology(
        name: "iBUG 68", count: 68, jaw: Array(0...16), rightBrow: Array(17...21), leftBrow: Array(22...26),
        noseBridge: Array(27...30), nostrils: Array(31...35),
        rightEye: Contour(upper: [36, 37, 38, 39], lower: [36, 41, 40, 39]),
        leftEye: Contour(upper: [42, 43, 44, 45], lower: [42, 47, 46, 45]),
        outerLips: Contour(upper: Array(48...54), lower: [48, 59, 58, 57, 56, 55, 54]),
        innerLips: Contour(upper: Array(60...64), lower: [60, 67, 66, 65, 64]))
}
