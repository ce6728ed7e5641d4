import FaceGeometry

/// How the 468 vertices of MediaPipe's face mesh become landmarks and head points (docs/decisions/0017).
///
/// Each point is a weighted sum of up to four vertices. The weights were fitted by least squares to 145 faces in
/// photographs and videos that are turned by less than 25° and on which the landmark cascade is certain of its result, so
/// that masks sit alike with either model. Lips and lids only use vertices of their own side. Weights below 0 extend the
/// mesh: its outline runs inside the jaw, and it ends below the hairline. The right half was fitted together with the
/// mirrored left half.
enum FaceMeshMapping {
    /// The number of vertices.
    static let vertexCount = 468
    /// The outer corners of the eyes: vertices that give the roll.
    static let (rightEye, leftEye) = (33, 263)

    /// The middle of the mesh's upper edge.
    static let foreheadTop = 10
    /// The mesh's upper edge, from temple to temple.
    static let forehead = [162, 21, 54, 103, 67, 109, 10, 338, 297, 332, 284, 251, 389]

    /// The vertices on the lids in whose places attention is exact, by the landmark that they are; to corners and lips the
    /// weights apply, too.
    static let lids = [37: 160, 38: 158, 40: 153, 41: 144, 43: 385, 44: 387, 46: 373, 47: 380]

    /// The vertices that MediaPipe's network with attention finds again, in the order of its outputs
    /// (`tensors_to_face_landmarks_with_attention.pbtxt`).
    static let refinedLips = [
        61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 185, 40, 39, 37, 0, 267, 269, 270, 409, 78, 95, 88, 178, 87,
        14, 317, 402, 318, 324, 308, 191, 80, 81, 82, 13, 312, 311, 310, 415, 76, 77, 90, 180, 85, 16, 315, 404, 320,
        307, 306, 184, 74, 73, 72, 11, 302, 303, 304, 408, 62, 96, 89, 179, 86, 15, 316, 403, 319, 325, 292, 183, 42,
        41, 38, 12, 268, 271, 272, 407,
    ]
    static let refinedRightEye = [
        33, 7, 163, 144, 145, 153, 154, 155, 133, 246, 161, 160, 159, 158, 157, 173, 130, 25, 110, 24, 23, 22, 26, 112,
        243, 247, 30, 29, 27, 28, 56, 190, 226, 31, 228, 229, 230, 231, 232, 233, 244, 113, 225, 224, 223, 222, 221,
        189, 35, 124, 46, 53, 52, 65, 143, 111, 117, 118, 119, 120, 121, 128, 245, 156, 70, 63, 105, 66, 107, 55, 193,
    ]
    static let refinedLeftEye = [
        263, 249, 390, 373, 374, 380, 381, 382, 362, 466, 388, 387, 386, 385, 384, 398, 359, 255, 339, 254, 253, 252,
        256, 341, 463, 467, 260, 259, 257, 258, 286, 414, 446, 261, 448, 449, 450, 451, 452, 453, 464, 342, 445, 444,
        443, 442, 441, 413, 265, 353, 276, 283, 282, 295, 372, 340, 346, 347, 348, 349, 350, 357, 465, 383, 300, 293,
        334, 296, 336, 285, 417,
    ]

    typealias Term = (vertex: Int, weight: Float)

    static let landmarks: [[Term]] = terms(landmarkText)
    static let headPoints: [[Term]] = terms(headPointText)

    /// For each of the eight landmarks of the jaw on the right side of the face, from the ear to the chin, vertices at
    /// its height, from the ear towards the nose. On the far side of a turned head, the outermost of them is the outline.
    static let rightOutline: [[Int]] = [
        [127, 35, 228, 24], [234, 50, 101, 142], [93, 187, 205, 203], [215, 212, 61], [138, 210, 204], [136, 150, 32],
        [149, 140], [176, 171],
    ]
    static let leftOutline: [[Int]] = [
        [356, 265, 448, 254], [454, 280, 330, 371], [323, 411, 425, 423], [435, 432, 291], [367, 430, 424],
        [365, 379, 262], [378, 369], [400, 396],
    ]

    private static func terms(_ text: String) -> [[Term]] {
        text.split(separator: "\n").map { line in
            let numbers = line.split(separator: ":")[1].split(separator: " ")
            return stride(from: 0, to: numbers.count - 1, by: 2).map { index in
                (Int(numbers[index]) ?? 0, Float(numbers[index + 1]) ?? 0)
            }
        }
    }

