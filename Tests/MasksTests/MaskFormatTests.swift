import FaceGeometry
import Foundation
import Masks
import TestSupport
import Testing

/// The loader, `docs/masks/format.md` and `docs/masks/mask.schema.json` say the same.
@Suite struct MaskFormatTests {
    private let schema: [String: Any]
    private let text: String

    init() throws {
        let bytes = Data(try Repository.text("docs/masks/mask.schema.json").utf8)
        schema = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        text = try Repository.text("docs/masks/format.md")
    }

    private func value(_ keys: String...) throws -> Any {
        var current: Any = schema
        for key in keys {
            let object = try #require(current as? [String: Any])
            current = try #require(object[key], "\(keys)")
        }
        return current
    }

    private func isDocumented(_ word: String) -> Bool { text.contains("`\(word)`") || text.contains("`\"\(word)\"`") }

    @Test func keysAreTheSame() throws {
        let types = try #require(try value("$defs", "layer", "oneOf") as? [[String: String]])
        #expect(types.compactMap { $0["$ref"] } == LayerReader.LayerType.allCases.map { "#/$defs/\($0.rawValue)" })
        for type in LayerReader.LayerType.allCases {
            let properties = try #require(try value("$defs", type.rawValue, "properties") as? [String: Any])
            #expect(Set(properties.keys) == Set(LayerReader.keys(of: type)), "\(type)")
            #expect(isDocumented(type.rawValue))
            for key in LayerReader.keys(of: type) { #expect(isDocumented(key), "\(key)") }
        }
    }

    @Test func wordsAreTheSame() throws {
        let states = Condition.names.map(\.name)
        let when = try #require(try value("$defs", "warp", "properties", "when", "items", "enum") as? [String])
        #expect(Set(when) == Set(states + states.map { "not \($0)" }))
        let signals = ExpressionSignals.Name.allCases.map(\.rawValue)
        for number in ["share", "signed"] {
            let forms = try #require(try value("$defs", number, "oneOf") as? [[String: Any]])
            let driven = try #require(forms.last?["properties"] as? [String: [String: Any]])
            #expect(driven["by"]?["enum"] as? [String] == signals)
        }
        let blend = BlendMode.allCases.map(\.rawValue)
        for type in ["warp", "sticker", "prop"] {
            #expect(try value("$defs", type, "properties", "blend", "enum") as? [String] == blend, "\(type)")
        }
        let anchors = try #require(try value("$defs", "sticker", "properties", "anchor", "enum") as? [String])
        #expect(anchors == StickerLayer.Anchor.allCases.map(\.rawValue))
        let controls = try #require(
            try value("$defs", "deform", "properties", "controls", "properties") as? [String: Any])
        #expect(Set(controls.keys) == Set(Deformation.Control.allCases.map(\.rawValue)))
        let openings = try #require(
            try value("$defs", "warp", "properties", "openings", "items", "enum") as? [String])
        #expect(openings == FaceMesh.Opening.allCases.map(\.rawValue))
        let under = try #require(try value("properties", "under", "items", "enum") as? [String])
        #expect(under == Mask.Occluder.allCases.map(\.rawValue))
        let likeness = try #require(try value("properties", "likeness", "enum") as? [String])
        #expect(likeness == Mask.Likeness.allCases.map(\.rawValue))
        let faces = try #require(try value("$defs", "warp", "properties", "faces", "oneOf") as? [[String: Any]])
        #expect(faces.first?["enum"] as? [String] == FaceSelector.names.map(\.name))
        let words = likeness + states + signals + blend + anchors + controls.keys + openings
        for word in words + FaceSelector.names.map(\.name) {
            #expect(isDocumented(word), "\(word)")
        }
    }

    /// Every mask of the gallery is free to use and loads.
    @Test(arguments: try Repository.maskNames()) func theGalleryLoads(_ name: String) throws {
        let mask = try Repository.mask(name)
        #expect(mask.author == "The Bauta project" && mask.license == "CC0-1.0")
    }
}
