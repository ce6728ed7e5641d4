import CGraphics
import FaceGeometry
import GLTF
import Graphics
import MaskComposition
import Pixels

/// Draws props into a texture, with a depth buffer and four samples per pixel.
final class PropPainter {
    private let program: ShaderProgram
    private let target = MultisampleTarget()
    private let drawn = Texture2D(filter: .nearest)
    private let head = ModelBuffers(HeadSurface.mean)
    private let white = Texture2D()
    private let roomTexture = Texture2D()
    private var roomPixels: PixelBuffer
    private var models: [ObjectIdentifier: (onGPU: ModelOnGPU, lastUse: Int)] = [:]
    private var pictures = 0

    /// Models that so many pictures did not show are forgotten.
    private static let longestRest = 300

    private static let samplers = [
        "baseColorTexture", "metallicRoughnessTexture", "normalTexture", "occlusionTexture", "emissiveTexture",
        "room",
    ]

    init(_ shaders: ShaderSources) throws(GraphicsError) {
        program = try ShaderProgram(shaders)
        glUseProgram(program.name)
        for (unit, name) in Self.samplers.enumerated() { glUniform1i(program.uniform(name), GLint(unit)) }
        do {
            roomPixels = try PixelBuffer(width: 2 * RoomMap.side, height: RoomMap.side, format: .rgba16)
            var pixel = try PixelBuffer(width: 1, height: 1, format: .rgba8)
            pixel.fill(SIMD4(repeating: 255))
            white.upload(pixel)
        } catch {
            throw GraphicsError(.outOfMemory, "\(error)")
        }
    }

    func beginPicture() {
        pictures += 1
        if pictures % Self.longestRest == 0 {
            models = models.filter { $0.value.lastUse > pictures - Self.longestRest }
        }
    }

    /// Draws what is seen in an area of the picture, from the texture's top left corner on. The frame buffer, the viewport
    /// and the program are others afterwards.
    func paint(_ scene: PropScene, area: PixelRectangle) throws(GraphicsError) -> Texture2D {
        try target.begin(width: area.width, height: area.height)
        let onGPU = onGPU(scene.model)
        onGPU.pose(scene.posedVertices)
        glUseProgram(program.name)
        glUniform2f(program.uniform("tileOrigin"), Float(area.x), Float(area.y))
        glUniform2f(program.uniform("tileSize"), Float(area.width), Float(area.height))
        let camera = scene.camera
        glUniform3f(
            program.uniform("camera"), camera.focalLength, camera.principalPoint.x, camera.principalPoint.y)
        set(scene.light)
        glEnable(GLenum(GL_DEPTH_TEST))
        glDepthFunc(GLenum(GL_LESS))
        glDisable(GLenum(GL_BLEND))
        // Counter-clockwise in the picture, whose y axis points down, is clockwise for OpenGL.
        glFrontFace(GLenum(GL_CW))
        defer {
            glDisable(GLenum(GL_DEPTH_TEST))
            glFrontFace(GLenum(GL_CCW))
            glDepthMask(GLboolean(GL_TRUE))
            setColorMask(true)
        }
        setColorMask(false)
        glDisable(GLenum(GL_CULL_FACE))
        set(camera.headToCamera)
        set(ModelMaterial(), nil)
        if let occluder = scene.occluder { head.draw(0..<occluder.indices.count) }
        setColorMask(true)
        set(scene.modelToCamera)
        draw(onGPU, blends: false)
        drawBlended(onGPU)
        try target.resolve(into: drawn, width: area.width, height: area.height)
        return drawn
    }

