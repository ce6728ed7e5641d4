import FaceGeometry
import Files
import Pixels

/// A loaded and valid mask.
package struct Mask: Sendable {
    package let name: String
    package let author: String?
    package let license: String?
    /// Nil: it is not made of a person's picture, as far as is known.
    package let likeness: Likeness?
    /// A description in a few words.
    package let description: String?
    /// From bottom to top. Groups are flattened when a mask is loaded.
    package let layers: [Layer]
    /// What is shown in place of what is behind people; nil: that itself.
    package let background: Background?
    /// The occluders that are shown in front of the mask.
    package let occluders: Set<Occluder>
    /// The folder that it was loaded from.
    package let folder: FilePath
    /// Whether a layer depends on where the eyes look.
    package let followsGaze: Bool
    /// Whether a layer depends on what is heard.
    package let followsSound: Bool
    /// Whether it shows nothing but other people's faces: on the only face of a picture it draws nothing.
    package let needsAnotherFace: Bool
    /// Whether it shows nothing but people's faces: who is alone in a picture is recognised in it.
    package let isRecognisableAlone: Bool
    /// Whether it lies on the skin, without anything that stands on it.
    package let isOnlyPaint: Bool
    /// Whether it has 3-D models, which reach beyond the face.
    package let hasProps: Bool
    /// Whether a layer dyes hair.
    package let dyesHair: Bool

    /// The consent of the person whose face the mask shows.
    package enum Likeness: String, CaseIterable, Sendable {
        /// Nobody has asked them.
        case unasked
        case agreed
    }

    /// Things in front of a face.
    package enum Occluder: String, CaseIterable, Sendable {
        /// Anything that comes in front of the tracked face: hands, cups, microphones. In single pictures: hands.
        case hands
        /// Hair, hats and hoods that hang over the face.
        case hair
        /// Dark frames of glasses.
        case glasses

        /// In front of masks that name none.
        package static let usual: Set<Occluder> = [.hands, .hair, .glasses]
        /// Whether stickers and props are in front of it: it is looked for only before masks that lie on the skin.
        package var isBehindProps: Bool { self != .hands }
    }

    /// What is behind people.
    package enum Background: Sendable {
        /// The same, blurred.
        case blur
        /// sRGB.
        case color(red: UInt8, green: UInt8, blue: UInt8)
        /// Cropped to the frame's proportions; opaque on white.
        case picture(Texture)

        /// - Parameter text: a colour, such as "#00ff00".
        package init?(color text: String) {
            guard let color = SIMD3(hexadecimalColor: text) else { return nil }
            self = .color(red: color.x, green: color.y, blue: color.z)
        }

        /// Whether it is the same: of pictures, the same revision.
        package func isSame(as other: Background) -> Bool {
            switch (self, other) {
            case (.blur, .blur): true
            case (.color(let red, let green, let blue), .color(let r, let g, let b)):
                (red, green, blue) == (r, g, b)
            case (.picture(let texture), .picture(let other)): texture === other
            default: false
            }
        }
    }

    package init(
        name: String, author: String?, license: String?, likeness: Likeness? = nil, description: String? = nil,
        layers: [Layer], background: Background? = nil, occluders: Set<Occluder> = Occluder.usual,
        folder: some FilePathConvertible
    ) {
        self.name = name
        self.background = background
        self.likeness = likeness
        self.description = description
        self.author = author
        self.license = license
        self.layers = layers
        self.occluders = occluders
        self.folder = folder.filePath
        followsGaze = layers.contains(where: \.followsGaze)
        followsSound = layers.contains { $0.signals.contains(where: \.isSound) }
        let drawn = layers.filter { if case .deform = $0.content { false } else { true } }
        isOnlyPaint = drawn.allSatisfy {
            switch $0.content {
            case .warp, .deform, .hair, .comic: true
            case .sticker, .prop: false
            }
        }
        hasProps = layers.contains { if case .prop = $0.content { true } else { false } }
        dyesHair = layers.contains { if case .hair = $0.content { true } else { false } }
        needsAnotherFace = !drawn.isEmpty && drawn.allSatisfy { $0.showsAnotherFace && !$0.growsAlone }
        isRecognisableAlone = !drawn.isEmpty && drawn.allSatisfy(\.showsAnotherFace)
    }

    /// The same mask with the opacity of all layers multiplied by `opacity`, 0…1.
    package func faded(to opacity: Float) -> Mask {
        var layers = layers
        for index in layers.indices { layers[index].opacities.append(AnimatableValue(opacity)) }
        return Mask(
            name: name, author: author, license: license, likeness: likeness, description: description, layers: layers,
            background: background, occluders: occluders, folder: folder)
    }
}

