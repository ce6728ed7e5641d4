import Compositing
import FaceTracking
import FrameProcessing
import ImageFiles
import MaskRendering
import People

/// How photographs are masked.
package struct PhotoOptions: Sendable {
    /// The treatment of photographs without a face.
    package enum FacelessChoice: String, CaseIterable, Sendable {
        /// Copied as it is.
        case copy
        case skip
        /// The whole picture is blurred.
        case blur
        /// It is an error.
        case fail
    }

    /// Which thumbnails are made of a photograph, for a contact sheet.
    package enum ThumbnailChoice: Sendable {
        case none
        /// Of the result, not of the unmasked photograph.
        case result
        case both
    }

    /// How results are written.
    package struct ResultChoice: Sendable {
        /// Nil: the input's.
        package var format: PictureFormat?
        /// 1 to 100, for JPEG; nil: that of the input, or 92.
        package var quality: Int?
    }

    /// What is done to pictures before masks are drawn.
    package struct EffectChoice: Sendable {
        /// Makes it, once for each thread; nil: nothing is done.
        package var make: (@Sendable () throws -> FrameEffects)?
        /// What it is whatever the mask, for records; nil: nothing. Otherwise photographs without a face are changed, too.
        package var background: String?
        /// Whether it makes pictures transparent. Results then need a format with alpha.
        package var hasAlpha = false
    }

    /// The treatment of photographs whose result exists.
    package enum ExistingChoice: String, CaseIterable, Sendable {
        /// A result of an earlier run with the same settings is left as it is. Anything else there is an error.
        case skip
        case replace
        /// It is an error.
        case fail
    }

    /// Names or folders of masks, at least one. The faces of a photograph wear them in turn.
    package var masks = ["bauta"]
    /// In which order, for each photograph another one; nil: in that of `masks`, and where one photograph ends, the next begins.
    package var shuffle: Int?
    package var renderer = RendererChoice.auto
    package var models = FaceModels()
    package var faces = FaceChoice.all
    /// The occluders that are shown in front of masks.
    package var occluders = OccluderPolicy.mask
    package var effects = EffectChoice()
    /// Is told once, on any thread, what is left out because a network is damaged, unless somebody has asked for it.
    package var warn: (@Sendable (String) -> Void)?
    /// The covering of each person's face; nil: everybody wears the mask, and nobody is looked for.
    package var people: PeopleSettings?
    package var analysis = StillAnalyzer.Settings()
    package var faceless = FacelessChoice.copy
    package var overlays: Set<FaceOverlay.Part> = []
    /// Whether the mask is drawn.
    package var isMasking = true
    /// Whether faces are covered (`FaceCover`), and nothing else is left that tells who or where it
    /// was (`Picture.removeOrigin`). `analysis` should be thorough then. No mask is drawn.
    package var anonymises = false
    /// How these covers look.
    package var cover = FaceCover.Style.solid
    package var result = ResultChoice()
    /// The memory limit for all photographs that are masked at the same time, in bytes; nil: half of the machine's.
    package var memory: Int?
    package var existing = ExistingChoice.fail
    package var thumbnails = ThumbnailChoice.none
    /// Whether results are OpenRaster files with the photograph, masks and what is in front of them in layers.
    package var isLayered = false

    package init() {}

    /// Whether anything is drawn that needs a renderer.
    package var drawsMask: Bool { isMasking && !anonymises }
}
