import Files
import Testing

@Suite struct FileSizeTests {
    @Test(arguments: [
        (0, "1 kB"), (1, "1 kB"), (999_400, "999 kB"), (999_960, "1.0 MB"), (9_940_000, "9.9 MB"),
        (12_400_000, "12 MB"), (2_500_000_000, "2.5 GB"),
    ])
    func sizesAreShort(_ bytes: Int, _ text: String) { #expect(FileSize.text(bytes) == text) }
}
