import Graphics

/// The shaders that masks are drawn with.
package struct MaskShaders: Sendable {
    package let warpLayer: ShaderSources
    package let layerTexture: ShaderSources
    package let propSurface: ShaderSources

    package init(warpLayer: ShaderSources, layerTexture: ShaderSources, propSurface: ShaderSources) {
        self.warpLayer = warpLayer
        self.layerTexture = layerTexture
        self.propSurface = propSurface
    }
}