    /// Only the nearest surface that blends is seen: the depths first, then what has them.
    private func drawBlended(_ onGPU: ModelOnGPU) {
        guard onGPU.model.parts.contains(where: { onGPU.model.materials[$0.material].transparency == .blend }) else {
            return
        }
        setColorMask(false)
        draw(onGPU, blends: true)
        setColorMask(true)
        glDepthMask(GLboolean(GL_FALSE))
        glDepthFunc(GLenum(GL_EQUAL))
        glEnable(GLenum(GL_BLEND))
        glBlendEquation(GLenum(GL_FUNC_ADD))
        glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE_MINUS_SRC_ALPHA))
        draw(onGPU, blends: true)
    }

    private func draw(_ onGPU: ModelOnGPU, blends: Bool) {
        for part in onGPU.model.parts {
            let material = onGPU.model.materials[part.material]
            guard (material.transparency == .blend) == blends else { continue }
            set(material, onGPU)
            onGPU.buffers.draw(part.indices)
        }
    }

    private func onGPU(_ model: Model) -> ModelOnGPU {
        let key = ObjectIdentifier(model)
        let onGPU = models[key]?.onGPU ?? ModelOnGPU(model)
        models[key] = (onGPU, pictures)
        return onGPU
    }

    // MARK: Uniforms

    private func setColorMask(_ isOn: Bool) {
        let value = GLboolean(isOn ? GL_TRUE : GL_FALSE)
        glColorMask(value, value, value, value)
    }

    private func set(_ transform: AffineTransform3D) {
        let (x, y, z, t) = (transform.columns.0, transform.columns.1, transform.columns.2, transform.translation)
        glUniformMatrix4fv(
            program.uniform("toCamera"), 1, GLboolean(GL_FALSE),
            [x.x, x.y, x.z, 0, y.x, y.y, y.z, 0, z.x, z.y, z.z, 0, t.x, t.y, t.z, 1])
        glUniform1f(program.uniform("handedness"), transform.determinant < 0 ? -1 : 1)
    }

    private func set(_ light: PropLight) {
        glUniform3f(program.uniform("lightDirection"), light.direction.x, light.direction.y, light.direction.z)
        glUniform1f(program.uniform("key"), light.key)
        glUniform1f(program.uniform("ambient"), light.ambient)
        glUniform1f(program.uniform("exposure"), light.exposure)
        glUniform1i(program.uniform("hasRoom"), light.room == nil ? 0 : 1)
        upload(light.room)
    }

    private func upload(_ room: RoomMap?) {
        guard let room else { return white.bind(unit: Self.samplers.count - 1) }
        let (side, stride) = (RoomMap.side, roomPixels.bytesPerRow)
        roomPixels.withUnsafeMutableBytes { bytes in
            for y in 0..<side {
                for (x, texel) in room.texels[y * side..<(y + 1) * side].enumerated() {
                    for (column, color) in [(x, texel.lowHalf), (side + x, texel.highHalf)] {
                        let pixel = SIMD4<UInt16>(color * (65535 / 4) + 0.5)
                        bytes.storeBytes(
                            of: pixel, toByteOffset: y * stride + column * MemoryLayout<SIMD4<UInt16>>.size,
                            as: SIMD4<UInt16>.self)
                    }
                }
            }
        }
        roomTexture.upload(roomPixels)
        roomTexture.bind(unit: Self.samplers.count - 1)
    }

    private func set(_ material: ModelMaterial, _ onGPU: ModelOnGPU?) {
        let (base, glow) = (material.baseColor, material.emissive)
        glUniform4f(program.uniform("baseColor"), base.x, base.y, base.z, base.w)
        glUniform3f(program.uniform("emissive"), glow.x, glow.y, glow.z)
        glUniform1f(program.uniform("metallic"), material.metallic)
        glUniform1f(program.uniform("roughness"), material.roughness)
        glUniform1f(program.uniform("normalScale"), material.normalScale)
        glUniform1f(program.uniform("occlusionStrength"), material.occlusionStrength)
        glUniform1i(program.uniform("blends"), material.transparency == .blend ? 1 : 0)
        glUniform1i(program.uniform("bendsNormal"), material.normalTexture == nil ? 0 : 1)
        var cutoff: Float = -1
        if case .mask(let value) = material.transparency { cutoff = value }
        glUniform1f(program.uniform("cutoff"), cutoff)
        if material.isDoubleSided || onGPU == nil {
            glDisable(GLenum(GL_CULL_FACE))
        } else {
            glEnable(GLenum(GL_CULL_FACE))
        }
        let textures = [
            material.baseColorTexture, material.metallicRoughnessTexture, material.normalTexture,
            material.occlusionTexture, material.emissiveTexture,
        ]
        for (unit, texture) in textures.enumerated() {
            if let texture, let onGPU { onGPU.bind(texture, unit: unit) } else { white.bind(unit: unit) }
        }
    }
}
