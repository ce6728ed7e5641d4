import FaceGeometry
import JSON
import Masks
import Pixels

/// The template as SVG. Its groups are layers in Inkscape.
extension MaskTemplate {
    /// The coordinates' unit is 1/1024 of the side.
    func svg() throws -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
            xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" \
            xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" width="\(side)" height="\(side)" \
            viewBox="0 0 1024 1024">

            """
        let picture = "data:image/png;base64,\(Base64.text(try Self.png(face)))"
        text += Self.layer(
            "face", "face", " opacity=\"\(decimal(Self.faceOpacity))\"",
            "<image width=\"1024\" height=\"1024\" href=\"\(picture)\" xlink:href=\"\(picture)\"/>")
        let ground = paint.map { "<rect width=\"1024\" height=\"1024\" fill=\"rgb(\($0.x),\($0.y),\($0.z))\"/>" }
        text += Self.layer(VectorPicture.paintElement, VectorPicture.paintElement, "", ground ?? "")
        for guide in guides {
            text += Self.layer(
                guide.name.split(separator: " ").joined(separator: "-"), guide.name, " sodipodi:insensitive=\"true\"",
                path(guide))
        }
        return text + "</svg>\n"
    }

    private static func layer(
        _ identifier: String, _ name: String, _ attributes: String, _ content: String
    ) -> String {
        "  <g id=\"\(identifier)\" inkscape:groupmode=\"layer\" inkscape:label=\"\(name)\"\(attributes)>"
            + content + "</g>\n"
    }

    private func path(_ guide: TemplateGuide) -> String {
        let lines = guide.edges.map { edge in
            let (from, to) = (1024 * vertices[edge.from], 1024 * vertices[edge.to])
            return "M\(decimal(from.x)) \(decimal(from.y))L\(decimal(to.x)) \(decimal(to.y))"
        }.joined()
        let color = "rgb(\(guide.color.x),\(guide.color.y),\(guide.color.z))"
        let opacity = decimal(Float(guide.color.w) / 255)
        return "<path d=\"\(lines)\" fill=\"none\" stroke=\"\(color)\" stroke-opacity=\"\(opacity)\" "
            + "stroke-width=\"\(decimal(guide.thickness))\" stroke-linecap=\"round\"/>"
    }
}
