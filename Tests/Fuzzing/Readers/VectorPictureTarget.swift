import Masks

/// SVG textures, which are drawn in a child process: what kills it is an error like any other.
enum VectorPictureTarget: FuzzTarget {
    static let name = "svg"
    static let longest = 4096

    static func seeds() -> [[UInt8]] {
        let head = #"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" "#
        return [
            ##"width="8" height="8"><rect id="paint" width="4" height="4" fill="#f00" opacity=".5"/></svg>"##,
            #"viewBox="0 0 9 9"><defs><filter id="f"><feTurbulence/></filter></defs><g filter="url(#f)"/></svg>"#,
            ##"width="9" height="9"><g id="a"><path d="M0 0L9 9Z"/></g><use xlink:href="#a" x="3"/></svg>"##,
            #"width="20" height="9"><text x="1" y="8" font-size="8">text</text><image href="data:,"/></svg>"#,
        ].map { Array((head + $0).utf8) }
    }

    static func read(_ bytes: [UInt8]) {
        var limits = VectorPicture.Limits()
        limits.seconds = 2
        limits.memory = 256 << 20
        guard let picture = try? VectorPicture.painting(bytes, path: "fuzz", maximumSide: 64, limits: limits) else {
            return
        }
        guard picture.pixels.width <= 64, picture.pixels.height <= 64 else { fatalError("larger than allowed") }
    }
}