/// One layer of a mask: its content, and when, on which faces and how it is drawn.
package struct Layer: Sendable {
    package enum Content: Sendable {
        case warp(WarpLayer)
        case sticker(StickerLayer)
        case prop(PropLayer)
        /// Deforms the mesh for the layers above.
        case deform(Deformation)
        /// Dyes the hair around the face before anything is drawn. The colour is sRGB-encoded, 0…1.
        case hair(color: SIMD3<Float>)
        /// Draws the whole picture as a comic before anything is drawn on faces.
        case comic(Comic)
    }

    package var content: Content
    package var blendMode = BlendMode.normal
    /// Its own and those of the groups around it, each 0…1; they are multiplied.
    package var opacities: [AnimatableValue] = []
    /// All must hold.
    package var conditions: [Condition] = []
    package var choices: [FaceSelector] = []
    package var light = LightMatching()
    /// Of a warp whose picture is a texture: it changes the skin instead of drawing on it; nil: it draws.
    package var makeup: Makeup?

    package init(_ content: Content) { self.content = content }

    /// Whether it is invisible for every face and expression.
    var isNeverShown: Bool {
        let needed = conditions.reduce(into: Expression.States()) { $0.formUnion($1.needed) }
        let contradicts = conditions.contains { $0.excluded.contains(where: needed.isSuperset) }
        return contradicts || needed.isSuperset(of: [.turnedLeft, .turnedRight])
            || opacities.contains(AnimatableValue(0))
    }

    /// Whether it shows nothing but the face of somebody else.
    fileprivate var showsAnotherFace: Bool {
        if case .warp(let warp) = content, case .otherFace = warp.picture { true } else { false }
    }

    /// Whether it makes a face large that has nobody to swap with.
    fileprivate var growsAlone: Bool {
        if case .warp(let warp) = content { warp.growsAlone } else { false }
    }

    /// Whether it depends on where the eyes look.
    var followsGaze: Bool {
        if case .sticker(let sticker) = content, sticker.anchor.isPupil { return true }
        if case .prop(let prop) = content, prop.model.rig?.expressions.contains(where: \.shape.isGaze) == true {
            return true
        }
        return signals.contains(where: \.isGaze)
    }

    /// The signals that its values follow.
    fileprivate var signals: [ExpressionSignals.Name] {
        var values = opacities
        switch content {
        case .warp(let warp): values += warp.picture.positions
        case .sticker(let sticker): values += sticker.picture.positions
        case .prop(let prop): values += prop.animations.compactMap(\.position)
        case .deform(let deformation): values += deformation.strengths.values
        case .hair, .comic: break
        }
        return values.compactMap(\.signal)
    }

    /// Its opacity on a face, 0…1.
    /// - Parameter isLargest: whether it is the largest face in the picture.
    package func visibility(on instance: FaceInstance, isLargest: Bool) -> Float {
        guard conditions.allSatisfy({ $0.holds(instance) }),
            choices.allSatisfy({ $0.includes(instance, isLargest: isLargest) })
        else { return 0 }
        return opacities.reduce(1) { $0 * min(1, max(0, $1.value(instance.signals))) }
    }
}

/// A picture that the mesh warps onto the face.
package struct WarpLayer: Sendable {
    package var picture: LayerPicture
    /// Texture coordinates of each vertex of the mesh, 0…1 from the top left corner. Unused for live pictures.
    package var textureCoordinates: [Point]
    /// The parts of the face that are left out.
    package var openings: Set<FaceMesh.Opening>
    /// Width of the soft edge, in face widths.
    package var feather: Float
    /// Of `otherFace`: whether a face without a partner becomes large; false: it stays as it is.
    package var growsAlone = false

    package static let defaultFeather: Float = 0.025
    package static let featherRange = 0.0...0.16

    package init(
        picture: LayerPicture, textureCoordinates: [Point], openings: Set<FaceMesh.Opening>,
        feather: Float = defaultFeather
    ) {
        self.picture = picture
        self.textureCoordinates = textureCoordinates
        self.openings = openings
        self.feather = feather
    }

    /// Warps the face that a texture shows.
    /// - Parameter vertices: the mesh's, in pixels of the texture.
    package init(_ texture: Texture, vertices: [Point], openings: Set<FaceMesh.Opening>) {
        let size = Point(Float(texture.pixels.width), Float(texture.pixels.height))
        self.init(
            picture: .texture(texture), textureCoordinates: vertices.map { $0 / size }, openings: openings)
    }
}

