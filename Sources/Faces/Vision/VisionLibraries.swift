import CVision

/// The libraries that find faces, besides our own code.
package enum VisionLibraries {
    /// Names and versions: "dlib 19.24.0, OpenCV 4.6.0".
    package static var versions: String { cvision_versions().map { String(cString: $0) } ?? "" }
}
