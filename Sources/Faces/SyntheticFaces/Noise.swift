/// Smooth value noise, 0…1, identical on every machine.
func noise(_ p: SIMD3<Float>) -> Float {
    let base = p.rounded(.down)
    let f = p - base
    let s = f * f * (SIMD3(repeating: 3) - 2 * f)
    // The corners of the cell, x fastest.
    func corners(_ base: Float, _ offsets: SIMD8<Int32>) -> SIMD8<Int32> { SIMD8(repeating: Int32(base)) &+ offsets }
    let x = corners(base.x, SIMD8(0, 1, 0, 1, 0, 1, 0, 1))
    let y = corners(base.y, SIMD8(0, 0, 1, 1, 0, 0, 1, 1))
    let z = corners(base.z, SIMD8(0, 0, 0, 0, 1, 1, 1, 1))
    var h = SIMD8<UInt32>(
        truncatingIfNeeded: x &* 374_761_393 &+ y &* 668_265_263 &+ z &* 2_147_483_647)
    h = (h ^ (h &>> 13)) &* 1_274_126_177
    h ^= h &>> 16
    let values = SIMD8<Float>(h & 0xFFFF) / 65535
    let lines = values.evenHalf + (values.oddHalf - values.evenHalf) * s.x
    let planes = lines.evenHalf + (lines.oddHalf - lines.evenHalf) * s.y
    return planes.x + (planes.y - planes.x) * s.z
}
