import Masks

extension Layer {
    var warp: WarpLayer? { if case .warp(let warp) = content { warp } else { nil } }
    var sticker: StickerLayer? { if case .sticker(let sticker) = content { sticker } else { nil } }
}

extension WarpLayer {
    var texture: Texture? { if case .texture(let texture) = picture { texture } else { nil } }
}