/// The source of a layer's colours.
package enum LayerPicture: Sendable {
    case texture(Texture)
    case animation(Animation)
    /// The face itself as it is in the picture, for deformations.
    case ownFace
    /// The face of the person who suits best.
    case otherFace

    /// The source of an animation's current frame.
    var positions: [AnimatableValue] {
        if case .animation(let animation) = self, let position = animation.position { [position] } else { [] }
    }
}

/// A picture attached to a point of the face.
package struct StickerLayer: Sendable {
    package enum Anchor: String, CaseIterable, Sendable {
        case nose, noseBridge, forehead, rightEye, leftEye, eyes, rightCheek, leftCheek, mouth, upperLip, chin
        case rightEar, leftEar, hairline, rightPupil, leftPupil

        /// Whether it moves in the eye. Where no pupil was found, it is the middle of the eye.
        package var isPupil: Bool { self == .rightPupil || self == .leftPupil }
    }

    package var picture: LayerPicture
    package var anchor: Anchor
    /// In face widths.
    package var width: Float
    /// From the anchor, in face widths; x and y as in canonical UV: right and down.
    package var offset: Point
    /// Towards the viewer of the template, in face widths: what is behind the face moves against it when the head turns.
    package var depth: Float
    /// Clockwise, in radians.
    package var angle: Float
    /// The point of the picture that lies on the anchor, 0…1 from its top left corner.
    package var center: Point
    /// Whether it is moved into the picture where it would lie partly beyond its edge.
    package var staysInside = false

    package init(
        picture: LayerPicture, anchor: Anchor, width: Float, offset: Point = .zero, depth: Float = 0, angle: Float = 0,
        center: Point = Point(0.5, 0.5)
    ) {
        self.picture = picture
        self.anchor = anchor
        self.width = width
        self.offset = offset
        self.depth = depth
        self.angle = angle
        self.center = center
    }
}

/// How far a layer takes on the light of the face; each from 0 (not at all) to 1.
package struct LightMatching: Equatable, Sendable {
    /// Low-frequency shading of the skin.
    package var shading: Float = 0
    /// High-frequency detail: wrinkles, stubble, freckles.
    package var detail: Float = 0
    /// Mean and standard deviation of the colours.
    package var color: Float = 0

    package init(shading: Float = 0, detail: Float = 0, color: Float = 0) {
        self.shading = shading
        self.detail = detail
        self.color = color
    }

    package var isNone: Bool { self == LightMatching() }
}

/// How a layer is blended with what is below it (W3C "Compositing and Blending Level 1"), on encoded sRGB values.
///
/// The order is the mode's number in `shaders/WarpLayer.frag` and in CRasterizer's `blending.h`: a new mode goes to the end.
package enum BlendMode: String, CaseIterable, Sendable {
    case normal, multiply, screen, overlay, darken, lighten
    case colorDodge = "color-dodge"
    case colorBurn = "color-burn"
    case hardLight = "hard-light"
    case softLight = "soft-light"
    case difference, exclusion, hue, saturation, color, luminosity
}

/// A sequence of pictures that runs in a loop or follows an expression signal.
package struct Animation: Sendable {
    package let frames: [Texture]
    /// When each frame ends, in seconds from the start of the animation.
    package let ends: [Double]
    /// The position in the animation, 0…1; nil: it runs in a loop.
    package let position: AnimatableValue?

    /// - Parameters:
    ///   - frames: at least one, all of one size.
    ///   - durations: one for each, in seconds; none below 0.01.
    package init(frames: [Texture], durations: [Double], position: AnimatableValue? = nil) {
        precondition(!frames.isEmpty && frames.count == durations.count)
        self.frames = frames
        var end = 0.0
        ends = durations.map {
            end += max(0.01, $0)
            return end
        }
        self.position = position
    }

    /// - Parameter seconds: the picture's time.
    package func frame(at seconds: Double, signals: ExpressionSignals) -> Texture {
        let length = ends[ends.count - 1]
        let time: Double
        if let position {
            time = min(0.9999, max(0, Double(position.value(signals)))) * length
        } else {
            let rest = seconds.truncatingRemainder(dividingBy: length)
            time = rest < 0 ? rest + length : rest
        }
        return frames[ends.firstIndex { time < $0 } ?? frames.count - 1]
    }
}
