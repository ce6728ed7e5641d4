/// Smooth value noise, 0…1, identical on every machine.
func noise(_ p: SIMD3<Float>) -> Float {
    let base = p.rounded(.down)
    let f = p - base
    let s = f * f * (SIMD3(repeating: 3) - 2 * f)
    let cell = SIMD3<Int32>(Int32(base.x), Int32(base.y), Int32(base.z))
    func corner(_ x: Int32, _ y: Int32, _ z: Int32) -> Float {
        var h = UInt32(
            bitPattern: (cell.x &+ x) &* 374_761_393 &+ (cell.y &+ y) &* 668_265_263 &+ (cell.z &+ z) &* 2_147_483_647)
        h = (h ^ (h >> 13)) &* 1_274_126_177
        h ^= h >> 16
        return Float(h & 0xFFFF) / 65535
    }
    func line(_ y: Int32, _ z: Int32) -> Float {
        let a = corner(0, y, z)
        return a + (corner(1, y, z) - a) * s.x
    }
    func plane(_ z: Int32) -> Float {
        let a = line(0, z)
        return a + (line(1, z) - a) * s.y
    }
    let a = plane(0)
    return a + (plane(1) - a) * s.z
}
