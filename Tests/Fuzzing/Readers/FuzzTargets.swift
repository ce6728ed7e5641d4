/// Feeding the readers of foreign bytes with what strangers may send: `scripts/fuzz` with libFuzzer and
/// AddressSanitizer, `scripts/test` with a few changed seeds.
package enum FuzzTargets {
    /// The order is that of `scripts/fuzz`.
    package static let all: [any FuzzTarget.Type] = [
        ManifestTarget.self,
        PointsTarget.self,
        MeshTarget.self,
        ArchiveTarget.self,
        JPEGTarget.self,
        PNGTarget.self,
        WebPTarget.self,
        TIFFTarget.self,
        GIFTarget.self,
        BMPTarget.self,
        NetpbmTarget.self,
        HEIFTarget.self,
        MetadataTarget.self,
        VectorPictureTarget.self,
        OpenRasterTarget.self,
        ModelTarget.self,
        MotionJPEGTarget.self,
        CameraFrameTarget.self,
        ProbeTarget.self,
        FrameTimesTarget.self,
        SoundTarget.self,
        NumbersTarget.self,
        PathTarget.self,
        LandmarkModelTarget.self,
        LandmarkCacheTarget.self,
        NetworkTarget.self,
        ONNXTarget.self,
        ControlTarget.self,
        PeopleTarget.self,
        LabelsTarget.self,
        ReviewTarget.self,
        FaceSearchTarget.self,
        PerformanceTarget.self,
    ]

    package static let names: [String] = all.map { $0.name }
}
