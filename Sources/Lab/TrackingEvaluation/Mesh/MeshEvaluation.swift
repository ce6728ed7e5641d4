import Evaluation
import FaceGeometry
import SyntheticFaces

/// How far head points (hairline and sides of the head, which are estimated from landmarks) are from their true places
/// on synthetic heads in many poses, and how many triangles of the mesh fold over there.
package struct MeshEvaluation {
    /// All heads with one yaw.
    package struct Row {
        /// In degrees.
        package let yaw: Float
        /// Distances of head points as fractions of the face's width.
        package fileprivate(set) var errors = Samples()
        package fileprivate(set) var folds = 0
    }

    package private(set) var rows: [Row] = []
    /// The errors of each head point, in the order of `HeadPoint.allCases`.
    package private(set) var pointErrors = HeadPoint.allCases.map { Samples("\($0)") }

    /// The number of synthetic heads.
    package var heads: Int { rows.reduce(0) { $0 + $1.errors.values.count } / HeadPoint.allCases.count }
    package var errors: Samples { Samples("", rows.flatMap(\.errors.values)) }
    package var folds: Int { rows.reduce(0) { $0 + $1.folds } }

    /// - Throws: `EvaluationError` if the measurement is stopped.
    package init(mesh: FaceMesh, reference: ReferenceFace, isStopped: StopCheck) throws(EvaluationError) {
        rows = DrawnPoses.yaws.map { Row(yaw: $0) }
        let folding = FoldCount(refined: RefinedMesh(mesh, reference: reference), reference: reference)
        for sample in Sample.all {
            for index in rows.indices {
                for pitch in DrawnPoses.pitches {
                    for roll in DrawnPoses.rolls {
                        try checkStop(isStopped)
                        measure(sample.face, index, pitch: pitch, roll: roll, reference, folding)
                    }
                }
            }
        }
    }

    private mutating func measure(
        _ head: DrawnFace, _ index: Int, pitch: Float, roll: Float, _ reference: ReferenceFace, _ folding: FoldCount
    ) {
        let poses = DrawnPoses(reference: reference)
        let drawing = poses.drawing(head, yaw: rows[index].yaw, pitch: pitch, roll: roll)
        let face = poses.face(drawing)
        for point in HeadPoint.allCases {
            let truth = drawing.position(ofCanonicalPoint: reference.vertices[point.vertex])
            let error = Double((face.headPoints[point] - truth).length / DrawnPoses.placement.faceWidth)
            rows[index].errors.add(error)
            pointErrors[point.rawValue].add(error)
        }
        rows[index].folds += folding.folds(of: face, drawn: drawing)
    }
}

/// Counts folded triangles of the skin.
private struct FoldCount {
    let refined: RefinedMesh
    let reference: ReferenceFace

    /// Triangles that are turned over although the same triangle of the synthetic head still shows at least a quarter
    /// of its area. (The renderer fades out what shows less.)
    func folds(of face: Face, drawn drawing: FaceDrawing) -> Int {
        let vertices = refined.vertices(face.vertices)
        let canonical = refined.textureCoordinates(reference.vertices)
        let truth = canonical.map { drawing.position(ofCanonicalPoint: $0) }
        let scale = DrawnPoses.placement.faceWidth / reference.width
        return refined.triangles(openings: Set(FaceMesh.Opening.allCases)).count { triangle in
            triangle.doubleArea(vertices) < 0
                && triangle.doubleArea(truth) > 0.25 * scale * scale * triangle.doubleArea(canonical)
        }
    }
}
