import Masks
import TestSupport
import Testing

/// Licences of masks as `mask check` sees them.
@Suite struct LicenseTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func reason(_ license: String) throws -> String? {
        try folder.write(
            #"{"format": 1, "name": "x", "author": "a", "license": "\#(license)", "layers": [{"type": "warp", "live": "face"}]}"#,
            "mask.json")
        let loader = MaskLoader(reference: try Repository.referenceFace())
        return loader.read(PackageFiles(folder: folder.path)).problems.listed.first { $0.code == .licenseUnknown }?
            .reason
    }

    @Test(arguments: [
        "CC-BY-4.0", "CC0-1.0", "EUPL-1.2", "LicenseRef-mine", "GPL-2.0-only WITH Font-exception-2.0",
        "(MIT OR Apache-2.0)",
    ]) func identifiersAndExpressionsAreNoProblem(_ license: String) throws { #expect(try reason(license) == nil) }

    @Test(arguments: [
        ("CC BY 4.0", "CC-BY-4.0"), ("cc-by-sa", "CC-BY-SA-4.0"), ("CC0", "CC0-1.0"), ("MIT License", "MIT"),
        ("Public domain", "LicenseRef-"), ("my own", "LicenseRef-"), (" ", "LicenseRef-"), ("", "LicenseRef-"),
    ]) func theIntendedIdentifierIsNamed(_ license: String, _ right: String) throws {
        let reason = try #require(try reason(license))
        #expect(reason.contains("\"\(right)"), "\(reason)")
    }
}