    /// Landmark, then vertex and weight of each term.
    private static let landmarkText = """
        0: 127 0.91 234 0.21 50 -0.12
        1: 234 0.8 93 0.3 50 -0.1
        2: 93 0.61 132 0.44 205 -0.05
        3: 58 0.53 132 0.52 205 -0.05
        4: 172 0.64 58 0.42 205 -0.06
        5: 136 0.92 150 0.22 204 -0.14
        6: 149 0.79 150 0.35 204 -0.14
        7: 148 0.66 176 0.42 17 -0.08
        8: 152 1.07 17 -0.07
        9: 377 0.66 400 0.42 17 -0.08
        10: 378 0.79 379 0.35 424 -0.14
        11: 365 0.92 379 0.22 424 -0.14
        12: 397 0.64 288 0.42 425 -0.06
        13: 288 0.53 361 0.52 425 -0.05
        14: 323 0.61 361 0.44 425 -0.05
        15: 454 0.8 323 0.3 280 -0.1
        16: 356 0.91 454 0.21 280 -0.12
        17: 156 0.51 70 0.49
        18: 63 0.83 225 0.1 70 0.07
        19: 66 0.54 63 0.41 104 0.05
        20: 66 0.4 107 0.39 52 0.21
        21: 107 0.73 193 0.27
        22: 336 0.73 417 0.27
        23: 296 0.4 336 0.39 282 0.21
        24: 296 0.54 293 0.41 333 0.05
        25: 293 0.83 445 0.1 300 0.07
        26: 383 0.51 300 0.49
        27: 168 0.6 6 0.4
        28: 195 0.46 351 0.27 122 0.27
        29: 5 0.64 248 0.18 3 0.18
        30: 4 0.87 1 0.13
        31: 98 0.68 99 0.32
        32: 97 0.91 167 0.06 141 0.03
        33: 2 0.55 164 0.45
        34: 326 0.91 393 0.06 370 0.03
        35: 327 0.68 328 0.32
        36: 33 0.57 25 0.43
        37: 159 0.65 246 0.35
        38: 159 0.53 173 0.34 158 0.13
        39: 155 0.78 112 0.22
        40: 155 0.49 24 0.36 145 0.15
        41: 145 0.55 110 0.3 7 0.15
        42: 382 0.78 341 0.22
        43: 386 0.53 398 0.34 385 0.13
        44: 386 0.65 466 0.35
        45: 263 0.57 255 0.43
        46: 374 0.55 339 0.3 249 0.15
        47: 382 0.49 254 0.36 374 0.15
        48: 61 0.72 57 0.22 146 0.06
        49: 39 0.44 184 0.29 73 0.27
        50: 72 0.72 164 0.2 184 0.08
        51: 302 0.49 72 0.48 164 0.03
        52: 302 0.72 164 0.2 408 0.08
        53: 269 0.44 408 0.29 303 0.27
        54: 291 0.72 287 0.22 375 0.06
        55: 405 0.49 375 0.33 406 0.18
        56: 314 0.85 17 0.1 375 0.05
        57: 84 0.35 314 0.35 17 0.3
        58: 84 0.85 17 0.1 146 0.05
        59: 181 0.49 146 0.33 182 0.18
        60: 62 1
        61: 13 0.38 42 0.32 82 0.3
        62: 13 0.74 272 0.13 42 0.13
        63: 13 0.38 272 0.32 312 0.3
        64: 292 1
        65: 317 0.6 316 0.32 324 0.08
        66: 316 0.5 86 0.5
        67: 87 0.6 86 0.32 95 0.08
        """

    private static let headPointText = """
        rightSide: 162 1.36 127 -0.03 34 -0.05 33 -0.28
        rightTemple: 21 1.47 54 0.06 71 -0.1 33 -0.43
        rightUpperTemple: 54 0.97 103 0.62 63 -0.25 133 -0.34
        rightHairlineCorner: 103 1.02 67 0.76 105 -0.34 133 -0.44
        rightHairline: 109 1.89 67 -0.1 107 -0.32 168 -0.47
        hairlineCenter: 10 1.92 151 -0.15 9 -0.3 168 -0.47
        leftHairline: 338 1.89 297 -0.1 336 -0.32 168 -0.47
        leftHairlineCorner: 332 1.02 297 0.76 334 -0.34 362 -0.44
        leftUpperTemple: 284 0.97 332 0.62 293 -0.25 362 -0.34
        leftTemple: 251 1.47 284 0.06 301 -0.1 263 -0.43
        leftSide: 389 1.36 356 -0.03 264 -0.05 263 -0.28
        """
}
